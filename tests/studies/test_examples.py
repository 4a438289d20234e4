"""The study files under examples/ are valid."""

from pathlib import Path

import pytest

from crito.studies.study_file import parse_study

EXAMPLES = Path(__file__).parents[2] / "examples"

# Stands for data that are not part of the project.
STAND_IN = b"""\
{"id": "1", "task": "sarcasm", "text": "Fine.", "context": {"product": "Pen", "review_title": "Pen"}}
{"id": "2", "task": "relation", "text": "Ana died.", "context": {"subject": "Ana", "relation": "died in", "object": "Lido"}}
"""


@pytest.mark.parametrize("folder", sorted(path.parent for path in EXAMPLES.glob("*/study.yaml")), ids=lambda p: p.name)
def test_an_example_is_a_valid_study_with_a_readme(folder: Path) -> None:
    def read(name: str) -> bytes:
        return STAND_IN if name.startswith("data/") else (folder / name).read_bytes()

    study = parse_study((folder / "study.yaml").read_text(encoding="utf-8"), file="study.yaml", read=read)

    assert study.name == folder.name
    assert (folder / "README.md").is_file()
