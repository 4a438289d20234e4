"""A debate for show: scripted agents hold it by the same protocol, and it is recorded like any other."""

import json
from collections.abc import Mapping
from typing import Any

from crito.model.debate import Debate, DebateOutcome, Debater, DebateSettings, Stance
from crito.model.errors import InvalidInput
from crito.model.study import Study
from crito.model.talk import Ask, NoAnswer, Turn
from crito.protocols.debate.moderation import MODERATOR
from crito.services.agent_runs import Place, Said, carry
from crito.services.debating import NOT_MODERATED, DebateRun, begin_debate
from crito.services.parts import Parts

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


def staged_debate(given: Mapping[str, Any]) -> Debate:
    """The debate that a script describes."""
    first, second = given["claims"]
    sides = (Debater(Stance("A", first), SCRIPT), Debater(Stance("B", second), SCRIPT))
    return Debate("staged", given["subject"], sides, DebateSettings(**given["settings"]))


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
