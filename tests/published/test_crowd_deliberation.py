"""The crowd benchmark of `socratic` (Tables 1 and 2, sections 5.1–5.4), recomputed from its raw rows."""

import json
from collections.abc import Iterable
from typing import Any

import pytest

from crito.stats.accuracy import Confusion, confusion
from crito.stats.confidence import share_at_step
from crito.stats.engagement import engagement
from crito.stats.flips import flips, item_flips
from crito.stats.proportions import compare_shares
from crito.stats.ratings import Pairs, pairs_from
from tests.data_sets import DATA

CROWD = DATA / "crowd_deliberation"
TASKS = {"sarcasm": ["sarcastic", "not_sarcastic"], "relation": ["relation_expressed", "relation_not_expressed"]}

pytestmark = [
    pytest.mark.real_data,
    pytest.mark.skipif(not CROWD.exists(), reason=f"no data in {CROWD}; set CRITO_DATA to the folder of data sets"),
]

Row = dict[str, Any]


def read_lines(name: str) -> list[Row]:
    with (CROWD / name).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def reference() -> Row:
    return json.loads((CROWD / "reference_numbers.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def gold() -> dict[str, str | None]:
    return {row["id"]: row["gold"] for row in read_lines("items.jsonl")}


@pytest.fixture(scope="module")
def deliberated() -> set[str]:
    return {row["item"] for row in read_lines("deliberations.jsonl")}


@pytest.fixture(scope="module")
def subset() -> list[tuple[Row, Row]]:
    """Initial and final row of every annotation in the groups whose deliberations were all concluded."""
    rows = read_lines("annotations.jsonl")
    post = {row["label_id"]: row for row in rows if row["round"] == "post"}
    groups: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        if row["round"] == "pre":
            groups.setdefault((row["annotator"], row["task"], row["study_part"]), []).append(row)
    did_conclude = {
        member["label_id"]: member["did_conclude"]
        for deliberation in read_lines("deliberations.jsonl")
        for member in deliberation["members"]
    }
    kept = []
    for group in groups.values():
        concluded = [did_conclude[row["label_id"]] for row in group if row["label_id"] in did_conclude]
        if concluded and all(concluded):
            kept += [(row, post.get(row["label_id"], row)) for row in group]
    return kept


def columns(rows: Iterable[tuple[Row, Row]], field: str) -> Pairs:
    """Pairs of one field; a label id stands for the annotator, since some labelled an item in both study parts."""
    rows = list(rows)
    return pairs_from(
        [first["item"] for first, _ in rows],
        [first["label_id"] for first, _ in rows],
        [first[field] for first, _ in rows],
        [last[field] for _, last in rows],
        label_set=[0.0, 0.5, 1.0] if field == "confidence" else [name for names in TASKS.values() for name in names],
        states={"irresolvable": "not_sure"},
    )


def labels(rows: list[tuple[Row, Row]], task: str) -> Pairs:
    return columns(((first, last) for first, last in rows if task in ("all", first["task"])), "label")


@pytest.mark.parametrize("task", ["sarcasm", "relation", "all"])
def test_flips_by_annotation(subset: list[tuple[Row, Row]], reference: Row, task: str) -> None:
    expected = reference["annotation_flips"][task]

    found = flips(labels(subset, task))

    assert (found.flips, found.eligible) == (expected["flips"], expected["n"])
    assert found.rate.value is not None
    assert round(found.rate.value * 100, 2) == expected["pct"]


def test_flips_from_expressed_to_not_expressed(subset: list[tuple[Row, Row]], reference: Row) -> None:
    found = flips(labels(subset, "relation")).direction(*TASKS["relation"])

    assert found.value is not None
    assert round(found.value * 100, 2) == reference["annotation_flips"]["relation_expressed_to_not_pct"]


@pytest.mark.parametrize("task", ["sarcasm", "relation", "all"])
def test_flips_by_item(subset: list[tuple[Row, Row]], deliberated: set[str], reference: Row, task: str) -> None:
    expected = reference["datapoint_flips"][task]

    found = item_flips(
        labels([rows for rows in subset if rows[0]["item"] in deliberated], task), not_sure="kept"
    ).mean()

    assert found.n == expected["items"]
    assert found.value is not None
    assert round(found.value * 100, 2) == pytest.approx(expected["pct"])


def test_accuracy_and_confusion_before_and_after(
    subset: list[tuple[Row, Row]], deliberated: set[str], gold: dict[str, str | None], reference: Row
) -> None:
    expected = reference["relation_accuracy"]
    pairs = labels([rows for rows in subset if rows[0]["item"] in deliberated and gold[rows[0]["item"]]], "relation")
    pairs = pairs.where(pairs.eligible)

    before, after = confusion(pairs.initial_ratings, gold), confusion(pairs.final_ratings, gold)

    assert before.accuracy.n == after.accuracy.n == expected["n"]
    assert len(set(pairs.item.tolist())) == expected["items"]
    for found, accuracy, cells in (
        (before, expected["pre_pct"], expected["confusion_pre"]),
        (after, expected["post_pct"], expected["confusion_post"]),
    ):
        assert round(found.accuracy.value * 100, 2) == accuracy
        assert percentages(found) == cells


def percentages(found: Confusion) -> dict[str, float]:
    names = TASKS["relation"]
    places = {name: found.labels.index(name) for name in names}
    return {
        f"gold {in_words(row)}, label {in_words(column)}": round(
            100 * float(found.counts[places[row], places[column]]) / found.accuracy.n, 2
        )
        for row in names
        for column in names
    }


def test_share_of_high_confidence_before_and_after(subset: list[tuple[Row, Row]], reference: Row) -> None:
    expected = reference["high_confidence"]
    confidence = columns(subset, "confidence")

    before, after = (share_at_step(confidence, 1.0, final=final) for final in (False, True))

    assert before.n == after.n == expected["n"]
    assert sum(first["task"] == "sarcasm" for first, _ in subset) == expected["n_sarcasm"]
    assert sum(first["task"] == "relation" for first, _ in subset) == expected["n_relation"]
    assert [round(found.value * 100, 2) for found in (before, after)] == [expected["pre_pct"], expected["post_pct"]]


def test_messages_per_deliberation_and_characters_per_message(reference: Row) -> None:
    expected = reference["engagement"]
    messages = [
        (row["id"], message["text"]) for row in read_lines("deliberations.jsonl") for message in row["messages"]
    ]

    found = engagement([row[0] for row in messages], ["person"] * len(messages), [row[1] for row in messages])

    assert (len(found.dialogues), int(found.by_person.sum())) == (expected["deliberations"], expected["messages"])
    assert round(found.messages_person.value, 2) == expected["messages_mean"]
    assert round(found.messages_person.detail("sd"), 2) == expected["messages_sd"]
    assert round(found.characters_person.value, 2) == expected["chars_mean"]
    assert round(found.characters_person.detail("sd"), 2) == expected["chars_sd"]


@pytest.mark.parametrize(("task", "against"), [("sarcasm", (8, 130)), ("relation", (31, 130))])
def test_pooled_z_against_the_socratic_partner(
    subset: list[tuple[Row, Row]], reference: Row, task: str, against: tuple[int, int]
) -> None:
    crowd = flips(labels(subset, task))

    found = compare_shares(*against, crowd.flips, crowd.eligible)

    assert found.detail("z_pooled") == pytest.approx(reference["z_tests_against_socratic_llm"][task], abs=0.005)


def in_words(label: str) -> str:
    return label.removeprefix("relation_").replace("_", " ")
