"""Have judges read a text critically: their runs, and how these go on after a stop.

The same judges on the same text are the same run, so that the same command goes on where it ended. What was asked and
answered comes with the result, so that it can be gone through again without a database.
"""

import hashlib
import json
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, is_dataclass
from datetime import datetime
from typing import TypeVar

from crito.model.crit import CritReport
from crito.model.errors import InvalidInput
from crito.model.ids import AnnotatorId, CallKey, RunId, StudyName
from crito.model.record import AgentRun, RecordedTurn
from crito.model.study import Agent
from crito.model.talk import Answer, Answers, Asks, NoAnswer, Turn
from crito.prompts.judges import judge_instructions
from crito.protocols import crit as critical
from crito.protocols.crit import Brief, crit, text_hash
from crito.protocols.driving import Finished, Pending, Recorded, advance
from crito.protocols.orders import Order, orders_to_judge
from crito.protocols.side_by_side import side_by_side
from crito.services.agent_runs import ask_agent
from crito.services.asking import Calling, Place, Said, together, turn_to_record
from crito.services.judge_words import MAX_TOKENS, Bench, turn_of
from crito.services.parts import Parts

Result = TypeVar("Result")

RUN_PREFIX = "j-"
"""By which the runs of judges are known from those of labellers and dialogues."""

STUDY = StudyName("judging")
"""Under which the calls of judges stand in the ledger."""

DOCUMENT, OPPONENT = "document", "opponent"
"""What the text to be judged is called where it has no name, and the text of its opponent."""


@dataclass(frozen=True, slots=True)
class Document:
    """A text to be judged, with the sources it draws on by name, and what an opponent holds against it, if one does."""

    text: str
    name: str = DOCUMENT
    sources: Mapping[str, str] = field(default_factory=dict)
    opponent: str = ""

    @property
    def texts(self) -> Mapping[str, str]:
        return {**self.sources, self.name: self.text, **({OPPONENT: self.opponent} if self.opponent else {})}


@dataclass(frozen=True, slots=True)
class Manner:
    """How judges go about a text; see `Brief`."""

    per_reason: bool = False
    account: bool = True
    max_depth: int = critical.MAX_DEPTH
    max_calls: int = critical.MAX_CALLS
    max_tokens: int = MAX_TOKENS


@dataclass(frozen=True, slots=True)
class KeptTurn:
    """One answer of a run, as it is written down beside its result."""

    step: int
    index: int
    fingerprint: str
    speaker: str
    text: str
    no_answer: str = ""
    model: str = ""
    prompt: str = ""
    prompt_hash: str = ""
    call: CallKey | None = None

    @property
    def recorded(self) -> Recorded:
        return Recorded(self.fingerprint, _answer(self))


@dataclass(frozen=True, slots=True)
class Judged:
    """What judges made of a text.

    Attributes:
        reports: one of each judge.
        orders: what in which text orders the judge about.
        record: every answer, in order.
    """

    run: RunId
    document: Document
    manner: Manner
    judges: Mapping[str, str]
    reports: tuple[CritReport, ...]
    orders: Mapping[str, tuple[Order, ...]]
    record: tuple[KeptTurn, ...]
    at: datetime


def judge_names(judges: Sequence[Agent]) -> dict[str, Agent]:
    """What the judges of a run are called in it."""
    return {f"judge_{number}": judge for number, judge in enumerate(judges, start=1)}


async def judge_document(
    parts: Parts, document: Document, judges: Sequence[Agent], calling: Calling, manner: Manner = Manner()
) -> Judged:
    """Have each judge read the text by itself; the same again asks only for what has no answer yet.

    Raises:
        InvalidInput: there is no text or no judge.
        Stopped: before all was read.
        CritoError: a model cannot be asked at all, or a limit was reached.
    """
    if not document.text.strip():
        raise InvalidInput("there is nothing to judge", document.name, "name a file that has text in it")
    if not judges:
        raise InvalidInput("no judge is named", wanted="name one with --judge PROVIDER:NAME", key="--judge")
    named = judge_names(judges)
    bench = Bench(named, document.texts, manner.max_tokens)
    run = run_id("crit", critical.VERSION, document.texts, document.name, list(judges), manner)
    agent_run = AgentRun(run, text_hash(document.text), "crit", critical.VERSION)
    reports, record = await carry(parts, agent_run, lambda: reading(document, list(named), manner), bench, calling)
    orders = {name: orders_to_judge(text) for name, text in document.texts.items()}
    shown = {name: judge.model for name, judge in named.items()}
    return Judged(
        run, document, manner, shown, tuple(reports), {name: found for name, found in orders.items() if found}, record,
        parts.now(),
    )  # fmt: skip


def reading(document: Document, judges: Sequence[str], manner: Manner) -> Generator[Asks, Answers, list[CritReport]]:
    """The protocol of all judges on a text, side by side."""
    sources = {
        name: text_hash(text) for name, text in document.texts.items() if name != OPPONENT or not document.opponent
    }
    opponent = OPPONENT if document.opponent else ""
    briefs = [
        Brief(
            judge,
            document.name,
            sources,
            opponent,
            manner.per_reason,
            manner.account,
            manner.max_depth,
            manner.max_calls,
        )
        for judge in judges
    ]
    return side_by_side([crit(brief) for brief in briefs])


def read_again(judged: Judged) -> tuple[CritReport, ...]:
    """What the answers on record come to today, without any model.

    Raises:
        ReplayMismatch: the record does not fit the protocol any more.
        InvalidInput: the record ends before the reading does.
    """
    recorded = {(turn.step, turn.index): turn.recorded for turn in judged.record}
    state = advance(reading(judged.document, list(judged.judges), judged.manner), recorded)
    if not isinstance(state, Finished):
        raise InvalidInput("this record ends before the judges were done", f"step {state.step}", "judge the text again")
    return tuple(state.result)


def run_id(*what: object) -> RunId:
    """The id of a run, which follows from everything that decides what is asked in it."""
    canonical = json.dumps(
        [*what, judge_instructions().prompt.hash], sort_keys=True, ensure_ascii=False, default=_plain
    )
    return RunId(f"{RUN_PREFIX}{hashlib.sha256(canonical.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}")


async def carry(
    parts: Parts,
    run: AgentRun,
    protocol: Callable[[], Generator[Asks, Answers, Result]],
    bench: Bench,
    calling: Calling,
    study: StudyName = STUDY,
) -> tuple[Result, tuple[KeptTurn, ...]]:
    """Carry a protocol of judges from where its record ends to its result; every step is recorded before the next is asked.

    A call that does not get through is an answer that did not come, said in the result. It is not recorded, nor is what
    comes after it, so that the same again asks for it once more and has the rest from the ledger.

    Raises:
        Stopped: before it was over.
        CritoError: a model cannot be asked at all, or a limit was reached.
    """
    await parts.store.write(lambda tx: tx.add_agent_run(study, run))
    kept = [kept_turn(turn) for turn in await parts.store.read(lambda tx: tx.turns([run.id])[run.id])]
    whole = True
    while isinstance(state := advance(protocol(), {(t.step, t.index): t.recorded for t in kept}), Pending):
        places = [Place(run.id, state.step, index, state.asks[index]) for index in state.missing]
        told = await together(_answer_of_judge(parts, study, place, bench, calling) for place in places)
        now = parts.now()
        turns = [turn_to_record(place, said, now) for place, said in zip(places, told, strict=True)]
        whole &= all(turn.call is not None or not turn.no_answer for turn in turns)
        if whole:
            rows = [(AnnotatorId(f"{run.id}/{turn.speaker}"), turn) for turn in turns]
            await parts.store.write(lambda tx: tx.add_agent_turns(study, rows))  # noqa: B023
        kept += map(kept_turn, turns)
    return state.result, tuple(kept)


async def _answer_of_judge(parts: Parts, study: StudyName, place: Place, bench: Bench, calling: Calling) -> Said:
    ask = place.ask
    return await ask_agent(parts, study, place, bench.judges[ask.speaker].model, bench.request(ask), turn_of, calling)


def kept_turn(turn: RecordedTurn) -> KeptTurn:
    """A recorded turn as it is written down beside a result."""
    return KeptTurn(
        turn.step, turn.index, turn.fingerprint, turn.speaker, turn.text, turn.no_answer, turn.model, turn.prompt,
        turn.prompt_hash, turn.call,
    )  # fmt: skip


def _answer(turn: KeptTurn) -> Answer:
    if turn.no_answer:
        return NoAnswer(turn.speaker, turn.no_answer)
    return Turn(turn.speaker, turn.text, "model")


def _plain(value: object) -> object:
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else str(value)
