"""A study survives being stored, and two editions can be told apart."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crito.model.ids import ItemId, Language
from crito.model.study import RULES, Item, Label, Study, Text
from crito.studies.definition import changes, dump, load
from tests.bundled import demo_study

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
words = st.dictionaries(st.sampled_from([Language("en"), Language("it"), Language("ja")]), texts, max_size=3).map(Text)


def with_first_task(study: Study, **parts: object) -> Study:
    first, *rest = study.tasks
    return replace(study, tasks=(replace(first, **parts), *rest))  # type: ignore[arg-type]


def test_the_demo_reads_back_as_it_was_stored() -> None:
    assert load(dump(demo_study())) == demo_study()


@given(
    title=words,
    consent=words,
    item=st.builds(Item, st.just(ItemId("x")), texts, st.dictionaries(texts, texts), st.none() | texts),
    weight=st.floats(min_value=1e-9, max_value=1e9),
    rules=st.frozensets(st.sampled_from(RULES)),
    first_sentence_s=st.floats(min_value=0.1, max_value=600),
)
def test_any_study_reads_back_as_it_was_stored(
    title: Text, consent: Text, item: Item, weight: float, rules: frozenset, first_sentence_s: float
) -> None:
    (condition,) = demo_study().conditions
    partner = replace(condition.partner, rules_off=rules, first_sentence_s=first_sentence_s)
    study = replace(
        with_first_task(demo_study(), items=(item,)),
        title=title,
        consent=consent,
        conditions=(replace(condition, weight=weight, partner=partner),),
    )

    assert load(dump(study)) == study


def test_languages_keep_their_order_in_storage() -> None:
    title = Text({Language("it"): "Ciao", Language("en"): "Hello"})

    stored = load(dump(replace(demo_study(), title=title)))

    assert stored.title.in_language(Language("de")) == "Ciao"


def test_the_definition_is_one_line_of_json_whatever_the_order_of_the_rules() -> None:
    (condition,) = demo_study().conditions
    partner = replace(condition.partner, rules_off=frozenset(RULES))

    text = dump(replace(demo_study(), conditions=(replace(condition, partner=partner),)))

    assert "\n" not in text
    assert json.loads(text)["conditions"][0]["partner"]["rules_off"] == sorted(RULES)


def test_the_text_changes_with_one_letter_of_one_item() -> None:
    first, *rest = demo_study().tasks[0].items
    reworded = with_first_task(demo_study(), items=(replace(first, text=first.text + "."), *rest))

    assert dump(reworded) != dump(demo_study())
    assert dump(load(dump(demo_study()))) == dump(demo_study())


def test_equal_studies_have_no_changes() -> None:
    assert changes(demo_study(), load(dump(demo_study()))) == ()


EXTRA = Label("unclear", Text({Language("en"): "Unclear"}), Text({}))


@pytest.mark.parametrize(
    ("parts", "touches"),
    [
        ({"labels": (*demo_study().tasks[0].labels, EXTRA)}, "labels"),
        ({"labels": demo_study().tasks[0].labels[::-1]}, "labels"),
        ({"question": Text({Language("en"): "Is it ironic?"})}, "labels"),
        ({"guideline": Text({})}, "labels"),
        ({"explicit_only": True}, "labels"),
        ({"items": demo_study().tasks[0].items[1:]}, "items"),
        ({"items": (*demo_study().tasks[0].items, Item(ItemId("new"), "words"))}, "items"),
        ({"items": tuple(replace(item, text="!") for item in demo_study().tasks[0].items)}, "items"),
        ({"items": tuple(replace(item, gold="sarcastic") for item in demo_study().tasks[0].items)}, "nothing"),
        ({"annotators_per_item": 5}, "nothing"),
        ({"title": Text({})}, "nothing"),
    ],
)
def test_a_change_says_whether_earlier_labels_suffer(parts: dict, touches: str) -> None:
    (change,) = changes(demo_study(), with_first_task(demo_study(), **parts))

    assert change.touches == touches
    assert change.needs_confirmation == (touches != "nothing")
    assert change.key.startswith("tasks.sarcasm.")


def test_changes_outside_the_tasks_are_harmless() -> None:
    new = replace(demo_study(), lease_minutes=5, contact="ana@example.org")

    found = changes(demo_study(), new)

    assert [change.key for change in found] == ["contact", "lease_minutes"]
    assert not any(change.needs_confirmation for change in found)


def test_a_task_that_goes_or_comes_wants_confirmation() -> None:
    fewer = replace(demo_study(), tasks=demo_study().tasks[:1])

    assert [change.touches for change in changes(demo_study(), fewer)] == ["labels"]
    assert [change.touches for change in changes(fewer, demo_study())] == ["items"]
