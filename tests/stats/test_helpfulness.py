import pytest

from crito.stats.helpfulness import helpfulness, helpfulness_from_counts


def test_helpfulness_of_the_published_counts() -> None:
    found = helpfulness_from_counts(93, 35, 88, 50)

    assert found.expected.n == 266
    assert [found.expected.value, found.perceived.value, found.improved.value, found.worsened.value] == pytest.approx(
        [0.481203, 0.680451, 0.330827, 0.131579], abs=1e-6
    )
    assert found.change.p_value == pytest.approx(1.935125e-06, rel=1e-3)


def test_an_annotation_without_both_answers_is_dropped_and_counted() -> None:
    found = helpfulness([True, None, False], [True, True, True])

    assert (found.improved.value, found.improved.dropped) == (0.5, {"missing": 1})


def test_helpfulness_of_nobody_is_undefined() -> None:
    found = helpfulness([], [])

    assert {found.expected.status, found.change.status} == {"undefined"}
