"""What comes out of the record, row by row."""

import json
from typing import Any

import pytest

from crito.model.ids import StudyName, WordsId
from crito.model.record import Draw
from crito.model.study import Condition, Partner
from crito.model.talk import Violation
from crito.services.shares import shares
from crito.services.study_tables import StudyTables
from tests.services.recorded import (
    NOON,
    STUDY,
    Left,
    RecordedTx,
    make_annotation,
    make_answer,
    make_assignment,
    make_event,
    make_exposure,
    make_study,
    make_turn,
)

STUDIES = {1: make_study()}
ANA = make_assignment("ana")


def tables_of(
    *left: Left, said: dict[str, str | None] | None = None, studies: Any = None
) -> dict[str, list[dict[str, Any]]]:
    """Every row of these people as a dict, by table."""
    studies = studies or STUDIES
    tables = StudyTables.of(studies)
    rows: dict[str, list[dict[str, Any]]] = {table.name: [] for table in tables.all}
    for share in shares(RecordedTx(left, said or {}), STUDY, studies):  # type: ignore[arg-type]
        for table, row in tables.rows_of(share):
            rows[table.name].append(dict(zip([column.name for column in table.columns], row, strict=True)))
    return rows


def test_every_round_of_every_assignment_has_a_row() -> None:
    second = make_assignment("ana", "i2", status="open", position=1)
    given = [make_annotation(ANA), make_annotation(ANA, "Not sarcastic", round=1, seq=4, confidence="low")]

    rows = tables_of(Left("ana", [ANA, second], given))["annotations"]

    assert [(row["item"], row["round"], row["label"]) for row in rows] == [
        ("i1", 0, "Sarcastic"), ("i1", 1, "Not sarcastic"), ("i2", 0, None), ("i2", 1, None),
    ]  # fmt: skip


def test_a_condition_without_a_second_labelling_has_one_round() -> None:
    alone = Condition("socratic", ("consent", "annotate"), Partner())

    rows = tables_of(Left("ana", [ANA], [make_annotation(ANA)]), studies={1: make_study(conditions=[alone])})

    assert [row["round"] for row in rows["annotations"]] == [0]


def test_a_label_comes_with_all_that_is_known_about_it() -> None:
    given = make_annotation(ANA, rationale=WordsId("w1"), guideline_hash="g", seq=3)
    answers = [
        make_answer("ana", "annotate:ana-i1", "others_agree", "no"),
        make_answer("ana", "annotate:ana-i1", "others_agree", "yes"),
        make_answer("ana", "annotate:ana-i1", "sum", "3"),
    ]

    (row, _) = tables_of(Left("ana", [ANA], [given], answers=answers), said={"w1": "=because"})["annotations"]

    assert row == row | {
        "study": "irony", "study_version": 1, "task": "sarcasm", "item": "i1", "annotator": "ana", "condition": "socratic",
        "assignment_status": "done", "state": "labelled", "label": "Sarcastic", "missing_reason": None,
        "confidence": "high", "confidence_value": 1.0, "rationale": "=because", "rationale_state": "given",
        "gold": "Sarcastic", "blind": True, "exposures": 0, "guideline_hash": "g", "shown_at": NOON,
        "client_times_ms": {"first_input": 900}, "q_others_agree": "yes", "q_talk_would_help": None, "q_sum": "3",
        "attention_failed": 1, "excluded_by_default": False, "exclusion_reason": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("label", "state", "says"),
    [("Sarcastic", None, "labelled"), (None, "not_sure", "not_sure"), (None, "skipped", "skipped")],
)
def test_labels_and_states_are_told_apart(label: str | None, state: str | None, says: str) -> None:
    (row, _) = tables_of(Left("ana", [ANA], [make_annotation(ANA, label, state=state)]))["annotations"]

    assert (row["state"], row["label"]) == (says, label)


@pytest.mark.parametrize(
    ("status", "ending", "reason"),
    [("open", None, "open"), ("expired", None, "expired"), ("ended", "technical", "ended:technical")],
)
def test_an_answer_that_never_came_is_missing_where_the_item_was_shown(status: str, ending: Any, reason: str) -> None:
    mine = make_assignment("ana", status=status)
    seen = make_event("ana", "opened", "annotate:ana-i1")

    shown = tables_of(Left("ana", [mine], events=[seen], ending=ending))["annotations"]
    never = tables_of(Left("ana", [mine], ending=ending))["annotations"]

    assert [(row["state"], row["missing_reason"]) for row in shown] == [("missing", reason)] * 2
    assert [(row["state"], row["missing_reason"]) for row in never] == [("unseen", reason)] * 2


def test_a_label_is_blind_until_something_of_others_came_before_it() -> None:
    given = [make_annotation(ANA, seq=2), make_annotation(ANA, round=1, seq=5)]
    shown = [
        make_exposure(ANA, "run/0/0", "w1", 3, part=0),
        make_exposure(ANA, "run/0/0", "w1", 4, part=-1),
        make_exposure(ANA, "i1/bob", "w1", 4, kind="peer_label"),
        make_exposure(ANA, "run/2/0", "w1", 6),
    ]

    first, last = tables_of(Left("ana", [ANA], given, shown), said={"w1": "Why?"})["annotations"]

    assert (first["blind"], first["exposures"]) == (True, 0)
    assert (last["blind"], last["exposures"]) == (False, 2)
    assert (last["exposures_partner_turn"], last["exposures_peer_label"], last["exposures_suggestion"]) == (1, 1, 0)


def test_what_was_read_of_a_debate_is_a_table_of_its_own() -> None:
    words = {
        f"w{place}": json.dumps({"topic": "Tone", "label": label, "text": f"It is {label}.", "author": "two friends"})
        for place, label in enumerate(("Sarcastic", "Not sarcastic"))
    }
    shown = [
        make_exposure(ANA, f"prepared/1/{place}", f"w{place}", 2 + place, kind="argument", route="debate")
        for place in range(2)
    ]
    given = [make_annotation(ANA), make_annotation(ANA, round=1, seq=4)]

    tables = tables_of(Left("ana", [ANA], given, shown), said=words)

    assert [(row["place"], row["topic"], row["argued_label"], row["argument"]) for row in tables["arguments"]] == [
        (0, "Tone", "Sarcastic", "It is Sarcastic."),
        (1, "Tone", "Not sarcastic", "It is Not sarcastic."),
    ]
    assert {(row["author"], row["annotator"], row["condition"]) for row in tables["arguments"]} == {
        ("two friends", "ana", "socratic")
    }
    assert [row["exposures_argument"] for row in tables["annotations"]] == [0, 2]


def test_an_exposure_in_another_task_counts_on_the_same_item_only() -> None:
    elsewhere = make_exposure(ANA, "run/0/0", "w1", 1, task="relation")
    on_other_item = make_exposure(make_assignment("ana", "i2"), "run/0/0", "w1", 1)

    (seen, _) = tables_of(Left("ana", [ANA], [make_annotation(ANA, seq=2)], [elsewhere]), said={"w1": ""})[
        "annotations"
    ]
    (blind, _) = tables_of(Left("ana", [ANA], [make_annotation(ANA, seq=2)], [on_other_item]), said={"w1": ""})[
        "annotations"
    ]

    assert (seen["blind"], blind["blind"]) == (False, True)


def test_the_last_revision_counts_and_the_earlier_ones_stand_apart() -> None:
    given = [make_annotation(ANA, "Not sarcastic", revision=1, seq=2), make_annotation(ANA)]

    rows = tables_of(Left("ana", [ANA], given))

    assert [(row["revision"], row["label"]) for row in rows["annotations"] if row["round"] == 0] == [
        (1, "Not sarcastic")
    ]
    assert [(row["revision"], row["label"]) for row in rows["revisions"]] == [(0, "Sarcastic")]


def test_erased_words_are_empty_and_said_to_be_erased() -> None:
    given = make_annotation(ANA, rationale=WordsId("w1"))
    answers = [make_answer("ana", "survey", "remarks", None, words=WordsId("w2"))]
    talk = [make_turn(ANA, 0, "", speaker="person", kind="person", erased=True)]

    rows = tables_of(Left("ana", [ANA], [given], turns=talk, answers=answers), said={"w1": None, "w2": None})

    assert (rows["annotations"][0]["rationale"], rows["annotations"][0]["rationale_state"]) == (None, "erased")
    assert (rows["answers"][0]["text"], rows["answers"][0]["text_state"]) == (None, "erased")
    assert (rows["turns"][0]["text"], rows["turns"][0]["erased"]) == (None, True)


def test_a_failed_attention_check_excludes_by_default_only_when_it_ended_the_study() -> None:
    mine = make_assignment("ana", status="ended")

    (row, _) = tables_of(Left("ana", [mine], [make_annotation(mine)], ending="attention_failed"))["annotations"]

    assert (row["label"], row["excluded_by_default"], row["exclusion_reason"]) == (
        "Sarcastic",
        True,
        "attention_failed",
    )


def test_turns_tell_what_was_shown_and_what_was_only_drafted() -> None:
    broken = Violation("one_question", -1, "two questions")
    talk = [
        make_turn(ANA, 0, "Why sarcastic?", kind="fixed"),
        make_turn(ANA, 1, "The tone.", speaker="person", kind="person"),
        make_turn(ANA, 2, "Why? What for?", kind="model", violations=(broken,)),
        make_turn(ANA, 3, "Good. What for? And why?", kind="model", violations=(broken,), mended="Good. What for?"),
        make_turn(ANA, 4, "", kind="fixed", no_answer="no answer in time"),
        make_turn(ANA, 5, "I see. Go on?", kind="model", streamed="I see."),
        make_turn(ANA, 6, "What else?", kind="fixed"),
        make_turn(ANA, 7, "Sarcastic", speaker="person", kind="label"),
    ]
    shown = [
        make_exposure(ANA, "run-ana-i1/0/0", "w0", 1),
        make_exposure(ANA, "run-ana-i1/3/0", "w3", 2),
        make_exposure(ANA, "run-ana-i1/5/0", "w5", 3, part=0),
        make_exposure(ANA, "run-ana-i1/6/0", "w6", 4),
    ]
    said: dict[str, str | None] = {
        "w0": "Why sarcastic?",
        "w3": "Good. What for?",
        "w5": "I see.",
        "w6": "I see. What else?",
    }

    rows = tables_of(Left("ana", [ANA], exposures=shown, turns=talk), said=said)["turns"]

    assert [(row["shown"], row["shown_kind"], row["shown_text"]) for row in rows] == [
        ("shown", "fixed", "Why sarcastic?"), ("own", None, None), ("draft", None, None),
        ("shown", "trimmed", "Good. What for?"), ("no_answer", None, None), ("cut", None, "I see."),
        ("shown", "fixed", "I see. What else?"), ("own", None, None),
    ]  # fmt: skip
    assert rows[2]["violations"] == [{"rule": "one_question", "sentence": -1, "detail": "two questions"}]
    assert (rows[0]["assignment"], rows[0]["prompt"], rows[0]["protocol"]) == (
        "ana-i1",
        "socratic/partner@1",
        "socratic",
    )


def test_answers_know_their_form_and_which_of_them_counts() -> None:
    answers = [
        make_answer("ana", "annotate:ana-i1", "sum", "3"),
        make_answer("ana", "annotate:ana-i1", "sum", "4"),
        make_answer("ana", "survey", "effort", "17"),
        make_answer("ana", "survey", "remarks", None, words=WordsId("w1")),
    ]

    rows = tables_of(Left("ana", [ANA], answers=answers), said={"w1": "NA"})["answers"]

    assert [(r["form"], r["item"], r["question_kind"], r["choice"], r["scale"], r["text"], r["right"], r["counts"]) for r in rows] == [
        ("annotate", "i1", "attention", "3", None, None, False, False),
        ("annotate", "i1", "attention", "4", None, None, True, True),
        ("survey", None, "survey", "17", 17, None, None, True),
        ("survey", None, "survey", None, None, "NA", None, True),
    ]  # fmt: skip


def test_people_events_and_draws_come_with_times() -> None:
    draw = Draw(STUDY, ANA.annotator, "condition", {"socratic": 1.0}, 2**62, "socratic", NOON)
    events = [make_event("ana", "consented"), make_event("ana", "ended", "done", minutes=9)]
    talk = [make_turn(ANA, 1, "The tone.", speaker="person", kind="person")]

    rows = tables_of(Left("ana", [ANA], turns=talk, events=events, draws=[draw], ending="done"))

    (person,) = rows["people"]
    assert person["consented_at"] == NOON
    assert person["last_seen_at"] == person["ended_at"]
    assert (person["assigned"], person["done"], person["messages"], person["ending"]) == (1, 1, 1, "done")
    assert [row["kind"] for row in rows["events"]] == ["consented", "ended"]
    assert [(row["chances"], row["seed"]) for row in rows["draws"]] == [({"socratic": 1.0}, str(2**62))]


def test_what_is_empty_in_the_record_is_missing_in_the_tables() -> None:
    talk = [make_turn(ANA, 0, "Why?")]

    rows = tables_of(Left("ana", [ANA], turns=talk, events=[make_event("ana", "consented")]))

    assert rows["events"][0]["about"] is None
    assert (rows["turns"][0]["mended"], rows["turns"][0]["no_answer"], rows["turns"][0]["model"]) == (None, None, None)


def test_people_are_read_a_hundred_at_a_time_by_a_fixed_number_of_queries() -> None:
    mine = [make_assignment(f"p{number:03}") for number in range(201)]
    tx = RecordedTx([Left(a.annotator, [a], [make_annotation(a)]) for a in mine])

    read = [share.annotator for share in shares(tx, StudyName(STUDY), STUDIES)]  # type: ignore[arg-type]

    assert read == [a.annotator for a in mine]
    assert tx.asked.pop("persons") == 4
    assert set(tx.asked.values()) == {3}
