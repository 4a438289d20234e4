"""Lists as files: exactly what a page of the owner shows, all of it."""

import csv
from collections.abc import AsyncIterator, Iterable, Sequence
from io import StringIO

from starlette.responses import StreamingResponse

from crito.formats.cells import guard

ROWS_AT_ONCE = 500


def csv_file(name: str, head: Sequence[str], rows: AsyncIterator[Sequence[object]]) -> StreamingResponse:
    """A table as a CSV file that spreadsheets open, sent as it is read."""

    async def lines() -> AsyncIterator[str]:
        # Spreadsheets take a file for UTF-8 by this mark alone.
        yield "\ufeff" + _line(head)
        some: list[Sequence[object]] = []
        async for row in rows:
            some.append(row)
            if len(some) == ROWS_AT_ONCE:
                yield _lines(some)
                some = []
        yield _lines(some)

    headers = {"Content-Disposition": f'attachment; filename="{name}.csv"', "Cache-Control": "no-store"}
    return StreamingResponse(lines(), headers=headers, media_type="text/csv; charset=utf-8")


def _lines(rows: Iterable[Sequence[object]]) -> str:
    return "".join(_line(row) for row in rows)


def _line(row: Sequence[object]) -> str:
    text = StringIO()
    csv.writer(text).writerow(guard(cell) if isinstance(cell, str) and cell else cell for cell in row)
    return text.getvalue()
