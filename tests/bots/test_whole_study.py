"""Scripted people walk whole studies through the real server, in its own processes, on both databases."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from crito.bootstrap import load_study
from crito.cli.rehearsing import known_answers
from crito.model.ids import StudyName
from crito.rehearsal.crowds import Crowd, Rehearsed, rehearse
from crito.rehearsal.server import running_server
from crito.rehearsal.tempers import STEADY, Temper
from crito.store.verify import Check, verify

NAME = StudyName("sarcasm-and-relation")
LIVELY = Temper(
    declines=0.1,
    careless=0.1,
    corrects=0.4,
    drops_out=0.01,
    leaves=0.06,
    other_device=0.06,
    reloads=0.2,
    double_clicks=0.2,
    goes_back=0.15,
    two_windows=0.1,
    withdraws=0.01,
)


def edit(study_file: Path, **values: str) -> None:
    """Give keys of the study file other values wherever they stand."""
    text = study_file.read_text()
    for key, value in values.items():
        text = re.sub(rf"(?m)^( *{key}: )[^ #\n]+", rf"\g<1>{value}", text)
    study_file.write_text(text)


async def send(crowd: Crowd, study_file: Path, database: str, *options: str) -> Rehearsed:
    crowd = replace(crowd, known=known_answers(load_study(study_file)))
    options = ("--rehearsal", "--port", "0", "--db", database, *options)
    async with running_server([str(study_file)], *options) as server:
        return await rehearse(server.people[NAME], crowd)


def accounts(database: str) -> Counter[str]:
    """Assignments by status, over all tasks."""
    counts: Counter[str] = Counter()
    for figure, n in verify(database, NAME)[0].figures.items():
        counts[figure.rpartition(": ")[2]] += n
    return +counts


def contradicted(database: str) -> list[Check]:
    return [check for check in verify(database, NAME) if not check.passed]


@pytest.mark.parametrize(
    ("database", "options"),
    [
        ("sqlite", ()),
        pytest.param("postgres", ("--workers", "2", "--root-path", "/lab/crito"), marks=pytest.mark.postgres),
    ],
    ids=["sqlite-plain", "postgres-workers"],
)
async def test_whatever_people_do_the_accounts_hold(
    database: str, options: tuple[str, ...], study_file: Path, request: pytest.FixtureRequest
) -> None:
    store_url = request.getfixturevalue(f"{database}_url")

    done = await send(Crowd(people=12, at_once=6, temper=LIVELY), study_file, store_url, *options)

    assert done.stuck == []
    assert done.tally.faults == []
    assert done.endings["done"] > 0
    assert contradicted(store_url) == []


async def test_each_item_is_completed_by_as_many_people_as_the_study_wants(store_url: str, study_file: Path) -> None:
    edit(study_file, annotators_per_item="1", items_per_person="4", min_messages="1\n  messages_per_minute: 100")

    done = await send(Crowd(people=9, at_once=9, temper=STEADY), study_file, store_url, "--workers", "2")

    # 16 items of each task, 4 of each for everybody.
    assert done.endings == {"done": 4, "over_quota": 5}
    assert accounts(store_url) == {"assigned": 32, "done": 32}
    assert contradicted(store_url) == []


async def test_who_reads_no_question_ends_early_and_their_places_go_to_others(
    sqlite_url: str, study_file: Path
) -> None:
    edit(study_file, annotators_per_item="1")
    careless = replace(STEADY, careless=1.0)

    early = await send(Crowd(people=8, temper=careless, seed=2), study_file, sqlite_url)
    late = await send(Crowd(people=16, temper=STEADY, seed=3), study_file, sqlite_url)

    n_failed = early.endings["attention_failed"]
    assert n_failed > 0
    assert late.endings["done"] == 16 - early.endings["done"]
    assert accounts(sqlite_url)["ended (attention)"] == 2 * n_failed
    assert contradicted(sqlite_url) == []


async def test_the_same_seed_sends_the_same_people(sqlite_url: str, study_file: Path) -> None:
    crowd = Crowd(people=2, at_once=1, temper=STEADY)

    first = await send(crowd, study_file, sqlite_url)
    again = await send(crowd, study_file, sqlite_url)

    assert first.endings == again.endings == {"done": 2}
    # Whoever comes by the same link is at the end already.
    assert [walk.pages for walk in again.walked] == [1, 1]
