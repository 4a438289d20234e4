"""Have judges decide a debate, and say how far their verdict can be trusted: both orders, their agreement, a judge who argued."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from crito.model.debate import (
    SIDES,
    Closing,
    DebateOutcome,
    Debater,
    DebateTurn,
    Side,
    Stance,
    Topic,
    Transcript,
    claims_on,
)
from crito.model.errors import InvalidInput
from crito.model.ids import RunId, StudyName
from crito.model.record import AgentRun
from crito.model.study import Agent
from crito.model.talk import Answers, Asks
from crito.model.verdict import ORDERS, Order, TopicScore, Verdict, Winner
from crito.prompts.judges import debate_message
from crito.protocols import verdict as deciding
from crito.protocols.crit import text_hash
from crito.protocols.orders import Order as FoundOrder
from crito.protocols.orders import orders_to_judge
from crito.protocols.verdict import Bundle, Decision
from crito.services.asking import Calling
from crito.services.judge_words import MAX_TOKENS, Bench
from crito.services.judging import STUDY, KeptTurn, carry, judge_names, run_id
from crito.services.parts import Parts
from crito.stats.panel import (
    JudgeAgreement,
    PanelVerdict,
    Scores,
    SwapEffects,
    judge_agreement,
    panel_verdict,
    scores,
    swap_effects,
)

LOW_AGREEMENT = 0.4
"""Below this ordinal alpha the judges agree too little about topics for their scores to be taken as more than opinions."""


@dataclass(frozen=True, slots=True)
class Docket:
    """What judges are given of a debate.

    Attributes:
        swapped: the same debate held with B first, whose words stand for the second order; None where the judging alone
            is repeated.
        both_orders: judge in both orders.
        transcript: the judges read all that was said, not the closings only.
        critically: each judge reads each side's closing by CRIT as well.
    """

    outcome: DebateOutcome
    swapped: DebateOutcome | None = None
    both_orders: bool = True
    transcript: bool = False
    critically: bool = True
    judges_may_debate: bool = False
    max_tokens: int = MAX_TOKENS

    @property
    def orders(self) -> tuple[Order, ...]:
        return ORDERS if self.both_orders or self.swapped is not None else ORDERS[:1]

    def topics(self, order: Order) -> tuple[Topic, ...]:
        """The topics under the titles they have in this order."""
        given = self.outcome.topics or (Topic(self.outcome.subject),)
        return given if order == "A first" else tuple(Topic(topic.mirrored_title, topic.description) for topic in given)

    def text(self, order: Order) -> str:
        """What is read in this order."""
        held = self.swapped if self.swapped is not None and order == "B first" else self.outcome
        if self.transcript:
            spoken = [(_who(turn.speaker), turn.text) for turn in held.transcript.turns if turn.round and turn.text]
            turned = order == "B first" and self.swapped is None
            return debate_message(held.subject, _b_first(spoken) if turned else spoken)
        sides: tuple[Side, ...] = SIDES if order == "A first" else ("B", "A")
        closings = [(f"Agent {side}", closing.text) for side in sides if (closing := held.closing(side))]
        return debate_message(held.subject, closings)

    @property
    def texts(self) -> Mapping[str, str]:
        """Everything that is read, by name."""
        closings = {f"closing_{closing.side}": closing.text for closing in self.outcome.closings}
        return {**{order: self.text(order) for order in self.orders}, **(closings if self.critically else {})}


@dataclass(frozen=True, slots=True)
class Findings:
    """What the ballots come to.

    Attributes:
        winner: the headline: by the side effect where both orders were judged, else the side of most judges.
        decided_by: in words.
        agreement: of judges about the scores, by what was scored.
        warnings: what a reader has to know before quoting the winner.
    """

    winner: Winner | None
    decided_by: str
    by_order: Mapping[Order, PanelVerdict]
    effects: SwapEffects | None
    agreement: Mapping[str, JudgeAgreement]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JudgedDebate:
    """A debate's verdict with what stands behind it.

    Attributes:
        orders: passages that order the judge about, by the text they stand in.
        record: every answer, in order.
    """

    run: RunId
    verdict: Verdict
    findings: Findings
    orders: Mapping[str, tuple[FoundOrder, ...]]
    record: tuple[KeptTurn, ...]
    at: datetime


async def judge_debate(
    parts: Parts, docket: Docket, judges: Sequence[Agent], calling: Calling, study: StudyName = STUDY
) -> JudgedDebate:
    """Have every judge decide a debate; the same again goes on where it ended.

    Raises:
        InvalidInput: no judge, nothing to judge, or a debater among the judges without leave.
        Stopped: before all have decided.
        CritoError: a model cannot be asked at all, or a limit was reached.
    """
    _check(docket, judges, debaters_among(docket.outcome, judges))
    named, texts = judge_names(judges), docket.texts
    agent_run = run_of(docket, judges)
    bench = Bench(named, texts, docket.max_tokens)
    decision, record = await carry(parts, agent_run, lambda: protocol_of(docket, list(named)), bench, calling, study)
    return judged_debate(docket, judges, decision, agent_run.id, record, parts.now())


def run_of(docket: Docket, judges: Sequence[Agent]) -> AgentRun:
    """The run in which these judges decide this; the same again is the same run."""
    shown = {order: [[topic.title, topic.description] for topic in docket.topics(order)] for order in docket.orders}
    run = run_id(deciding.NAME, deciding.VERSION, docket.texts, shown, list(judges), docket.max_tokens)
    return AgentRun(run, text_hash(docket.outcome.subject), deciding.NAME, deciding.VERSION)


def judged_debate(
    docket: Docket, judges: Sequence[Agent], decision: Decision, run: RunId, record: tuple[KeptTurn, ...], at: datetime
) -> JudgedDebate:
    """What the judges' answers come to."""
    models = {name: judge.model for name, judge in judge_names(judges).items()}
    verdict = verdict_of(docket, models, decision, debaters_among(docket.outcome, judges))
    topics = "\n".join(f"{topic.title}: {topic.description}" for topic in docket.topics("A first"))
    looked_at = {"topics": topics, **docket.texts}
    orders = {name: found for name, text in looked_at.items() if (found := orders_to_judge(text))}
    return JudgedDebate(run, verdict, findings(verdict), orders, record, at)


def protocol_of(docket: Docket, judges: Sequence[str]) -> Generator[Asks, Answers, Decision]:
    """The judging of a debate from its beginning."""
    hashes: dict[Side, str] = {closing.side: text_hash(closing.text) for closing in docket.outcome.closings}
    topics = {order: docket.topics(order) for order in docket.orders}
    read = tuple(side for side in SIDES if side in hashes) if docket.critically else ()
    return deciding.verdict(Bundle(tuple(judges), topics, hashes, read))


def verdict_of(docket: Docket, judges: Mapping[str, str], decision: Decision, arguing: Sequence[str]) -> Verdict:
    ballots, readings = decision
    return Verdict(
        docket.outcome.subject, tuple(topic.title for topic in docket.topics("A first")), dict(judges), ballots, readings,
        tuple(arguing), "transcript" if docket.transcript else "closings", docket.swapped is not None,
    )  # fmt: skip


def debaters_among(outcome: DebateOutcome, judges: Sequence[Agent]) -> tuple[str, ...]:
    """The models that argue and judge as well."""
    return tuple(sorted({debater.model for debater in outcome.debaters} & {judge.model for judge in judges}))


def findings(verdict: Verdict) -> Findings:
    """What the ballots come to: winners, what the order of speaking did, and how far judges agree.

    Source: `socrasynth`, section 5.2; STATISTICS 4.2.
    """
    tables = {order: _table(verdict, order) for order in verdict.orders}
    by_order = {order: panel_verdict(table) for order, table in tables.items()}
    effects = swap_effects(tables["A first"], tables["B first"]) if len(tables) == 2 else None
    agreement: dict[str, JudgeAgreement] = {order: judge_agreement(_things(table)) for order, table in tables.items()}
    if len(tables) == 2:
        agreement["both orders"] = judge_agreement(np.hstack([_things(table) for table in tables.values()]))
    if effects is not None:
        winner, decided_by = effects.winner, "the mean of both orders of speaking"
    else:
        winner, decided_by = (
            next(iter(by_order.values())).winner,
            "the verdicts of most judges, in one order of speaking",
        )
    named = _winner(winner)
    return Findings(
        named, decided_by, by_order, effects, agreement, _warnings(verdict, named, by_order, effects, agreement)
    )


def outcome_of_closings(subject: str, topics: Sequence[tuple[str, str, str]]) -> DebateOutcome:
    """A debate of which only the closings are known: for each topic its title, what A says, and what B says."""
    titles = tuple(Topic(title) for title, _, _ in topics)
    closings = tuple(
        Closing(
            side,
            "\n\n".join(f"{title}:\n{said[place]}" for title, *said in topics),
            {title: said[place] for title, *said in topics},
        )
        for place, side in enumerate(SIDES)
    )
    claim_a, claim_b = claims_on(subject)
    debaters = (Debater(Stance("A", claim_a)), Debater(Stance("B", claim_b)))
    return DebateOutcome(subject, debaters, titles, Transcript(subject, titles, ()), closings, (), "", False, ())


def outcome_in(plain: Any) -> DebateOutcome | None:
    """The debate that JSON holds: one that `crito debate` wrote, or a subject with what each side says on each topic.

    None where there is neither.
    """
    try:
        if plain.get("crito") == "debate":
            return _held(plain["runs"][0]["outcome"])
        topics = [(str(one["topic"]), str(one["agent_a"]), str(one["agent_b"])) for one in plain["topics"]]
        return outcome_of_closings(str(plain["subject"]), topics)
    except (AttributeError, KeyError, TypeError, IndexError):
        return None


def _held(given: Mapping[str, Any]) -> DebateOutcome:
    """A debate's outcome as far as judges need it."""
    topics = tuple(Topic(one["title"], one["description"]) for one in given["topics"])
    turns = tuple(
        DebateTurn(one["phase"], one["round"], one["topic"], one["speaker"], one["contentiousness"], one["text"])
        for one in given["transcript"]["turns"]
    )
    one, other = (Debater(Stance(**each["stance"]), each["model"], each["temperature"]) for each in given["debaters"])
    closings = tuple(Closing(**closing) for closing in given["closings"])
    return DebateOutcome(
        given["subject"], (one, other), topics, Transcript(given["subject"], topics, turns), closings, (), "",
        given["moderated"], (),
    )  # fmt: skip


def _check(docket: Docket, judges: Sequence[Agent], arguing: Sequence[str]) -> None:
    if not judges:
        raise InvalidInput("no judge is named", wanted="name one with --judge PROVIDER:NAME", key="--judge")
    if not docket.outcome.closings:
        raise InvalidInput("neither side has a closing, so there is nothing to judge", docket.outcome.subject)
    if arguing and not docket.judges_may_debate:
        allow = "name another judge, or allow it with --judge-may-debate (the result says so)"
        raise InvalidInput("a debater is among the judges", ", ".join(arguing), allow)


def _table(verdict: Verdict, order: Order) -> Scores:
    ballots = verdict.in_order(order)
    return scores(
        [[_number(score, "a") for score in ballot.scores] for ballot in ballots],
        [[_number(score, "b") for score in ballot.scores] for ballot in ballots],
    )


def _number(score: TopicScore, side: str) -> float:
    given = score.a if side == "a" else score.b
    return float("nan") if given is None else given


def _things(table: Scores) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Topics of A, then of B, as the judges scored them."""
    return np.hstack([table.a, table.b])


def _winner(side: str | None) -> Winner | None:
    return None if side is None else "A" if side == "a" else "B" if side == "b" else "tie"


def _warnings(
    verdict: Verdict,
    winner: Winner | None,
    by_order: Mapping[Order, PanelVerdict],
    effects: SwapEffects | None,
    agreement: Mapping[str, JudgeAgreement],
) -> tuple[str, ...]:
    found = []
    if winner is None:
        found.append("No judge scored every topic, so there is no winner.")
    if effects is None:
        found.append("Only one order of speaking was judged, so it is not known what the order decided.")
    elif len({panel.winner for panel in by_order.values()}) > 1:
        told = "; ".join(f"{order}: {_winner(panel.winner) or 'nobody'}" for order, panel in by_order.items())
        found.append(f"The panel's verdict changes with the order of speaking ({told}).")
    if effects is not None and _outweighs(effects):
        found.append(
            "The order of speaking moves the scores at least as much as the arguments do: it decides, not they."
        )
    alpha = list(agreement.values())[-1].alpha_ordinal
    if len(verdict.judges) > 1 and (alpha.value is None or alpha.value < LOW_AGREEMENT):
        shown = alpha.reason if alpha.value is None else f"ordinal alpha {alpha.value:.2f}"
        found.append(f"The judges hardly agree about topics ({shown}): read their verdicts as opinions.")
    if len(verdict.judges) == 1:
        found.append("There is one judge only, so nobody can say whether another would agree.")
    contradicting = {verdict.judges[ballot.judge] for ballot in verdict.ballots if ballot.contradicts_itself}
    if contradicting:
        found.append(f"Named another winner than their own scores: {', '.join(sorted(contradicting))}.")
    if verdict.debaters_judging:
        found.append(f"Judges of their own debate: {', '.join(verdict.debaters_judging)}.")
    return tuple(found)


def _outweighs(effects: SwapEffects) -> bool:
    position, side = effects.position.overall.value, effects.side.overall.value
    return position is not None and side is not None and position != 0 and abs(position) >= abs(side)


def _who(speaker: str) -> str:
    return f"Agent {speaker[-1].upper()}" if speaker.startswith("agent_") else speaker.capitalize()


def _b_first(spoken: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The same speeches, each of A's followed by its answer turned around: B's comes first."""
    turned = list(spoken)
    for place in range(0, len(turned) - 1, 2):
        if turned[place][0] == "Agent A" and turned[place + 1][0] == "Agent B":
            turned[place], turned[place + 1] = turned[place + 1], turned[place]
    return turned
