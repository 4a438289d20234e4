"""The table that crowd-kit aggregates: task, worker, label."""

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from crito.formats.label_formats import LabelReading
from crito.services.given_labels import TaskRound

ITEM, ANNOTATOR, LABEL, STATE = "task", "worker", "label", "state"
FORMER_ANNOTATOR = "performer"


@dataclass(frozen=True, slots=True)
class CrowdKitFormat:
    """A CSV with one label a row, and one beside it with whoever gave none."""

    carries: frozenset[str] = frozenset()
    remarks: tuple[str, ...] = (
        "`….csv` has the columns `task` (our item), `worker` (our annotator) and `label`, one label a row: "
        "what crowd-kit's aggregations take. Read it with `dtype=str, keep_default_na=False`.",
        "`….states.csv` has who was not sure, skipped, abstained, gave nothing or never saw the item; "
        "an aggregation would take these for labels.",
    )

    def render(self, part: TaskRound) -> Mapping[str, str]:
        labelled = [(row.item, row.annotator, row.label) for row in part.given if row.label is not None]
        others = [(row.item, row.annotator, row.state) for row in part.given if row.label is None]
        return {"csv": _table(LABEL, labelled), "states.csv": _table(STATE, others)}

    def parse(self, text: str, reading: LabelReading) -> None:
        lines = csv.reader(io.StringIO(text, newline=""), strict=True)
        try:
            header = next(lines, [])
            third = next((name for name in (LABEL, STATE) if name in header), LABEL)
            worker = ANNOTATOR if ANNOTATOR in header else FORMER_ANNOTATOR
            if missing := [name for name in (ITEM, worker, third) if name not in header]:
                raise reading.wrong(
                    f"there is no column {missing[0]!r}", ", ".join(header), "task, worker, label", line=1
                )
            if worker == FORMER_ANNOTATOR:
                reading.remark("`performer` is the former name of `worker`")
            for cells in lines:
                if len(cells) != len(header):
                    raise reading.wrong(
                        f"this row has {len(cells)} cells, and the header has {len(header)}", line=lines.line_num
                    )
                row = dict(zip(header, cells, strict=True))
                if third == LABEL:
                    reading.add(row[ITEM], row[worker], row[LABEL])
                else:
                    reading.add(row[ITEM], row[worker], None, reading.state(row[STATE], key=STATE, line=lines.line_num))
        except csv.Error as error:
            raise reading.wrong(f"this is not a table: {error}", line=lines.line_num) from error


def _table(third: str, rows: Iterable[tuple[str, str, str]]) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow([ITEM, ANNOTATOR, third])
    writer.writerows(rows)
    return text.getvalue()
