"""Labels in the formats of the field come back as they went, and other tools' files are read leniently."""

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crito.formats.label_files import LABEL_FORMATS, left_behind, read_labels, write_labels
from crito.formats.label_formats import LabelReading
from crito.model.errors import CritoError, InvalidInput
from crito.model.ids import TaskName
from crito.services.given_labels import LABEL_STATES, LabelTable, TaskRound
from tests.formats.label_rows import every_state, make_given, make_labels

NAMES = list(LABEL_FORMATS)
JOINED_BY_COMMAS = {"lewidi-2023", "lewidi-2025"}

awkward = st.sampled_from(
    ["NA", "None", "null", "nan", "1", "1.0", "-1", "=1+1", "a b", 'say "x"', "真", "'", "true", "{}"]
)
plain = st.text(
    st.characters(exclude_characters=",\0", exclude_categories=("Cs", "Cc", "Zs", "Zl", "Zp")), min_size=1, max_size=5
)
names = awkward | plain


def through(table: LabelTable, name: str, folder: Path) -> LabelTable:
    form, back = LABEL_FORMATS[name], LabelTable.of(())
    for file in write_labels(table, form, folder):
        back = back.merged(read_labels(folder / file.name, form).table())
    return back


def labels_of(table: LabelTable) -> set[tuple[Any, ...]]:
    return {(row.task, row.item, row.annotator, row.round, row.state, row.label) for row in table.given}


@pytest.mark.parametrize("name", NAMES)
def test_labels_and_all_their_states_come_back(name: str, tmp_path: Path) -> None:
    table = every_state()

    assert {row.state for row in table.given} == set(LABEL_STATES)
    assert labels_of(through(table, name, tmp_path)) == labels_of(table)


@pytest.mark.parametrize("name", NAMES)
def test_suggestions_and_times_stay_behind_and_that_is_said(name: str, tmp_path: Path) -> None:
    table = make_labels(make_given("i1", "ana", "yes", suggestion="no", visible=True, seconds=12.0))

    assert labels_of(through(table, name, tmp_path)) == labels_of(table)
    assert left_behind(table, LABEL_FORMATS[name]) == ("suggestions", "times")


@pytest.mark.parametrize("name", ["lewidi-2025", "lewidi-2023", "label-studio", "argilla"])
def test_texts_context_gold_reasons_and_kinds_come_back(name: str, tmp_path: Path) -> None:
    table = every_state()

    back = through(table, name, tmp_path)

    assert set(back.given) == set(table.given)
    assert back.items == table.items
    assert back.labels == table.labels


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25, deadline=None)
@given(
    rows=st.dictionaries(
        st.tuples(names, names, st.integers(0, 1)), st.none() | names | st.sampled_from(LABEL_STATES[1:]).map(lambda state: (state,)),
        max_size=6,
    )
)  # fmt: skip
def test_any_label_by_anyone_comes_back(
    name: str, rows: Mapping[tuple[str, str, int], Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    table = make_labels(
        *(
            make_given(item, annotator, label if isinstance(label, str) else None, round=number,
                       state="labelled" if isinstance(label, str) else "".join(label) if label else "missing")
            for (item, annotator, number), label in rows.items()
        )
    )  # fmt: skip

    assert labels_of(through(table, name, tmp_path_factory.mktemp("any"))) == labels_of(table)


@pytest.mark.parametrize("name", sorted(JOINED_BY_COMMAS))
def test_a_name_that_the_layout_cannot_hold_is_refused_with_its_item(name: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"`i1`.*commas.*'ana, the first'"):
        write_labels(make_labels(make_given("i1", "ana, the first")), LABEL_FORMATS[name], tmp_path)


def test_a_label_with_a_comma_is_refused_by_2023_only(tmp_path: Path) -> None:
    table = make_labels(make_given("i1", "ana", "yes, but"))

    with pytest.raises(InvalidInput, match="yes, but"):
        write_labels(table, LABEL_FORMATS["lewidi-2023"], tmp_path)
    assert labels_of(through(table, "lewidi-2025", tmp_path)) == labels_of(table)


def test_lewidi_shares_are_of_the_declared_labels_and_ties_have_no_hard_label(tmp_path: Path) -> None:
    write_labels(every_state(), LABEL_FORMATS["lewidi-2023"], tmp_path)

    entry = json.loads((tmp_path / "sarcasm.round-0.json").read_text(encoding="utf-8"))["i1"]
    assert entry["soft_label"] == {"yes": 0.5, "no": 0.5, "perhaps": 0}
    assert entry["hard_label"] is None
    assert (entry["annotators"], entry["annotations"], entry["number of annotations"]) == ("ana,bob", "yes,no", 2)
    assert (entry["annotation task"], entry["lang"]) == ("sarcasm", "en")


def test_crowd_kit_sees_labels_only(tmp_path: Path) -> None:
    write_labels(every_state(), LABEL_FORMATS["crowd-kit"], tmp_path)

    with (tmp_path / "sarcasm.round-0.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {(row["task"], row["worker"], row["label"]) for row in rows} == {
        ("i1", "ana", "yes"), ("i1", "bob", "no"), ("i2", "ana", "no"), ("i2", "gpt", "yes"),
    }  # fmt: skip


def test_the_alternative_annotator_test_has_people_and_models_apart(tmp_path: Path) -> None:
    write_labels(every_state(), LABEL_FORMATS["alternative-test"], tmp_path)

    people, models = (
        json.loads((tmp_path / f"sarcasm.round-0.{name}_annotations.json").read_text()) for name in ("human", "llm")
    )
    assert people["ana"] == {"i1": "yes", "i2": "no"}
    assert models == {"gpt": {"i2": "yes"}, "gpt-mini": {}}


def read(name: str, file: str, content: str, folder: Path) -> LabelReading:
    (folder / file).write_text(content, encoding="utf-8")
    return read_labels(folder / file, LABEL_FORMATS[name])


def test_a_published_lewidi_file_of_2023_is_read_with_remarks(tmp_path: Path) -> None:
    entry = {
        "text": '{"prev_user": "hi", "user": "go away"}', "annotation task": "abuse", "number of annotations": 3,
        "annotations": "0,-1", "annotators": "Ann1,Ann2", "lang": "en", "hard_label": "0",
        "soft_label": {"0": 1.0, "1": 0.0}, "split": "train", "other_info": {"bot": "x"},
    }  # fmt: skip

    reading = read("lewidi-2023", "ConvAbuse_train.json", json.dumps({"7": entry}), tmp_path)

    (item,) = reading.table().items.values()
    assert (item.id, item.text, item.context) == ("7", "go away", {"prev_user": "hi"})
    assert [(row.annotator, row.label) for row in reading.given] == [("Ann1", "0"), ("Ann2", "-1")]
    assert any("number of annotations" in remark for remark in reading.remarks)
    assert any("other names" in remark for remark in reading.remarks)


def test_a_published_lewidi_file_of_2025_is_read(tmp_path: Path) -> None:
    entry = {
        "text": {"context": "The dog ate it.", "response": "cute"}, "number of annotators": 3,
        "annotators": "Ann1,Ann2,Ann3", "annotations": {"Ann1": "2", "Ann2": "5", "Ann3": ""},
        "soft_label": {"0": 0, "2": 0.5, "5": 0.5}, "other_info": {"context+speaker": "121_1049"},
    }  # fmt: skip

    table = read("lewidi-2025", "CSC_dev.json", json.dumps({"1": entry}), tmp_path).table()

    assert [(row.annotator, row.state, row.label) for row in table.given] == [
        ("Ann1", "labelled", "2"), ("Ann2", "labelled", "5"), ("Ann3", "missing", None),
    ]  # fmt: skip
    assert next(iter(table.items.values())).text == "cute"
    assert table.labels == {"": ("0", "2", "5")}


def test_a_label_studio_file_of_its_own_is_read(tmp_path: Path) -> None:
    result = [{"from_name": "s", "to_name": "t", "type": "choices", "value": {"choices": ["Positive"]}}]
    tasks = [
        {"id": 5, "data": {"text": "Fine."}, "annotations": [
            {"completed_by": {"id": 1, "email": "a@example.org"}, "result": result},
            {"completed_by": 2, "result": [], "was_cancelled": True},
        ]},
    ]  # fmt: skip

    given = read("label-studio", "export.json", json.dumps(tasks), tmp_path).given

    assert [(row.item, row.annotator, row.state, row.label) for row in given] == [
        ("5", "a@example.org", "labelled", "Positive"), ("5", "2", "skipped", None),
    ]  # fmt: skip


def test_a_potato_line_is_read_with_labels_as_switches_too(tmp_path: Path) -> None:
    lines = [
        {"id": "d1", "annotations": {"sentiment": "positive"}, "annotator": "user_1"},
        {
            "id": "d2",
            "annotations": {"sentiment": {"labels": {"negative": True, "positive": False}}},
            "annotator": "user_1",
        },
    ]

    given = read("potato", "out.jsonl", "\n".join(map(json.dumps, lines)), tmp_path).given

    assert [(row.item, row.label) for row in given] == [("d1", "positive"), ("d2", "negative")]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("content", ["[1]", "{", '{"a": [1]}', "\x00", '[{"data": 1}]', '{"i": {"annotations": NaN}}'])
def test_a_file_of_something_else_is_refused_with_its_name(name: str, content: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="other"):
        read(name, "other", content, tmp_path)


@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_encoding_is_refused_with_its_line(name: str, tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes("a\nb\nCafé".encode("latin-1"))

    with pytest.raises(InvalidInput, match="latin, line 3: this is not UTF-8"):
        read_labels(tmp_path / "latin", LABEL_FORMATS[name])


@dataclass(frozen=True)
class ForgetfulLabels:
    """A format that reads back something else than was written."""

    carries: frozenset[str] = frozenset()
    remarks: Sequence[str] = ()

    def render(self, part: TaskRound) -> Mapping[str, str]:
        return {"json": "{}"}

    def parse(self, text: str, reading: LabelReading) -> None:
        reading.add("i1", "ana", "other")


def test_labels_that_read_back_as_others_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(CritoError, match="do not hold what was written"):
        write_labels(make_labels(make_given("i1", "ana")), ForgetfulLabels(), tmp_path)  # type: ignore[arg-type]


def test_one_annotator_with_two_labels_on_an_item_is_an_error() -> None:
    with pytest.raises(InvalidInput, match="'ana' labelled item 'i1' twice in round 0"):
        make_labels(make_given("i1", "ana"), make_given("i1", "ana", "no"))


def test_a_label_outside_the_declared_set_is_an_error() -> None:
    with pytest.raises(InvalidInput, match=r"'maybe'.*yes, no"):
        make_labels(make_given("i1", "ana", "maybe"), labels={TaskName("sarcasm"): ("yes", "no")})
