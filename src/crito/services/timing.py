"""How long each annotator took, as signals for the owner; nobody is left out by them."""

from collections.abc import Mapping
from typing import NamedTuple

from crito.model.ids import AnnotatorId, ItemId, StudyName
from crito.model.record import PersonRecord, Role
from crito.model.study import Study
from crito.services.parts import Parts
from crito.services.ports.store import Tx
from crito.stats.timing import TimedLabel, TimingSignals, timing_signals


class AnnotatorTiming(NamedTuple):
    """One person's signals."""

    annotator: AnnotatorId
    role: Role
    n_labels: int
    signals: TimingSignals


async def timing(parts: Parts, name: StudyName) -> tuple[AnnotatorTiming, ...]:
    """The signals of everyone who labelled something and has not taken it back, by pseudonym."""

    def work(tx: Tx) -> tuple[AnnotatorTiming, ...]:
        number = tx.latest_number(name)
        if number is None:
            return ()
        study = parts.edition(tx, name, number)
        lengths = text_lengths(study)
        found, after = [], ""
        while records := tx.persons(name, after=after):
            after = records[-1].participant.id
            found += [timing_of(record, study, lengths) for record in records if _counts(record)]
        return tuple(found)

    return await parts.store.survey(work)


def _counts(record: PersonRecord) -> bool:
    return record.participant.ending != "withdrawn" and bool(record.annotations)


def text_lengths(study: Study) -> Mapping[ItemId, int]:
    """Characters of each item's text."""
    return {item.id: len(item.text) for task in study.tasks for item in task.items}


def timing_of(record: PersonRecord, study: Study, lengths: Mapping[ItemId, int]) -> AnnotatorTiming:
    """The signals of one person, from their initial labels of the items whose length is known."""
    accepted = {event.about for event in record.events if event.kind == "accepted"}
    first = sorted(
        (one for one in record.annotations if not one.round and one.item in lengths), key=lambda one: one.submitted_at
    )
    labels = [
        TimedLabel(
            max(0.0, (one.submitted_at - one.shown_at).total_seconds()),
            lengths[one.item],
            f"0:{one.assignment}" in accepted,
        )
        for one in first
    ]
    person = record.participant
    return AnnotatorTiming(person.id, person.role, len(labels), timing_signals(labels, language=study.languages[0]))
