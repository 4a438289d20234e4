"""`crito debate`: models argue a subject to its end, and what came of it is written into a folder."""

import asyncio
import contextlib
import re
import signal
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import uvicorn

from crito.bootstrap import Settings, load_study, open_parts
from crito.cli import screen
from crito.cli.judging import read_text
from crito.cli.labelling import spending_of, stop_on_signals
from crito.cli.places import database, shown_database, study_file
from crito.cli.serving import Way, listening
from crito.engine.local import LocalEngine
from crito.engine.shards import Tally
from crito.model.debate import (
    PHASES,
    SWAPS,
    Debate,
    DebateSettings,
    DebateTurn,
    Phase,
    Schedule,
    Swap,
    Topic,
)
from crito.model.errors import InvalidInput
from crito.model.study import Study
from crito.protocols.debate.moderation import MODERATOR
from crito.report.debate_page import render_debate
from crito.report.sweep_page import render_sweep
from crito.services.accounts import make_owner_link
from crito.services.asking import Calling, Stopped
from crito.services.debate_files import (
    DebateReport,
    as_json,
    as_markdown,
    brief_as_markdown,
    speaker_words,
    turn_words,
)
from crito.services.debating import RUN_PREFIX, DebateRun, begin_debate
from crito.services.judging import RUN_PREFIX as JUDGES
from crito.services.labelling import spent_usd
from crito.services.parts import Parts
from crito.services.sweeping import Sweep, agreeableness, sweep_as_json, sweep_as_markdown, sweep_levels
from crito.services.verdict_files import agreement_words, winner_words
from crito.services.whole_debate import debaters_of, hold_and_judge, name_of, study_of
from crito.web.app import create_app
from crito.web.settings import WebSettings


@dataclass(frozen=True, slots=True)
class Wish:
    """What the command line asks for."""

    subject: str
    models: tuple[str, ...]
    judges: tuple[str, ...]
    claims: tuple[str | None, str | None]
    rounds: int
    max_rounds: int | None
    contentiousness: float
    closing: float
    levels: tuple[str, ...]
    topics: int
    topics_proposed: int
    given_topics: tuple[str, ...]
    temperatures: tuple[float, ...]
    max_tokens: int
    concessions: bool
    proposal: bool
    swap: str
    judges_may_debate: bool
    material: Path | None
    language: str
    which: str | None
    at_once: int
    budget_usd: float | None
    in_flight: str
    out: Path | None
    db: str | None
    serve: int | None


def debate(wish: Wish, *, json: bool) -> bool:
    """Hold debates; running it again goes on where it ended. False when it was stopped before the end.

    Raises:
        CritoError: something in the input cannot be used, or a model cannot be asked.
    """
    study, out = _study(wish)
    url = _database(wish, study, out)
    spending = spending_of(wish.budget_usd, wish.in_flight)

    async def work() -> bool:
        spent = 0.0
        if wish.budget_usd is not None:
            async with open_parts(Settings(url)) as parts:
                spent = await spent_usd(parts, study.name, of=(RUN_PREFIX, JUDGES))
        async with open_parts(Settings(url), replace(spending, spent_usd=spent)) as parts:
            for wanted in _wanted(wish, study):
                folder = out if len(study.debates) == 1 else out / wanted.name
                if not await _hold(parts, study, wanted, folder, wish, url, json=json):
                    return False
        return True

    return asyncio.run(work())


async def _hold(parts: Parts, study: Study, wanted: Debate, folder: Path, wish: Wish, url: str, *, json: bool) -> bool:
    """Hold one debate, in both orders if so wanted, and write what came of it; whether nothing stopped it."""
    engine, tally = LocalEngine(wish.at_once), Tally()
    calling = Calling(engine.turnstile, tally.spend)
    run = await begin_debate(parts, study, wanted)
    async with parts.store.hold(f"debate {run.held.id}"), watched(parts, run, wish.serve):
        with stop_on_signals(engine):
            try:
                report = await hold_and_judge(parts, run, calling, _tell)
            except Stopped:
                screen.note(f"Stopped: {tally.words}. The same command goes on from here.")
                return False
            files = write_report(report, folder)
            _say(report, files, tally, url, run.held.id, json=json)
        if wish.serve is not None:
            await _until_told_to_stop()
    return True


async def _until_told_to_stop() -> None:
    told, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, told.set)
    await told.wait()


class _Beside(uvicorn.Server):
    """A server beside the work of this process, which hears signals itself."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@contextlib.asynccontextmanager
async def watched(parts: Parts, run: DebateRun, port: int | None) -> AsyncIterator[None]:
    """While this is open, the owner sees the debate in a browser and may moderate it; nothing where `port` is None.

    Raises:
        InvalidInput: the port is taken.
    """
    if port is None:
        yield
        return
    with listening(Way(port=port)) as (sock, address):
        app = create_app(parts, WebSettings())
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, server_header=False, proxy_headers=False,
            timeout_graceful_shutdown=1,
        )  # fmt: skip
        server = _Beside(config)
        serving = asyncio.create_task(server.serve([sock]))
        token = await make_owner_link(parts, run.study)
        screen.note(f"Watch and moderate: {address}/s/{run.study}/owner/enter/{token} (works once; Ctrl-C stops)")
        try:
            yield
        finally:
            server.should_exit = True
            await serving


def sweep(wish: Wish, numbers: str, *, json: bool) -> None:
    """Have both sides argue at several levels of contentiousness, and judges say how they argue.

    Raises:
        CritoError: something in the input cannot be used, or a model cannot be asked.
    """
    try:
        levels = tuple(dict.fromkeys(float(number) for number in numbers.split(",")))
        Schedule(by_phase=dict.fromkeys(PHASES, max(levels)))
        Schedule(by_phase=dict.fromkeys(PHASES, min(levels)))
    except ValueError as problem:
        wanted = "numbers from 0 to 1 with commas between"
        raise InvalidInput("these are no levels", numbers, wanted, key="--sweep") from problem
    study, out = _study(wish)
    url = _database(wish, study, out)
    engine, tally = LocalEngine(wish.at_once), Tally()

    async def work() -> tuple[list[Sweep], datetime]:
        async with open_parts(Settings(url), spending_of(wish.budget_usd, wish.in_flight)) as parts:
            calling = Calling(engine.turnstile, tally.spend)
            every = [await sweep_levels(parts, study, wanted, calling, levels) for wanted in _wanted(wish, study)]
            return every, parts.now()

    every, made_at = asyncio.run(work())
    for found in every:
        folder = out if len(study.debates) == 1 else out / found.debate.name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "sweep.json").write_text(sweep_as_json(found), encoding="utf-8")
        (folder / "sweep.md").write_text(sweep_as_markdown(found), encoding="utf-8")
        (folder / "sweep.html").write_text(render_sweep(found, made_at), encoding="utf-8")
        if json:
            figures = {f"{level:g}": value for level, value in agreeableness(found).items()}
            screen.facts(
                {"subject": found.debate.subject, "agreeableness": figures, "calls": tally.calls, "out": str(folder)}
            )
            continue
        rows = [
            (one.level, one.side, reading.tone, reading.emphasis, reading.agreeableness)
            for one in found.arguments
            for reading in one.readings
        ]
        screen.table(("level", "side", "tone", "emphasis", "agreeableness"), rows, title=found.debate.subject)
        screen.say(f"Now    {tally.words}")
        screen.say(f"Files  {', '.join(str(folder / name) for name in ('sweep.json', 'sweep.md', 'sweep.html'))}")


def write_report(report: DebateReport, folder: Path) -> list[Path]:
    """Write a debate as JSON, Markdown and HTML, and its decision brief, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    contents = {
        "debate.json": as_json(report),
        "debate.md": as_markdown(report),
        "brief.md": brief_as_markdown(report),
        "debate.html": render_debate(report),
    }
    for name, text in contents.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in contents]


def _tell(line: DebateTurn) -> None:
    if line.speaker == MODERATOR:
        screen.note(f"{speaker_words(line)} {turn_words(line)}")
        return
    about = f", {line.topic}" if line.topic else ""
    number = f" round {line.round}" if line.round else ""
    screen.note(f"{line.phase.replace('_', ' ')}{number}{about}: {speaker_words(line)}")


def _say(report: DebateReport, files: Sequence[Path], tally: Tally, url: str, name: str, *, json: bool) -> None:
    outcome = report.outcome
    if json:
        screen.facts({
            "debate": name, "subject": report.debate.subject, "topics": [topic.title for topic in outcome.topics],
            "rounds": max((turn.round for turn in outcome.transcript.turns), default=0),
            "winner": report.judged.findings.winner if report.judged else None,
            "warnings": list(report.judged.findings.warnings) if report.judged else [],
            "flags": [flag.kind for flag in outcome.flags], "moderated": outcome.moderated, "calls": tally.calls,
            "failed_calls": tally.failed, "cost_usd": None if tally.cost_unknown else tally.cost_usd,
            "files": [str(file) for file in files], "database": shown_database(url),
        })  # fmt: skip
        return
    screen.say(report.debate.subject)
    screen.table(("topic", "described as"), [(topic.title, topic.description) for topic in outcome.topics])
    if report.judged:
        found = report.judged.findings
        screen.say(f"Verdict {winner_words(found.winner)}, by {found.decided_by}. {agreement_words(found)}")
        for warning in found.warnings:
            screen.say(f"Beware  {warning}")
    for flag in outcome.flags:
        screen.note(f"Noticed  {flag.kind.replace('_', ' ')}: {flag.detail}")
    screen.say(f"Now    {tally.words}")
    screen.say(f"Debate {name} in {shown_database(url)}")
    screen.say(f"Files  {', '.join(map(str, files))}")


def _study(wish: Wish) -> tuple[Study, Path]:
    """The study whose debates are held, and the folder for what comes of them; a subject alone makes a study of its own."""
    file = Path(wish.subject)
    if file.suffix in (".yaml", ".yml") or (wish.subject and file.is_dir()):
        study = load_study(study_file(file))
        if not study.debates:
            raise InvalidInput("the study has no debates", file=str(file), key="debates", wanted="add `debates:` to it")
        return study, wish.out or study_file(file).parent / "debates"
    if not wish.subject.strip():
        raise InvalidInput("there is no subject", wanted="write what is to be debated, or name a study file")
    name = name_of(wish.subject)
    return study_of(_debate(wish, name)), wish.out or Path(f"debate-{name}")


def _database(wish: Wish, study: Study, out: Path) -> str:
    file = Path(wish.subject)
    if study.tasks:
        return database(wish.db, study_file(file))
    if not wish.db:
        out.mkdir(parents=True, exist_ok=True)
    return database(wish.db, out / "debate.yaml")


def _wanted(wish: Wish, study: Study) -> list[Debate]:
    chosen = [wanted for wanted in study.debates if wish.which in (None, wanted.name)]
    if not chosen:
        names = ", ".join(wanted.name for wanted in study.debates)
        raise InvalidInput("there is no such debate", wish.which, f"one of {names}", key="--debate")
    return chosen


def _debate(wish: Wish, name: str) -> Debate:
    """The debate that the options describe."""
    swap: Swap | None = next((known for known in SWAPS if known == wish.swap), None)
    if swap is None:
        raise InvalidInput("there is no such swap", wish.swap, f"one of {', '.join(SWAPS)}", key="--swap")
    material = read_text(wish.material) if wish.material else ""
    return Debate(
        name, wish.subject, debaters_of(wish.subject, wish.models, wish.claims, wish.temperatures), _settings(wish), wish.judges,
        wish.judges_may_debate, swap, material, wish.language,
    )  # fmt: skip


def _settings(wish: Wish) -> DebateSettings:
    try:
        schedule = Schedule(wish.contentiousness, wish.closing, _levels(wish.levels))
        return DebateSettings(
            rounds=wish.rounds,
            max_rounds=wish.max_rounds or max(wish.rounds, DebateSettings().max_rounds),
            schedule=schedule,
            topics=wish.topics,
            topics_proposed=max(wish.topics, wish.topics_proposed),
            given_topics=tuple(Topic(title) for title in wish.given_topics),
            max_tokens=wish.max_tokens,
            concessions=wish.concessions,
            joint_proposal=wish.proposal,
        )
    except ValueError as problem:
        raise InvalidInput(str(problem).partition(": ")[2]) from problem


def _levels(given: Sequence[str]) -> dict[Phase, float]:
    """Contentiousness by phase, from `PHASE=NUMBER`."""
    found: dict[Phase, float] = {}
    for one in given:
        name, _, number = one.partition("=")
        phase = next((known for known in PHASES if known == name), None)
        if phase is None or not re.fullmatch(r"[01]?\.?\d+|[01]\.", number):
            raise InvalidInput(
                "this is no level", one, f"PHASE=NUMBER, PHASE being one of {', '.join(PHASES)}", key="--level"
            )
        found[phase] = float(number)
    return found
