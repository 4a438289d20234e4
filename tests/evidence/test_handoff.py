"""The decision to hand over, and the audits after it. Counts from STATISTICS 5.4–5.6."""

import math

import numpy as np
import pytest

from crito.evidence.handoff import HandoffRule, audits, handoff
from tests.evidence.answers import blind_answers, make_comparison

# The tables are for a level of 0.05; the first version gets 6/pi² of alpha.
AT_FIVE_PERCENT = 0.05 * math.pi**2 / 6


@pytest.mark.parametrize(("n_items", "least"), [(100, 49), (200, 46), (500, 44), (1000, 44), (5000, 43)])
def test_the_rest_is_handed_over_at_the_least_number_of_the_table_and_not_before(n_items: int, least: int) -> None:
    rule = HandoffRule(alpha=AT_FIVE_PERCENT)

    before, at = (handoff(blind_answers([True] * n), n_items, rule) for n in (least - 1, least))

    assert (before.decision, before.still_needed) == ("wait", 1)
    assert (at.decision, at.certified, at.still_needed) == ("hand_over", True, 0)


@pytest.mark.parametrize(("n_items", "declared"), [(100, 34), (200, 31), (500, 29)])
def test_a_declared_look_needs_fewer_items_but_looks_once(n_items: int, declared: int) -> None:
    rule = HandoffRule(alpha=AT_FIVE_PERCENT, rule="fixed", declared=declared)

    assert handoff(blind_answers([True] * (declared - 1)), n_items, rule).decision == "wait"
    assert handoff(blind_answers([True] * declared), n_items, rule).certified
    assert handoff(blind_answers([True] * (declared + 1)), n_items, rule).decision == "refuse"
    assert handoff(blind_answers([False] + [True] * (declared - 1)), n_items, rule).decision == "refuse"


def test_twenty_of_twenty_blind_agreements_are_not_enough() -> None:
    reading = handoff(blind_answers([True] * 20), 100, HandoffRule(alpha=AT_FIVE_PERCENT))

    assert reading.decision == "wait"
    assert reading.bound.value == pytest.approx(0.7875)


def test_equal_to_the_threshold_does_not_exceed_it() -> None:
    # 20 of 20 of 100 items: the bound of the rest is 0.7875 exactly
    assert handoff(blind_answers([True] * 20), 100, HandoffRule(0.7875, alpha=AT_FIVE_PERCENT)).decision == "wait"
    assert handoff(blind_answers([True] * 20), 100, HandoffRule(0.7874, alpha=AT_FIVE_PERCENT)).decision == "hand_over"


def test_agreement_in_view_never_takes_the_place_of_blind_agreement() -> None:
    seen = blind_answers([True] * 300, blind=False, inclusion=None)

    reading = handoff(seen + blind_answers([True] * 19), 1000, HandoffRule())

    assert reading.decision == "wait"
    assert reading.blind.n == 19
    assert reading.blind.dropped == {"exposed": 300}


def test_a_drawn_item_that_was_labelled_in_view_breaks_the_blind_protocol() -> None:
    leaked = make_comparison(item="leaked", order=99, blind=False)

    reading = handoff([*blind_answers([True] * 60), leaked], 1000, HandoffRule())

    assert reading.decision == "refuse"
    assert "1 drawn item was" in reading.reason


def test_unequal_probabilities_are_refused() -> None:
    rows = [*blind_answers([True] * 60), make_comparison(item="other", order=99, inclusion=0.5)]

    assert handoff(rows, 1000, HandoffRule()).decision == "refuse"


def test_a_later_version_needs_more_evidence() -> None:
    first, second = (handoff(blind_answers([True] * 50), 1000, HandoffRule(version=v)) for v in (1, 2))

    assert first.bound.value is not None
    assert second.bound.value is not None
    assert first.bound.value > second.bound.value


def test_the_levels_of_all_versions_together_keep_alpha() -> None:
    assert sum(HandoffRule(version=v).level for v in range(1, 100_000)) == pytest.approx(0.05, abs=1e-6)


def test_the_plain_rate_decides_for_replication_only_and_certifies_nothing() -> None:
    reading = handoff(blind_answers([True] * 19 + [False]), 100, HandoffRule(rule="point"))

    assert (reading.decision, reading.certified) == ("hand_over", False)


def test_an_answer_of_several_people_is_graded() -> None:
    rows = [
        make_comparison(item=f"i-{place:03}", annotator=who, order=2 * place + (who == "ben"))
        for place in range(60)
        for who in ("ana", "ben")
    ]

    reading = handoff(rows, 1000, HandoffRule(threshold=0.8))

    assert reading.bound.method.startswith("anytime-valid betting")
    assert reading.still_needed is None


def test_without_any_answer_one_waits() -> None:
    reading = handoff([], 100, HandoffRule())

    assert reading.decision == "wait"
    assert reading.bound.status == "insufficient"


@pytest.mark.parametrize("bad", [{"threshold": 1.0}, {"alpha": 0.0}, {"audit_error": 1.0}, {"rule": "fixed"}])
def test_a_rule_that_cannot_be_is_refused(bad: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="HandoffRule"):
        HandoffRule(**bad)  # type: ignore[arg-type]


def test_good_audits_leave_the_certificate_standing() -> None:
    reading = audits(blind_answers([True] * 200, purpose="audit"), HandoffRule())

    assert not reading.fallen
    assert reading.strongest < 1


def test_audits_that_all_disagree_revoke_it() -> None:
    reading = audits(blind_answers([False] * 5, purpose="audit"), HandoffRule())

    assert reading.fallen
    assert reading.disagreement.value == 1


def test_a_fall_stays_found_whatever_comes_after() -> None:
    assert audits(blind_answers([False] * 5 + [True] * 500, purpose="audit"), HandoffRule()).fallen


def test_a_new_batch_finds_a_fall_that_a_long_good_time_would_hide() -> None:
    rows = blind_answers([True] * 500 + [True, False] * 10, purpose="audit")

    assert not audits(rows, HandoffRule()).fallen
    assert audits(rows, HandoffRule(), starts=(0, 500)).fallen


def test_audits_seldom_accuse_a_machine_at_the_allowed_error_and_soon_find_a_fall() -> None:
    rng = np.random.default_rng(20240607)
    rule = HandoffRule(audit_error=0.05)

    accused = sum(audits(blind_answers(rng.random(200) >= 0.05, purpose="audit"), rule).fallen for _ in range(100))
    delays = []
    for _ in range(100):
        answers = rng.random(250) >= 0.15
        found = [n for n in range(10, 251, 10) if audits(blind_answers(answers[:n], purpose="audit"), rule).fallen]
        delays.append(found[0] if found else 1000)

    assert accused <= 5
    assert np.median(delays) <= 60
