"""Which study, in which database: what commands are told, made definite."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from crito.bootstrap import Settings, environment, open_parts
from crito.model.errors import InvalidInput, NotFound
from crito.model.ids import StudyName
from crito.store.engines import parse_url, shown
from crito.studies.bundled import STUDY_FILE
from crito.studies.yaml_text import parse_yaml

DATABASE_VARIABLE = "CRITO_DB"


DATABASE_ENDINGS = (".db", ".sqlite", ".sqlite3")


def study_file(given: Path) -> Path:
    """The study file; a folder stands for the `study.yaml` in it."""
    return given / STUDY_FILE if given.is_dir() else given


def database(given: str | None, file: Path | None) -> str:
    """The database named on the command line, in the environment, or else the one beside the study file.

    Raises:
        InvalidInput: nothing names one.
    """
    named = given or environment().get(DATABASE_VARIABLE)
    if named:
        return named
    if file is None:
        raise InvalidInput(
            "no database is named", wanted=f"give --db sqlite:///FILE, or set {DATABASE_VARIABLE}, or name a study file"
        )
    return f"sqlite:///{file.with_suffix('.db').resolve()}"


def existing_study(study: str, db: str | None) -> tuple[StudyName, str]:
    """The name of a study and the database that its record is in, from the study's file, its name, or the database.

    Raises:
        InvalidInput: the file cannot be read, or a bare name comes without a database.
        NotFound: there is no such database file.
    """
    file = study_file(Path(study))
    if file.is_file() and file.suffix in DATABASE_ENDINGS:
        url = f"sqlite:///{file.resolve()}"
        return _only_study(url), url
    if file.is_file():
        name, url = _name_in(file), database(db, file)
    elif file.suffix in (".yaml", ".yml"):
        wanted = "name the file, or --db and the study"
        if Path(study).is_dir():
            wanted = "the folder holds no study.yaml; name one of its files"
        raise InvalidInput("there is no such study file", came=study, wanted=wanted)
    else:
        name, url = StudyName(study), database(db, None)
    require_database(url)
    return name, url


def shown_database(url: str) -> str:
    """The address as it may be printed, and typed again where it has no password."""
    return shown(parse_url(url))


def require_database(url: str) -> None:
    """Refuse to make a new SQLite file where a record was expected.

    Raises:
        NotFound: there is no such file.
    """
    parsed = parse_url(url)
    if parsed.drivername == "sqlite" and not Path(str(parsed.database)).is_file():
        raise NotFound(
            f"there is no database {parsed.database!r}: the study was not served from there yet; "
            "name another with --db, or begin with `crito serve`"
        )


def _only_study(url: str) -> StudyName:
    async def work() -> Sequence[StudyName]:
        async with open_parts(Settings(url)) as parts:
            return await parts.store.read(lambda tx: tx.study_names())

    names = asyncio.run(work())
    if len(names) != 1:
        came = ", ".join(names) or "none"
        raise InvalidInput("this database does not hold one study", came, f"name one, with --db {shown_database(url)}")
    return names[0]


def _name_in(file: Path) -> StudyName:
    """The name alone: a record can be read out although the files of its items are gone."""
    content = parse_yaml(file.read_text(encoding="utf-8"), file=str(file)).value
    name = content.get("study") if isinstance(content, dict) else None
    if not isinstance(name, str):
        raise InvalidInput("this file names no study", file=str(file), key="study", wanted="begin with `study: NAME`")
    return StudyName(name)
