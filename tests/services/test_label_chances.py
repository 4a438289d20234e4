"""Probabilities of labels from the tokens in which a model gave one."""

import math

import pytest

from crito.protocols.case import ShownLabel
from crito.services.label_chances import label_chances
from crito.services.ports.models import Alternative, Token


def make_labels(*words: str) -> list[ShownLabel]:
    return [ShownLabel(word.lower().replace(" ", "_"), word, "") for word in words]


def token(text: str, **likely: float) -> Token:
    """A token with the probabilities of what might have stood there; `_` in a name is a blank in front."""
    shares = {name.replace("_", " "): share for name, share in likely.items()} or {text: 1.0}
    return Token(
        text,
        math.log(shares.get(text, 1.0)),
        tuple(Alternative(name, math.log(share)) for name, share in shares.items()),
    )


def test_probabilities_are_those_of_the_first_token_over_the_label_set() -> None:
    tokens = [token("Iron", Iron=0.6, Plain=0.2, Hm=0.2), token("ic")]

    found = label_chances(tokens, make_labels("Ironic", "Plain"))

    assert found.of == pytest.approx({"ironic": 0.75, "plain": 0.25})


def test_the_label_is_found_in_an_object_even_where_a_token_spans_its_edge() -> None:
    opening = ['{"', "label", '":']
    quoted = Token(' "', 0.0, (Alternative(' "', 0.0),))
    spanning = Token(
        ' "Plain', math.log(0.9), (Alternative(' "Plain', math.log(0.9)), Alternative(' "Iron', math.log(0.1)))
    )
    labels = make_labels("Ironic", "Plain")

    apart = label_chances([*map(token, opening), quoted, token("Plain", Plain=0.8, Iron=0.2), token('",')], labels)
    together = label_chances([*map(token, opening), spanning, token('",')], labels)

    assert apart.of == pytest.approx({"ironic": 0.2, "plain": 0.8})
    assert together.of == pytest.approx({"ironic": 0.1, "plain": 0.9})


def test_labels_that_begin_alike_are_told_apart_further_on() -> None:
    tokens = [
        token('{"label": "'),
        token("Not", Not=0.9, Sure=0.1),
        token(" sure", _sure=0.5, _said=0.5),
        token('"'),
    ]

    found = label_chances(tokens, make_labels("Not sure", "Not said", "Sure"))

    assert found.of == pytest.approx({"not_sure": 0.45, "not_said": 0.45, "sure": 0.1})


def test_a_label_that_another_one_goes_on_from_ends_with_its_quotation_mark() -> None:
    ends, goes_on = Alternative('"', math.log(0.7)), Alternative(" of", math.log(0.3))
    tokens = [token('{"label": "'), token("Rule"), Token(*ends, (ends, goes_on))]

    found = label_chances(tokens, make_labels("Rule", "Rule of law"))

    assert found.of == pytest.approx({"rule": 0.7, "rule_of_law": 0.3})


@pytest.mark.parametrize(
    ("tokens", "why"),
    [
        (None, "the provider gave no log-probabilities"),
        ((), "the provider gave no log-probabilities"),
        ([token("{"), token('"reason'), token('": "')], "does not stand among the first tokens"),
        ([token("Hm", Hm=0.9, Plain=0.1)], "less than half"),
    ],
)
def test_without_them_there_is_a_reason(tokens: list[Token] | None, why: str) -> None:
    found = label_chances(tokens, make_labels("Ironic", "Plain"))

    assert found.of == {}
    assert why in found.missing
