"""`crito serve` and `crito demo`: publish studies, say where they are, and serve them until told to stop."""

import asyncio
import contextlib
import os
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Literal

import uvicorn
from uvicorn.supervisors import Multiprocess

from crito.bootstrap import (
    METRICS_VARIABLE,
    SERVING_VARIABLE,
    Settings,
    demo_study,
    environment,
    load_study,
    open_parts,
    partner_models,
    shared_local_models,
)
from crito.cli import screen
from crito.cli.erasing import reminder
from crito.cli.places import database, shown_database, study_file
from crito.model.errors import Conflict, InvalidInput
from crito.model.ids import StudyName
from crito.model.study import Study
from crito.report.debate_page import render_debate
from crito.services.accounts import make_owner_link
from crito.services.debate_files import DebateReport, HeldRun
from crito.services.erasing import retention
from crito.services.parts import Parts
from crito.services.publishing import note_on_display, publish
from crito.services.rehearsals import discard_rehearsal, require_no_people, require_no_rehearsal
from crito.services.staging import stage_debate, stage_judges
from crito.studies.bundled import staged_debate
from crito.studies.planning import notes_on_suggestions
from crito.web import logs
from crito.web.settings import WebSettings

PROXIES_VARIABLE = "CRITO_TRUSTED_PROXIES"
DRAIN_S = 40
"""How long people whose partner is speaking are waited for when the server is told to stop."""
BACKLOG = 2048
PATIENT = "crito.web.patience:PatientProtocol"
SHARED_COUNTS_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Way:
    """How a server is reached, and by how many processes it is served. `address` is empty unless a proxy gives another."""

    host: str = LOOPBACK
    port: int = 0
    workers: int = 1
    root_path: str = ""
    address: str = ""
    log: Literal["plain", "json"] = "plain"
    leave_after_s: float = 0.0


def serve(
    files: Sequence[Path],
    db: str | None,
    way: Way,
    *,
    changes_confirmed: bool,
    discard: bool,
    rehearsal: bool,
    as_json: bool,
) -> None:
    """Serve study files.

    Raises:
        CritoError: a study, the database, a model or the address cannot be used; nothing is served then.
    """
    paths = [study_file(path) for path in files]
    studies = [load_study(path) for path in paths]
    names = [study.name for study in studies]
    if len(set(names)) < len(names):
        raise InvalidInput("two of these files define one study", came=", ".join(names), wanted="give each a name")
    url = database(db, paths[0])
    settings = Settings(
        database=url,
        origin="rehearsal" if rehearsal else "real",
        web=WebSettings(
            root_path=_prefix(way.root_path),
            trusted_proxies=_trusted_proxies(),
            record=shown_database(url),
            log_requests=way.log == "json",
            leave_after_s=way.leave_after_s,
        ),
    )
    with shared_local_models(studies), listening(way) as (sock, address):
        links = asyncio.run(_publish(settings, studies, changes_confirmed=changes_confirmed, discard=discard))
        _run(settings, way, sock, partial(_announce, address, links, settings, studies, as_json=as_json))


def log_kind(given: str) -> Literal["plain", "json"]:
    """The kind of log that was asked for.

    Raises:
        InvalidInput: there is no such kind.
    """
    kinds: dict[str, Literal["plain", "json"]] = {"plain": "plain", "json": "json"}
    if given in kinds:
        return kinds[given]
    raise InvalidInput("there is no such log", came=given, wanted="use plain or json", key="--log")


def demo(model: str, port: int, *, as_json: bool) -> None:
    """Serve the study that comes with Crito, from a new database in a folder for temporary files."""
    folder = Path(tempfile.mkdtemp(prefix="crito-demo-"))
    study = demo_study(model)
    url = f"sqlite:///{folder / 'demo.db'}"
    settings = Settings(url, web=WebSettings(list_studies=True, record=url))
    way = Way(port=port)
    with shared_local_models([study]), listening(way) as (sock, address):
        links = asyncio.run(_publish(settings, [study], changes_confirmed=False, discard=False))
        page = asyncio.run(_stage(settings, study, folder))
        if not as_json:
            screen.say(f"A debate to look at, held by scripted agents: {page} (and on the page for you)")
        _run(settings, way, sock, partial(_announce, address, links, settings, [study], as_json=as_json))


async def _stage(settings: Settings, study: Study, folder: Path) -> Path:
    """Have scripted agents hold the debate that comes with Crito; its page."""
    async with open_parts(settings) as parts:
        script = staged_debate().read_text(encoding="utf-8")
        run, outcome = await stage_debate(parts, study, script)
        judged = await stage_judges(parts, study, outcome, script)
        report = DebateReport(run.debate, (HeldRun("given", outcome),), parts.now(), staged=True, judged=judged)
    page = folder / "debate.html"
    page.write_text(render_debate(report), encoding="utf-8")
    return page


@contextlib.contextmanager
def listening(way: Way) -> Iterator[tuple[socket.socket, str]]:
    """A socket that takes connections already, and the address under which people find it.

    Raises:
        InvalidInput: the port is taken or not allowed.
    """
    family = socket.AF_INET6 if ":" in way.host else socket.AF_INET
    sock = socket.socket(family)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((way.host, way.port))
    except OSError as error:
        sock.close()
        raise InvalidInput(
            f"cannot listen there ({(error.strerror or str(error)).lower()})",
            came=f"{way.host}:{way.port}",
            wanted="another server may run already; give another --port, or 0 for any that is free",
        ) from error
    sock.listen(BACKLOG)
    with sock:
        yield sock, _address(way, sock.getsockname()[1])


def _address(way: Way, port: int) -> str:
    if way.address:
        return way.address.rstrip("/")
    host = LOOPBACK if way.host in ("0.0.0.0", "") else way.host  # noqa: S104
    host = f"[{host}]" if ":" in host else host
    return f"http://{host}:{port}{_prefix(way.root_path)}"


def _prefix(root_path: str) -> str:
    trimmed = root_path.strip("/")
    return f"/{trimmed}" if trimmed else ""


def _trusted_proxies() -> tuple[str, ...]:
    named = environment().get(PROXIES_VARIABLE)
    if named is None:
        return WebSettings().trusted_proxies
    return tuple(proxy.strip() for proxy in named.split(",") if proxy.strip())


async def _publish(
    settings: Settings, studies: Sequence[Study], *, changes_confirmed: bool, discard: bool
) -> dict[StudyName, str]:
    """Make the studies the present editions; a one-time token for each owner."""
    links = {}
    async with open_parts(settings) as parts:
        for study in studies:
            for model in partner_models(study):
                parts.models(model)  # a missing key is said now, not to the first person who talks
            if discard and (gone := await discard_rehearsal(parts, study.name)):
                screen.note(f"{gone} scripted people of a rehearsal are removed from study {study.name}.")
            if settings.origin == "rehearsal":
                await require_no_people(parts, study.name)
            else:
                await require_no_rehearsal(parts, study.name)
        for study in studies:
            if warning := await note_on_display(parts, study):
                screen.note(f"{study.name}: {warning}.")
            for note in notes_on_suggestions(study):
                screen.note(f"{study.name}: {note}.")
            await _make_present(parts, study, changes_confirmed=changes_confirmed)
            links[study.name] = await make_owner_link(parts, study.name)
            kept = await retention(parts, study.name)
            if kept.kept:
                screen.note(
                    f"{study.name}: {reminder(kept)}" + (f" See `crito retention {study.name}`." if kept.due else "")
                )
    return links


async def _make_present(parts: Parts, study: Study, *, changes_confirmed: bool) -> None:
    try:
        await publish(parts, study, changes_confirmed=changes_confirmed)
    except Conflict as problem:
        if parts.origin != "rehearsal":
            raise
        raise Conflict(
            f"an earlier rehearsal of study {study.name!r} labelled something else than the file has now; "
            "begin the rehearsal anew with --discard-rehearsal"
        ) from problem


def _announce(
    address: str, links: dict[StudyName, str], settings: Settings, studies: Sequence[Study], *, as_json: bool
) -> None:
    places = {
        study.name: {
            **({"people": f"{address}/s/{study.name}/"} if study.conditions else {}),
            "owner": f"{address}/s/{study.name}/owner/enter/{links[study.name]}",
        }
        for study in studies
    }
    if as_json:
        screen.facts({"address": address, "database": shown_database(settings.database), "studies": places})
        return
    for name, place in places.items():
        screen.say(f"Study {name}")
        if "people" in place:
            screen.say(f"  for people   {place['people']}", accent=True)
        screen.say(f"  for you      {place['owner']}")
    screen.say()
    screen.say("The link for you opens the owner's page once. Ctrl-C stops the server; nothing that was saved is lost.")
    name, db = next(iter(places)), shown_database(settings.database)
    screen.next_command(
        f"Everything is recorded in {db}.",
        f"crito export {name} --db {db} --format csv --out {name}-export",
    )
    sys.stdout.flush()


def _run(settings: Settings, way: Way, sock: socket.socket, announce: Callable[[], None]) -> None:
    """Serve until SIGTERM or SIGINT; what is being said to people is finished first."""
    os.environ[SERVING_VARIABLE] = settings.to_variable()
    logs.configure(as_json=settings.web.log_requests)
    config = uvicorn.Config(
        "crito.bootstrap:app",
        factory=True,
        workers=way.workers,
        # The app reads what proxies say itself, and no list of requests is kept: it would hold addresses of people.
        proxy_headers=False,
        access_log=False,
        log_config=None,
        log_level="warning",
        server_header=False,
        http=PATIENT if find_spec("httptools") else "auto",
        timeout_graceful_shutdown=DRAIN_S,
    )
    if way.workers > 1:
        workers = Multiprocess(config, [sock])  # hears signals from here on
        announce()
        with _shared_counts():
            workers.run()
        return
    config.load()
    server = uvicorn.Server(config)

    def leave(number: int, frame: FrameType | None) -> None:
        server.should_exit = True

    # From before the address is told until uvicorn hears signals itself, and when it raises the same ones again at its end.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, leave)
    announce()
    server.run([sock])


@contextlib.contextmanager
def _shared_counts() -> Iterator[None]:
    """A folder where the workers keep their counts of requests, if somebody asks for metrics: a scrape meets any of them."""
    if not environment().get(METRICS_VARIABLE):
        yield
        return
    with tempfile.TemporaryDirectory(prefix="crito-metrics-") as folder:
        os.environ[SHARED_COUNTS_VARIABLE] = folder
        yield


def end_with_stdin() -> None:
    """End this process, as if by SIGTERM, when whoever started it is gone and standard input closes."""
    threading.Thread(target=_end_at_eof, args=[os.dup(sys.stdin.fileno())], daemon=True).start()


def _end_at_eof(stdin: int) -> None:
    while os.read(stdin, 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
