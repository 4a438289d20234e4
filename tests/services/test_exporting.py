"""A study's record leaves the house."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from crito.formats.exporters import EXPORTERS
from crito.model.errors import NotFound
from crito.model.ids import StudyName
from crito.services.exporting import export_study
from crito.services.parts import Parts
from crito.services.tables import Outgoing, Row, WrittenFile
from tests.services.recorded import (
    NOON,
    STUDY,
    Left,
    RecordedStore,
    RecordedTx,
    make_annotation,
    make_assignment,
    make_call,
    make_study,
    make_turn,
)


class Memory:
    """An exporter that keeps the rows."""

    name = "memory"

    def __init__(self) -> None:
        self.rows: dict[str, list[Row]] = {}
        self.notes: Sequence[str] = ()

    def __call__(self, outgoing: Outgoing, out: Path) -> Sequence[WrittenFile]:
        self.rows = {table.name: [] for table in outgoing.tables}
        for table, row in outgoing.rows:
            self.rows[table.name].append(row)
        self.notes = outgoing.notes
        return [WrittenFile(f"{name}.rows", name, len(rows), "hash") for name, rows in self.rows.items()]


def parts_over(tx: RecordedTx) -> Parts:
    store: Any = RecordedStore(tx)
    return Parts(store, None, lambda: NOON + timedelta(days=1), lambda: 7, _editions={(STUDY, 1): make_study()})  # type: ignore[arg-type]


def left_by(annotator: str, ending: Any = "done") -> Left:
    mine = make_assignment(annotator)
    return Left(annotator, [mine], [make_annotation(mine)], turns=[make_turn(mine, 0, "Why?")], ending=ending)


async def test_an_export_tells_what_it_wrote(tmp_path: Path) -> None:
    summary = await export_study(parts_over(RecordedTx([left_by("ana"), left_by("bob")])), STUDY, Memory(), tmp_path)

    assert (summary.study, summary.format, summary.out) == (STUDY, "memory", tmp_path)
    assert summary.exported_at == NOON + timedelta(days=1)
    assert {file.table: file.rows for file in summary.files} == {
        "annotations": 4, "revisions": 0, "turns": 2, "arguments": 0, "answers": 0,
        "people": 2, "events": 0, "draws": 0, "calls": 0, "items": 2,
        "annotators": 0, "outcomes": 0, "blind_draws": 0, "requests": 0, "handoffs": 0, "accepted_labels": 0,
    }  # fmt: skip


async def test_rows_of_people_who_withdrew_do_not_come_out(tmp_path: Path) -> None:
    memory = Memory()
    tx = RecordedTx(
        [left_by("ana"), left_by("bob", "withdrawn")], ledger=[make_call(1, "run-ana-i1"), make_call(2, "run-bob-i1")]
    )

    summary = await export_study(parts_over(tx), STUDY, memory, tmp_path)

    assert not any("bob" in str(row) for rows in memory.rows.values() for row in rows)
    assert len(memory.rows["calls"]) == 2
    assert summary.n_withdrawn == 1
    assert "took their data back: 1" in memory.notes[0]


async def test_every_call_comes_out_however_many_there_are(tmp_path: Path) -> None:
    memory = Memory()

    await export_study(parts_over(RecordedTx([], ledger=[make_call(n) for n in range(999)])), STUDY, memory, tmp_path)

    assert [row[0] for row in memory.rows["calls"]] == [f"call-{number:03}" for number in range(999)]


async def test_each_written_table_is_recorded(tmp_path: Path) -> None:
    tx = RecordedTx([left_by("ana")])

    await export_study(parts_over(tx), STUDY, Memory(), tmp_path)

    kept = {export.table: export for export in tx.kept}
    assert len(kept) == 16
    assert (kept["turns"].rows, kept["turns"].sha256, kept["turns"].format) == (1, "hash", "memory")
    assert kept["turns"].path == str(tmp_path / "turns.rows")


async def test_a_study_that_was_never_published_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="'other'"):
        await export_study(parts_over(RecordedTx([])), StudyName("other"), Memory(), tmp_path)


@pytest.mark.parametrize("name", list(EXPORTERS))
async def test_every_format_takes_a_whole_study(name: str, tmp_path: Path) -> None:
    tx = RecordedTx([left_by("ana"), Left("bob")], ledger=[make_call(1)])

    summary = await export_study(parts_over(tx), STUDY, EXPORTERS[name], tmp_path)

    assert {path.name for path in tmp_path.iterdir()} == {file.name for file in summary.files}  # noqa: ASYNC240
