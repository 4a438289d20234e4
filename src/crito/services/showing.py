"""The page a person is on, drawn from the record; looking changes nothing but a lapsed lease."""

from collections.abc import Mapping
from typing import Any

from crito.model.ids import AnnotatorId, AssignmentId, StudyName
from crito.model.record import Assignment
from crito.model.study import Ending, Study
from crito.services import participation, runs, suggesting
from crito.services.access import token_hash
from crito.services.both_sides import shown_sides
from crito.services.flow import (
    Place,
    has_second_part,
    held,
    holds_debate,
    holds_dialogue,
    second_questions,
    survey_questions,
)
from crito.services.forms import QUESTION_PREFIX, label_form, resolve_form
from crito.services.inviting import way_back
from crito.services.pages import (
    NO_WORDS,
    AboutYouPage,
    AnnotatePage,
    ArguedTopic,
    ConfirmPage,
    EndPage,
    Frame,
    GivenLabel,
    InstructionsPage,
    Line,
    Page,
    PausePage,
    ReadDebate,
    ResolvePage,
    SecondLabelling,
    ShownItem,
    SurveyPage,
    Talk,
    TalkPage,
)
from crito.services.parts import Parts
from crito.services.ports.store import Tx
from crito.services.suggesting import as_shown
from crito.services.visit import Visit

EXCERPT = 120
"""Code points of an item shown where the whole does not fit."""


async def page(parts: Parts, annotator: AnnotatorId, correct: AssignmentId | None = None) -> Page:
    """What this person sees now; with `correct`, the form of a label they may still change.

    Raises:
        NotFound: nobody has this pseudonym.
    """

    shown = await parts.store.read(lambda tx: _unless_lapsed(Visit.of(parts, tx, tx.person(annotator)), correct))
    if shown is None:
        await participation.come_back(parts, annotator)
        shown = await parts.store.read(lambda tx: _page(Visit.of(parts, tx, tx.person(annotator)), None))
    return shown


async def page_at_once(parts: Parts, study: StudyName, token: str) -> Page | None:
    """What a participant who is signed in sees now; None for others, and where something has to be done before they see it."""

    def work(tx: Tx) -> Page | None:
        who = tx.session(study, token_hash(token), parts.now())
        record = tx.person(who) if who else None
        if record is None or record.participant.role != "participant":
            return None
        return _unless_lapsed(Visit.of(parts, tx, record), None)

    return await parts.store.read(work)


def _unless_lapsed(visit: Visit, correct: AssignmentId | None) -> Page | None:
    lapsed = any(a.status == "expired" for a in visit.record.assignments)
    return None if lapsed and visit.record.participant.ending is None else _page(visit, correct)


def _page(visit: Visit, correct: AssignmentId | None) -> Page:
    place = visit.place
    frame = Frame(visit.study.title, visit.record.participant.language, place.done, place.steps)
    if correct and (corrected := _correctable(visit, correct)):
        return _annotate_page(visit, frame, corrected, _given_fields(visit, corrected))
    if place.kind == "instructions":
        return InstructionsPage(frame, visit.study.instructions, len(visit.record.assignments))
    if place.kind == "confirm":
        return ConfirmPage(frame, tuple(_given_label(visit, mine) for mine in held(visit.record)))
    if place.kind == "survey":
        return SurveyPage(frame, survey_questions(visit.study, visit.record), _draft(visit, "survey"))
    if place.kind == "about_you":
        return AboutYouPage(frame, visit.study.about_you, visit.study.smallest_group, _draft(visit, "about_you"))
    if place.assignment is None:
        return _end_page(visit, frame)
    if place.kind == "annotate":
        return _annotate_page(visit, frame, place.assignment, _draft(visit, place.name))
    if place.kind == "resolve":
        return _resolve_page(visit, frame, place, place.assignment)
    if place.kind == "pause":
        return PausePage(frame, visit.study.pause, place.assignment.id)
    return _talk_page(visit, frame, place, place.assignment)


def _annotate_page(visit: Visit, frame: Frame, mine: Assignment, fields: Mapping[str, str]) -> AnnotatePage:
    task = visit.study.task(mine.task)
    return AnnotatePage(
        frame=frame,
        form=label_form(mine.id, 0),
        assignment=mine.id,
        number=held(visit.record).index(mine) + 1,
        total=len(held(visit.record)),
        title=task.title,
        question=task.question,
        item=_shown_item(visit, mine),
        labels=task.labels,
        confidence=visit.study.confidence,
        questions=participation.first_questions(visit, mine),
        ask_rationale=visit.study.ask_rationale,
        fields=fields,
        **_suggested(visit, mine),
    )


def _resolve_page(visit: Visit, frame: Frame, place: Place, mine: Assignment) -> ResolvePage:
    task = visit.study.task(mine.task)
    seen = visit.tx.seen(visit.study.name, visit.annotator, mine.item)
    told = suggesting.shown_suggestion(visit.tx, seen, mine.task)
    return ResolvePage(
        frame=frame,
        form=resolve_form(mine.id),
        assignment=mine.id,
        number=place.number,
        total=len(held(visit.record)),
        title=task.title,
        item=_shown_item(visit, mine),
        first_label=task.label(visit.record.first_label(mine.id)).text,
        suggestion=as_shown(task, told) if told else None,
        labels=task.labels,
        confidence=visit.study.confidence,
        fields=_draft(visit, resolve_form(mine.id)),
    )


def _suggested(visit: Visit, mine: Assignment) -> dict[str, Any]:
    """What is suggested on this item by the record, or that a suggestion is kept out of sight."""
    settings = visit.study.suggestions
    if settings is None:
        return {}
    if suggesting.is_withheld(visit.tx, visit.study, visit.annotator, mine.item):
        return {"hidden": True}
    seen = visit.tx.seen(visit.study.name, visit.annotator, mine.item)
    told = suggesting.shown_suggestion(visit.tx, seen, mine.task)
    return {"suggestion": as_shown(visit.study.task(mine.task), told) if told else None}


def _talk_page(visit: Visit, frame: Frame, place: Place, mine: Assignment) -> TalkPage:
    task = visit.study.task(mine.task)
    drafts = visit.tx.drafts(visit.annotator)
    form = label_form(mine.id, 1)
    again = SecondLabelling(
        form=form,
        labels=task.labels,
        confidence=visit.study.confidence,
        questions=second_questions(visit.study, visit.record, mine),
        fields=drafts.get(form, {}),
    )
    return TalkPage(
        frame=frame,
        assignment=mine.id,
        number=place.number,
        total=len(held(visit.record)),
        title=task.title,
        question=task.question,
        item=_shown_item(visit, mine),
        first_label=task.label(visit.record.first_label(mine.id)).text,
        talk=_talk(visit, mine, drafts) if holds_dialogue(visit.study, visit.record, mine) else None,
        again=again if visit.study.condition(mine.condition).has("reannotate") else None,
        debate=_debate(visit, mine) if holds_debate(visit.study, visit.record, mine) else None,
    )


def _debate(visit: Visit, mine: Assignment) -> ReadDebate:
    """The debate as it is on record as shown; one that is not there yet is waited for."""
    is_read = visit.record.event("read", mine.id) is not None
    sides = shown_sides(visit.tx, visit.tx.seen(visit.study.name, visit.annotator, mine.item), mine)
    if sides is None:
        return ReadDebate((NO_WORDS, NO_WORDS), (), "", waiting=True, is_read=is_read)
    task, said = visit.study.task(mine.task), {(one.topic, one.label): one.text for one in sides.arguments}
    first, second = sides.labels
    return ReadDebate(
        sides=(task.label(first).text, task.label(second).text),
        topics=tuple(
            ArguedTopic(topic, (said.get((topic, first), ""), said.get((topic, second), "")))
            for topic in dict.fromkeys(one.topic for one in sides.arguments)
        ),
        author=sides.author,
        is_read=is_read,
    )


def _talk(visit: Visit, mine: Assignment, drafts: Mapping[str, Mapping[str, str]]) -> Talk:
    run = visit.tx.run_of(mine.id)
    assert run is not None, "a dialogue begins with the step that leads to its page"
    standing = runs.stand(visit.tx, visit.study, visit.record, mine, run)
    return Talk(
        message_form=f"message:{mine.id}:{standing.state.step}",
        lines=tuple(Line(line["text"], partner=line["speaker"] == "partner") for line in standing.lines),
        waiting=standing.waits_for_partner,
        messages_left=standing.messages_left,
        draft=drafts.get(f"message:{mine.id}", {}).get("message", ""),
    )


def _shown_item(visit: Visit, mine: Assignment) -> ShownItem:
    item = visit.tx.item(visit.study.name, mine.item, mine.item_hash)
    task = visit.study.task(mine.task)
    return ShownItem(item.text, item.context, task.guideline, visit.study.languages[0], task.context_names)


def _given_label(visit: Visit, mine: Assignment) -> GivenLabel:
    task = visit.study.task(mine.task)
    text = visit.tx.item(visit.study.name, mine.item, mine.item_hash).text
    excerpt = text if len(text) <= EXCERPT else text[: EXCERPT - 1].rstrip() + "…"
    label = task.label(visit.record.first_label(mine.id))
    return GivenLabel(mine.id, task.title, excerpt, label.text, visit.study.languages[0])


def _correctable(visit: Visit, assignment: AssignmentId) -> Assignment | None:
    mine = visit.own(assignment)
    closed = visit.record.participant.ending or visit.record.event("confirmed")
    given = visit.record.annotation(mine.id, 0)
    return mine if given and has_second_part(visit.study, mine) and not closed else None


def _given_fields(visit: Visit, mine: Assignment) -> Mapping[str, str]:
    given = visit.record.annotation(mine.id, 0)
    assert given is not None, "only a given label can be corrected"
    answers = [a for a in visit.record.answers if a.about == label_form(mine.id, 0)]
    words = visit.tx.words([w for w in (given.rationale, *(a.words for a in answers)) if w])
    fields = {QUESTION_PREFIX + a.question: a.choice or (a.words and words[a.words]) or "" for a in answers}
    rationale = (given.rationale and words[given.rationale]) or ""
    return {**fields, "label": given.answer, "confidence": given.confidence or "", "rationale": rationale}


def _draft(visit: Visit, form: str) -> Mapping[str, str]:
    return visit.tx.drafts(visit.annotator).get(form, {})


def _end_page(visit: Visit, frame: Frame) -> EndPage:
    ending = visit.record.participant.ending
    assert ending is not None, "a person at the end has an ending"
    return end_page(visit.study, ending, frame, may_withdraw=ending not in ("withdrawn", "no_consent", "over_quota"))


def end_page(study: Study, ending: Ending, frame: Frame, *, may_withdraw: bool) -> EndPage:
    """The last page of a study for one ending."""
    code, return_url = way_back(study.completion, ending)
    return EndPage(frame, ending, code, return_url, study.contact, may_withdraw)
