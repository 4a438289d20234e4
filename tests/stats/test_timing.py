"""Signals of time: what is counted, from which length on a text can be read, and that words go with them."""

import pytest

from crito.stats.timing import TimedLabel, reading_s, timing_signals


@pytest.mark.parametrize(("language", "seconds"), [("en", 2.0), ("it", 2.0), ("ja", 4.0), ("ja-JP", 4.0)])
def test_a_text_of_a_hundred_characters_takes_at_least(language: str, seconds: float) -> None:
    assert reading_s(100, language) == seconds


def test_labels_below_reading_time_are_counted_and_bursts_of_five_in_a_row() -> None:
    quick, slow = TimedLabel(0.5, 100), TimedLabel(10, 100)

    signals = timing_signals([quick] * 5 + [slow] + [quick] * 4)

    assert (signals.below_reading.value, signals.bursts) == (0.9, 1)
    assert signals.median_s.value == 0.5


def test_the_time_to_the_button_is_told_apart() -> None:
    signals = timing_signals(
        [TimedLabel(1, 100, accepted=True), TimedLabel(3, 100, accepted=True), TimedLabel(50, 100)]
    )

    assert (signals.accept_s.value, signals.accept_s.n) == (2.0, 2)
    assert signals.accepted_below_reading.value == 0.5


def test_time_that_grows_with_length_correlates_fully_and_equal_times_say_nothing() -> None:
    growing = [TimedLabel(n**2, n) for n in range(1, 11)]

    assert timing_signals(growing).time_against_length.value == pytest.approx(1.0)
    assert timing_signals([TimedLabel(3, n) for n in range(1, 11)]).time_against_length.status == "undefined"
    assert timing_signals(growing[:9]).time_against_length.status == "insufficient"


def test_ties_share_their_rank_as_spearman_has_it() -> None:
    from scipy.stats import spearmanr

    pairs = [(3, 1), (3, 2), (5, 2), (8, 7), (8, 6), (1, 1), (9, 9), (2, 5), (2, 4), (7, 7)]

    signals = timing_signals([TimedLabel(seconds, length) for seconds, length in pairs])

    assert signals.time_against_length.value == pytest.approx(spearmanr(*zip(*pairs, strict=True)).statistic)
