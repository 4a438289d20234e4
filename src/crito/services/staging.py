"""A debate for show: scripted agents hold it by the same protocols, scripted judges decide it, and it is recorded like any other."""

import json
from collections.abc import Mapping
from typing import Any

from crito.model.debate import Debate, DebateOutcome, Debater, DebateSettings, Stance
from crito.model.errors import InvalidInput
from crito.model.study import Agent, Study
from crito.model.talk import Ask, NoAnswer, Turn
from crito.protocols.debate.moderation import MODERATOR
from crito.services.agent_runs import carry
from crito.services.asking import Place, Said
from crito.services.debating import NOT_MODERATED, DebateRun, begin_debate
from crito.services.judging import judge_names, kept_turn
from crito.services.parts import Parts
from crito.services.verdicts import Docket, JudgedDebate, judged_debate, protocol_of, run_of

SCRIPT = "script:debaters"
"""Stands where a model would, so that nobody takes the words for a model's."""


async def stage_debate(parts: Parts, study: Study, script: str) -> tuple[DebateRun, DebateOutcome]:
    """Hold the debate whose replies a script gives, under the study; held before, it is held no second time.

    Args:
        script: JSON with `subject`, `claims`, `settings`, and `replies` by speaker, phase, round and topic.

    Raises:
        InvalidInput: the script has no reply to something that is asked.
    """
    given = json.loads(script)
    wanted = staged_debate(given)
    run = await begin_debate(parts, study, wanted)

    async def answer(place: Place) -> Said:
        if place.ask.speaker == MODERATOR:
            return Said(NoAnswer(MODERATOR, NOT_MODERATED), "person")
        return Said(Turn(place.ask.speaker, reply_to(place.ask, given["replies"]), "script"), "script", SCRIPT)

    outcome = await carry(parts, run.study, run.run, lambda: run.protocol, answer)
    return run, outcome


async def stage_judges(parts: Parts, study: Study, outcome: DebateOutcome, script: str) -> JudgedDebate:
    """Have the judges of the script decide the debate in both orders; decided before, they are not asked again.

    Raises:
        InvalidInput: the script has no reply to something that a judge is asked.
    """
    given = json.loads(script)
    docket, judges = Docket(outcome), [Agent(name) for name in given["judges"]]
    names, run = list(judge_names(judges)), run_of(docket, judges)

    async def answer(place: Place) -> Said:
        said = Turn(place.ask.speaker, judgement_on(place.ask, given["judgements"]), "script")
        return Said(said, "script", judges[names.index(place.ask.speaker)].model)

    await parts.store.write(lambda tx: tx.add_agent_run(study.name, run))
    decision = await carry(parts, study.name, run, lambda: protocol_of(docket, names), answer)
    turns = await parts.store.read(lambda tx: tx.turns([run.id])[run.id])
    return judged_debate(docket, judges, decision, run.id, tuple(map(kept_turn, turns)), parts.now())


def judgement_on(ask: Ask, judgements: Mapping[str, Any]) -> str:
    """What a judge of the script says to an ask: the judge's own words, or those that all of them say.

    Raises:
        InvalidInput: there are none.
    """
    about = f"{ask.prompt.removeprefix('judging/')} {ask.values['document']}"
    found = judgements.get(f"{ask.speaker} {about}", judgements.get(about))
    if found is None:
        raise InvalidInput("the script of the debate has no judgement on this", f"{ask.speaker} {about}")
    return json.dumps(found, ensure_ascii=False)


def staged_debate(given: Mapping[str, Any]) -> Debate:
    """The debate that a script describes."""
    first, second = given["claims"]
    sides = (Debater(Stance("A", first), SCRIPT), Debater(Stance("B", second), SCRIPT))
    judges = tuple(given["judges"])
    return Debate("staged", given["subject"], sides, DebateSettings(**given["settings"]), judges, swap="judging")


def reply_to(ask: Ask, replies: Mapping[str, Any]) -> str:
    """The reply of a script to an ask: the one for this round and topic, or for this asking, or the only one.

    Raises:
        InvalidInput: there is none.
    """
    stem = f"{ask.speaker} {ask.prompt.removeprefix('debate/')}"
    topic = (ask.values.get("topic") or {}).get("title", "")
    keys = (f"{stem} {ask.values.get('round', '')} {topic}", f"{stem} {topic} {ask.attempt}", f"{stem} {topic}", stem)
    found = next((replies[key] for key in keys if key in replies), None)
    if found is None:
        raise InvalidInput("the script of the debate has no reply to this", keys[0])
    return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)
