"""The plan counts what a study needs."""

import pytest

from crito.model.errors import InvalidStudy
from crito.studies.planning import plan
from tests.studies.folder import SMALL, parse


def make_plan(*lines: str, task: str = ""):
    return plan(parse(SMALL + task + "".join(f"{line}\n" for line in lines)))


def test_two_items_for_three_people_take_six_people_and_six_dialogues() -> None:
    found = make_plan()

    assert (found.items, found.places, found.people) == (2, 6, 6)
    assert found.conditions[0].dialogues == 6


def test_people_who_take_several_items_are_fewer() -> None:
    assert make_plan(task="    items_per_person: 2\n").people == 3


def test_each_condition_fills_its_own_places() -> None:
    found = make_plan("conditions: {a: {}, b: {weight: 3, flow: [consent, annotate]}}")

    assert (found.places, found.people) == (12, 12)
    assert [(c.people, c.share, c.dialogues) for c in found.conditions] == [(6, 0.25, 6), (6, 0.75, 0)]


def test_conditions_drawn_per_item_share_their_people() -> None:
    found = make_plan("conditions: {assign: item, a: {}, b: {}}", task="    items_per_person: 2\n")

    assert found.people == 6
    assert [c.people for c in found.conditions] == [None, None]


def test_the_script_calls_nobody_and_costs_nothing() -> None:
    found = make_plan()

    assert found.conditions[0].partner_turns == 6 * 4
    assert (found.conditions[0].calls_at_most, found.conditions[0].input_tokens_at_most, found.cost_usd) == (0, 0, 0.0)


def test_a_hosted_model_is_asked_three_times_a_turn_at_most_at_a_cost_not_yet_known() -> None:
    (condition,) = (found := make_plan("partner: {model: 'openai:x', min_messages: 1}")).conditions

    assert condition.partner_turns == 6 * 2
    assert condition.calls_at_most == 3 * 6 * 2
    assert condition.output_tokens_at_most == 3 * 6 * 2 * 120
    # Each call carries at least the standing instructions.
    assert condition.input_tokens_at_most > 3 * 6 * 2 * 7_000 / 3
    assert found.cost_usd is None


def test_a_local_model_is_free() -> None:
    assert make_plan("partner: {model: 'local:x.gguf'}").cost_usd == 0.0


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["languages: [en, it]"], "not in 'it'"),
        (["flow: [annotate]"], "does not ask for consent"),
        (["flow: [consent, annotate, discuss]"], "no second labelling"),
        (["partner: {only_on_disagreement: true}"], "taxes minority views"),
        (["partner: {persona: red_hat}"], "has no persona"),
        (["completion: {provider: prolific, code: A}"], "'attention_failed'"),
        (["attention_allowed: 2"], "nobody can fail"),
        ([], "1 first labels, and there are 2 attention checks"),
        ([], "no contact"),
    ],
)
def test_the_plan_notes_what_an_owner_may_have_overlooked(lines: list[str], words: str) -> None:
    assert any(words in note for note in make_plan(*lines).notes)


def test_a_complete_study_has_nothing_to_note() -> None:
    assert make_plan("contact: ana@example.org", task="    items_per_person: 2\n").notes == ()


def test_a_study_open_to_models_needs_no_people() -> None:
    found = make_plan("open_to: models", "models: [{name: plain, panel: 'lab:m'}]")

    assert (found.items, found.places, found.people, found.conditions) == (2, 0, 0, ())
    assert found.notes == ()


def test_a_study_open_to_models_describes_one() -> None:
    with pytest.raises(InvalidStudy, match="describe a panel under `models:`"):
        make_plan("open_to: models")
