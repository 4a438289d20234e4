"""Builds the parts from settings; the only place that reads the environment, and the files that a study names."""

import asyncio
import contextlib
import json
import os
import secrets
from collections.abc import AsyncIterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from dotenv import dotenv_values
from fastapi import FastAPI

from crito.llm.models import Models
from crito.model.errors import InvalidInput
from crito.model.record import Origin
from crito.model.study import Study
from crito.services.overview import expire_leases
from crito.services.parts import Parts
from crito.store.opening import open_store
from crito.studies.study_file import parse_study
from crito.web.app import create_app
from crito.web.settings import WebSettings

SETTINGS_VARIABLE = "CRITO_SERVE_SETTINGS"
"""Carries the settings of `crito serve` from the command to its workers."""

LEASES_LOOKED_AT_EVERY_S = 30


@dataclass(frozen=True, slots=True)
class Settings:
    """What one process of the server needs to know; keys of model providers stay in the environment."""

    database: str
    origin: Origin = "real"
    web: WebSettings = field(default_factory=WebSettings)

    def to_variable(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_variable(cls, text: str) -> "Settings":
        plain = json.loads(text)
        web = plain.pop("web")
        return cls(web=WebSettings(**{**web, "trusted_proxies": tuple(web["trusted_proxies"])}), **plain)


def environment() -> Mapping[str, str]:
    """The variables of the process, over those of `.env` in the working folder."""
    kept = {name: value for name, value in dotenv_values(".env").items() if value is not None}
    return {**kept, **os.environ}


def load_study(path: Path) -> Study:
    """Read a study file and the files it names.

    Raises:
        InvalidInput: there is no such file, or it is no text.
        InvalidStudy: something in it cannot be used.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InvalidInput("the study file cannot be read", wanted=str(error.strerror), file=str(path)) from error
    except UnicodeDecodeError as error:
        raise InvalidInput("the study file is not UTF-8 text", file=str(path)) from error
    return parse_study(text, file=str(path), read=lambda name: (path.parent / name).read_bytes())


def database_beside(study_file: Path) -> str:
    """The address of the SQLite file that belongs to a study file unless another database is named."""
    return f"sqlite:///{study_file.with_suffix('.db').resolve()}"


@contextlib.asynccontextmanager
async def open_parts(database: str, origin: Origin = "real") -> AsyncIterator[Parts]:
    """The parts over one database, closed again at the end.

    Raises:
        DatabaseMismatch: the database is of another schema than this code.
    """
    store = open_store(database)
    models = Models(store, environment(), _now)
    parts = Parts(store, models, _now, lambda: secrets.randbits(63), origin)
    try:
        yield parts
    finally:
        await parts.drain()
        await models.close()
        await store.close()


def app() -> FastAPI:
    """The application of one worker, from the settings that the command left in the environment."""
    settings = Settings.from_variable(os.environ[SETTINGS_VARIABLE])
    return create_app(lambda: _serving(settings), settings.web)


@contextlib.asynccontextmanager
async def _serving(settings: Settings) -> AsyncIterator[Parts]:
    async with open_parts(settings.database, settings.origin) as parts:
        leases = asyncio.create_task(_give_back_lapsed_places(parts))
        try:
            yield parts
        finally:
            leases.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await leases


async def _give_back_lapsed_places(parts: Parts) -> None:
    while True:
        await expire_leases(parts)
        await asyncio.sleep(LEASES_LOOKED_AT_EVERY_S)


def _now() -> datetime:
    return datetime.now(UTC)
