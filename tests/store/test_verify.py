"""A study whose rows are sound passes every check; one wrong row fails the check that is about it."""

import asyncio
import hashlib
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from crito.model.errors import NotFound
from crito.model.ids import AnnotatorId, AssignmentId, CallKey, ItemId, RunId, StudyName, WordsId
from crito.model.record import (
    Annotation,
    Assignment,
    Call,
    Event,
    Export,
    Exposure,
    GivenAnswer,
    RecordedTurn,
    Run,
    StudyVersion,
)
from crito.model.study import Ending
from crito.services.ports.store import Tx
from crito.services.ports.studies import SlotNeed
from crito.store.engines import open_engine
from crito.store.opening import open_store
from crito.store.verify import Check, verify
from crito.studies.definition import dump
from tests.builders import NOON, make_annotation, make_assignment, make_condition, make_participant, make_study

CONTROL = make_condition("control", ("consent", "annotate", "reannotate", "survey"))
SOLO = make_condition("solo", ("consent", "annotate"))
KETTLES = make_study(conditions=(make_condition(), CONTROL, SOLO))
STUDY = KETTLES.name
TASK = KETTLES.tasks[0]
ANA = AnnotatorId("ana")
EXPORTED_AT = NOON + timedelta(hours=1)


def minutes(n: float) -> datetime:
    return NOON + timedelta(minutes=n)


def hold(tx: Tx, annotator: AnnotatorId, name: str, condition: str, status: Any = "done") -> Assignment:
    slot = tx.take_slot(STUDY, TASK.name, condition, AssignmentId(name), pivot=0, avoid=[])
    assert slot
    assignment = make_assignment(
        name, annotator=annotator, item=slot.item, item_hash=slot.item_hash, condition=condition, slot=slot.number,
        status=status,
    )  # fmt: skip
    tx.add_assignments(STUDY, [assignment])
    return assignment


def label(assignment: Assignment, round_: int, seq: int, at: datetime, **more: Any) -> Annotation:
    return make_annotation(
        assignment.id, round_, annotator=assignment.annotator, item=assignment.item, item_hash=assignment.item_hash,
        condition=assignment.condition, seq=seq, submitted_at=at, **more,
    )  # fmt: skip


def talk(tx: Tx, assignment: Assignment) -> None:
    """A dialogue of one message, each of whose partner turns was shown."""
    run = RunId(f"r-{assignment.annotator}")
    tx.add_run(STUDY, Run(run, assignment.id, "socratic", 1))
    for step, (kind, words) in enumerate([("script", "Why?"), ("person", "The tone."), ("script", "And if not?")]):
        tx.add_turn(
            STUDY,
            assignment.annotator,
            RecordedTurn(
                run,
                step,
                0,
                "f" * 64,
                "partner",
                kind,
                words,
                "",
                "",
                (),
                "",
                "",
                "",
                "",
                None,
                minutes(2 + step),
                0,  # type: ignore[arg-type]
            ),
        )
        if kind == "script":
            content = tx.keep_words(assignment.annotator, words)
            seq = tx.next_seq(assignment.annotator, assignment.item)
            source = f"{run}/{step}/0"
            tx.add_exposure(
                STUDY,
                Exposure(
                    assignment.annotator, assignment.item, TASK.name, "partner_turn", source, -1, content, "/talk", seq,
                    minutes(2 + step),
                ),
            )  # fmt: skip


def live(tx: Tx) -> None:
    """Ana is done under the Socratic condition, Ben under another, Cleo expired, Dan withdrew, Eve is at work."""
    people = {name: AnnotatorId(name) for name in ("ana", "ben", "cleo", "dan", "eve")}
    for person in people.values():
        tx.add_participant(make_participant(person), None)
        tx.add_event(Event(person, "consented", "", NOON))
    for name in ("ana", "dan"):
        assignment = hold(tx, people[name], f"a-{name}", "socratic")
        reason = tx.keep_words(people[name], "It is plain.")
        tx.add_annotation(STUDY, label(assignment, 0, 1, minutes(1), rationale=reason))
        talk(tx, assignment)
        tx.add_annotation(STUDY, label(assignment, 1, 4, minutes(6)))
        tx.add_annotation(STUDY, label(assignment, 1, 5, minutes(7), revision=1))
        tx.add_answers(
            STUDY,
            [GivenAnswer(people[name], "survey", "remarks", None, tx.keep_words(people[name], "Fine."), minutes(8))],
        )
    ben = hold(tx, people["ben"], "a-ben", "control")
    tx.add_annotation(STUDY, label(ben, 0, 1, minutes(1)))
    tx.add_annotation(STUDY, label(ben, 1, 2, minutes(2)))
    hold(tx, people["cleo"], "a-cleo", "solo", "open")
    tx.expire_leases(NOON + timedelta(days=1))
    hold(tx, people["eve"], "a-eve", "solo", "open")
    tx.end_participation(people["dan"], "withdrawn", minutes(9))
    tx.erase_words(people["dan"])
    tx.set_status([AssignmentId("a-dan")], "withdrawn")
    tx.release_slots([AssignmentId("a-dan")])
    tx.add_call(
        Call(
            CallKey("k"), STUDY, RunId("r-ana"), "intended", "openai", "m", "", tx.keep_words(ANA, "[]"), None, "",
            None, None, None, None, None, "", minutes(2), None,
        )
    )  # fmt: skip


@pytest.fixture
def sound_url(record_url: str) -> str:
    """A database with a study whose rows are sound."""

    def work(tx: Tx) -> None:
        tx.add_version(StudyVersion(STUDY, 1, dump(KETTLES), "h", NOON))
        tx.put_items(STUDY, TASK.name, TASK.items)
        needs = [SlotNeed(TASK.name, c.name, i.id, i.hash, 2) for c in KETTLES.conditions for i in TASK.items]
        tx.make_slots(STUDY, needs, seed=1)
        live(tx)

    _write(record_url, work)
    return record_url


def _write(url: str, work: Any) -> None:
    async def run() -> None:
        store = open_store(url)
        await store.write(work)
        await store.close()

    asyncio.run(run())


def _corrupt(url: str, *statements: str) -> None:
    engine = open_engine(url)
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
        else:
            connection.exec_driver_sql("SET session_replication_role = replica")
        for statement in statements:
            connection.execute(text(statement))
        connection.commit()
    engine.dispose()


def _failed(checks: tuple[Check, ...]) -> dict[str, int]:
    return {check.name: check.n_problems for check in checks if not check.passed}


def test_sound_rows_pass_every_check_and_are_counted(sound_url: str) -> None:
    checks = {check.name: check for check in verify(sound_url, STUDY)}

    assert {name: check.problems for name, check in checks.items()} == dict.fromkeys(checks, ())
    figures = checks["assignments add up"].figures
    assert {name: n for name, n in figures.items() if n and "assigned" not in name} == {
        "sarcasm, control: done": 1,
        "sarcasm, socratic: done": 1,
        "sarcasm, socratic: withdrawn": 1,
        "sarcasm, solo: expired": 1,
        "sarcasm, solo: open": 1,
    }
    assert checks["places are kept"].figures == {"places": 18, "held": 3, "done or open": 3, "requests": 0}
    assert checks["done is labelled"].figures == {"done": 2}
    assert checks["labels have assignments"].figures == {"labels": 8}
    assert checks["dialogues are whole"].figures == {"runs": 2, "turns": 6}
    assert checks["blind labels are blind"].figures == {"labels": 8, "blind": 4, "exposures": 4}
    assert checks["words are there"].figures["turns"] == 6
    assert checks["words are there"].figures["turns erased"] == 3


LATE = "2026-05-04T12:30:00.000000+00:00"


@pytest.mark.parametrize(
    ("check", "statements"),
    [
        ("assignments add up", ["UPDATE assignments SET status = 'lost' WHERE id = 'a-cleo'"]),
        ("assignments add up", ["UPDATE assignments SET status = 'ended' WHERE id = 'a-cleo'"]),
        ("assignments add up", ["UPDATE participants SET ending = 'technical' WHERE id = 'cleo'"]),
        ("assignments add up", ["DELETE FROM participants WHERE id = 'cleo'"]),
        ("places are kept", ["UPDATE slots SET assignment = NULL WHERE assignment = 'a-ana'"]),
        ("places are kept", ["UPDATE slots SET assignment = 'a-cleo' WHERE assignment = 'a-eve'"]),
        ("places are kept", ["DELETE FROM slots WHERE condition = 'control'"]),
        ("done is labelled", ["DELETE FROM annotations WHERE annotator = 'ben' AND round = 1"]),
        ("done is labelled", ["UPDATE assignments SET status = 'done' WHERE id = 'a-eve'"]),
        ("labels have assignments", ["UPDATE annotations SET assignment = 'a-cleo' WHERE annotator = 'ben'"]),
        ("labels have assignments", ["UPDATE annotations SET item_hash = 'other' WHERE annotator = 'ben' AND round = 1"]),
        ("labels have assignments", ["DELETE FROM annotations WHERE annotator = 'ana' AND round = 1 AND revision = 0"]),
        ("labels have assignments", ["UPDATE annotations SET state = 'skipped' WHERE annotator = 'ben' AND round = 1"]),
        ("dialogues are whole", ["DELETE FROM turns WHERE run = 'r-ana' AND step = 1"]),
        ("dialogues are whole", ["DELETE FROM turns WHERE run = 'r-ana' AND step = 0"]),
        ("dialogues are whole", ["UPDATE turns SET \"index\" = 2 WHERE run = 'r-ana' AND step = 1"]),
        ("dialogues are whole", ["DELETE FROM runs WHERE id = 'r-ana'"]),
        ("blind labels are blind", [f"UPDATE annotations SET submitted_at = '{LATE}' WHERE annotator = 'ana' AND round = 0"]),
        ("blind labels are blind", ["DELETE FROM exposures WHERE annotator = 'ana'"]),
        ("numbers follow time", ["UPDATE exposures SET seq = 1 WHERE annotator = 'ana' AND seq = 2"]),
        ("numbers follow time", [f"UPDATE exposures SET at = '{LATE}' WHERE annotator = 'ana' AND seq = 2"]),
        ("words are there", ["DELETE FROM words WHERE id IN (SELECT content FROM exposures WHERE annotator = 'ana')"]),
        ("words are there", ["UPDATE words SET body = 'back' WHERE owner = 'dan'"]),
    ],
)  # fmt: skip
def test_a_wrong_row_fails_the_check_that_is_about_it(sound_url: str, check: str, statements: list[str]) -> None:
    _corrupt(sound_url, *statements)

    failed = _failed(verify(sound_url, STUDY))

    assert check in failed


@pytest.mark.parametrize(
    ("ending", "shown"),
    [
        ("attention_failed", "ended (attention)"),
        ("no_consent", "ended (consent)"),
        ("technical", "ended (technical)"),
    ],
)
@pytest.mark.parametrize("withdraws", [False, True], ids=["stays", "withdraws later"])
def test_what_ended_an_assignment_is_counted_apart(
    sound_url: str, ending: Ending, shown: str, *, withdraws: bool
) -> None:
    def end(tx: Tx) -> None:
        eve = AnnotatorId("eve")
        tx.set_status([AssignmentId("a-eve")], "ended")
        tx.release_slots([AssignmentId("a-eve")])
        for number, one in enumerate([ending, *(["withdrawn"] if withdraws else [])]):
            tx.end_participation(eve, one, minutes(20 + number))
            tx.add_event(Event(eve, "ended", one, minutes(20 + number)))

    _write(sound_url, end)

    (accounts, *others) = verify(sound_url, STUDY)

    assert [check.problems for check in others if not check.passed] == []
    assert accounts.passed, accounts.problems
    solo = {
        name.rpartition(": ")[2]: n for name, n in accounts.figures.items() if name.startswith("sarcasm, solo") and n
    }
    assert solo == {"assigned": 2, "expired": 1, shown: 1}


@pytest.fixture
def exported(sound_url: str, tmp_path: Path) -> Export:
    """A file of the turns that is told of in the record: Dan's are not in it."""
    file = tmp_path / "turns.csv"
    file.write_text("turns\n")
    export = Export(STUDY, str(file), "csv", "turns", 3, hashlib.sha256(b"turns\n").hexdigest(), EXPORTED_AT)
    _write(sound_url, lambda tx: tx.add_export(export))
    return export


@pytest.mark.parametrize(
    ("table", "rows"),
    [
        ("annotations", 6), ("revisions", 1), ("turns", 3), ("answers", 1), ("people", 4), ("events", 4), ("draws", 0),
        ("calls", 1),
    ],
)  # fmt: skip
def test_an_export_must_have_the_rows_that_the_record_had(sound_url: str, table: str, rows: int) -> None:
    export = Export(STUDY, f"/nowhere/{table}.csv", "csv", table, rows, "0" * 64, EXPORTED_AT)
    _write(sound_url, lambda tx: tx.add_export(export))
    assert _failed(verify(sound_url, STUDY)) == {}

    _write(sound_url, lambda tx: tx.add_export(replace(export, rows=rows + 1)))
    assert _failed(verify(sound_url, STUDY)) == {"exports match": 1}


def test_an_exported_file_must_still_be_what_was_written(sound_url: str, exported: Export) -> None:
    figures = {check.name: check.figures for check in verify(sound_url, STUDY)}["exports match"]
    assert figures == {"files": 1, "unchanged": 1, "moved or deleted": 0}

    Path(exported.path).write_text("turns, touched\n")
    assert _failed(verify(sound_url, STUDY)) == {"exports match": 1}

    Path(exported.path).unlink()
    assert _failed(verify(sound_url, STUDY)) == {}


def test_rows_recorded_after_an_export_do_not_count_against_it(sound_url: str, exported: Export) -> None:
    later = EXPORTED_AT + timedelta(minutes=5)

    def go_on(tx: Tx) -> None:
        turn = tx.turns([RunId("r-ana")])[RunId("r-ana")][1]
        tx.add_turn(STUDY, ANA, replace(turn, step=3, at=later))

    _write(sound_url, go_on)

    assert exported.rows == 3
    assert _failed(verify(sound_url, STUDY)) == {}


def test_a_label_a_moment_before_its_stamp_is_no_finding(sound_url: str) -> None:
    """Two windows of one person: the exposure was stamped first, and the label got the lock first."""

    def race(tx: Tx) -> None:
        assignment = hold(tx, AnnotatorId("ben"), "b-2", "solo")
        tx.add_annotation(STUDY, label(assignment, 0, 1, minutes(20)))
        content = tx.keep_words(AnnotatorId("ben"), "Why?")
        tx.add_exposure(
            STUDY,
            Exposure(
                AnnotatorId("ben"), assignment.item, TASK.name, "partner_turn", "r/0/0", -1, content, "/talk", 2,
                minutes(20) - timedelta(milliseconds=40),
            ),
        )  # fmt: skip

    _write(sound_url, lambda tx: tx.end_participation(AnnotatorId("cleo"), "timed_out", NOON))
    _corrupt(sound_url, "UPDATE assignments SET status = 'expired' WHERE id = 'a-ben'",
             "UPDATE slots SET assignment = NULL WHERE assignment = 'a-ben'",
             "DELETE FROM annotations WHERE annotator = 'ben'")  # fmt: skip
    _write(sound_url, race)

    assert _failed(verify(sound_url, STUDY)) == {}


def test_a_study_that_is_not_there_cannot_be_verified(record_url: str) -> None:
    with pytest.raises(NotFound, match="'pots'"):
        verify(record_url, StudyName("pots"))


def test_many_problems_are_counted_and_the_first_are_told(sound_url: str) -> None:
    def crowd(tx: Tx) -> None:
        for n in range(30):
            person = AnnotatorId(f"p-{n:02}")
            tx.add_participant(make_participant(person), None)
            tx.add_assignments(
                STUDY, [make_assignment(f"x-{n}", annotator=person, item=ItemId(f"x-{n}"), status="done")]
            )
            tx.add_exposure(
                STUDY,
                Exposure(person, ItemId("x"), TASK.name, "suggestion", "s", -1, WordsId(f"lost-{n:02}"), "/", 1, NOON),
            )

    _write(sound_url, crowd)
    words = next(check for check in verify(sound_url, STUDY) if check.name == "words are there")

    assert words.n_problems == 30
    assert len(words.problems) == 20
    assert "lost-00" in words.problems[0]
