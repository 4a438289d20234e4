"""CRIT with a scripted judge: what is asked when, how sources are followed and where that ends."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crito.model.crit import CritReport
from crito.model.talk import Answer, Ask, NoAnswer, Turn
from crito.protocols.crit import Brief, Critic, crit, text_hash

Script = Mapping[str, Mapping[str, Any]]
"""By text: its reasons as (text, source) and what each is rated."""


def judge(script: Script, lost: Sequence[str] = ()) -> Callable[[Ask], Answer]:
    """A judge that finds in each text what the script says, and does not answer the prompts in `lost`."""

    def answer(ask: Ask) -> Answer:
        if ask.prompt in lost:
            return NoAnswer(ask.speaker, "away")
        found = script[ask.values["document"]]
        replies: dict[str, Any] = {
            "judging/claim": {"claim": found.get("claim", "Kettles burn."), "reasons": found["reasons"]},
            "judging/rivals": {"rivals": [{"rival": rival} for rival in found.get("rivals", ())]},
            "judging/rate": {"ratings": [one for one in found["ratings"] if one["id"] in _asked(ask)]},
            "judging/account": {"justification": "So it comes.", "reflection": "Elsewhere less."},
        }
        return Turn(ask.speaker, json.dumps(replies[ask.prompt]), "model")

    return answer


def _asked(ask: Ask) -> list[str]:
    return [one["id"] for one in ask.values.get("arguments", ())]


def rated(id_: str, validity: object, credibility: object = None) -> dict[str, Any]:
    return {"id": id_, "validity": validity, "credibility": credibility, "justification": f"{id_} is so."}


def quoting(source: str) -> dict[str, Any]:
    return {"reason": f"{source} says so.", "type": "claim", "inference": "inductive", "source": source}


PLAIN = {
    "reasons": [
        {"reason": "Steam burns.", "inference": "abductive"},
        {"reason": "Locks are cheap."},
        {"reason": "It is law."},
    ],
    "rivals": ["Tea gets cold.", "Children learn."],
    "ratings": [rated("r1", 8, 9), rated("r2", 6, 7), rated("r3", 7), rated("v1", 5, 8), rated("v2", 9, 4)],
}


def play(protocol: Critic, answer: Callable[[Ask], Answer]) -> tuple[CritReport, list[tuple[Ask, ...]]]:
    steps, asks = [], tuple(next(protocol))
    while True:
        steps.append(asks)
        try:
            asks = tuple(protocol.send([answer(ask) for ask in asks]))
        except StopIteration as end:
            return end.value, steps


def brief(*names: str, **more: Any) -> Brief:
    return Brief("judge_1", "document", {name: text_hash(f"text of {name}") for name in ("document", *names)}, **more)


def test_a_document_takes_four_calls_and_gives_the_score_of_its_ratings() -> None:
    report, steps = play(crit(brief()), judge({"document": PLAIN}))

    assert [[ask.prompt for ask in step] for step in steps] == [
        ["judging/claim"], ["judging/rivals"], ["judging/rate"], ["judging/account"],
    ]  # fmt: skip
    assert report.score().value == pytest.approx(6.257143, abs=1e-6)
    assert report.score("literal").value == pytest.approx(47.8)
    assert (report.claim, report.justification, report.reflection) == (
        "Kettles burn.",
        "So it comes.",
        "Elsewhere less.",
    )
    assert [one.speculative for one in report.reasons] == [True, False, False]
    assert report.reasons[2].rating.credibility is None
    assert steps[-1][0].values["score"] == 6.26


def test_each_argument_can_be_rated_in_a_call_of_its_own() -> None:
    report, steps = play(crit(brief(per_reason=True)), judge({"document": PLAIN}))

    assert [len(step) for step in steps] == [1, 1, 5, 1]
    assert report.score().value == pytest.approx(6.257143, abs=1e-6)


def test_arguments_are_rated_together_where_calls_are_short() -> None:
    _, steps = play(crit(brief(per_reason=True, max_calls=7)), judge({"document": PLAIN}))

    assert [len(step) for step in steps] == [1, 1, 1, 1]


def test_a_source_stands_for_the_rating_of_its_reason() -> None:
    document = {**PLAIN, "reasons": [PLAIN["reasons"][0], quoting("WHO"), PLAIN["reasons"][2]]}
    child = {
        "reasons": [{"reason": "Counted."}, {"reason": "Asked."}],
        "rivals": ["Few."],
        "ratings": [rated("r1", 9, 8), rated("r2", 4, 6), rated("v1", 3, 5)],
    }

    report, steps = play(crit(brief("WHO")), judge({"document": document, "WHO": child}))

    second = report.reasons[1]
    assert second.rating.validity == pytest.approx(7.157895, abs=1e-6)
    assert second.child is not None
    assert (second.child.document, second.recursion_stopped) == ("WHO", None)
    assert report.score().value == pytest.approx(6.473171, abs=1e-6)
    assert report.score("literal").value == pytest.approx(48.233333, abs=1e-6)
    assert [reading.document for reading in report.readings()] == ["document", "WHO"]
    last_rated = [ask for step in steps for ask in step if ask.prompt == "judging/rate"][-1]
    assert _asked(last_rated) == ["r1", "r3", "v1", "v2"]


def test_a_source_that_two_reasons_name_is_read_once() -> None:
    document = {"reasons": [quoting("WHO"), quoting("the WHO report")], "ratings": []}
    child = {"reasons": [{"reason": "Counted."}], "ratings": [rated("r1", 9, 8)]}

    report, steps = play(crit(brief("WHO")), judge({"document": document, "WHO": child}))

    assert [one.rating.validity for one in report.reasons] == [9, 9]
    assert sum(ask.prompt == "judging/claim" for step in steps for ask in step) == 2


def ring(*names: str) -> dict[str, Any]:
    """Texts that each quote the next one, the last one the first source again."""
    follow = (*names[1:], names[1])
    return {
        name: {"reasons": [quoting(next_)], "ratings": [rated("r1", 6, 6)]}
        for name, next_ in zip(names, follow, strict=True)
    }


@pytest.mark.parametrize(
    ("names", "more", "stopped"),
    [
        (("document", "WHO", "UN"), {}, "cycle"),
        (("document", "A", "B", "C"), {}, "depth"),
        (("document", "A"), {"max_depth": 0}, "depth"),
        (("document", "A"), {"max_calls": 7}, "budget"),
    ],
)
def test_following_sources_ends(names: tuple[str, ...], more: dict[str, Any], stopped: str) -> None:
    report, _ = play(crit(brief(*names[1:], **more)), judge(ring(*names)))

    last = list(report.readings())[-1].reasons[0]
    assert last.recursion_stopped == stopped
    assert last.rating.validity == 6


def test_a_source_with_the_document_s_own_text_is_a_cycle() -> None:
    same = text_hash("One  TEXT")
    given = Brief("judge_1", "document", {"document": text_hash("one text"), "copy": same})

    report, _ = play(crit(given), judge({"document": {"reasons": [quoting("copy")], "ratings": [rated("r1", 5)]}}))

    assert report.reasons[0].recursion_stopped == "cycle"


def test_a_source_that_was_not_given_or_has_no_score_is_rated_directly() -> None:
    script = {
        "document": {
            "reasons": [quoting("Nobody"), quoting("Empty")],
            "ratings": [rated("r1", 3, 3), rated("r2", 4, 4)],
        },
        "Empty": {"reasons": [], "ratings": []},
    }

    report, _ = play(crit(brief("Empty")), judge(script))

    assert [(one.recursion_stopped, one.rating.validity) for one in report.reasons] == [
        ("not_found", 3),
        ("no_score", 4),
    ]


def test_rivals_of_a_debate_come_from_the_opponent() -> None:
    report, steps = play(crit(brief(opponent="other")), judge({"document": PLAIN}))

    assert report.rivals_from == "opponent"
    assert steps[1][0].values["opponent"] == "other"


def test_unreadable_ratings_are_counted_and_never_a_score() -> None:
    script = {**PLAIN, "ratings": [rated("r1", "high", 0), rated("r2", 11, None), rated("v1", 5, 5)]}

    report, _ = play(crit(brief()), judge({"document": script}))

    assert report.score().value is None
    assert "no reason was rated" in report.score().reason
    assert (report.n_unreadable, report.n_missing) == (3, 5)


@pytest.mark.parametrize(
    ("lost", "problem"),
    [
        ("judging/claim", "claim"),
        ("judging/rivals", "rival"),
        ("judging/rate", "ratings"),
        ("judging/account", "account"),
    ],
)
def test_an_answer_that_does_not_come_is_said_in_the_report(lost: str, problem: str) -> None:
    report, _ = play(crit(brief()), judge({"document": PLAIN}, [lost]))

    assert problem in report.problems[0]
    assert "away" in report.problems[0]
    assert (report.score().value is None) == (lost in ("judging/claim", "judging/rate"))


def test_the_account_can_be_left_out() -> None:
    report, steps = play(crit(brief(account=False)), judge({"document": PLAIN}))

    assert len(steps) == 3
    assert report.score().value == pytest.approx(6.257143, abs=1e-6)


def test_fewer_calls_than_one_text_takes_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 4"):
        brief(max_calls=3)


@given(
    st.dictionaries(st.sampled_from("ABCDE"), st.lists(st.sampled_from("ABCDEX"), max_size=4), min_size=5, max_size=5),
    st.integers(0, 3),
    st.integers(4, 30),
    st.booleans(),
)
def test_whoever_quotes_whom_no_run_makes_more_calls_than_allowed(
    quotes: dict[str, list[str]], depth: int, most: int, per_reason: bool
) -> None:
    script = {
        name: {"reasons": [quoting(other) for other in others], "rivals": ["No."], "ratings": [rated("r1", 5, 5)]}
        for name, others in {**quotes, "document": ["A", "B", "C"]}.items()
    }

    _, steps = play(crit(brief(*"ABCDE", max_depth=depth, max_calls=most, per_reason=per_reason)), judge(script))

    assert sum(map(len, steps)) <= most
