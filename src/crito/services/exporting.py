"""Export a study: every voice as flat tables, written by one of the formats and checked by it."""

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from crito.model.errors import InvalidInput, NotFound
from crito.model.ids import AssignmentId, RunId, StudyName, TaskName
from crito.model.record import Export
from crito.model.study import Study
from crito.services.blind_tables import BLIND_TABLES, blind_rows
from crito.services.given_labels import LabelTable, label_table
from crito.services.model_tables import MODEL_TABLES, model_rows
from crito.services.parts import Parts
from crito.services.personal_data import PersonalData
from crito.services.ports.store import Tx
from crito.services.releasing import Hit, Tier, released
from crito.services.shares import editions, shares
from crito.services.standing import fallen
from crito.services.study_evidence import evidence_of
from crito.services.study_tables import CALLS, ITEMS, StudyTables, call_row, item_rows
from crito.services.tables import Exporter, Outgoing, Row, Table, WrittenFile
from crito.stats.statistic import Statistic

CALLS_AT_A_TIME = 500


@dataclass(frozen=True, slots=True)
class ExportSummary:
    """What an export left on the disk."""

    study: StudyName
    format: str
    out: Path
    exported_at: datetime
    files: tuple[WrittenFile, ...]
    n_withdrawn: int
    redacted: tuple[Hit, ...] = ()
    """What was taken out for a release, with the words themselves: for the owner alone."""


async def export_study(
    parts: Parts, study: StudyName, exporter: Exporter, out: Path, *, release: Tier | None = None
) -> ExportSummary:
    """Write everything that people left in a study, except of those who took it back, into the folder `out`.

    The whole export is one consistent view: what is recorded meanwhile is not in it. Each file is then recorded with
    its count and hash. For a `release` no more than its tier is written, and what looks like personal data is taken out.

    Raises:
        InvalidInput: people consented to less than the tier of the release.
        NotFound: no study of this name was published here.
        CritoError: as the exporter.
    """
    now = parts.now()

    def work(tx: Tx) -> ExportSummary:
        hits: list[Hit] = []
        outgoing = _outgoing(parts, tx, study, now)
        if release:
            languages = dict.fromkeys(tag for edition in outgoing.editions.values() for tag in edition.languages)
            scan = PersonalData(tuple(languages), tx.platform_ids(study))
            outgoing = released(outgoing, release, scan, hits.append)
        files = tuple(exporter(outgoing, out))
        withdrawn = tx.count_people(study).get("withdrawn", 0)
        return ExportSummary(study, exporter.name, out, now, files, withdrawn, tuple(hits))

    summary = await parts.store.survey(work)
    await parts.store.write(lambda tx: _keep(tx, summary))
    return summary


async def study_labels(parts: Parts, study: StudyName) -> LabelTable:
    """The labels of a study as one table, without those of people who are left out by default.

    Raises:
        NotFound: no study of this name was published here.
    """
    now = parts.now()
    return await parts.store.survey(lambda tx: label_table(_outgoing(parts, tx, study, now))[0])


def _keep(tx: Tx, summary: ExportSummary) -> None:
    for file in summary.files:
        if file.table:
            path = str(summary.out.absolute() / file.name)
            tx.add_export(
                Export(summary.study, path, summary.format, file.table, file.rows, file.sha256, summary.exported_at)
            )


def _outgoing(parts: Parts, tx: Tx, study: StudyName, now: datetime) -> Outgoing:
    by_number = editions(parts, tx, study)
    if not by_number:
        raise NotFound(f"there is no study {study!r} here")
    tables = StudyTables.of(by_number)
    rows = _rows(tx, study, by_number, tables)
    gaps = _gaps(parts, tx, study, by_number[max(by_number)], now)
    return Outgoing(study, now, (*tables.all, *MODEL_TABLES, *BLIND_TABLES), rows, _notes(tx, study), by_number, gaps)


def _gaps(parts: Parts, tx: Tx, name: StudyName, study: Study, now: datetime) -> Mapping[TaskName, Statistic]:
    """The anchoring gap of each task, as the owner's page has it; none where no machine has labelled."""
    gaps = {}
    for task in study.tasks if study.suggestions else ():
        with contextlib.suppress(InvalidInput):
            gaps[task.name] = evidence_of(parts, tx, name, task.name, now).card().gap
    return gaps


def _rows(tx: Tx, study: StudyName, by_number: Mapping[int, Study], tables: StudyTables) -> Iterator[tuple[Table, Row]]:
    taken_back: set[RunId] = set()
    theirs: set[AssignmentId] = set()
    yield from ((ITEMS, row) for row in item_rows(by_number))
    for share in shares(tx, study, by_number):
        if share.withdrawn:
            theirs.update(a.id for a in share.record.assignments)
            taken_back.update(share.runs[a.id].id for a in share.record.assignments if a.id in share.runs)
        else:
            yield from tables.rows_of(share)
    yield from model_rows(tx, study, by_number, tables)
    yield from blind_rows(tx, study, theirs)
    after = ""
    while calls := tx.calls(study, after=after, limit=CALLS_AT_A_TIME):
        yield from ((CALLS, call_row(call, run_known=call.run not in taken_back)) for call in calls)
        after = calls[-1].key


def _notes(tx: Tx, study: StudyName) -> tuple[str, ...]:
    withdrawn = tx.count_people(study).get("withdrawn", 0)
    return (
        f"People who took their data back: {withdrawn}. None of their rows are here.",
        "Pseudonyms stand for people; the platform's ids are kept apart and are never exported.",
        *(
            f"Audits showed that the machine became worse on task {task}: its labels in accepted_labels are revoked."
            for task in fallen(tx, study)
        ),
    )
