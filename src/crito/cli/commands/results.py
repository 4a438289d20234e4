"""Commands about results: reports and files of the field's formats, out and in."""

from pathlib import Path
from typing import Annotated

import typer

from crito.cli.app import TABLES, Db, Json, Recorded, cli
from crito.model.errors import InvalidInput


@cli.command(epilog="Example: crito report my-study/study.yaml --out my-study/report.html")
def report(
    study: Annotated[str, typer.Argument(metavar="STUDY|TABLE", help="As for export, or a table as for import.")],
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="The page to write.")] = None,
    figures: Annotated[Path | None, typer.Option(metavar="DIR", help="Write each figure as SVG and PNG too.")] = None,
    by: Annotated[
        str,
        typer.Option(metavar="COLUMN", help="Of a table: its values stand side by side; studies: condition, age, …"),
    ] = "",
    against: Annotated[Path | None, typer.Option(metavar="TABLE", help="A table of labels to stand beside it.")] = None,
    people: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Of a table: one row per annotator, for --by.")
    ] = None,
    items: Annotated[Path | None, typer.Option(metavar="FILE", help="Of a table: texts and reference labels.")] = None,
    not_sure: Annotated[list[str] | None, typer.Option(metavar="LABEL", help="Of a table: means not sure.")] = None,
    repeats: Annotated[str, typer.Option(help="Of a table: refused, first, last or apart.")] = "refused",
    unrevisited: Annotated[
        str, typer.Option(help="Of a table: a label that was not given again is missing, or kept.")
    ] = "missing",
    item: Annotated[str, typer.Option(metavar="COLUMN", help="Of a table: the column of items.")] = "",
    annotator: Annotated[str, typer.Option(metavar="COLUMN", help="Of a table: the column of annotators.")] = "",
    label: Annotated[str, typer.Option(metavar="COLUMN", help="Of a table: the column of labels.")] = "",
    round_: Annotated[str, typer.Option("--round", metavar="COLUMN", help="Of a table: the column of rounds.")] = "",
    db: Db = None,
) -> None:
    """Write the numbers and figures of a study, or of a table of labels, as one page."""
    is_table = Path(study).suffix.lower() in TABLES
    if is_table or against:
        from crito.cli import comparing

        named = {"item": item, "annotator": annotator, "label": label, "round": round_}
        reading = comparing.Reading(
            {what: column for what, column in named.items() if column}, not_sure or [], repeats, items, unrevisited
        )
        beside = comparing.Beside(by, against, people)
        comparing.report_tables_of(study, out, figures, beside, reading, db, is_table=is_table)
        return
    if people:
        raise InvalidInput("a study has its people in its record", str(people), "use --by, or a table")
    if by not in ("", "condition"):
        from crito.cli import comparing

        comparing.report_by_trait(study, by, out, figures, db)
        return
    from crito.cli import results

    results.report(study, db, out, figures)


@cli.command(epilog="Example: crito export my-study/study.yaml --format csv --out my-study/export")
def export(
    study: Recorded,
    form: Annotated[
        str, typer.Option("--format", help="csv, excel, parquet, huggingface, lewidi-2025, …; a wrong name lists them.")
    ] = "csv",
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="The folder to write into.")] = None,
    release: Annotated[
        str, typer.Option(metavar="TIER", help="To give away: labels, reasons or transcripts, without personal data.")
    ] = "",
    db: Db = None,
    json: Json = False,
) -> None:
    """Write all that people left as tables; each file is read back and compared."""
    from crito.cli import results

    results.export(study, db, form, out, release, as_json=json)


@cli.command(
    "import", epilog="Example: crito import labels.csv --items items.jsonl --to lewidi-2025 --out perspectives"
)
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A table (CSV, TSV, Excel, JSON, JSONL, Parquet).")],
    form: Annotated[
        str, typer.Option("--format", help="What the file is, if not a table: lewidi-2025, argilla, …")
    ] = "",
    items: Annotated[Path | None, typer.Option(metavar="FILE", help="A table with texts and reference labels.")] = None,
    item: Annotated[str, typer.Option(metavar="COLUMN", help="The column of items.")] = "",
    annotator: Annotated[str, typer.Option(metavar="COLUMN", help="The column of annotators.")] = "",
    label: Annotated[str, typer.Option(metavar="COLUMN", help="The column of labels.")] = "",
    round_: Annotated[str, typer.Option("--round", metavar="COLUMN", help="The column of rounds.")] = "",
    not_sure: Annotated[list[str] | None, typer.Option(metavar="LABEL", help="A label that means not sure.")] = None,
    repeats: Annotated[
        str, typer.Option(help="Several labels by one annotator for one item: refused, first, last or apart.")
    ] = "refused",
    to: Annotated[str, typer.Option(metavar="FORMAT", help="Write the labels in this format too.")] = "",
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="The folder to write them into.")] = None,
    json: Json = False,
) -> None:
    """Read labels from a file, say what is in it, and write them in a format of the field."""
    from crito.cli import importing

    named = {"item": item, "annotator": annotator, "label": label, "round": round_}
    importing.import_labels(
        file,
        form=form,
        items=items,
        columns={what: column for what, column in named.items() if column},
        not_sure=not_sure or [],
        repeats=repeats,
        to=to,
        out=out,
        as_json=json,
    )
