"""`crito rehearse`: scripted people in the real server, before real people come."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from crito.bootstrap import load_study
from crito.cli import screen
from crito.cli.places import database, shown_database, study_file
from crito.model.errors import CritoError, InvalidInput
from crito.model.study import Study
from crito.rehearsal.crowds import Crowd, Rehearsed, rehearse
from crito.rehearsal.server import running_server
from crito.rehearsal.tempers import REASONS, Temper

FAULTS_SHOWN = 10


def rehearse_study(
    study: Path,
    db: str | None,
    *,
    people: int,
    at_once: int,
    seed: int,
    pause_s: float,
    workers: int,
    messages: Path | None,
    discard: bool,
    as_json: bool,
) -> None:
    """Send scripted people through a study and say how they fared.

    Raises:
        CritoError: the study cannot be served, real people are in it, or somebody got stuck.
    """
    file = study_file(study)
    defined = load_study(file)
    if defined.open_to != "anyone":
        raise InvalidInput(
            f"scripted people come to studies that are open to anyone, and this one is open to {defined.open_to}",
            came=defined.name,
            wanted="leave `open_to` out of a copy of the study file to rehearse that",
            file=str(file),
        )
    url = database(db, file)
    crowd = Crowd(
        people=people,
        at_once=at_once,
        seed=seed,
        temper=Temper(mean_pause_s=pause_s),
        known=known_answers(defined),
        messages=_read_messages(messages) if messages else REASONS,
    )
    done = asyncio.run(_with_a_server(file, url, workers, defined, crowd, discard=discard))
    if as_json:
        screen.facts(
            {
                "study": defined.name,
                "database": shown_database(url),
                "endings": done.endings,
                "seconds": done.wall_s,
                "requests": done.tally.requests,
                "statuses": done.tally.statuses,
                "retries": done.tally.retries,
                "faults": done.tally.faults,
                "stuck": done.stuck,
                "steps": done.times(),
            }
        )
    else:
        _show(done)
    if done.stuck or done.tally.faults:
        raise CritoError(f"{len(done.stuck)} people got stuck, and the server failed {len(done.tally.faults)} times")
    if not as_json:
        screen.next_command(
            f"The rehearsal is in {shown_database(url)}; `crito serve` removes it with --discard-rehearsal.",
            f"crito verify {defined.name} --db {shown_database(url)}",
        )


def known_answers(study: Study) -> dict[str, str]:
    """What whoever reads the attention checks answers, by field."""
    return {f"q_{check.question.key}": check.expected for check in study.attention_checks}


async def _with_a_server(file: Path, url: str, workers: int, study: Study, crowd: Crowd, *, discard: bool) -> Rehearsed:
    options = ["--rehearsal", "--port", "0", "--db", url, "--workers", str(workers)]
    if discard:
        options.append("--discard-rehearsal")
    async with running_server([str(file)], *options) as server:
        return await rehearse(server.people[study.name], crowd)


def _read_messages(file: Path) -> Sequence[str]:
    """One message a line.

    Raises:
        InvalidInput: the file cannot be read, or holds none.
    """
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput("the messages cannot be read", came=str(error), file=str(file)) from error
    messages = [line.strip() for line in lines if line.strip()]
    if not messages:
        raise InvalidInput("there are no messages", wanted="write one a line", file=str(file))
    return messages


def _show(done: Rehearsed) -> None:
    screen.table(("ending", "people"), sorted(done.endings.items(), key=lambda pair: -pair[1]))
    screen.say()
    screen.table(
        ("step", "times", "median s", "95% within s", "longest s"),
        [(t.step, t.n, t.median_s, t.p95_s, t.most_s) for t in done.times()],
    )
    screen.say()
    tally = done.tally
    screen.say(
        f"{tally.requests:,} requests in {done.wall_s:.1f} s, {tally.retries} tried again, {len(tally.faults)} failed."
    )
    if not done.times():
        screen.note(
            "All of them had been here before. Others come with another --seed; --discard-rehearsal begins anew."
        )
    for problem, n in Counter(tally.faults).most_common(FAULTS_SHOWN):
        screen.note(f"  {n} x {problem}")
    for walk in done.stuck[:FAULTS_SHOWN]:
        screen.note(f"  {walk.who} got stuck after {walk.pages} pages: {walk.reason}")
