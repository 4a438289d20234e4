"""The Socratic dialogue of a person on the web: their message, the partner's reply, the label that closes it."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import aclosing
from datetime import timedelta

from crito.model.errors import Conflict, InvalidInput, ModelUnavailable, NotFound, PartClosed, TooMany
from crito.model.ids import AnnotatorId, AssignmentId
from crito.model.record import Assignment
from crito.model.talk import Answer, NoAnswer, Turn
from crito.services import runs
from crito.services.flow import holds_dialogue
from crito.services.forms import clean_words
from crito.services.partners import Scene, cut_off, partner_for
from crito.services.parts import Parts
from crito.services.ports.store import Tx
from crito.services.rendering import Said, render_fixed
from crito.services.runs import Standing
from crito.services.suggesting import is_withheld
from crito.services.visit import Visit

MAX_MESSAGE = 4_000
"""Code points of one message."""

MAX_DIGITS = 10
"""Fewer digits than this has the number of any step."""

REPLY_LEASE_S = 10
"""How long after the last sign of life of whoever brings a reply another window may ask instead."""

LEASE_RENEWED_EVERY_S = 3

REST_OF_TURN_S = 60
"""How long a reply may go on after its first sentence."""

LOOKS_AGAIN_S = (0.02, 0.2)
"""How soon a second window looks whether the reply that the first one asked for has come; twice as long each time, at most."""


async def send_message(parts: Parts, annotator: AnnotatorId, form: str, text: str) -> AssignmentId:
    """Keep a person's message; the partner is asked afterwards, by `reply`.

    `form` is `message:ASSIGNMENT:STEP`; the same message on the same form again changes nothing.

    Raises:
        InvalidInput: the message is empty or too long.
        Conflict: another message was sent from this form, or it is the partner's turn.
        TooMany: more messages a minute than the study allows.
        PartClosed: the dialogue is over.
        NotFound: the item is not theirs.
    """
    words = clean_words(text, "message")
    if not words:
        raise InvalidInput("write a message first", key="message")
    if len(words) > MAX_MESSAGE:
        raise InvalidInput(
            "this message is too long",
            came=f"{len(words):,} characters",
            wanted=f"at most {MAX_MESSAGE:,}",
            key="message",
        )
    assignment_id, step = _message_form(form)

    def work(tx: Tx) -> None:
        visit = Visit.begin(parts, tx, annotator)
        assignment = visit.own(assignment_id)
        standing = _standing(visit, assignment)
        earlier = standing.recorded.get((step, 0))
        if earlier is not None:
            if isinstance(earlier.answer, Turn) and earlier.answer.text == words:
                return
            raise Conflict("another message was sent from here first; yours is kept below")
        if visit.place.name != f"talk:{assignment.id}":
            raise PartClosed("this dialogue is over")
        if standing.waits_for_partner or standing.state.step != step:
            raise Conflict("the partner has not answered yet; your message is kept below")
        _require_patience(visit, standing)
        runs.keep(tx, standing, Said(Turn("person", words, "person")), visit.now)
        tx.drop_draft(annotator, draft_form(form))
        visit.renew_leases()

    await parts.store.write(work)
    return assignment_id


async def reply(parts: Parts, annotator: AnnotatorId, assignment_id: AssignmentId) -> AsyncIterator[str]:
    """Bring the partner's reply, if one is due: sentences as they may be shown, each recorded before it is given out.

    The reply goes on and is recorded even when the caller stops listening. When another window asks already, this one
    waits for what that one brings, and gives out nothing; it asks itself when the other one's process has died.
    """
    holder = secrets.token_hex(8)
    pause_s, longest_s = LOOKS_AGAIN_S
    while True:
        standing = await parts.store.read(lambda tx: _look(parts, tx, annotator, assignment_id))
        if standing is None or not standing.waits_for_partner:
            return
        if await _take_lease(parts, standing, holder):
            break
        await asyncio.sleep(pause_s)
        pause_s = min(2 * pause_s, longest_s)
    shown: asyncio.Queue[str | None] = asyncio.Queue()
    parts.in_background(_bring_reply(parts, standing, holder, shown))
    while (sentence := await shown.get()) is not None:
        yield sentence


async def settle(parts: Parts, annotator: AnnotatorId, assignment_id: AssignmentId) -> None:
    """Wait until no reply is due any more on this assignment."""
    async for _ in reply(parts, annotator, assignment_id):
        pass


def draft_form(form: str) -> str:
    """The name under which a form's draft is kept: half a message outlives the step it was begun at."""
    return form.rpartition(":")[0] if form.startswith("message:") else form


def close(visit: Visit, assignment: Assignment, label: str) -> None:
    """End the dialogue with the label the person chose after it."""
    if holds_dialogue(visit.study, visit.record, assignment):
        runs.keep(visit.tx, _standing(visit, assignment), Said(Turn("person", label, "label")), visit.now)


def require_enough_messages(visit: Visit, assignment: Assignment) -> None:
    """Raise `PartClosed` while the person has not sent the messages that open the second labelling."""
    if not holds_dialogue(visit.study, visit.record, assignment):
        return
    left = _standing(visit, assignment).messages_left
    if left:
        raise PartClosed(f"the second labelling opens after {left} more message{'s' if left > 1 else ''}")


def route(visit: Visit) -> None:
    """Where the study holds dialogues only on disagreement, record for each item whether there is one.

    An item is talked about when nobody else has labelled it yet, or when more others gave some other label.
    """
    for assignment in visit.record.assignments:
        condition = visit.study.condition(assignment.condition)
        hears = condition.has("discuss") or condition.has("debate")
        if hears and is_withheld(visit.tx, visit.study, visit.annotator, assignment.item):
            # Partner and debaters are machines: on a blind item nobody hears them, before the label or after.
            visit.add_event("routed", assignment.id, dialogue=False, debate=False, blind=True)
            continue
        if not (condition.has("discuss") and condition.partner.only_on_disagreement):
            continue
        others = visit.tx.labels_of_others(
            visit.study.name, assignment.task, assignment.item, except_annotator=visit.annotator
        )
        first = visit.record.annotation(assignment.id, 0)
        mine = others.get(first.label or "", 0) if first else 0
        disagrees = not others or max(others.values()) > mine
        visit.add_event("routed", assignment.id, dialogue=disagrees, others=dict(others))


async def _bring_reply(parts: Parts, standing: Standing, holder: str, shown: asyncio.Queue[str | None]) -> None:
    annotator, assignment_id = standing.assignment.annotator, standing.assignment.id
    alive = asyncio.create_task(_renew_lease(parts, standing, holder))
    try:
        deadline = asyncio.get_running_loop().time() + standing.partner.first_sentence_s
        while standing.waits_for_partner:
            said = await _answer(parts, standing, deadline, shown)
            standing = await parts.store.write(lambda tx: _keep(parts, tx, annotator, assignment_id, said))  # noqa: B023
    except (Conflict, PartClosed):
        # Another window was faster and its reply stands, or the person has withdrawn and nobody waits for words.
        return
    finally:
        alive.cancel()
        shown.put_nowait(None)


async def _take_lease(parts: Parts, standing: Standing, holder: str) -> bool:
    """Whether `holder` is the one to bring the reply to the person's last message."""
    now = parts.now()
    until = now + timedelta(seconds=REPLY_LEASE_S)
    message = max(step for (step, _), kept in standing.recorded.items() if _is_persons(kept.answer))
    return await parts.store.write(lambda tx: tx.lease_reply(standing.run.id, message, holder, until, now))


def _is_persons(answer: Answer) -> bool:
    return isinstance(answer, Turn) and answer.kind == "person"


async def _renew_lease(parts: Parts, standing: Standing, holder: str) -> None:
    while True:
        await asyncio.sleep(LEASE_RENEWED_EVERY_S)
        await _take_lease(parts, standing, holder)


async def _answer(parts: Parts, standing: Standing, deadline: float, shown: asyncio.Queue[str | None]) -> Said:
    """The partner's answer to what the dialogue asks now; whatever fails becomes a reason, never silence."""
    assert standing.ask is not None
    if standing.ask.prompt == "socratic/fixed":
        return render_fixed(standing.case, standing.ask)
    scene = _scene(standing)
    passed = await parts.store.read(lambda tx: _sentences_shown(tx, standing))
    if passed:
        return Said(cut_off(passed, scene))
    try:
        async with asyncio.timeout_at(deadline) as limit:
            async with aclosing(partner_for(standing.partner, parts.models).speak(scene)) as pieces:
                async for piece in pieces:
                    if isinstance(piece, Said):
                        return piece
                    await parts.store.write(lambda tx: _expose(parts, tx, standing, len(passed), piece))  # noqa: B023
                    shown.put_nowait(piece)
                    passed.append(piece)
                    limit.reschedule(asyncio.get_running_loop().time() + REST_OF_TURN_S)
        reason = "the model said nothing"
    except TimeoutError:
        reason = "no answer in time"
    except ModelUnavailable as problem:
        reason = str(problem)
    return Said(cut_off(passed, scene)) if passed else Said(NoAnswer("partner", reason))


def _scene(standing: Standing) -> Scene:
    assert standing.ask is not None
    return Scene.of(
        standing.case,
        standing.ask,
        study=standing.study.name,
        run=standing.run.id,
        step=standing.state.step,
        annotator=standing.assignment.annotator,
    )


def _expose(parts: Parts, tx: Tx, standing: Standing, part: int, sentence: str) -> None:
    Visit.begin(parts, tx, standing.assignment.annotator).own(standing.assignment.id)
    source = runs.source_of(standing.run.id, standing.state.step)
    runs.expose(tx, standing, source, part, sentence, parts.now())


def _sentences_shown(tx: Tx, standing: Standing) -> list[str]:
    """Sentences of this very turn that were on the screen before a crash or a lost process."""
    source = runs.source_of(standing.run.id, standing.state.step)
    shown = [
        exposure
        for exposure in tx.exposures(standing.study.name, [standing.assignment.annotator])
        if exposure.source == source and exposure.part >= 0
    ]
    words = tx.words([exposure.content for exposure in shown])
    return [words[exposure.content] or "" for exposure in sorted(shown, key=lambda exposure: exposure.part)]


def _look(parts: Parts, tx: Tx, annotator: AnnotatorId, assignment_id: AssignmentId) -> Standing | None:
    """How the dialogue stands; None where there is none."""
    if tx.run_of(assignment_id) is None:
        return None
    visit = Visit.of(parts, tx, tx.person(annotator))
    return _standing(visit, visit.own(assignment_id, lapsed=True))


def _keep(parts: Parts, tx: Tx, annotator: AnnotatorId, assignment_id: AssignmentId, said: Said) -> Standing:
    visit = Visit.begin(parts, tx, annotator)
    return runs.keep(tx, _standing(visit, visit.own(assignment_id)), said, visit.now)


def _standing(visit: Visit, assignment: Assignment) -> Standing:
    run = visit.tx.run_of(assignment.id)
    if run is None:
        raise NotFound("there is no dialogue on this item")
    return runs.stand(visit.tx, visit.study, visit.record, assignment, run)


def _require_patience(visit: Visit, standing: Standing) -> None:
    a_minute_ago = visit.now - timedelta(minutes=1)
    if visit.tx.partner_turns_since(visit.annotator, a_minute_ago) >= standing.partner.messages_per_minute:
        raise TooMany("that were many messages in a minute; this one is kept below", 30)


def _message_form(form: str) -> tuple[AssignmentId, int]:
    kind, _, rest = form.partition(":")
    assignment, _, step = rest.rpartition(":")
    if kind != "message" or not assignment or not (step.isascii() and step.isdecimal() and len(step) < MAX_DIGITS):
        raise NotFound("there is no such form")
    return AssignmentId(assignment), int(step)
