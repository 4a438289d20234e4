"""What a participant does, verb by verb; each is one transaction that ends with the person at their next place."""

from collections.abc import Mapping

from crito.model.errors import Conflict, InvalidInput, NotFound, PartClosed
from crito.model.ids import AnnotatorId, AssignmentId
from crito.model.record import Annotation, Assignment, GivenAnswer, PersonRecord
from crito.model.study import Question, Task
from crito.model.traits import Trait
from crito.services import dialogue
from crito.services.both_sides import was_shown
from crito.services.erasing import PERSON, erase_in
from crito.services.flow import attention_check, failed_checks, has_second_part, second_questions, survey_questions
from crito.services.forms import LabelForm, Reply, label_form, parse_label_form, parse_replies
from crito.services.parts import Parts
from crito.services.ports.store import Tx
from crito.services.publishing import text_hash
from crito.services.visit import Visit

MAX_DRAFT = 200_000


async def read_instructions(parts: Parts, annotator: AnnotatorId) -> None:
    """The instructions are read; the first item comes."""

    def work(tx: Tx) -> None:
        visit = Visit.begin(parts, tx, annotator)
        if visit.place.kind == "instructions":
            visit.add_event("instructed")
            visit.move_on()

    await parts.store.write(work)


async def annotate(
    parts: Parts,
    annotator: AnnotatorId,
    form: str,
    fields: Mapping[str, str],
    client_times_ms: Mapping[str, int],
) -> None:
    """Record the label a person gives before any talk, with all that is asked beside it.

    The same form again changes nothing; another answer on it is a correction, as long as the part is open.

    Raises:
        InvalidInput: an answer is missing or none of those offered.
        PartClosed: the part was confirmed before, or the study is over for the person; the first answer stands.
        NotFound: the item is not theirs.
    """

    def work(tx: Tx) -> None:
        visit = Visit.begin(parts, tx, annotator)
        assignment = visit.own(_assignment_of(form, "annotate"))
        task = visit.study.task(assignment.task)
        given = parse_label_form(visit.study, task, first_questions(visit, assignment), fields, not_sure=False)
        if visit.record.participant.ending or _first_part_closed(visit, assignment):
            _settle_late(visit, assignment, given)
            return
        _record(visit, assignment, task, given, 0, client_times_ms)
        if visit.study.suggestions and given.label:
            visit.show_difference(assignment, given.label)
        tx.drop_draft(annotator, form)
        if failed_checks(visit.study, visit.record) > visit.study.attention_allowed:
            visit.end("attention_failed")
        visit.move_on()

    await parts.store.write(work)


def first_questions(visit: Visit, assignment: Assignment) -> tuple[Question, ...]:
    """What is asked with the first label: the expectations, then the attention check whose turn it is."""
    check = attention_check(visit.study, assignment)
    return (*visit.study.expectations, *([check.question] if check else []))


async def confirm(parts: Parts, annotator: AnnotatorId) -> None:
    """Close the first part; the person cannot come back to it."""

    def work(tx: Tx) -> None:
        visit = Visit.begin(parts, tx, annotator)
        if visit.place.kind == "confirm":
            visit.add_event("confirmed")
            dialogue.route(visit)
            visit.move_on()

    await parts.store.write(work)


async def end_pause(parts: Parts, annotator: AnnotatorId, assignment: AssignmentId) -> None:
    """The break before an item is over."""

    def work(tx: Tx) -> None:
        visit = Visit.begin(parts, tx, annotator)
        place = visit.place
        if place.kind == "pause" and place.assignment and place.assignment.id == assignment:
            visit.add_event("paused", assignment)
            visit.move_on()

    await parts.store.write(work)


async def finish_reading(parts: Parts, annotator: AnnotatorId, assignment: AssignmentId) -> None:
    """Both sides of the debate on an item are read; its second labelling opens."""

    def work(tx: Tx) -> None:
        visit = Visit.begin(parts, tx, annotator)
        mine = visit.own(assignment)
        shown = was_shown(tx.seen(visit.study.name, annotator, mine.item), mine)
        if visit.place.name == f"debate:{mine.id}" and shown:
            visit.add_event("read", mine.id)
            visit.move_on()

    await parts.store.write(work)


async def finish_talk(parts: Parts, annotator: AnnotatorId, assignment: AssignmentId) -> None:
    """Go on after a dialogue that no second labelling follows.

    Raises:
        PartClosed: the dialogue needs more messages first.
    """
    await dialogue.settle(parts, annotator, assignment)

    def work(tx: Tx) -> None:
        visit = Visit.begin(parts, tx, annotator)
        mine = visit.own(assignment)
        if visit.place.name != f"talk:{mine.id}" or visit.study.condition(mine.condition).has("reannotate"):
            return
        dialogue.require_enough_messages(visit, mine)
        visit.add_event("talked", mine.id)
        visit.move_on()

    await parts.store.write(work)


async def reannotate(
    parts: Parts,
    annotator: AnnotatorId,
    form: str,
    fields: Mapping[str, str],
    client_times_ms: Mapping[str, int],
) -> None:
    """Record the label a person gives after the talk; it closes the dialogue.

    Raises:
        InvalidInput: an answer is missing or none of those offered.
        PartClosed: the dialogue needs more messages first, or another second label stands already.
        NotFound: the item is not theirs.
    """
    assignment_id = AssignmentId(_assignment_of(form, "reannotate"))
    await dialogue.settle(parts, annotator, assignment_id)

    def work(tx: Tx) -> None:
        visit = Visit.begin(parts, tx, annotator)
        assignment = visit.own(assignment_id)
        task = visit.study.task(assignment.task)
        questions = second_questions(visit.study, visit.record, assignment)
        given = parse_label_form(visit.study, task, questions, fields, not_sure=True)
        if visit.record.annotation(assignment.id, 1) or visit.record.participant.ending:
            _settle_late(visit, assignment, given, 1)
            return
        if visit.place.name != f"talk:{assignment.id}":
            raise PartClosed("this item is not open for a second label now")
        dialogue.require_enough_messages(visit, assignment)
        _record(visit, assignment, task, given, 1, client_times_ms)
        dialogue.close(visit, assignment, given.label or given.state or "")
        tx.drop_draft(annotator, form)
        visit.move_on()

    await parts.store.write(work)


async def resolve(
    parts: Parts,
    annotator: AnnotatorId,
    form: str,
    fields: Mapping[str, str],
    client_times_ms: Mapping[str, int],
) -> None:
    """Record what a person says once the model's differing label is in view; the first label stays as it is.

    Raises:
        InvalidInput: an answer is missing or none of those offered.
        PartClosed: there is no difference to look at, or another answer stands already.
        NotFound: the item is not theirs.
    """

    def work(tx: Tx) -> None:
        visit = Visit.begin(parts, tx, annotator)
        assignment = visit.own(_assignment_of(form, "resolve"))
        task = visit.study.task(assignment.task)
        given = parse_label_form(visit.study, task, (), fields, not_sure=True)
        if visit.record.annotation(assignment.id, 1) or visit.record.participant.ending:
            _settle_late(visit, assignment, given, 1)
            return
        if visit.place.name != form:
            raise PartClosed("this item is not open for a second label now")
        _record(visit, assignment, task, given, 1, client_times_ms)
        tx.drop_draft(annotator, form)
        visit.move_on()

    await parts.store.write(work)


async def answer_survey(parts: Parts, annotator: AnnotatorId, fields: Mapping[str, str]) -> None:
    """Record the answers of the closing survey; the first complete ones stand.

    Raises:
        InvalidInput: an answer is missing or none of those offered.
    """

    def work(tx: Tx) -> None:
        visit = Visit.begin(parts, tx, annotator)
        if visit.place.kind != "survey":
            return
        replies = parse_replies(survey_questions(visit.study, visit.record), fields)
        tx.add_answers(visit.study.name, _given(visit, "survey", replies))
        tx.drop_draft(annotator, "survey")
        visit.add_event("surveyed")
        visit.move_on()

    await parts.store.write(work)


async def answer_about_you(parts: Parts, annotator: AnnotatorId, fields: Mapping[str, str]) -> None:
    """Keep what the person says about themselves, apart from all they answer; every question may be left out.

    Raises:
        InvalidInput: an answer is none of those offered.
    """

    def work(tx: Tx) -> None:
        visit = Visit.begin(parts, tx, annotator)
        if visit.place.kind != "about_you":
            return
        said = parse_replies(visit.study.about_you, fields)
        tx.add_traits(
            visit.study.name,
            [Trait(annotator, one.question, one.choice, "asked", visit.now) for one in said if one.choice],
        )
        tx.drop_draft(annotator, "about_you")
        visit.add_event("introduced")
        visit.move_on()

    await parts.store.write(work)


async def come_back(parts: Parts, annotator: AnnotatorId) -> None:
    """Take up again what a lapsed lease gave away, where the places are still free; else the time is over."""

    await parts.store.write(lambda tx: Visit.begin(parts, tx, annotator))


async def leave(parts: Parts, annotator: AnnotatorId) -> None:
    """The person goes for now; their places are kept until the lease runs out."""

    def work(tx: Tx) -> None:
        visit = Visit.begin(parts, tx, annotator)
        if visit.record.participant.ending is None:
            visit.add_event("left", visit.place.name)

    await parts.store.write(work)


async def note_pastes(parts: Parts, annotator: AnnotatorId, form: str, times: int, characters: int) -> None:
    """Keep that something was pasted into a form, as the browser counted it: a signal for the owner, and no more."""

    def work(tx: Tx) -> None:
        visit = Visit.begin(parts, tx, annotator)
        kind, _, rest = form.partition(":")
        assignment = rest.partition(":")[0]
        known = any(one.id == assignment for one in visit.record.assignments)
        about = f"{kind}:{assignment}" if known else "survey" if form == "survey" else ""
        if visit.record.participant.ending is None:
            visit.add_event("pasted", about, times=times, characters=characters)

    await parts.store.write(work)


async def note_failure(parts: Parts, annotator: AnnotatorId) -> None:
    """Something on our side failed for this person; from then on they may end the study for it."""

    def work(tx: Tx) -> None:
        visit = Visit.begin(parts, tx, annotator)
        if visit.record.participant.ending is None:
            visit.add_event("failed", visit.place.name)

    await parts.store.write(work)


def may_stop(record: PersonRecord) -> bool:
    """Whether something failed for this person, so that they may end the study as kept from going on."""
    return record.participant.ending is None and any(event.kind == "failed" for event in record.events)


async def stop(parts: Parts, annotator: AnnotatorId) -> None:
    """End the study for someone whom a failure of ours keeps from going on; what they finished counts.

    Raises:
        PartClosed: nothing failed for them.
    """

    def work(tx: Tx) -> None:
        visit = Visit.begin(parts, tx, annotator)
        if visit.record.participant.ending:
            return
        if not may_stop(visit.record):
            raise PartClosed("nothing failed that could end the study here")
        visit.end("technical")

    await parts.store.write(work)


async def withdraw(parts: Parts, annotator: AnnotatorId) -> None:
    """Take everything back: words are blanked at once, and no derived file counts this person any more."""

    def work(tx: Tx) -> None:
        visit = Visit.begin(parts, tx, annotator)
        if visit.record.event("withdrew"):
            return
        visit.add_event("withdrew", visit.place.name)
        erase_in(visit, "whole", PERSON)

    await parts.store.write(work)


async def save_draft(parts: Parts, annotator: AnnotatorId, form: str, fields: Mapping[str, str]) -> None:
    """Keep a form as far as it is filled in, so that it survives reload, sign-out and another device.

    Raises:
        InvalidInput: it is larger than any form of the study.
        NotFound: the person has no such form.
    """
    size = sum(len(name) + len(value) for name, value in fields.items())
    if size > MAX_DRAFT:
        raise InvalidInput("this draft is too large", came=f"{size:,} characters", wanted=f"at most {MAX_DRAFT:,}")

    def work(tx: Tx) -> None:
        visit = Visit.begin(parts, tx, annotator)
        name = dialogue.draft_form(form)
        about = name.partition(":")[2]
        # Only so many forms a person has; under invented names anyone could fill the disk.
        if name not in ("survey", "about_you") and about not in {mine.id for mine in visit.record.assignments}:
            raise NotFound("there is no such form")
        if visit.record.participant.ending is None:
            tx.put_draft(annotator, name, fields, visit.now)

    await parts.store.write(work)


def _assignment_of(form: str, kind: str) -> str:
    came, _, assignment = form.partition(":")
    if came != kind or not assignment:
        raise NotFound("there is no such form")
    return assignment


def _first_part_closed(visit: Visit, assignment: Assignment) -> bool:
    first = visit.record.annotation(assignment.id, 0)
    if first is None:
        if visit.place.name != f"annotate:{assignment.id}":
            raise Conflict("another item comes first")
        return False
    return visit.record.event("confirmed") is not None if has_second_part(visit.study, assignment) else False


def _settle_late(visit: Visit, assignment: Assignment, given: LabelForm, round: int = 0) -> None:  # noqa: A002
    """A form that comes after its part closed: harmless when it says the same, refused when it says something else."""
    stands = visit.record.annotation(assignment.id, round)
    if stands is None or stands.answer != (given.label or given.state) or stands.confidence != given.confidence:
        raise PartClosed("this part is over; the answer you gave before stands")


def _record(
    visit: Visit,
    assignment: Assignment,
    task: Task,
    given: LabelForm,
    round: int,  # noqa: A002
    client_times_ms: Mapping[str, int],
) -> None:
    about = label_form(assignment.id, round)
    answers = _given(visit, about, given.replies)
    before = visit.record.annotation(assignment.id, round)
    rationale = visit.tx.keep_words(visit.annotator, given.rationale) if given.rationale else None
    if before and _same(visit, before, given, rationale, about, answers):
        return
    if before and visit.study.suggestions:
        seen = visit.tx.seen(visit.study.name, visit.annotator, assignment.item)
        if any(exposure.seq > before.seq for exposure in seen.exposures):
            raise PartClosed("something was shown on this item since; the label you gave stands")
    opened = visit.record.event("opened", f"talk:{assignment.id}" if round else about)
    visit.add_annotation(
        Annotation(
            annotator=visit.annotator,
            task=assignment.task,
            item=assignment.item,
            item_hash=assignment.item_hash,
            assignment=assignment.id,
            condition=assignment.condition,
            study_version=visit.record.participant.study_version,
            round=round,
            revision=before.revision + 1 if before else 0,
            seq=visit.tx.next_seq(visit.annotator, assignment.item),
            label=given.label,
            state=given.state,
            confidence=given.confidence,
            rationale=rationale,
            guideline_hash=text_hash(task.guideline.in_language(visit.record.participant.language)),
            shown_at=opened.at if opened else visit.now,
            submitted_at=visit.now,
            client_times_ms=client_times_ms,
        ),
        answers,
    )


def _same(
    visit: Visit,
    before: Annotation,
    given: LabelForm,
    rationale: str | None,
    about: str,
    answers: tuple[GivenAnswer, ...],
) -> bool:
    standing = {a.question: (a.choice, a.words) for a in visit.record.answers if a.about == about}
    return (
        (before.label, before.state, before.confidence, before.rationale)
        == (given.label, given.state, given.confidence, rationale)
        and standing == {a.question: (a.choice, a.words) for a in answers}
    )  # fmt: skip


def _given(visit: Visit, about: str, replies: tuple[Reply, ...]) -> tuple[GivenAnswer, ...]:
    return tuple(
        GivenAnswer(
            visit.annotator,
            about,
            reply.question,
            reply.choice,
            visit.tx.keep_words(visit.annotator, reply.words) if reply.words else None,
            visit.now,
        )
        for reply in replies
    )
