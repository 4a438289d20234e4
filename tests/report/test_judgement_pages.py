"""The pages of judges: bars and scores that can be read without seeing them, and words that stay words."""

from crito.model.crit import Argument, CritReport, RatedArgument
from crito.model.crit_score import Rating
from crito.model.verdict import Ballot, TopicScore, Verdict
from crito.report.judgement_page import argument_bars, shown_rating
from crito.report.scoreboard import score_figure


def rated(id_: str, validity: float | None, credibility: float | None = None) -> RatedArgument:
    reading = "ok" if validity else "unreadable"
    return RatedArgument(
        id_, Argument(f"Reason {id_}."), Rating(validity, credibility), reading, "ok" if credibility else "missing"
    )  # type: ignore[arg-type]


def test_bars_are_as_long_as_arguments_are_valid_and_told_in_words() -> None:
    report = CritReport("text", "judge_1", "Claim.", (rated("r1", 10, 10), rated("r2", None)), (rated("v1", 5, 5),))

    drawn = str(argument_bars(report))

    assert 'width="360.0"' in drawn
    assert 'width="180.0"' in drawn
    assert drawn.count("<rect") == 2
    assert "not rated" in drawn
    assert "r2: validity unreadable, credibility missing" in drawn


def test_without_arguments_nothing_is_drawn() -> None:
    assert "Nothing to draw" in argument_bars(CritReport("text", "judge_1", "", (), ()))


def test_a_rating_that_came_from_a_source_is_shown_shortened() -> None:
    assert shown_rating(rated("r1", 7.157895, 6.333333)) == "validity 7.16, credibility 6.33"


def test_scores_are_marked_by_shape_and_told_in_words() -> None:
    verdict = Verdict("S?", ("<b>Cost</b>", "Habit"), {"judge_1": "lab:m"}, ())
    ballot = Ballot("judge_1", "A first", (TopicScore(8, 6), TopicScore(None, 10)), "A")

    drawn = str(score_figure(verdict, ballot))

    assert "<b>Cost" not in drawn
    assert (drawn.count("<rect"), drawn.count("<circle")) == (1, 2)
    assert "A 8, B 6" in drawn
    assert "A –, B 10" in drawn
