"""A person at their place, inside one transaction: what is added is kept by the store and seen by the rest of the use case."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from crito.model.errors import Forbidden, NotFound, PartClosed
from crito.model.ids import AnnotatorId, AssignmentId
from crito.model.record import Annotation, Assignment, AssignmentStatus, Event, EventKind, GivenAnswer, PersonRecord
from crito.model.study import Ending, Study
from crito.services import both_sides, openings, runs, suggesting
from crito.services.flow import Place, has_second_part, held, holds_debate, holds_dialogue, place_of, walk
from crito.services.parts import Parts
from crito.services.pay import keep_minutes
from crito.services.ports.store import Tx


@dataclass
class Visit:
    """One person during one use case; `record` grows with what is added."""

    tx: Tx
    study: Study
    record: PersonRecord
    now: datetime

    @classmethod
    def begin(cls, parts: Parts, tx: Tx, annotator: AnnotatorId) -> "Visit":
        """Lock the person and read where they are; what a lapsed lease gave away is taken up again, where it is still free.

        Raises:
            NotFound: nobody has this pseudonym.
        """
        visit = cls.of(parts, tx, tx.person(annotator, lock=True))
        if visit.record.participant.ending is None:
            visit.resume()
        return visit

    @classmethod
    def of(cls, parts: Parts, tx: Tx, record: PersonRecord) -> "Visit":
        person = record.participant
        if person.role != "participant":
            raise Forbidden("experts have pages of their own")
        return cls(tx, parts.edition(tx, person.study, person.study_version), record, parts.now())

    @property
    def annotator(self) -> AnnotatorId:
        return self.record.participant.id

    @property
    def place(self) -> Place:
        return place_of(self.study, self.record)

    def own(self, assignment: str, *, lapsed: bool = False) -> Assignment:
        """The person's assignment of this id; also one whose lease ran out, if `lapsed` ones will do.

        Raises:
            PartClosed: it is no longer theirs.
            NotFound: it never was.
        """
        mine = next((one for one in self.record.assignments if one.id == assignment), None)
        if mine is None:
            raise NotFound("this item is not yours to work on")
        if mine in held(self.record) or (lapsed and mine.status == "expired"):
            return mine
        raise PartClosed("this item is no longer yours to work on")

    def add_event(self, kind: EventKind, about: str = "", **data: Any) -> None:
        event = Event(self.annotator, kind, about, self.now, data)
        self.tx.add_event(event)
        self.record = replace(self.record, events=(*self.record.events, event))

    def add_annotation(self, annotation: Annotation, answers: tuple[GivenAnswer, ...]) -> None:
        self.tx.add_annotation(self.study.name, annotation)
        self.tx.add_answers(self.study.name, answers)
        earlier = tuple(
            a for a in self.record.annotations if (a.assignment, a.round) != (annotation.assignment, annotation.round)
        )
        self.record = replace(self.record, annotations=(*earlier, annotation), answers=(*self.record.answers, *answers))

    def set_status(self, assignments: list[AssignmentId], status: AssignmentStatus) -> None:
        if not assignments:
            return
        self.tx.set_status(assignments, status)
        if status not in ("open", "done"):
            self.tx.release_slots(assignments)
        self.record = replace(
            self.record,
            assignments=tuple(replace(a, status=status) if a.id in assignments else a for a in self.record.assignments),
        )

    def move_on(self) -> None:
        """Bring the person to their next place: finished items become done, the place is opened, leases are renewed."""
        self._finish_items()
        place = self.place
        if place.kind == "end":
            if self.record.participant.ending is None:
                self.end("done")
            return
        if self.record.event("opened", place.name) is None:
            self.add_event("opened", place.name)
            if place.kind == "debate" and place.assignment:
                self._open_debate(place.assignment)
                if not holds_debate(self.study, self.record, place.assignment):
                    self.move_on()
                    return
        if place.kind == "annotate" and place.assignment and self.study.suggestions:
            self._suggest(place.assignment)
        if place.kind == "talk" and place.assignment and holds_dialogue(self.study, self.record, place.assignment):
            runs.begin(self.tx, self.study, self.record, place.assignment, self.now)
        self.renew_leases()

    def _open_debate(self, mine: Assignment) -> None:
        """Put the debate that is read next on record, so that its page may show it; where it has yet to be argued, note for
        which labels. Where none can be had, the person goes on without one."""
        label = self.record.first_label(mine.id)
        sides = both_sides.find_sides(self.tx, self.study, mine, label)
        if sides is not None:
            both_sides.show(self.tx, self.study, self.record.participant, mine, sides, self.now)
        elif self.study.item_debates and self.study.item_debates.panel:
            self.add_event("arguing", mine.id, labels=self._labels_to_argue(mine, label))
        else:
            self.do_without_debate(mine, "no debate on this item was prepared")

    def _labels_to_argue(self, mine: Assignment, label: str) -> list[str]:
        """The person's label and the other one that most people gave, in the task's order."""
        others = self.tx.labels_of_others(self.study.name, mine.task, mine.item, except_annotator=self.annotator)
        names = self.study.task(mine.task).label_names
        other = max((name for name in names if name != label), key=lambda name: others.get(name, 0))
        return [name for name in names if name in (label, other)]

    def do_without_debate(self, mine: Assignment, reason: str) -> None:
        """Send the person past a debate that they cannot have."""
        self.add_event("routed", mine.id, dialogue=False, debate=False, reason=reason)

    def _suggest(self, mine: Assignment) -> None:
        """Record what the page of an item is about to suggest; a page suggests nothing that is not on record."""
        assert self.study.suggestions is not None, "the study suggests labels"
        withheld = suggesting.is_withheld(self.tx, self.study, self.annotator, mine.item)
        if withheld or self.study.suggestions.display == "after_label" or self.record.annotation(mine.id, 0):
            return
        told = suggesting.suggestion_for(self.tx, self.study, mine.task, mine.item, mine.item_hash)
        if told:
            suggesting.expose(self.tx, self.study, self.annotator, mine.task, mine.item, told, "suggestion", self.now)

    def show_difference(self, mine: Assignment, label: str) -> None:
        """Where the model says something else and may say so, put its answer on the page that comes next.

        A flow with a second labelling of its own has no such page.
        """
        if has_second_part(self.study, mine) or self.record.event("resolving", mine.id):
            return
        if suggesting.is_withheld(self.tx, self.study, self.annotator, mine.item):
            return
        told = suggesting.suggestion_for(self.tx, self.study, mine.task, mine.item, mine.item_hash)
        if told and told.label != label:
            suggesting.expose(
                self.tx, self.study, self.annotator, mine.task, mine.item, told, suggesting.RESOLVE, self.now
            )
            self.add_event("resolving", mine.id)

    def resume(self) -> None:
        """Take back lapsed places that are still free; the time is over when one of them is not."""
        lapsed_ones = [a for a in self.record.assignments if a.status == "expired"]
        may_come_back = not lapsed_ones or openings.has_room(self.tx, self.study.name, self.record.participant.origin)
        for lapsed in lapsed_ones:
            slot = self.tx.retake_slot(self.study.name, lapsed) if may_come_back else None
            if slot is None:
                self.end("timed_out")
                return
            until = self.now + timedelta(minutes=self.study.lease_minutes)
            self.tx.reopen(lapsed.id, slot.number, until)
            back = replace(lapsed, status="open", slot=slot.number, lease_until=until)
            self.record = replace(
                self.record, assignments=tuple(back if a.id == back.id else a for a in self.record.assignments)
            )
            self.add_event("returned", lapsed.id)

    def _finish_items(self) -> None:
        left = {
            place.assignment.id for place, behind in walk(self.study, self.record) if place.assignment and not behind
        }
        self.set_status([a.id for a in self.record.assignments if a.status == "open" and a.id not in left], "done")

    def renew_leases(self) -> None:
        self.tx.renew_leases(self.annotator, self.now + timedelta(minutes=self.study.lease_minutes))

    def end(self, ending: Ending) -> None:
        """End the study for this person. What they gave is kept; places that will not count are given back."""
        given_back: dict[Ending, tuple[AssignmentStatus, tuple[AssignmentStatus, ...]]] = {
            "withdrawn": ("withdrawn", ("open", "done")),
            "attention_failed": ("ended", ("open", "done")),
            "technical": ("ended", ("open",)),
            "timed_out": ("expired", ("open",)),
            "submission_closed": ("ended", ("open", "done")),
        }
        status, which = given_back.get(ending, ("ended", ()))
        self.set_status([a.id for a in self.record.assignments if a.status in which], status)
        self.tx.end_participation(self.annotator, ending, self.now)
        self.add_event("ended", ending)
        if ending == "done":
            ended = replace(self.record.participant, ending=ending, ended_at=self.now)
            keep_minutes(self.tx, replace(self.record, participant=ended))
        self.record = replace(
            self.record, participant=replace(self.record.participant, ending=ending, ended_at=self.now)
        )
