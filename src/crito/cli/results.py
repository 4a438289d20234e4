"""`crito export` and `crito report`: what people left, as files."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from crito.bootstrap import Settings, open_parts
from crito.cli import screen
from crito.cli.places import existing_study, shown_database
from crito.cli.report_files import write_report
from crito.formats.exporters import exporter
from crito.model.errors import InvalidInput
from crito.report.models_page import models_sections, render_models_report
from crito.report.study_page import render_report
from crito.services.exporting import ExportSummary, export_study
from crito.services.model_reporting import ModelReport, report_models
from crito.services.releasing import TIERS, Hit, Tier
from crito.services.reporting.study import ReportData, report_study


def export(study: str, db: str | None, form: str, out: Path | None, release: str, *, as_json: bool) -> None:
    """Write the tables of a study into a folder.

    Raises:
        InvalidInput: there is no such tier, or people consented to less.
        CritoError: there is no such study or format, or a file does not read back as what was written.
    """
    write, tier = exporter(form), _tier(release)
    name, url = existing_study(study, db)
    folder = out or Path(f"{name}-{form}")

    async def work() -> ExportSummary:
        async with open_parts(Settings(url)) as parts:
            return await export_study(parts, name, write, folder, release=tier)

    summary = asyncio.run(work())
    if as_json:
        screen.facts(
            {
                "study": name,
                "format": form,
                "out": folder,
                "exported_at": summary.exported_at,
                "files": [file._asdict() for file in summary.files],
                "withdrawn": summary.n_withdrawn,
                "release": tier,
                "redacted": [hit._asdict() for hit in summary.redacted],
            }
        )
        return
    screen.table(("file", "rows", "sha256"), [(f.name, f.rows if f.table else None, f.sha256) for f in summary.files])
    screen.say()
    if summary.n_withdrawn:
        people = "1 person" if summary.n_withdrawn == 1 else f"{summary.n_withdrawn} people"
        screen.say(f"{people} took their data back; nothing of theirs is in these files.")
    if tier:
        _show_redacted(summary.redacted)
    screen.next_command(
        f"Every file in {folder} was read back and holds what was written.",
        f"crito verify {name} --db {shown_database(url)}",
    )


def _tier(named: str) -> Tier | None:
    for tier in TIERS:
        if named == tier:
            return tier
    if named:
        raise InvalidInput("there is no such release", named, f"one of {', '.join(TIERS)}", key="--release")
    return None


def _show_redacted(hits: Sequence[Hit]) -> None:
    """What was taken out, for the owner to look over; the words are in none of the files."""
    if hits:
        heads = ("table", "column", "annotator", "item", "kind", "words")
        screen.table(heads, hits, title="Taken out, since it looked like personal data")
    else:
        screen.say("Nothing looked like personal data.")
    screen.note("Names cannot be found by patterns: read the words before you publish them.")


def report(study: str, db: str | None, out: Path | None, figures: Path | None) -> None:
    """Write the report of a study as one page, and its figures as files; one without people is told by its models alone.

    Raises:
        CritoError: there is no such study, or the file cannot be written.
    """
    name, url = existing_study(study, db)
    file = out or Path(f"{name}-report.html")

    async def work() -> tuple[ReportData, ModelReport]:
        async with open_parts(Settings(url)) as parts:
            return await report_study(parts, name), await report_models(parts, name)

    people, models = asyncio.run(work())
    alone = not people.conditions
    page = render_models_report(models) if alone else render_report(people, sections=models_sections(models))
    write_report(page, file, figures)
    screen.next_command(
        f"The report is in {file}; it needs nothing else and can be sent.",
        f"crito export {name} --db {shown_database(url)}",
    )
