"""`crito recruit`: the ways in and out of a study, places for people, and their submissions at a platform."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from crito.bootstrap import Settings, load_study, open_parts
from crito.cli import screen
from crito.cli.places import existing_study, study_file
from crito.model.errors import Conflict, InvalidInput, NotFound
from crito.model.ids import AnnotatorId, StudyName
from crito.model.recruitment import DECISIONS
from crito.platforms import mturk
from crito.platforms.files import platform_lists, read_submissions
from crito.platforms.prolific import PROLIFIC_TOKEN_VARIABLE, SHORTEST_REASON, read_traits
from crito.services import openings, recruiting
from crito.services.inviting import invitation
from crito.services.openings import Places
from crito.services.parts import Parts
from crito.services.people_traits import take_in_traits
from crito.services.recruiting import Decided, TakenIn
from crito.web.doubts import DOUBTS

BY = "command line"
Result = TypeVar("Result")


def check(study: Path, address: str, *, as_json: bool) -> None:
    """Print the link to paste, what people take back from each ending, and what looks wrong.

    Raises:
        InvalidStudy: the file cannot be used.
    """
    invited = invitation(load_study(study_file(study)), address)
    doubts = [DOUBTS[warning.doubt] % {"about": warning.about} for warning in invited.warnings]
    if as_json:
        screen.facts(
            {
                "provider": invited.provider, "address": invited.address, "paste": invited.paste[invited.provider],
                "endings": [seen._asdict() for seen in invited.endings], "warnings": doubts,
            }
        )  # fmt: skip
        return
    screen.say(f"Paste at the platform ({invited.provider}):")
    screen.say(invited.paste[invited.provider], accent=True)
    screen.say()
    screen.table(
        ("ending", "code", "way back"),
        [(seen.ending, seen.code or None, seen.return_url or "they close the page") for seen in invited.endings],
    )
    screen.say()
    for doubt in doubts:
        screen.say(f"Look at  {doubt}")
    screen.next_command(f"{len(doubts)} things to look at.", f"crito recruit open {study} 10")


def open_places(study: str, db: str | None, n: int | None, *, as_json: bool) -> None:
    """Open places for people, or say how many there are.

    Raises:
        InvalidInput: there would be more open places than people missing.
        NotFound: the study or its database is not there.
    """

    async def work(parts: Parts, name: StudyName) -> Places:
        return await (openings.places(parts, name) if n is None else openings.open_places(parts, name, n, BY))

    found = _in_study(study, db, work)
    if as_json:
        screen.facts({"opened": found.opened, "held": found.held, "missing": found.missing, "open": found.open})
        return
    opened = "never limited" if found.opened is None else f"{found.opened:,} opened in all"
    screen.say(
        f"{found.open:,} places are open, {found.held:,} are held or finished, {found.missing:,} people are missing ({opened})."
    )


def take_in(study: str, db: str | None, file: Path, *, as_json: bool) -> None:
    """Take in a platform's file of submissions.

    Raises:
        InvalidInput: the file cannot be read, or is of another study.
        NotFound: the study or its database is not there.
    """
    listed = read_submissions(_content(file), str(file))
    _tell(
        _in_study(study, db, lambda parts, name: recruiting.take_in(parts, name, listed, "file")),
        study,
        as_json=as_json,
    )


def demographics(study: str, db: str | None, file: Path, *, as_json: bool) -> None:
    """Take in what a platform says of people themselves.

    Raises:
        InvalidInput: the file cannot be read, or is of another study.
        NotFound: the study or its database is not there.
    """
    told = read_traits(_content(file), str(file))
    n_people = _in_study(study, db, lambda parts, name: take_in_traits(parts, name, told))
    if as_json:
        screen.facts({"rows": len(told), "people": n_people})
        return
    screen.next_command(
        f"What the platform says of {n_people:,} people is kept, apart from their answers.",
        f"crito report {study} --by age",
    )


def fetch(study: str, db: str | None, platform_study: str, *, as_json: bool) -> None:
    """Ask Prolific for the submissions of one of its studies.

    Raises:
        InvalidInput: there is no token in the environment, or the submissions are of another study.
        CritoError: Prolific cannot be asked.
    """

    async def work(parts: Parts, name: StudyName) -> TakenIn:
        if parts.prolific is None:
            raise InvalidInput(
                "there is no token for Prolific",
                wanted=f"put one into the variable {PROLIFIC_TOKEN_VARIABLE}, or import a file",
            )
        return await recruiting.take_in(parts, name, await parts.prolific.submissions(platform_study), "api")

    _tell(_in_study(study, db, work), study, as_json=as_json)


def decide(
    study: str, db: str | None, decision: str, people: Sequence[str], reason: str, *, finished: bool, as_json: bool
) -> None:
    """Approve or reject submissions.

    Raises:
        InvalidInput: there is no such decision, nobody is named, or a rejection has no reason.
        NotFound: nobody is called that.
    """
    made = next((one for one in DECISIONS if one == decision), None)
    if made is None:
        raise InvalidInput("there is no such decision", decision, f"use one of {', '.join(DECISIONS)}")
    if bool(people) == finished or (finished and made == "reject"):
        raise InvalidInput("nobody is named", wanted="name people, or approve with --finished everyone who finished")

    async def work(parts: Parts, name: StudyName) -> Decided:
        if finished:
            return await recruiting.approve_finished(parts, name, BY)
        return await recruiting.decide(parts, name, [await find(parts, name, one) for one in people], made, reason, BY)

    decided = _in_study(study, db, work)
    if as_json:
        screen.facts({"decision": made, "reviewed": decided.reviewed, "passed_over": dict(decided.passed_over)})
        return
    for who, why in decided.passed_over.items():
        screen.note(f"Note: {who} {why}.")
    if made == "reject" and len(reason.strip()) < SHORTEST_REASON:
        screen.note(f"Note: Prolific wants {SHORTEST_REASON} characters or more as a reason.")
    screen.next_command(f"{len(decided.reviewed):,} decisions are on record.", f"crito recruit lists {study} --out DIR")


def write_lists(study: str, db: str | None, out: Path, into: Path | None, *, as_json: bool) -> None:
    """Write the lists that platforms take, of decisions they do not know of yet.

    Raises:
        Conflict: there is nothing to tell.
        InvalidInput: the file to fill in is none of Mechanical Turk's.
    """
    told = _in_study(study, db, recruiting.to_tell)
    if not told:
        raise Conflict("nothing was decided that the platform does not know; begin with `crito recruit decide`")
    lists = platform_lists(told)
    if into:
        lists["mturk-reviewed.csv"] = mturk.filled_in(_content(into), str(into), told)
    out.mkdir(parents=True, exist_ok=True)
    for name, text in lists.items():
        (out / name).write_text(text, encoding="utf-8")
    if as_json:
        screen.facts({"decisions": len(told), "files": [str(out / name) for name in lists]})
        return
    for name in lists:
        screen.say(str(out / name))
    screen.say(f"{len(told):,} decisions; import the platform's next list, and they stand here no more.")


async def find(parts: Parts, study: StudyName, who: str) -> AnnotatorId:
    """The pseudonym of someone named by it or by their platform's id.

    Raises:
        NotFound: nobody is called that.
    """
    rows = await parts.store.read(lambda tx: tx.submissions(study, search=who, limit=2))
    if rows:
        return rows[0].participant.id
    person = await parts.store.read(lambda tx: tx.participant(AnnotatorId(who)))
    if person.study != study:
        raise NotFound(f"nobody in {study} has the pseudonym {who!r}")
    return person.id


def _in_study(study: str, db: str | None, work: Callable[[Parts, StudyName], Awaitable[Result]]) -> Result:
    name, url = existing_study(study, db)

    async def run() -> Result:
        async with open_parts(Settings(url)) as parts:
            await parts.latest(name)
            return await work(parts, name)

    return asyncio.run(run())


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise InvalidInput(f"the file cannot be read ({(error.strerror or '').lower()})", file=str(file)) from error


def _tell(taken: TakenIn, study: str, *, as_json: bool) -> None:
    facts: dict[str, Any] = {
        "submissions": taken.rows, "people": taken.people, "absent": taken.absent, "unknown": taken.unknown,
        "changed": dict(taken.changed), "given_back": taken.given_back, "regained": taken.regained,
        "other_submission": taken.other_submission,
    }  # fmt: skip
    if as_json:
        screen.facts(facts)
        return
    news = ", ".join(f"{status} {n:,}" for status, n in taken.changed.items()) or "nothing"
    screen.say(f"{taken.rows:,} submissions, {taken.people:,} of them of people in this study. News: {news}.")
    for count, words in (
        (taken.given_back, "people's places are free again; what they left is kept and flagged"),
        (taken.regained, "people hold their places again"),
        (taken.absent, "people of this study are not in the list"),
        (taken.unknown, "submissions belong to nobody here"),
        (taken.other_submission, "people are listed by another submission than the one they came with"),
    ):
        if count:
            screen.say(f"{count:,} {words}.")
    screen.next_command("The record is up to date.", f"crito recruit decide {study} approve --finished")
