"""Figures drawn as SVG."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from crito.report.figures import COLOURS, FALLEN, RISEN, Estimate, interval_plot, sankey, shape
from crito.stats.proportions import share
from crito.stats.statistic import Statistic
from crito.stats.tables import moves_from_counts

CONFIDENCE = moves_from_counts(["high", "medium", "low"], [[147, 5, 1], [75, 16, 2], [5, 11, 4]])
NAMES = {"high": "Very sure", "medium": "Somewhat sure", "low": "Not sure"}


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def heights(svg: str, kind: str) -> list[float]:
    """The height of each band of a kind where it begins."""
    paths = [path.attrib["d"] for path in parsed(svg).iter("path") if path.get("class") == kind]
    found = []
    for path in paths:
        numbers = [float(number) for number in re.findall(r"-?\d+\.?\d*", path)]
        found.append(numbers[-1] - numbers[1])
    return found


def test_every_cell_that_is_not_empty_is_a_band_as_wide_as_its_count() -> None:
    svg = sankey(CONFIDENCE, NAMES, "Confidence", palette="levels")

    assert sorted(heights(svg, "stayed")) == pytest.approx([190 * count / 266 for count in (4, 16, 147)], abs=0.2)
    assert sorted(heights(svg, "moved")) == pytest.approx(
        [190 * count / 266 for count in (1, 2, 5, 5, 11, 75)], abs=0.2
    )


def test_levels_stand_in_their_fixed_order_on_both_sides() -> None:
    svg = sankey(CONFIDENCE, NAMES, "Confidence", palette="levels")

    names = [text.text for text in parsed(svg).iter("text") if text.get("class") == "name"]
    assert names == ["Very sure", "Somewhat sure", "Not sure"] * 2


def test_bands_carry_count_and_percent() -> None:
    svg = sankey(CONFIDENCE, NAMES, "Confidence", palette="levels")

    words = {text.text for text in parsed(svg).iter("text") if text.get("class") in ("kept", "flip")}
    assert {"147 · 55.3\u00a0%", "75 · 28.2\u00a0%"} <= words


def test_words_on_bands_never_lie_on_top_of_each_other() -> None:
    svg = sankey(CONFIDENCE, NAMES, "Confidence", palette="levels")

    places = [
        (float(t.attrib["x"]), float(t.attrib["y"]))
        for t in parsed(svg).iter("text")
        if t.get("class") in ("kept", "flip")
    ]
    assert len(places) > 3
    assert all(
        abs(x - other_x) > 60 or abs(y - other_y) > 12
        for place, (x, y) in enumerate(places) for other_x, other_y in places[place + 1 :]
    )  # fmt: skip


def test_confidence_that_rose_and_that_fell_have_a_colour_each() -> None:
    table = moves_from_counts(["high", "low"], [[5, 3], [2, 4]])

    svg = sankey(table, NAMES, "Confidence", palette="levels")

    moved = {path.attrib["style"] for path in parsed(svg).iter("path") if path.get("class") == "moved"}
    assert moved == {f"fill:{RISEN}", f"fill:{FALLEN}"}


def test_words_of_many_labels_that_hardly_occur_do_not_lie_on_top_of_each_other() -> None:
    labels = [f"label number {number}" for number in range(9)]
    table = moves_from_counts(
        labels, [[100 if row == column == 0 else row == column for column in range(9)] for row in range(9)]
    )

    texts = [
        t
        for t in parsed(sankey(table, {}, "Labels", palette="labels")).iter("text")
        if t.get("class") in ("name", "count")
    ]

    heights = [float(text.attrib["y"]) for text in texts if text.get("text-anchor") == "end"]
    assert len(heights) == 18
    assert all(below - above >= 14 for above, below in pairwise(heights))


def test_labels_have_a_letter_as_well_as_a_colour() -> None:
    table = moves_from_counts(["x", "y"], [[3, 1], [0, 2]])

    svg = sankey(table, {"x": "Sarcastic", "y": "Not sarcastic"}, "Labels", palette="labels")

    assert [mark.text for mark in parsed(svg).iter("tspan")] == ["A", "B", "A", "B"]
    assert COLOURS[0] in svg
    assert COLOURS[1] in svg


def test_a_reader_who_cannot_see_the_figure_is_told_every_count() -> None:
    label = parsed(sankey(CONFIDENCE, NAMES, "Confidence", palette="levels")).attrib["aria-label"]

    assert label.startswith("Confidence. Very sure to Very sure: 147; Very sure to Somewhat sure: 5;")


def test_names_of_a_study_cannot_break_out_of_a_figure() -> None:
    evil = '<script>alert("x")</script> & co'
    table = moves_from_counts(["x"], [[1]])

    svg = sankey(table, {"x": evil}, evil, palette="labels")

    assert "<script" not in svg
    assert evil in parsed(svg).attrib["aria-label"]


def test_an_empty_table_is_said_to_be_empty() -> None:
    assert "Nothing to draw" in sankey(moves_from_counts(["x", "y"], [[0, 0], [0, 0]]), {}, "Labels", palette="labels")


def test_intervals_are_drawn_from_zero_and_reasons_are_said() -> None:
    absent = Statistic.absent("flip_rate", "undefined", "no eligible annotations", n=0, method="share")
    rows = [Estimate("socratic", share("flip_rate", 8, 130), 0), Estimate("control", absent, 1)]

    svg = interval_plot(rows, "Flips")

    ticks = [text.text for text in parsed(svg).iter("text") if text.get("class") == "tick"]
    assert ticks[0] == "0\u00a0%"
    assert "cannot be told: no eligible annotations" in svg
    assert len([path for path in parsed(svg).iter("path") if path.get("class") == "whisker"]) == 1


def test_conditions_have_shapes_of_their_own() -> None:
    assert len({re.sub("#......", "", str(shape(mark))) for mark in range(4)}) == 4
