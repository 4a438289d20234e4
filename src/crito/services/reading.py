"""Transcripts of dialogues for people who may read them; every reading is kept before it is shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

from crito.model.access import Reading
from crito.model.errors import NotFound
from crito.model.ids import AccountId, AssignmentId, RunId, StudyName
from crito.model.record import RecordedTurn, SeenMark
from crito.model.study import Item, Study
from crito.services.happening import who_is_here
from crito.services.parts import Parts
from crito.services.ports.owner import ListedTalk, TalkRow, TalksWanted
from crito.services.ports.store import Tx


class Reader(NamedTuple):
    """Who reads: an account, or with an empty one a program by the name of its token."""

    account: AccountId
    name: str


class SaidTurn(NamedTuple):
    """One turn in words; None where they were erased. `violations` are what the guard found in a partner's turn."""

    speaker: str
    kind: str
    text: str | None
    violations: Sequence[str]
    at: datetime


class Transcript(NamedTuple):
    """One dialogue: what it is about, and every turn in its order."""

    talk: TalkRow
    item: Item
    turns: Sequence[SaidTurn]


async def talks(parts: Parts, study: StudyName, *, after: str = "", limit: int = 50) -> Sequence[TalkRow]:
    """The dialogues of a study page by page, without those of people who withdrew and without anybody's words."""
    return await parts.store.read(lambda tx: tx.talks(study, after=after, limit=limit))


@dataclass(frozen=True, slots=True)
class TalkFilter:
    """Which dialogues are meant; empty is any. `live` are those in which somebody is at this moment.

    `marked` are with `yes` those in which a guard marked a turn, with `unseen` those of them whose marks nobody has seen.
    """

    search: str = ""
    task: str = ""
    condition: str = ""
    marked: Literal["", "yes", "unseen"] = ""
    live: bool = False


class TalkPage(NamedTuple):
    """A page of the list: how many are meant, of how many there are, which of them are live, and the next page's cursor.

    `seen` has who opened a dialogue, or marked it as seen, last.
    """

    talks: Sequence[ListedTalk]
    meant: int
    n_talks: int
    live: frozenset[AssignmentId]
    next: str
    seen: Mapping[RunId, SeenMark]


async def talk_page(parts: Parts, name: StudyName, which: TalkFilter, *, after: str = "", limit: int = 50) -> TalkPage:
    """The dialogues that `which` means, those begun last first, from the one behind `after` on; without words."""
    _, study = await parts.latest(name)
    now = parts.now()

    def work(tx: Tx) -> TalkPage:
        live = _live(tx, study, now)
        wanted = TalksWanted(
            which.search, which.task, which.condition, which.marked == "yes", which.marked == "unseen",
            assignments=list(live) if which.live else None,
        )  # fmt: skip
        found = tx.listed_talks(name, after=after, limit=limit + 1, wanted=wanted)
        n_talks = tx.count_listed_talks(name, TalksWanted())
        meant = n_talks if wanted == TalksWanted() else tx.count_listed_talks(name, wanted)
        return TalkPage(
            found[:limit], meant, n_talks, live,
            found[limit - 1].run if len(found) > limit else "", tx.seen_by([one.run for one in found[:limit]]),
        )  # fmt: skip

    return await parts.store.survey(work)


async def mark_as_seen(parts: Parts, name: StudyName, reader: Reader, until: datetime) -> None:
    """Note that somebody has seen everything that guards had marked by `until`, without opening the dialogues."""

    def work(tx: Tx) -> None:
        tx.add_seen_marks(name, [SeenMark(run, reader.account, reader.name, until) for run in tx.unseen_runs(name)])

    await parts.store.write(work)


async def is_live(parts: Parts, name: StudyName, assignment: AssignmentId) -> bool:
    """Whether somebody is in this dialogue at this moment."""
    _, study = await parts.latest(name)
    return await parts.store.survey(lambda tx: assignment in _live(tx, study, parts.now()))


async def count_turns(parts: Parts, study: StudyName, assignment: AssignmentId) -> int:
    """How many turns a dialogue has by now; none where there is no such dialogue."""

    def work(tx: Tx) -> int:
        talk = tx.talk(study, assignment)
        return len(tx.turns([talk.run])[talk.run]) if talk else 0

    return await parts.store.read(work)


def _live(tx: Tx, study: Study, now: datetime) -> frozenset[AssignmentId]:
    return frozenset(
        AssignmentId(one.person.opened.removeprefix("talk:"))
        for one in who_is_here(tx, study, now)
        if one.step == "talk" and one.presence != "away"
    )


async def count_talks(parts: Parts, study: StudyName) -> int:
    return await parts.store.read(lambda tx: tx.count_talks(study))


async def read_transcript(parts: Parts, study: StudyName, assignment: AssignmentId, reader: Reader) -> Transcript:
    """The transcript of one dialogue; that `reader` was shown it is on record before this returns.

    Raises:
        NotFound: there is no such dialogue in this study, or the person took it back.
    """
    talk = await parts.store.read(lambda tx: tx.talk(study, assignment))
    if talk is None:
        raise NotFound(f"there is no dialogue of assignment {assignment!r} in this study")
    return (await _read(parts, study, [talk], reader))[0]


async def read_transcripts(
    parts: Parts, study: StudyName, reader: Reader, *, after: str = "", limit: int = 50
) -> Sequence[Transcript]:
    """The transcripts of the dialogues that follow `after`, each of them on record as read."""
    return await _read(parts, study, await talks(parts, study, after=after, limit=limit), reader)


async def _read(parts: Parts, study: StudyName, found: Sequence[TalkRow], reader: Reader) -> list[Transcript]:
    now = parts.now()
    readings = [Reading(study, reader.account, reader.name, talk.annotator, talk.assignment, now) for talk in found]
    if readings:
        await parts.store.write(lambda tx: tx.add_readings(readings))

    def work(tx: Tx) -> list[Transcript]:
        turns = tx.turns([talk.run for talk in found])
        return [
            Transcript(talk, tx.item(study, talk.item, talk.item_hash), [_said(turn) for turn in turns[talk.run]])
            for talk in found
        ]

    return await parts.store.read(work)


def _said(turn: RecordedTurn) -> SaidTurn:
    marks = [violation.rule for violation in turn.violations]
    return SaidTurn(turn.speaker, turn.kind, turn.text, marks, turn.at)


async def readings(
    parts: Parts, study: StudyName, *, before: int = 0, limit: int = 50
) -> Sequence[tuple[int, Reading]]:
    """Who read what, the newest first, with the number by which the list goes on."""
    return await parts.store.read(lambda tx: tx.readings(study, before=before, limit=limit))


async def count_readings(parts: Parts, study: StudyName) -> int:
    return await parts.store.read(lambda tx: tx.count_readings(study))
