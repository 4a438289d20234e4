"""The server is killed while people work; the benchmark of the same name does it more often."""

from pathlib import Path

import pytest

from benchmarks.crash import crash, make_study


@pytest.mark.slow
async def test_what_was_acknowledged_outlives_the_server(store_url: str, tmp_path: Path) -> None:
    found = await crash(make_study(tmp_path / "study"), store_url, kills=5)

    assert sum(found.acknowledged.values()) > 0
    assert found.lost == []
    assert found.doubled == []
    assert found.contradicted == []
    assert found.stuck == []
