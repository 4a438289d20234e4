"""What certificates say. Numbers from the worked examples of STATISTICS 6."""

import math
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from crito.evidence.certificate_file import parse_certificate, render_certificate
from crito.evidence.certificates import (
    Subject,
    automatic_certificate,
    differences,
    estimate_certificate,
    handoff_certificate,
    replacement_certificate,
)
from crito.evidence.comparisons import Comparison
from crito.evidence.handoff import HandoffRule
from crito.model.certificate import MachineVersion
from crito.model.errors import InvalidInput
from crito.model.ids import StudyName, TaskName
from tests.evidence.answers import blind_answers, make_comparison


def make_subject(labels: tuple[str, ...] = ("yes", "no"), n_items: int = 1000) -> Subject:
    return Subject(
        StudyName("study"), TaskName("task"), MachineVersion("machine", "test:model", "p" * 64, "g" * 64), labels, n_items,
        "all items of the task", "simple random sample", {}, datetime(2026, 1, 1, tzinfo=UTC),
    )  # fmt: skip


def calibration() -> list[Comparison]:
    """Confidence, items and errors of STATISTICS 6.5."""
    steps = [(0.99, 40, 0), (0.97, 35, 1), (0.95, 30, 1), (0.90, 30, 2), (0.85, 25, 3), (0.80, 20, 4), (0.70, 20, 6)]
    rows = [(sure, place < errors) for sure, n, errors in steps for place in range(n)]
    return [
        make_comparison(item=f"c-{order:03}", order=order, confidence=sure, agrees=not wrong)
        for order, (sure, wrong) in enumerate(rows)
    ]


def test_handoff_is_granted_with_the_number_of_items_that_remain() -> None:
    made = handoff_certificate(make_subject(n_items=500), blind_answers([True] * 60), HandoffRule())

    assert made.granted
    assert made.statement.startswith("On the 440 items that nobody labelled blind, machine agrees")
    assert (made.n_evidence, made.inclusion, made.needed) == (60, (0.2, 0.2), "")


def test_handoff_that_is_not_shown_says_how_many_labels_would_do() -> None:
    rule = HandoffRule(alpha=0.05 * math.pi**2 / 6)

    made = handoff_certificate(make_subject(n_items=1000), blind_answers([True] * 30), rule)

    assert not made.granted
    # 44 agreeing items of 1,000 do (STATISTICS 5.6)
    assert made.needed.startswith("at least 14 more blind labels, if all agree")


def test_point_rule_grants_nothing() -> None:
    made = handoff_certificate(make_subject(), blind_answers([True] * 30), HandoffRule(rule="point"))

    assert not made.granted
    assert "nothing is proved" in made.statement


@pytest.mark.parametrize(("error_rate", "risk", "threshold"), [(0.10, 0.05, 0.80), (0.10, 0.01, 0.85)])
def test_automatic_labelling_from_the_threshold_of_the_table(error_rate: float, risk: float, threshold: float) -> None:
    grid = [0.99, 0.97, 0.95, 0.90, 0.85, 0.80, 0.70]

    made = automatic_certificate(make_subject(), calibration(), error_rate=error_rate, risk=risk, grid=grid)

    assert made.granted
    assert made.results["all"]["threshold"]["value"] == threshold
    assert f"from confidence {threshold:g} on" in made.statement


def test_automatic_labelling_never_jumps_over_a_failure_and_says_what_would_do() -> None:
    grid = [0.99, 0.97, 0.95, 0.90, 0.85, 0.80, 0.70]

    made = automatic_certificate(make_subject(), calibration(), error_rate=0.05, risk=0.10, grid=grid)

    assert not made.granted
    assert made.needed == "fewer errors: at confidence 0.97 1 of 75 were wrong; without an error 45 would do"


def test_automatic_labelling_by_label_shares_the_risk() -> None:
    rows = [replace(one, machine=one.answer if one.agrees else one.machine) for one in calibration()]

    made = automatic_certificate(make_subject(), rows, error_rate=0.10, risk=0.05, by_label=True)

    assert set(made.results) == {"yes", "no"}
    assert "risk 0.025" in made.results["yes"]["threshold"]["method"]


def test_items_without_confidence_are_left_out_and_counted() -> None:
    rows = [*calibration(), make_comparison(item="unsure", order=999, confidence=None)]

    made = automatic_certificate(make_subject(), rows, error_rate=0.10, risk=0.05)

    assert made.results["all"]["threshold"]["dropped"] == {"no_confidence": 1}


def test_estimate_of_agreement_with_the_finite_corpus_in_view() -> None:
    rows = blind_answers([True] * 9 + [False])
    machine = {f"i-{place:04}": "yes" for place in range(10)} | {f"j-{place}": "no" for place in range(10)}

    made = estimate_certificate(make_subject(n_items=20), rows, machine)

    # mean of 9 ones and a zero; (1 - 10/20) * 0.1 / 10 is the squared standard error
    agreement = made.results["agreement"]
    assert agreement["value"] == pytest.approx(0.9)
    assert agreement["details"]["se"] == pytest.approx(math.sqrt(0.5 * 0.1 / 10))
    # the machine says yes to 10 of 20, and was wrong once in ten
    assert made.results["share_of_yes"]["value"] == pytest.approx(0.5 - 0.1)
    assert made.granted


def test_estimate_without_labels_is_not_granted() -> None:
    made = estimate_certificate(make_subject(), [], {"a": "yes"})

    assert not made.granted
    assert made.needed == "at least two blind labels on items drawn at random"


H = ("AABCABCAABBCACABBACBACBAABCCABAB", "AABCABCABBBCACABBACBACBAABCAABAC", "AABCACCAABBCBCABAACBACBAACCCABAB")
M = "AABCAACAABBCCCBBAACBACBAACCAABAB"


@pytest.mark.parametrize(("epsilon", "winning", "granted"), [(0.10, 0, False), (0.15, 1 / 3, False), (0.20, 1, True)])
def test_replacement_of_a_person_as_in_the_worked_example(epsilon: float, winning: float, granted: bool) -> None:
    answers = [
        (f"i{place:02}", f"h{who}", label) for who, labels in enumerate(H, 1) for place, label in enumerate(labels)
    ]
    machine = {f"i{place:02}": label for place, label in enumerate(M)}

    made = replacement_certificate(make_subject(("A", "B", "C")), answers, machine, epsilon=epsilon)

    assert made.granted is granted
    assert made.results["winning_rate"]["value"] == pytest.approx(winning)
    assert made.results["advantage_probability"]["value"] == pytest.approx(0.927083, abs=1e-6)


def test_a_certificate_computed_again_from_the_same_rows_is_the_same_and_from_others_is_not() -> None:
    rows = blind_answers([True] * 60)
    issued, again = (handoff_certificate(make_subject(), rows, HandoffRule()) for _ in range(2))
    changed = handoff_certificate(make_subject(), [replace(rows[0], answer="no"), *rows[1:]], HandoffRule())

    assert differences(issued, again) == ()
    assert any(line.startswith("evidence hash was") for line in differences(issued, changed))


def test_a_certificate_survives_its_file() -> None:
    made = handoff_certificate(make_subject(), blind_answers([True] * 60), HandoffRule())

    assert differences(parse_certificate(render_certificate(made)), made) == ()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("no JSON", "this is no certificate"),
        ("[]", "no certificate that can be read"),
        ('{"format": "crito-certificate/9"}', "'crito-certificate/9'"),
        ('{"format": "crito-certificate/1"}', "not complete"),
    ],
)
def test_a_file_that_is_no_certificate_is_refused_with_what_came(text: str, says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        parse_certificate(text)
