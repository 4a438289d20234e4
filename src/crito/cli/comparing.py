"""The report of a table of labels, parted by a column, or with another table beside it or beside a study."""

import asyncio
import gc
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from crito.bootstrap import Settings, open_parts
from crito.cli import screen
from crito.cli.places import existing_study
from crito.cli.report_files import write_report
from crito.formats.reading import repeats_named
from crito.formats.table_files import ReadTable, TableOptions, read_table
from crito.formats.transcript_files import read_transcripts
from crito.model.errors import InvalidInput
from crito.report.table_page import render_table_report
from crito.report.transcripts_page import render_transcripts
from crito.services.exporting import study_labels
from crito.services.given_labels import LabelTable
from crito.services.people_traits import TraitGroups, trait_groups
from crito.services.reporting.tables import UNREVISITED, Unrevisited, grouped, report_tables
from crito.services.reporting.transcripts import TranscriptReport, report_transcripts


@dataclass(frozen=True, slots=True)
class Beside:
    """What a report sets side by side: the values of a column, or two tables. `people` says more about annotators."""

    by: str = ""
    against: Path | None = None
    people: Path | None = None

    def __post_init__(self) -> None:
        if self.by and self.against:
            raise InvalidInput("a report is parted by a column or set against a table, not both", key="--against")
        if self.people and not self.by:
            raise InvalidInput(
                "a table of people needs the name of a column", wanted="say which with --by", key="--people"
            )


@dataclass(frozen=True, slots=True)
class Reading:
    """How tables are read: names of columns, what means not sure, what repeated labels are, a table of items."""

    columns: Mapping[str, str]
    not_sure: Sequence[str]
    repeats: str
    items: Path | None
    unrevisited: str = "missing"

    def read(self, file: Path, *, by: str = "", people: Path | None = None) -> ReadTable:
        options = TableOptions(self.columns, frozenset(self.not_sure), repeats_named(self.repeats), by)
        return read_table(file, options, items=self.items, people=people)


def report_tables_of(
    study_or_table: str,
    out: Path | None,
    figures: Path | None,
    beside: Beside,
    reading: Reading,
    db: str | None,
    *,
    is_table: bool,
) -> None:
    """Write the report of a table, or of two, as one page, and its figures as files.

    Raises:
        CritoError: a table cannot be read or used, there is no such study, or a file cannot be written.
    """
    # A million rows are millions of objects that all stay: looking through them for garbage costs a quarter of the time.
    gc.disable()
    first = (
        reading.read(Path(study_or_table), by=beside.by, people=beside.people) if is_table
        else ReadTable(_labels_of_study(study_or_table, db), ())
    )  # fmt: skip
    if is_table and not first.table.given and (spoken := read_transcripts(Path(study_or_table))):
        _write_transcripts(report_transcripts(spoken, Path(study_or_table).name), out, figures)
        return
    name = Path(study_or_table).name if is_table else existing_study(study_or_table, db)[0]
    groups, remarks = {"": first.table}, first.remarks
    if beside.by:
        groups = grouped(first.table, first.groups)
    if beside.against:
        other = reading.read(beside.against)
        names = _names_of(Path(study_or_table), beside.against) if is_table else (name, beside.against.stem)
        groups = dict(zip(names, (first.table, other.table), strict=True))
        remarks, name = (*remarks, *other.remarks), f"{name} and {beside.against.name}"
    page = out or Path(f"{Path(name).stem}-report.html")
    write_report(
        render_table_report(
            report_tables(groups, name, datetime.now(UTC), remarks, unrevisited=_unrevisited(reading.unrevisited))
        ),
        page,
        figures,
    )
    screen.say(f"The report is in {page}; it needs nothing else and can be sent.")


def _write_transcripts(found: TranscriptReport, out: Path | None, figures: Path | None) -> None:
    page = out or Path(f"{Path(found.name).stem}-report.html")
    write_report(render_transcripts(found, datetime.now(UTC)), page, figures)
    screen.note(f"{found.name} has no labels: the report counts what is said, and names what it cannot tell.")
    screen.say(f"The report is in {page}; it needs nothing else and can be sent.")


def report_by_trait(study: str, by: str, out: Path | None, figures: Path | None, db: str | None) -> None:
    """Write the report of a study's labels side by side for groups of people, by what they said of themselves.

    Raises:
        InvalidInput: nobody said anything of this name, or fewer than two groups are large enough.
    """
    name, url = existing_study(study, db)

    async def work() -> tuple[TraitGroups, LabelTable]:
        async with open_parts(Settings(url)) as parts:
            return await trait_groups(parts, name, by), await study_labels(parts, name)

    groups, table = asyncio.run(work())
    of_person = {str(who): value for who, value in groups.of_person.items()}
    theirs = replace(table, given=tuple(row for row in table.given if row.annotator in of_person))
    parted = grouped(theirs, [groups.answers[of_person[row.annotator]] for row in theirs.given])
    remarks: tuple[str, ...] = (f"people by what they said of themselves: {groups.words}",)
    if groups.hidden:
        remarks = (*remarks, f"{groups.hidden} groups of too few people are not told about")
    page = out or Path(f"{name}-report.html")
    write_report(
        render_table_report(report_tables(parted, f"{name} by {by}", datetime.now(UTC), remarks)), page, figures
    )
    screen.say(f"The report is in {page}; it needs nothing else and can be sent.")


def _unrevisited(named: str) -> Unrevisited:
    for unrevisited in UNREVISITED:
        if named == unrevisited:
            return unrevisited
    raise InvalidInput("there is no such way", named, f"use one of {', '.join(UNREVISITED)}", key="--unrevisited")


def _labels_of_study(study: str, db: str | None) -> LabelTable:
    name, url = existing_study(study, db)

    async def work() -> LabelTable:
        async with open_parts(Settings(url)) as parts:
            return await study_labels(parts, name)

    return asyncio.run(work())


def _names_of(one: Path, other: Path) -> tuple[str, str]:
    """What two tables are called: the names of the files, or of their folders where the files have one name."""
    if one.stem != other.stem:
        return one.stem, other.stem
    named = one.resolve().parent.name, other.resolve().parent.name
    return named if named[0] != named[1] else (f"{one.stem} 1", f"{other.stem} 2")
