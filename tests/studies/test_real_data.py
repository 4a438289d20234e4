"""A published data set serves as the two tasks of one study."""

import pytest

from crito.model.study import Study
from crito.studies.study_file import parse_study
from tests.data_sets import DATA, ROOT

CROWD = DATA / "crowd_deliberation"
EXAMPLE = ROOT / "examples/crowd-deliberation"

pytestmark = [
    pytest.mark.real_data,
    pytest.mark.skipif(not CROWD.is_dir(), reason=f"there is no data set at {CROWD}; CRITO_DATA names another place"),
]


@pytest.fixture(scope="module")
def study() -> Study:
    def read(name: str) -> bytes:
        place = CROWD if name.startswith("data/") else EXAMPLE
        return (place / name.removeprefix("data/")).read_bytes()

    return parse_study((EXAMPLE / "study.yaml").read_text(encoding="utf-8"), file="study.yaml", read=read)


def test_one_file_gives_forty_items_to_each_of_two_tasks(study: Study) -> None:
    assert [(task.name, len(task.items)) for task in study.tasks] == [("sarcasm", 40), ("relation", 40)]


def test_twenty_five_relations_have_a_reference_label(study: Study) -> None:
    gold = [item.gold for item in study.task("relation").items if item.gold]

    assert len(gold) == 25
    assert set(gold) <= set(study.task("relation").label_names)
    assert not any(item.gold for item in study.task("sarcasm").items)


def test_each_item_shows_its_context(study: Study) -> None:
    assert {tuple(item.context) for item in study.task("relation").items} == {("Subject", "Relation", "Object")}
    assert all(item.context["Relation"] in ("lived in", "died in") for item in study.task("relation").items)
    assert {tuple(item.context) for item in study.task("sarcasm").items} == {("Product", "Title")}
