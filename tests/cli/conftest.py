"""A study folder of one's own, as `crito init` makes it."""

from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from crito.cli import run


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """The file of a study that nobody has served yet."""
    with redirect_stdout(StringIO()):
        assert run(["init", str(tmp_path / "study")]) == 0
    return tmp_path / "study" / "study.yaml"
