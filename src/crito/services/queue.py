"""An expert at work: one item after another, with the model's label beside it or kept out of sight, each key one record."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from crito.model.errors import Conflict, Forbidden, InvalidInput, NotFound, PartClosed
from crito.model.ids import AnnotatorId, AssignmentId, ItemId, Language, StudyName, TaskName
from crito.model.record import (
    BLIND_PURPOSES,
    Annotation,
    Assignment,
    Event,
    Exposure,
    Identity,
    LabelRequest,
    Participant,
    Purpose,
)
from crito.model.study import NOT_SURE, Study, Task
from crito.services import access
from crito.services.forms import clean_words
from crito.services.handing import watch
from crito.services.pages import ExpertFrame, ExpertPage, HandedTask, PeerLabel, ShownItem
from crito.services.parts import Parts
from crito.services.ports.record import Seen
from crito.services.ports.store import Tx
from crito.services.publishing import text_hash
from crito.services.standing import standings
from crito.services.suggesting import (
    RESOLVE,
    Suggestion,
    as_shown,
    expose,
    is_withheld,
    shown_suggestion,
    suggestion_for,
)

FORM = "expert"
SKIPPED = "skipped"


async def invite(parts: Parts, name: StudyName, who: str) -> tuple[AnnotatorId, str]:
    """Add an expert under a pseudonym; the token of their personal link. The same name again gives another link.

    Raises:
        InvalidInput: there is no name.
        Conflict: nobody labels in this study.
    """
    if not who.strip():
        raise InvalidInput("an expert needs a name", wanted="what you call them", key="NAME")
    _, study = await parts.latest(name)
    if not study.conditions:
        raise Conflict("nobody labels in this study: models debate or label in it")
    expert = await parts.store.write(lambda tx: add_expert(parts, tx, name, who.strip()))
    return expert, await access.make_personal_link(parts, expert)


def add_expert(parts: Parts, tx: Tx, name: StudyName, who: str) -> AnnotatorId:
    """The pseudonym of the expert who is called `who`; a new one for somebody new."""
    identity = Identity("expert", who)
    known = tx.find_person(name, identity)
    if known:
        return known
    number, seed = tx.latest_number(name), parts.new_seed()
    assert number is not None, "experts are invited to a study that is there"
    study = parts.edition(tx, name, number)
    pseudonym = AnnotatorId(f"x-{random.Random(seed).getrandbits(60):015x}")
    condition = study.conditions[0].name
    expert = Participant(
        pseudonym, name, number, parts.origin, study.languages[0], condition, seed, parts.now(), role="expert"
    )
    tx.add_participant(expert, identity)
    return pseudonym


@dataclass
class Desk:
    """An expert inside one transaction, on the study's latest edition."""

    tx: Tx
    study: Study
    number: int
    expert: Participant
    now: datetime
    _purposes: dict[AssignmentId, Purpose] = field(default_factory=dict)

    @classmethod
    def of(cls, parts: Parts, tx: Tx, annotator: AnnotatorId, *, lock: bool) -> "Desk":
        """
        Raises:
            Forbidden: the person is no expert, or has ended.
        """
        expert = tx.participant(annotator, lock=lock)
        if expert.role != "expert" or expert.ending:
            raise Forbidden("these pages are for experts who were invited")
        number = tx.latest_number(expert.study)
        assert number is not None, "whoever was invited was invited to a study"
        return cls(tx, parts.edition(tx, expert.study, number), number, expert, parts.now())

    @property
    def language(self) -> Language:
        return self.expert.language

    def open(self) -> Assignment | None:
        """What the expert is at now."""
        return next(iter(self.tx.assignments_of(self.expert.id, ["open"])), None)

    def seen(self, mine: Assignment) -> Seen:
        return self.tx.seen(self.study.name, self.expert.id, mine.item)

    def own(self, form: str) -> Assignment:
        """The assignment that a form is about; one whose lease ran out is taken up again, where it is still free.

        Raises:
            NotFound: it is not theirs.
            PartClosed: somebody else has it now.
        """
        kind, _, id_ = form.partition(":")
        mine = self.tx.assignment(AssignmentId(id_)) if kind == FORM else None
        if mine is None or mine.annotator != self.expert.id:
            raise NotFound("this item is not yours to work on")
        if mine.status in ("open", "done"):
            return mine
        return self._taken_back(mine)

    def _taken_back(self, mine: Assignment) -> Assignment:
        closed = PartClosed("this item was given to somebody else in the meantime")
        if mine.status != "expired" or self.open():
            raise closed
        request = next((one for one in self.tx.requests(self.study.name) if _asks_for(one, mine)), None)
        if request:
            slot = request.number if self.tx.retake_request(request.id, mine.id) else None
        else:
            free = self.tx.retake_slot(self.study.name, mine)
            slot = free.number if free else None
        if slot is None:
            raise closed
        self.tx.reopen(mine.id, slot, self.lease())
        return replace(mine, status="open", slot=slot)

    def lease(self) -> datetime:
        return self.now + timedelta(minutes=self.study.lease_minutes)

    def purpose(self, mine: Assignment) -> Purpose:
        if mine.id not in self._purposes:
            request = self.tx.request_of(mine.id)
            self._purposes[mine.id] = request.purpose if request else "label"
        return self._purposes[mine.id]

    def take_next(self) -> None:
        """Hold the next item, if none is held: what was asked for on purpose first, then any, in a random order.

        What its page will show of others is on record before the page can be drawn.
        """
        if self.open():
            return
        position = sum(self.tx.count_assignments(self.expert.id).values())
        rng = random.Random(f"{self.expert.seed}/{position}")
        id_ = AssignmentId(f"a-{rng.getrandbits(60):015x}")
        held = self._hold_request(id_, position) or self._hold_slot(id_, position, rng)
        if held is None:
            return
        self.tx.add_assignments(self.study.name, [held])
        self.tx.add_event(Event(self.expert.id, "opened", f"annotate:{id_}", self.now))
        self._show(held)

    def _hold_request(self, id_: AssignmentId, position: int) -> Assignment | None:
        request = self.tx.take_request(self.study.name, self.expert.id, id_)
        if request is None:
            return None
        return self._assignment(
            id_, request.task, request.item, request.item_hash, request.condition, position, request.number
        )

    def _hold_slot(self, id_: AssignmentId, position: int, rng: random.Random) -> Assignment | None:
        condition = self.study.conditions[0].name
        tasks = list(self.study.tasks)
        rng.shuffle(tasks)
        for task in tasks:
            slot = self.tx.take_slot_unknown_to(
                self.study.name, task.name, condition, id_, self.expert.id, pivot=rng.getrandbits(32)
            )
            if slot:
                return self._assignment(id_, task.name, slot.item, slot.item_hash, condition, position, slot.number)
        return None

    def _assignment(
        self, id_: AssignmentId, task: TaskName, item: ItemId, item_hash: str, condition: str, position: int, slot: int
    ) -> Assignment:
        return Assignment(
            id=id_, annotator=self.expert.id, task=task, item=item, item_hash=item_hash, condition=condition,
            position=position, slot=slot, status="open", lease_until=self.lease(),
        )  # fmt: skip

    def _show(self, mine: Assignment) -> None:
        """Record what the page of a new item shows of machines and of others."""
        settings, purpose = self.study.suggestions, self.purpose(mine)
        if purpose in BLIND_PURPOSES or self.withheld(mine):
            return
        if purpose == "adjudicate":
            self._show_peers(mine)
        first = purpose == "label" and settings is not None and settings.display != "after_label"
        prefilled = purpose == "verify" and settings is not None and settings.verify_visibility == "shown"
        if first or prefilled or purpose in ("adjudicate", "resolve"):
            self._show_suggestion(mine, "suggestion" if purpose == "label" else purpose)

    def _show_suggestion(self, mine: Assignment, route: str) -> Suggestion | None:
        told = suggestion_for(self.tx, self.study, mine.task, mine.item, mine.item_hash)
        if told:
            expose(self.tx, self.study, self.expert.id, mine.task, mine.item, told, route, self.now)
        return told

    def _show_peers(self, mine: Assignment) -> None:
        others = self.tx.labels_of_others(self.study.name, mine.task, mine.item, except_annotator=self.expert.id)
        for place, (label, people) in enumerate(sorted(others.items())):
            self.tx.add_exposure(
                self.study.name,
                Exposure(
                    annotator=self.expert.id, item=mine.item, task=mine.task, kind="peer_label",
                    source=f"labels/{mine.task}/{label}/{people}", part=place,
                    content=self.tx.keep_words(self.expert.id, f"{label}: {people}"), route="adjudicate",
                    seq=self.tx.next_seq(self.expert.id, mine.item), at=self.now,
                ),
            )  # fmt: skip

    def withheld(self, mine: Assignment) -> bool:
        return is_withheld(self.tx, self.study, self.expert.id, mine.item)

    def resolving(self, mine: Assignment, seen: Seen) -> bool:
        """Whether the first label stands and the model's, which differs, is on the page."""
        first = _last(seen, mine, 0)
        later = any(one.route == RESOLVE and one.task == mine.task for one in seen.exposures)
        return mine.status == "open" and first is not None and later

    def audited(self, mine: Assignment, said: str) -> "_Audited | None":
        """The task whose audits have to be read again: an answer that agrees only weakens what speaks for a fall."""
        if self.purpose(mine) != "audit":
            return None
        told = suggestion_for(self.tx, self.study, mine.task, mine.item, mine.item_hash)
        return None if told and told.label == said else _Audited(self.study.name, mine.task)

    def finish(self, mine: Assignment) -> None:
        self.tx.set_status([mine.id], "done")
        self.tx.drop_draft(self.expert.id, f"{FORM}:{mine.id}")
        self.take_next()


class _Audited(NamedTuple):
    """A task of which an audit was answered otherwise than the machine did."""

    study: StudyName
    task: TaskName


def _asks_for(request: LabelRequest, mine: Assignment) -> bool:
    return (request.task, request.item, request.number) == (mine.task, mine.item, mine.slot)


def _last(seen: Seen, mine: Assignment, round_: int) -> Annotation | None:
    given = [one for one in seen.annotations if one.task == mine.task and one.round == round_]
    return given[-1] if given else None


async def begin(parts: Parts, annotator: AnnotatorId) -> None:
    """Take the first item, or the next one after a lapsed lease."""
    await parts.store.write(lambda tx: Desk.of(parts, tx, annotator, lock=True).take_next())


async def answer(
    parts: Parts, annotator: AnnotatorId, form: str, fields: Mapping[str, str], client_times_ms: Mapping[str, int]
) -> None:
    """Record what an expert says of an item, or corrects; then the next one comes.

    `fields` holds a `label` (or `not_sure`, `skipped`), or `accept` for the suggestion in view: which label that is the
    record says, not the form. After a difference the same form resolves it; what is said then is the next round.

    Raises:
        InvalidInput: no label, or none of those offered.
        Conflict: there is no suggestion in view that could be accepted.
        PartClosed: something was shown since; the label stands as it is.
        NotFound: the item is not theirs.
    """

    def work(tx: Tx) -> _Audited | None:
        desk = Desk.of(parts, tx, annotator, lock=True)
        mine = desk.own(form)
        task = desk.study.task(mine.task)
        seen = desk.seen(mine)
        said, accepted = _said(desk, mine, task, seen, fields)
        if mine.status == "done":
            _correct(desk, mine, task, seen, said, fields, client_times_ms)
            return desk.audited(mine, said)
        if desk.resolving(mine, seen):
            _record(desk, mine, task, seen, 1, 0, said, accepted, fields, client_times_ms)
            desk.finish(mine)
            return None
        _record(desk, mine, task, seen, 0, 0, said, accepted, fields, client_times_ms)
        if said not in (SKIPPED, NOT_SURE) and _differs(desk, mine, said):
            desk._show_suggestion(mine, RESOLVE)
            tx.add_event(Event(annotator, "resolving", mine.id, desk.now))
            return None
        desk.finish(mine)
        return desk.audited(mine, said)

    audited = await parts.store.write(work)
    if audited:
        await watch(parts, audited.study, audited.task)


def _said(desk: Desk, mine: Assignment, task: Task, seen: Seen, fields: Mapping[str, str]) -> tuple[str, bool]:
    """The label or state that came, and whether it came by the button that takes the suggestion over."""
    if fields.get("accept"):
        told = shown_suggestion(desk.tx, seen, mine.task)
        if told is None:
            raise Conflict("there is no suggestion in view that could be accepted")
        return told.label, True
    label = fields.get("label", "")
    offered = [*task.label_names, NOT_SURE, SKIPPED]
    if not label:
        raise InvalidInput("choose a label", key="label")
    if label not in offered:
        raise InvalidInput("choose a label", came=label, wanted=f"one of {', '.join(offered)}", key="label")
    return label, False


def _differs(desk: Desk, mine: Assignment, label: str) -> bool:
    """Whether the model says something else, and may say so now."""
    if desk.purpose(mine) != "label" or desk.withheld(mine):
        return False
    told = suggestion_for(desk.tx, desk.study, mine.task, mine.item, mine.item_hash)
    return told is not None and told.label != label


def _correct(
    desk: Desk, mine: Assignment, task: Task, seen: Seen, said: str, fields: Mapping[str, str], times: Mapping[str, int]
) -> None:
    """Another answer in the place of the last one; only while nothing was shown since."""
    last = max((one for one in seen.annotations if one.task == mine.task), key=lambda one: one.seq)
    if last.answer == said:
        return
    if any(one.seq > last.seq for one in seen.exposures):
        raise PartClosed("something was shown on this item since; the label you gave stands")
    _record(desk, mine, task, seen, last.round, last.revision + 1, said, False, fields, times)


def _record(
    desk: Desk,
    mine: Assignment,
    task: Task,
    seen: Seen,
    round_: int,
    revision: int,
    said: str,
    accepted: bool,
    fields: Mapping[str, str],
    client_times_ms: Mapping[str, int],
) -> None:
    reason = clean_words(fields.get("rationale", ""), "rationale") if desk.study.ask_rationale else ""
    state = said if said in (NOT_SURE, SKIPPED) else None
    desk.tx.add_annotation(
        desk.study.name,
        Annotation(
            annotator=desk.expert.id,
            task=mine.task,
            item=mine.item,
            item_hash=mine.item_hash,
            assignment=mine.id,
            condition=mine.condition,
            study_version=desk.number,
            round=round_,
            revision=revision,
            seq=desk.tx.next_seq(desk.expert.id, mine.item),
            label=None if state else said,
            state=state,
            confidence=None,
            rationale=desk.tx.keep_words(desk.expert.id, reason) if reason else None,
            guideline_hash=text_hash(task.guideline.in_language(desk.language)),
            shown_at=_shown_at(desk, mine, seen, round_),
            submitted_at=desk.now,
            client_times_ms=client_times_ms,
        ),
    )
    if accepted:
        desk.tx.add_event(Event(desk.expert.id, "accepted", f"{round_}:{mine.id}", desk.now))


def _shown_at(desk: Desk, mine: Assignment, seen: Seen, round_: int) -> datetime:
    if round_:
        return max((one.submitted_at for one in seen.annotations if one.task == mine.task), default=desk.now)
    return mine.lease_until - timedelta(minutes=desk.study.lease_minutes)


async def page(parts: Parts, annotator: AnnotatorId, *, undo: bool = False) -> ExpertPage:
    """What an expert sees now; with `undo` the label given last, to be changed. Nothing is shown that is not on record.

    Raises:
        Forbidden: the person is no expert.
    """

    def work(tx: Tx) -> ExpertPage:
        desk = Desk.of(parts, tx, annotator, lock=False)
        mine = _last_done(desk) if undo else desk.open()
        return _page(desk, mine)

    return await parts.store.read(work)


def _last_done(desk: Desk) -> Assignment | None:
    done = desk.tx.assignments_of(desk.expert.id, ["done"])
    return done[-1] if done else desk.open()


def _page(desk: Desk, mine: Assignment | None) -> ExpertPage:
    counts = desk.tx.count_assignments(desk.expert.id)
    condition = desk.study.conditions[0].name
    left = sum(desk.tx.free_slots(desk.study.name, task.name, condition) for task in desk.study.tasks)
    frame = ExpertFrame(desk.study.title, desk.language, counts.get("done", 0), left, tuple(_handed(desk)))
    if mine is None:
        return ExpertPage(frame, state="empty" if not left else "ready")
    task, seen, purpose = desk.study.task(mine.task), desk.seen(mine), desk.purpose(mine)
    told = None if purpose in BLIND_PURPOSES or desk.withheld(mine) else shown_suggestion(desk.tx, seen, mine.task)
    given = max((one for one in seen.annotations if one.task == mine.task), key=lambda one: one.seq, default=None)
    resolving = desk.resolving(mine, seen)
    settings = desk.study.suggestions
    hidden = purpose in BLIND_PURPOSES or (
        settings is not None and settings.display == "blind_sample" and desk.withheld(mine)
    )
    item = desk.tx.item(desk.study.name, mine.item, mine.item_hash)
    return ExpertPage(
        frame,
        state="resolve" if resolving else "undo" if mine.status == "done" else "label",
        form=f"{FORM}:{mine.id}",
        purpose=purpose,
        title=task.title,
        question=task.question,
        item=ShownItem(item.text, item.context, task.guideline, desk.study.languages[0], task.context_names),
        labels=task.labels,
        suggestion=as_shown(task, told) if told else None,
        hidden=hidden,
        given=given.answer if given else "",
        peers=_peers(desk, task, seen) if purpose == "adjudicate" else (),
        ask_rationale=desk.study.ask_rationale,
        may_undo=bool(counts.get("done")),
    )


def _handed(desk: Desk) -> Iterator[HandedTask]:
    """What became of each task that was ever handed over, by its last handoff."""
    last = {one.handoff.task: one for one in standings(desk.tx, desk.study.name)}
    for task in desk.study.tasks:
        if one := last.get(task.name):
            yield HandedTask(task.title, one.revocation.reason if one.revocation else None)


def _peers(desk: Desk, task: Task, seen: Seen) -> tuple[PeerLabel, ...]:
    shown = [one for one in seen.exposures if one.kind == "peer_label" and one.task == task.name]
    read = [one.source.rsplit("/", 2)[1:] for one in shown]
    return tuple(PeerLabel(task.label(label).text, int(people)) for label, people in read)
