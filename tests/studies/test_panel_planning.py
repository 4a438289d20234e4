"""What a panel is asked at most: the calls that its method can come to, counted by hand."""

import pytest

from crito.model.study import Agent, Panel
from crito.studies.panel_planning import panel_plan
from tests.builders import make_task

ONE, TWO, THREE = (tuple(Agent(f"openai:m{n}") for n in range(size)) for size in (1, 2, 3))
TASK = make_task(n_items=10)


@pytest.mark.parametrize(
    ("panel", "on_each_item"),
    [
        # every label may be asked for a second time
        (Panel("p", "vanilla", ONE), 2),
        (Panel("p", "cot", ONE), 2),
        (Panel("p", "self_consistency", ONE, samples=5), 10),
        # draft and answer twice, the review once
        (Panel("p", "self_refine", ONE), 5),
        (Panel("p", "ensemble", THREE), 6),
        # three agents in three rounds
        (Panel("p", "discussion", THREE, max_rounds=2), 18),
        # everybody's first vote, six arguments of two, one judge's decision
        (Panel("p", "debate", THREE), 6 + 6 + 2),
    ],
)
def test_calls_are_those_that_the_method_may_come_to(panel: Panel, on_each_item: int) -> None:
    assert panel_plan(panel, TASK, TASK.items).calls_at_most == 10 * on_each_item


def test_every_call_reads_at_least_the_item_and_the_guideline_and_may_answer_in_full() -> None:
    (load,) = panel_plan(Panel("p", "vanilla", ONE, max_tokens=100), TASK, TASK.items).loads

    assert load.output_tokens == 20 * 100
    assert load.input_tokens > 20 * len(TASK.items[0].text) / 3


def test_later_rounds_read_what_was_said_in_those_before() -> None:
    short, long = (
        panel_plan(Panel("p", "discussion", TWO, max_rounds=rounds, max_tokens=50), TASK, TASK.items)
        for rounds in (0, 1)
    )

    # The second round has both answers of the first in view.
    assert long.loads[0].input_tokens > 2 * short.loads[0].input_tokens + 10 * 2 * 2 * 50 - 1


def test_one_model_in_two_places_is_one_load() -> None:
    twice = panel_plan(
        Panel("p", "ensemble", (Agent("openai:a"), Agent("openai:a", persona="a poet"))), TASK, TASK.items
    )

    (load,) = twice.loads
    assert load.calls == 40


def test_a_budget_for_thinking_is_counted() -> None:
    thinking = Panel("p", "vanilla", (Agent("openai:a", reasoning=2000),), max_tokens=100)

    assert panel_plan(thinking, TASK, TASK.items).loads[0].output_tokens == 20 * 2100
