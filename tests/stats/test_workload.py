import pytest

from crito.stats.workload import SCALES, workload

PERSONS = [(9, 11, 4, 3, 2), (14, 12, 7, 5, 6), (3, 4, 1, 1, 1), (10, None, 5, 4, 3)]
COLUMNS = dict(zip(SCALES, zip(*PERSONS, strict=True), strict=True))


def test_workload_averages_the_answered_scales_of_each_person() -> None:
    found = workload(COLUMNS)

    assert found.persons == pytest.approx((5.8, 8.8, 2.0, 5.5))
    assert [found.scales[scale].value for scale in SCALES] == pytest.approx([9, 9, 4.25, 3.25, 3])
    assert [found.scales[scale].n for scale in SCALES] == [4, 3, 4, 4, 4]
    assert found.rescaled.value == pytest.approx((24.0 + 39.0 + 5.0 + 22.5) / 4)


def test_the_published_means_rescale_to_a_hundred() -> None:
    published = dict(zip(SCALES, [[5.94]] * 5, strict=True))

    assert workload(published).rescaled.value == pytest.approx(24.7, abs=0.05)


def test_a_person_with_fewer_than_four_answers_has_no_mean() -> None:
    found = workload({**{scale: [None] for scale in SCALES}, "mental": [9]})

    assert found.persons == (None,)
    assert found.raw.status == "undefined"
    assert found.raw.dropped == {"fewer_than_4_answers": 1}


def test_an_answer_off_the_scale_is_refused() -> None:
    with pytest.raises(ValueError, match="person 0 has 22 for effort"):
        workload({**COLUMNS, "effort": (22, 1, 1, 1)})


def test_a_missing_scale_is_refused() -> None:
    with pytest.raises(ValueError, match="one column"):
        workload({"mental": [1]})
