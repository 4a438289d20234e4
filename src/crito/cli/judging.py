"""`crito judge`: a document read critically by models, reason by reason."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from crito.bootstrap import Settings, Spending, open_parts
from crito.cli import screen
from crito.cli.labelling import spending_of, stop_on_signals
from crito.cli.places import database, shown_database
from crito.engine.local import LocalEngine
from crito.model.crit import CritReport
from crito.model.debate import DebateOutcome
from crito.model.errors import Conflict, CritoError, InvalidInput
from crito.model.ids import RunId
from crito.model.study import Agent
from crito.report.judgement_page import render_judgement, render_judgement_text
from crito.report.scoreboard import render_verdict
from crito.services.asking import Calling, Spent, Stopped
from crito.services.judgement_files import plain_judgement, plain_report, read_record, write_judgement
from crito.services.judging import RUN_PREFIX, STUDY, Document, Judged, Manner, judge_document, read_again
from crito.services.labelling import spent_usd
from crito.services.parts import Parts
from crito.services.verdict_files import plain_verdict, verdict_lines
from crito.services.verdicts import Docket, JudgedDebate, judge_debate, outcome_in

Result = TypeVar("Result")

OUTPUTS = {".json": write_judgement, ".html": render_judgement, ".md": render_judgement_text}


VERDICTS: Mapping[str, Callable[[JudgedDebate], str]] = {
    ".json": lambda judged: json.dumps(plain_verdict(judged), ensure_ascii=False, indent=2) + "\n",
    ".html": render_verdict,
    ".md": lambda judged: "\n".join([f"# {judged.verdict.subject}", "", *verdict_lines(judged)]),
}


@dataclass(frozen=True, slots=True)
class Wish:
    """What the command line asks for."""

    file: str
    judges: tuple[str, ...]
    sources: tuple[str, ...]
    per_reason: bool
    depth: int
    max_calls: int
    swap: bool
    transcript: bool
    may_debate: bool
    at_once: int
    budget_usd: float | None
    in_flight: str
    out: Path | None
    db: str | None


def judge(wish: Wish, *, as_json: bool) -> bool:
    """Judge a document; running it again goes on where it ended. False when it was stopped before the end.

    Raises:
        CritoError: something in the input cannot be used, or a model cannot be asked.
    """
    if wish.out is not None and wish.out.suffix.lower() not in OUTPUTS:
        raise InvalidInput("no page of this kind can be written", wish.out.name, f"end it in {', '.join(OUTPUTS)}")
    judges, debate = named_judges(wish.judges), _debate(wish)
    if debate is not None:
        return _judge_debate(debate, judges, wish, as_json=as_json)
    document = _document(wish)
    manner = Manner(wish.per_reason, max_depth=wish.depth, max_calls=wish.max_calls)
    url = database(wish.db, Path("judged.txt") if wish.file == "-" else Path(wish.file))
    tally = _Tally()
    judged = asyncio.run(
        _carried(
            wish, Settings(url), tally, lambda parts, calling: judge_document(parts, document, judges, calling, manner)
        )
    )
    if judged is None:
        return _stopped()
    if wish.out is not None:
        write_text(wish.out, OUTPUTS[wish.out.suffix.lower()](judged))
    if as_json:
        screen.facts({**plain_judgement(judged), "cost_usd": tally.cost_usd, "database": shown_database(url)})
    else:
        _say(judged, tally, wish)
    return True


def replay_judgement(file: Path, *, as_json: bool) -> None:
    """Go through a written judgement again from its record, without any model, and compare.

    Raises:
        InvalidInput: the file is no judgement.
        Conflict: something comes out that is not what is written there.
    """
    judged, written = read_record(read_text(file), str(file))
    again = [plain_report(report) for report in read_again(judged)]
    if again != written:
        differing = next((new["judge"] for new, old in zip(again, written, strict=False) if new != old), "a judge")
        raise Conflict(f"the answers on record read differently today; first: those of {differing}")
    if as_json:
        screen.facts({"run": judged.run, "reports": len(again), "same": True})
    else:
        screen.say(f"{len(judged.record):,} answers of {judged.run} were gone through again: all as recorded.")


def named_judges(models: Sequence[str]) -> list[Agent]:
    """The judges that the options name, each once.

    Raises:
        InvalidInput: none is named, or something that is no model.
    """
    if not models:
        raise InvalidInput("no judge is named", wanted="name one with --judge PROVIDER:NAME", key="--judge")
    for name in models:
        if ":" not in name:
            raise InvalidInput("this names no model", name, "write PROVIDER:NAME or local:PATH.gguf", key="--judge")
    return [Agent(name) for name in dict.fromkeys(models)]


def read_text(file: Path) -> str:
    """The text of a file.

    Raises:
        InvalidInput: there is no such file, or it is no text.
    """
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise InvalidInput(f"the file cannot be read ({error.strerror or error})", file=str(file)) from error
    except UnicodeDecodeError as error:
        raise InvalidInput("the file is not UTF-8 text", file=str(file)) from error


def write_text(file: Path, text: str) -> None:
    """Write a page.

    Raises:
        CritoError: it cannot be written there.
    """
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CritoError(f"{str(file)!r} cannot be written: {error.strerror or error}") from error


@dataclass(slots=True)
class _Tally:
    calls: int = 0
    cost_usd: float | None = 0.0

    def spend(self, spent: Spent) -> None:
        self.calls += 1
        unknown = spent.cost_usd is None and not spent.failed
        self.cost_usd = None if unknown or self.cost_usd is None else self.cost_usd + (spent.cost_usd or 0.0)


def _debate(wish: Wish) -> DebateOutcome | None:
    """The debate that a JSON file holds, if it does."""
    if not wish.file.lower().endswith(".json"):
        return None
    try:
        return outcome_in(json.loads(read_text(Path(wish.file))))
    except ValueError:
        return None


def _judge_debate(debate: DebateOutcome, judges: Sequence[Agent], wish: Wish, *, as_json: bool) -> bool:
    docket = Docket(debate, both_orders=wish.swap, transcript=wish.transcript, judges_may_debate=wish.may_debate)
    url, tally = database(wish.db, Path(wish.file)), _Tally()
    judged = asyncio.run(
        _carried(wish, Settings(url), tally, lambda parts, calling: judge_debate(parts, docket, judges, calling))
    )
    if judged is None:
        return _stopped()
    if wish.out is not None:
        write_text(wish.out, VERDICTS[wish.out.suffix.lower()](judged))
    if as_json:
        screen.facts({**plain_verdict(judged), "cost_usd": tally.cost_usd, "database": shown_database(url)})
        return True
    for line in verdict_lines(judged):
        screen.say(line)
    _say_cost(tally, judged.run, wish)
    return True


def _stopped() -> bool:
    screen.note("Stopped. The same command goes on from here and asks for nothing twice.")
    return False


async def _carried(
    wish: Wish, settings: Settings, tally: _Tally, work: Callable[[Parts, Calling], Awaitable[Result]]
) -> Result | None:
    """Do the work of judges within the limits that are set; None when it was stopped before its end."""
    spending: Spending = spending_of(wish.budget_usd, wish.in_flight)
    if wish.budget_usd is not None:
        async with open_parts(settings) as parts:
            spending = replace(spending, spent_usd=await spent_usd(parts, STUDY, of=RUN_PREFIX))
    engine = LocalEngine(wish.at_once)
    async with open_parts(settings, spending) as parts:
        with stop_on_signals(engine):
            try:
                return await work(parts, Calling(engine.turnstile, tally.spend))
            except Stopped:
                return None


def _document(wish: Wish) -> Document:
    if wish.file == "-":
        text, name = sys.stdin.read(), "standard input"
    else:
        text, name = read_text(Path(wish.file)), Path(wish.file).name
    sources = {}
    for given in wish.sources:
        source, _, file = given.partition("=")
        if not source.strip() or not file:
            raise InvalidInput("this names no source", given, "write NAME=FILE", key="--source")
        sources[source.strip()] = read_text(Path(file))
    if name in sources:
        raise InvalidInput("a source has the document's own name", name, "give it another", key="--source")
    return Document(text, name, sources)


def _say(judged: Judged, tally: _Tally, wish: Wish) -> None:
    for report in judged.reports:
        _say_report(report, judged.judges[report.judge])
    for name, found in judged.orders.items():
        for order in found:
            screen.say(f"Beware  {name} orders the judge about ({order.kind}): {order.passage!r}")
    _say_cost(tally, judged.run, wish)


def _say_cost(tally: _Tally, run: RunId, wish: Wish) -> None:
    cost = "unknown price" if tally.cost_usd is None else f"{tally.cost_usd:.4f} USD"
    screen.say(f"Now     {tally.calls:,} calls{'' if tally.calls else ': everything was on record'}, {cost}; run {run}")
    if wish.out is not None:
        screen.say(f"The judgement is in {wish.out}.")


def _say_report(report: CritReport, model: str) -> None:
    score, literal = report.score(), report.score("literal")
    shown = "none" if score.value is None else f"{score.value:.2f} of 10"
    summed = "none" if literal.value is None else f"{literal.value:.1f}"
    screen.say(f"{report.document}, read by {model}", accent=True)
    screen.say(f"Claim   {report.claim or '(none found)'}")
    screen.say(f"Score   {shown}{f' ({score.reason})' if score.reason else ''}; the source's literal sum: {summed}")
    screen.table(
        ("", "validity", "credibility", "type", "inference", "argument"),
        [
            (
                one.id, one.rating.validity, one.rating.credibility, one.argument.type,
                f"{one.argument.inference or '-'}{' (!)' if one.speculative else ''}", one.argument.text[:90],
            )
            for one in report.arguments
        ],
    )  # fmt: skip
    if report.n_unreadable or report.n_missing:
        screen.say(
            f"Ratings {report.n_unreadable} unreadable, {report.n_missing} missing; none of them counts as a number"
        )
    for problem in report.problems:
        screen.say(f"Problem {problem}")
