"""The server is killed while people work; the benchmark of the same name does it more often."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.crash import STUDY, crash, look, make_study
from crito.bootstrap import load_study
from crito.cli.rehearsing import known_answers
from crito.rehearsal.crowds import Crowd, rehearse
from crito.rehearsal.server import running_server
from crito.rehearsal.tempers import STEADY


@pytest.mark.slow
async def test_what_was_acknowledged_outlives_the_server(store_url: str, tmp_path: Path) -> None:
    found = await crash(make_study(tmp_path / "study"), store_url, kills=5)

    assert sum(found.acknowledged.values()) > 0
    assert found.lost == []
    assert found.doubled == []
    assert found.contradicted == []
    assert found.stuck == []


async def test_a_record_that_lost_or_doubled_something_is_found_out(tmp_path: Path) -> None:
    database = tmp_path / "study" / "study.db"
    study_file = make_study(tmp_path / "study")
    crowd = Crowd(people=1, temper=STEADY, known=known_answers(load_study(study_file)))
    async with running_server([str(study_file)], "--port", "0", "--rehearsal") as server:
        saved = (await rehearse(server.people[STUDY], crowd)).tally.saved

    assert look(f"sqlite:///{database}", saved) == ([], [])

    with closing(sqlite3.connect(database)) as connection:
        connection.executescript("""
            DELETE FROM annotations WHERE ordinal = 1;
            DELETE FROM events WHERE kind = 'surveyed';
            UPDATE words SET body = 'other words' WHERE id = (SELECT text FROM turns WHERE kind = 'person' LIMIT 1);
            INSERT INTO annotations SELECT 999, study, annotator, task, item, item_hash, assignment, condition,
                study_version, round, revision + 1, seq + 100, label, state, confidence, rationale, guideline_hash,
                shown_at, submitted_at, client_times_ms FROM annotations WHERE ordinal = 2;
        """)
    lost, doubled = look(f"sqlite:///{database}", saved)

    assert sorted(problem.split()[1] for problem in lost) == ["annotate", "message", "survey"]
    assert len(doubled) == 1
