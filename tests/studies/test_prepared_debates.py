"""Debates on items in a study file: read, matched with their items, and complained of."""

import json

import pytest

from crito.model.study import Argument, ItemDebates, PreparedDebate
from crito.studies.planning import plan
from tests.studies.folder import FILES, SMALL, parse, problems

FLOW = "flow: [consent, annotate, debate, reannotate]\n"
FROM_FILE = SMALL + FLOW + "item_debates: {file: debates.jsonl, author: two friends}\n"
PANEL = "models:\n  - {name: pair, method: debate, panel: [fake:one, fake:two, fake:judge]}\n"


def rows(*said):
    """Rows of item, topic, label and argument."""
    names = ("item", "topic", "label", "argument")
    return "".join(json.dumps(dict(zip(names, one, strict=True))) + "\n" for one in said).encode()


def both(item, topic="Tone"):
    return ((item, topic, "yes", f"{topic} says yes."), (item, topic, "no", f"{topic} says no."))


def files(*said):
    return {**FILES, "debates.jsonl": rows(*said)}


WHOLE = (*both("one"), *both("one", "Words"), *both("two"))


def test_each_item_gets_its_debate_topic_by_topic():
    study = parse(FROM_FILE, files(*WHOLE))

    one, two = study.tasks[0].items
    assert one.debates == (
        PreparedDebate(
            ("yes", "no"),
            (
                Argument("Tone", "yes", "Tone says yes."),
                Argument("Tone", "no", "Tone says no."),
                Argument("Words", "yes", "Words says yes."),
                Argument("Words", "no", "Words says no."),
            ),
            "two friends",
        ),
    )
    assert len(two.debates) == 1
    assert study.item_debates == ItemDebates("")


def test_the_only_condition_of_such_a_study_is_called_debate():
    (condition,) = parse(FROM_FILE, files(*WHOLE)).conditions
    assert condition.name == "debate"


def test_questions_about_the_debate_are_asked_by_default_where_one_is_read():
    asked = {question.key for question in parse(FROM_FILE, files(*WHOLE)).reconsiderations}
    assert {"debate_helped", "debate_change"} <= asked
    assert not any(question.key.startswith("debate_") for question in parse(SMALL).reconsiderations)


def test_people_are_told_that_they_read_a_debate_and_who_argues():
    study = parse(FROM_FILE, files(*WHOLE))
    by_models = parse(SMALL + FLOW + PANEL + "item_debates: {panel: pair}\n")

    assert "what two sides argue" in study.consent.in_language("en")
    assert "what two sides argue" in study.instructions.in_language("en")
    assert "Language models" not in study.consent.in_language("en")
    assert "Language models" in by_models.consent.in_language("en")


def test_several_debates_on_one_item_are_told_apart_by_a_column():
    named = [
        {"item": item, "topic": "Tone", "label": label, "argument": "so", "which": which}
        for item in ("one", "two")
        for which in ("a", "b")
        for label in ("yes", "no")
    ]
    data = "".join(json.dumps(row) + "\n" for row in named).encode()

    study = parse(SMALL + FLOW + "item_debates: {file: d.jsonl, debate: which}\n", {**FILES, "d.jsonl": data})

    assert [len(item.debates) for item in study.tasks[0].items] == [2, 2]


@pytest.mark.parametrize(
    ("said", "problem", "came"),
    [
        (both("one"), "1 of 2 items of task 'irony' have no debate: two", "debates.jsonl"),
        ((*WHOLE, ("three", "Tone", "yes", "so")), "no task has an item of this id", "three"),
        ((*WHOLE, ("two", "Tone", "maybe", "so")), "this is none of the labels", "maybe"),
        ((*WHOLE, ("two", "Words", "yes", "")), "this argument is empty", None),
        ((*WHOLE, ("two", "Words", "yes", "so")), "only one side says something on this topic", "Words"),
        ((*WHOLE, ("two", "Tone", "yes", "so")), "this side has its argument on this topic already", "yes"),
        ((*both("one"), ("two", "Tone", "yes", "so")), "a debate on an item has two sides, and this one has 1", "yes"),
    ],
)
def test_a_table_of_debates_with_a_fault_is_refused(said, problem, came):
    found = problems(FROM_FILE, files(*said))
    assert problem in [one.problem for one in found]
    assert came in [one.came for one in found]


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        (FLOW, "people read a debate here, and the study has none"),
        (FLOW + "item_debates: {author: nobody}\n", "this names neither a file nor a panel"),
        (FLOW + "item_debates: {panel: trio}\n", "no panel of this name debates"),
        (FLOW + "item_debates: missing.jsonl\n", "there is no such file"),
        ("flow: [annotate, discuss, debate, reannotate]\n" + PANEL + "item_debates: {panel: pair}\n",
         "a flow has `discuss` or `debate`, not both"),
    ],
)  # fmt: skip
def test_a_step_that_would_show_nothing_is_refused(more, problem):
    assert [one.problem for one in problems(SMALL + more)] == [problem]


def test_an_item_that_lacks_a_debate_is_no_fault_where_a_panel_can_argue():
    study = parse(SMALL + FLOW + PANEL + "item_debates: {file: debates.jsonl, panel: pair}\n", files(*both("one")))

    assert [len(item.debates) for item in study.tasks[0].items] == [1, 0]
    found = plan(study)
    assert (found.conditions[0].debates, found.conditions[0].calls_at_most) == (6, 6)
    assert found.conditions[0].model == "fake:one / fake:two"
    assert found.cost_usd is None
    assert any("`crito label`" in note for note in found.notes)


def test_prepared_debates_cost_nothing():
    found = plan(parse(FROM_FILE, files(*WHOLE)))
    assert (found.conditions[0].calls_at_most, found.cost_usd) == (0, 0.0)


def test_debates_that_nobody_reads_are_noted():
    unread = parse(SMALL + "item_debates: debates.jsonl\n", files(*WHOLE))
    assert any("nobody reads them" in note for note in plan(unread).notes)
