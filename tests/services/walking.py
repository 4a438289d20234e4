"""A person who walks a study by calling the use cases."""

from collections.abc import Mapping

from crito.model.ids import AnnotatorId, Language, StudyName
from crito.model.record import Identity
from crito.model.study import Question
from crito.services import dialogue, enrolment, item_debates, participation, showing
from crito.services.pages import AnnotatePage, ConfirmPage, InstructionsPage, Page, PausePage, SurveyPage, TalkPage
from crito.services.parts import Parts

NAME = StudyName("kettles")
EN = Language("en")


def prolific(name: str) -> Identity:
    return Identity("prolific", name)


async def enrol(parts: Parts, name: str = "pid-1") -> AnnotatorId:
    return await enrolment.enrol(parts, NAME, prolific(name), EN)


def fields_for(questions: tuple[Question, ...], **more: str) -> dict[str, str]:
    """The first option of every question, which is the right one of attention checks."""
    first = {f"q_{q.key}": q.options[0].name if q.kind == "choice" else "1" for q in questions if q.kind != "text"}
    return {"confidence": "very_sure", **first, **more}


async def step(parts: Parts, person: AnnotatorId, page: Page, **answers: str) -> None:
    """Do what the page asks for."""
    match page:
        case InstructionsPage():
            await participation.read_instructions(parts, person)
        case AnnotatePage():
            fields = fields_for(page.questions, label=page.labels[0].name)
            await participation.annotate(parts, person, page.form, {**fields, **answers}, {})
        case ConfirmPage():
            await participation.confirm(parts, person)
        case PausePage():
            await participation.end_pause(parts, person, page.assignment)
        case TalkPage() if page.debate and page.debate.waiting:
            await item_debates.bring(parts, person, page.assignment)
        case TalkPage() if page.opens_after_reading:
            await participation.finish_reading(parts, person, page.assignment)
        case TalkPage() if page.talk and page.talk.waiting:
            [_ async for _ in dialogue.reply(parts, person, page.assignment)]
        case TalkPage() if page.talk and page.talk.messages_left:
            text = f"Because of the kettle, reason {page.talk.message_form}."
            await dialogue.send_message(parts, person, page.talk.message_form, text)
        case TalkPage() if page.again:
            fields = fields_for(page.again.questions, label=page.again.labels[-1].name)
            await participation.reannotate(parts, person, page.again.form, {**fields, **answers}, {})
        case TalkPage():
            await participation.finish_talk(parts, person, page.assignment)
        case SurveyPage():
            await participation.answer_survey(parts, person, fields_for(page.questions))


async def walk(
    parts: Parts, person: AnnotatorId, until: str = "EndPage", answers: Mapping[str, str] | None = None
) -> Page:
    """Go on until a page of the kind `until` (or the end) comes."""
    for _ in range(100):
        page = await showing.page(parts, person)
        if type(page).__name__ in (until, "EndPage"):
            return page
        await step(parts, person, page, **(answers or {}))
    raise AssertionError("the study does not end")
