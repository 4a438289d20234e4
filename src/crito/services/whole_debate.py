"""A debate from its subject to the verdict: held in one or both orders, judged, and put together to be handed out."""

import re
from collections.abc import Callable, Sequence
from datetime import datetime

from crito.model.debate import Debate, Debater, Debaters, DebateTurn, Stance, claims_on
from crito.model.errors import InvalidInput
from crito.model.ids import Language, RunId, StudyName
from crito.model.study import Agent, Completion, Study, Text
from crito.protocols.driving import Finished, advance
from crito.services.agent_runs import recorded_answers
from crito.services.asking import Calling
from crito.services.debate_files import DebateReport, HeldRun
from crito.services.debating import DebateRun, begin_swapped, hold_debate, stand
from crito.services.judging import judge_names, kept_turn
from crito.services.parts import Parts
from crito.services.ports.store import Tx
from crito.services.staging import SCRIPT
from crito.services.verdicts import Docket, JudgedDebate, judge_debate, judged_debate, protocol_of, run_of
from crito.studies.definition import load_debate

NAME_LENGTH = 40
_NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")


async def hold_and_judge(
    parts: Parts, run: DebateRun, calling: Calling, heard: Callable[[DebateTurn], None] = lambda line: None
) -> DebateReport:
    """Hold a debate that was begun, the other way round too if so defined, and have its judges decide.

    Raises:
        Stopped: before all was done.
        CritoError: a model cannot be asked at all, or a limit was reached.
    """
    outcome = await hold_debate(parts, run, calling, heard)
    runs = [HeldRun("given", outcome)]
    if run.debate.swap == "debate":
        swapped = await begin_swapped(parts, run, outcome)
        runs.append(HeldRun("swapped", await hold_debate(parts, swapped, calling, heard)))
    judged = await _judged(parts, run, runs, calling) if run.debate.judges else None
    return DebateReport(run.debate, tuple(runs), parts.now(), judged=judged)


async def _judged(parts: Parts, run: DebateRun, runs: Sequence[HeldRun], calling: Calling) -> JudgedDebate | None:
    """What the judges decide about a debate; nothing where no side has a closing."""
    wanted = run.debate
    if not runs[0].outcome.closings:
        return None
    judges = [Agent(model) for model in wanted.judges]
    return await judge_debate(parts, _docket(wanted, runs), judges, calling, run.study)


def _docket(wanted: Debate, runs: Sequence[HeldRun]) -> Docket:
    return Docket(
        runs[0].outcome,
        runs[1].outcome if len(runs) > 1 else None,
        both_orders=wanted.swap != "none",
        judges_may_debate=wanted.judges_may_debate,
    )


async def report_of(parts: Parts, study: StudyName, run: RunId) -> DebateReport | None:
    """What the debate of a run came to, from its record alone; None where it goes on.

    What judges decided is there once all that the debate names have decided.

    Raises:
        NotFound: no debate has this run.
    """
    return await parts.store.survey(lambda tx: _on_record(tx, study, run, parts.now()))


def _on_record(tx: Tx, study: StudyName, run: RunId, at: datetime) -> DebateReport | None:
    standing = stand(tx, study, run)
    held = standing.run.held
    begun = {one.id: one for one in tx.agent_runs(study, held.id) if one.protocol == standing.run.run.protocol}
    runs = []
    for order in ("given", "swapped"):
        other = stand(tx, study, RunId(f"{held.id}-{order}")) if f"{held.id}-{order}" in begun else None
        if other is not None and other.outcome is not None:
            runs.append(HeldRun(order, other.outcome))
    wanted = load_debate(held.definition)
    if len(runs) < (2 if wanted.swap == "debate" else 1):
        return None
    staged = wanted.debaters[0].model == SCRIPT
    return DebateReport(wanted, tuple(runs), at, staged, _decided(tx, wanted, runs, at))


def _decided(tx: Tx, wanted: Debate, runs: Sequence[HeldRun], at: datetime) -> JudgedDebate | None:
    """What the judges had decided by now, if all of them had."""
    if not (wanted.judges and runs[0].outcome.closings):
        return None
    docket, judges = _docket(wanted, runs), [Agent(model) for model in wanted.judges]
    run = run_of(docket, judges).id
    state = advance(protocol_of(docket, list(judge_names(judges))), recorded_answers(tx, run))
    if not isinstance(state, Finished):
        return None
    return judged_debate(docket, judges, state.result, run, tuple(map(kept_turn, tx.turns([run])[run])), at)


def name_of(subject: str) -> str:
    """A name for a debate that nobody has named, from its subject."""
    return _NOT_IN_NAMES.sub("-", subject.casefold()).strip("-")[:NAME_LENGTH].strip("-") or "debate"


def debaters_of(
    subject: str,
    models: Sequence[str],
    claims: Sequence[str | None] = (None, None),
    temperatures: Sequence[float] = (),
) -> Debaters:
    """Both sides: one model for both or one each, with the claims that are given or those that the subject suggests.

    Raises:
        InvalidInput: neither one model nor two.
    """
    if not 1 <= len(models) <= 2:
        raise InvalidInput("a debate has two agents", len(models), "name one model or two", key="--model")
    suggested = claims_on(subject)
    warm = temperatures or (Debater(Stance("A", "")).temperature,)
    return (
        Debater(Stance("A", claims[0] or suggested[0]), models[0], warm[0]),
        Debater(Stance("B", claims[1] or suggested[1]), models[-1], warm[-1]),
    )


def study_of(wanted: Debate) -> Study:
    """A study of nothing but a debate."""
    words, none = Text({Language("en"): wanted.subject}), Text({})
    return Study(
        name=StudyName(f"debate-{wanted.name}"), title=words, tasks=(), conditions=(), assign="person",
        languages=(Language("en"),), confidence=(), expectations=(), reconsiderations=(), attention_checks=(), survey=(),
        consent=none, instructions=none, pause=none, completion=Completion("none", {}), debates=(wanted,),
    )  # fmt: skip
