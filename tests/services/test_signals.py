"""Signals of how somebody worked, each from made-up shares with one thing about them."""

from datetime import timedelta

from crito.model.ids import AnnotatorId, AssignmentId, RunId
from crito.model.record import Event, Exclusion, PersonRecord, Run
from crito.services.shares import Share
from crito.services.signals import Signals, signals_of
from tests.builders import NOON, make_answer, make_assignment, make_participant, make_study
from tests.contracts.recording import turn


def share(*texts: str, seconds: float = 30, ending: str | None = None, **more: object) -> Share:
    """Someone whose messages are `texts`, each so many seconds after the partner's."""
    turns = []
    for n, text in enumerate(texts):
        asked = NOON + timedelta(minutes=n)
        turns += [
            turn("r-1", 2 * n, "Why?", "script", at=asked),
            turn("r-1", 2 * n + 1, text, at=asked + timedelta(seconds=seconds)),
        ]
    assignment = make_assignment()
    record = PersonRecord(make_participant(ending=ending), assignments=(assignment,), **more)  # type: ignore[arg-type]
    run = Run(RunId("r-1"), AssignmentId("a-1"), "socratic", 1)
    return Share(record, make_study(), (), (), (), {assignment.id: run}, {run.id: turns}, {})


def signals(*texts: str, **more: object) -> Signals:
    return signals_of(share(*texts, **more))  # type: ignore[arg-type]


def test_someone_who_writes_at_leisure_is_not_notable() -> None:
    assert signals("The tone is plain to me.", "It says what it means.").notable == ()


def test_a_message_faster_than_anybody_types_is_worth_a_look() -> None:
    found = signals("x" * 300, seconds=10)

    assert found.typed_per_s == 30
    assert "typing" in found.notable


def test_short_messages_and_repeated_ones_are_told_apart() -> None:
    curt, repeated = signals("ok", "yes", "no"), signals("It is a joke about tape.", "It is a  JOKE about tape.")

    assert curt.notable == ("curt",)
    assert (repeated.repeated, repeated.notable) == (1, ("repeated",))


def test_pastes_count_as_the_browser_tells_them() -> None:
    found = signals(events=(Event(AnnotatorId("p-1"), "pasted", "message:a-1", NOON, {"times": 2, "characters": 240}),))

    assert (found.pastes, found.pasted_characters, found.notable) == (2, 240, ("pastes",))


def test_a_failed_check_is_told_of_how_many() -> None:
    found = signals(answers=(make_answer("colour", "red"), make_answer("letters", "sunshine")))

    assert (found.checks_failed, found.checks) == (1, 2)
    assert found.notable == ("checks",)


def test_the_last_decision_stands_above_the_rule_of_attention_checks() -> None:
    failed = share(ending="attention_failed")
    out, again = (Exclusion(AnnotatorId("p-1"), what, "why", "", NOON) for what in (True, False))

    def excluded(of: Share, *decisions: Exclusion) -> str:
        return Share(of.record, of.study, (), (), (), {}, {}, {}, decisions).exclusion

    assert failed.exclusion == "attention_failed"
    assert excluded(failed, again) == ""
    assert excluded(share(), out) == "by_decision"
    assert excluded(share(), out, again) == ""
