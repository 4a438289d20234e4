"""`crito import`: labels from a file, looked over, and written in another format."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from crito.cli import screen
from crito.formats.label_files import LABEL_FORMATS, left_behind, write_labels
from crito.formats.placing import put_in_place
from crito.formats.reading import read_file
from crito.model.errors import InvalidInput


def import_labels(
    file: Path,
    *,
    form: str,
    items: Path | None,
    columns: Mapping[str, str],
    not_sure: list[str],
    repeats: str,
    to: str,
    out: Path | None,
    as_json: bool,
) -> None:
    """Say what a file holds; write it in another format where one is named.

    Raises:
        InvalidInput: the file cannot be read or used, or there is no such format.
    """
    read = read_file(file, form=form, items=items, columns=columns, not_sure=not_sure, repeats=repeats)
    written, remarks = None, list(read.remarks)
    if to or out:
        if to not in LABEL_FORMATS or out is None:
            wanted = f"give --out DIR and --to, one of {', '.join(LABEL_FORMATS)}"
            raise InvalidInput("labels are written to a folder in a format", came=to or None, wanted=wanted)
        written = put_in_place(out, lambda aside: write_labels(read.table, LABEL_FORMATS[to], aside))
        if left := left_behind(read.table, LABEL_FORMATS[to]):
            remarks.append(f"{to} has no place for {', '.join(left)}; what is written is the rest")
    rows = [
        {
            "task": part.task, "round": part.round, "items": len(part.items),
            "annotators": len({row.annotator for row in part.given}), "labels": list(part.labels),
            **Counter(row.state for row in part.given), "gold": sum(item.gold is not None for item in part.items),
        }
        for part in read.table.parts()
    ]  # fmt: skip
    if as_json:
        files = [file._asdict() for file in written or ()]
        screen.facts({"file": str(file), "parts": rows, "remarks": remarks, "files": files})
        return
    heads = (
        "task",
        "round",
        "items",
        "annotators",
        "labelled",
        "not_sure",
        "skipped",
        "abstained",
        "missing",
        "unseen",
        "gold",
    )
    screen.table(heads, [[row.get(head, 0) for head in heads] for row in rows])
    for remark in remarks:
        screen.note(f"Note: {remark}.")
    for made in written or ():
        screen.say(f"{made.name}   {made.rows:,} rows, read back and compared")
