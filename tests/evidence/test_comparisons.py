"""Which answers may prove something about a machine."""

import pytest

from crito.evidence.comparisons import audit_evidence, evidence, shares_by_item
from tests.evidence.answers import make_comparison


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"blind": False}, "exposed"),
        ({"inclusion": None}, "not_drawn"),
        ({"purpose": "verify"}, "purpose"),
        ({"purpose": "resolve"}, "purpose"),
        ({"purpose": "adjudicate"}, "purpose"),
        ({"purpose": "audit"}, "purpose"),
        ({"tuned_on": True}, "tuned_on"),
    ],
)
def test_an_answer_that_is_no_evidence_is_dropped_with_its_reason(changes: dict[str, object], why: str) -> None:
    found = evidence([make_comparison(), make_comparison(item="i-2", order=1, **changes)])

    assert [one.item for one in found.counted] == ["i-1"]
    assert found.dropped == {why: 1}


@pytest.mark.parametrize("purpose", ["label", "calibration", "certification"])
def test_a_random_blind_answer_is_evidence(purpose: str) -> None:
    assert len(evidence([make_comparison(purpose=purpose)]).counted) == 1


def test_verify_is_never_evidence_even_when_it_was_served_blind() -> None:
    assert evidence([make_comparison(purpose="verify", blind=True, inclusion=0.2)]).counted == ()


def test_not_sure_is_a_disagreement() -> None:
    assert evidence([make_comparison(answer="not_sure")]).agreeing == 0


def test_evidence_stands_in_the_order_of_the_answers() -> None:
    found = evidence([make_comparison(item="late", order=5), make_comparison(item="early", order=1)])

    assert [one.item for one in found.counted] == ["early", "late"]


def test_audits_are_a_sequence_of_their_own() -> None:
    rows = [make_comparison(), make_comparison(purpose="audit", order=1), make_comparison(purpose="verify", order=2)]

    assert [one.purpose for one in audit_evidence(rows).counted] == ["audit"]


def test_an_audit_that_was_not_blind_is_dropped() -> None:
    assert audit_evidence([make_comparison(purpose="audit", blind=False)]).dropped == {"exposed": 1}


def test_an_item_of_several_people_counts_with_the_share_that_agrees() -> None:
    rows = [
        make_comparison(item="a", annotator="ana", order=0),
        make_comparison(item="b", annotator="ana", order=1),
        make_comparison(item="b", annotator="ben", order=2, agrees=False),
        make_comparison(item="a", annotator="ben", order=3),
    ]

    # item b is complete before item a
    assert shares_by_item(rows).tolist() == [0.5, 1.0]
