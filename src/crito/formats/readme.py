"""The README that lies beside exported files: what each file and column means."""

from collections.abc import Sequence

from crito.formats.cells import render_time
from crito.formats.row_formats import Written
from crito.services.blind_tables import BLIND_TABLES
from crito.services.model_tables import MODEL_TABLES
from crito.services.study_tables import StudyTables
from crito.services.tables import Outgoing, Table, WrittenFile


def render_readme(written: Written) -> str:
    """Markdown: the files with their counts and hashes, and a data dictionary of every table."""
    parts = [opening(written.outgoing, written.form.remarks, written.files), dictionaries(written.outgoing.tables)]
    return "\n\n".join(parts) + "\n"


def opening(outgoing: Outgoing, remarks: Sequence[str], files: Sequence[WrittenFile]) -> str:
    """Markdown: whose export this is, what a reader should know, and the files with their counts and hashes."""
    listed = [f"| `{file.name}` | {file.rows} | `{file.sha256}` |" for file in files]
    parts = [
        f"# Export of the study `{outgoing.study}`",
        f"Written by Crito, as the record stood at {render_time(outgoing.exported_at)}. All times are UTC.",
        "\n".join(f"- {note}" for note in (*outgoing.notes, *remarks)),
        "## Files",
        "\n".join(["| file | rows | SHA-256 |", "|---|---:|---|", *listed]),
    ]
    return "\n\n".join(parts)


def dictionaries(tables: Sequence[Table]) -> str:
    """Markdown: what every column of every table means."""
    return "\n\n".join(_dictionary(table) for table in tables)


def render_reference() -> str:
    """Markdown: the tables and columns that every study's export has."""
    columns_of_answers = (
        "After these columns, `annotations` has one column `q_…` for each question that the study asks beside the label: "
        "the stored name of the option, or the words."
    )
    tables = (*StudyTables.of({}).all, *MODEL_TABLES, *BLIND_TABLES)
    head = ["# Exported tables", "This page is made from the code.", columns_of_answers]
    return "\n\n".join([*head, dictionaries(tables)]) + "\n"


def _dictionary(table: Table) -> str:
    rows = [f"| `{column.name}` | {column.kind} | {_in_a_cell(column.meaning)} |" for column in table.columns]
    head = [f"## {table.name}", "", table.meaning, "", "| column | kind | meaning |", "|---|---|---|"]
    return "\n".join([*head, *rows])


def _in_a_cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
