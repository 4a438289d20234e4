"""A whole record copied from one database to another while people go on working: backups, restoring, moving house."""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Column, Connection, Engine, MetaData, Table, func, insert, inspect, select, update

from crito.model.erasure import Scope
from crito.model.errors import CritoError, DatabaseMismatch, InvalidInput
from crito.model.ids import AnnotatorId, StudyName
from crito.store.engines import one_moment, open_engine
from crito.store.record import ERASED
from crito.store.schema import check_schema, is_empty, upgrade
from crito.store.tables.access import access_links, account_sessions, accounts, api_tokens, memberships
from crito.store.tables.columns import UtcTime, metadata, to_json
from crito.store.tables.erasure import erasures
from crito.store.tables.people import participants
from crito.store.tables.record import word_salts, words

ROWS_AT_ONCE = 2_000

backup_made_at = Table("backup_made_at", MetaData(), Column("at", UtcTime, nullable=False))
"""Stands in backups only, and is not copied back."""


@dataclass(frozen=True, slots=True)
class Copied:
    """What was copied: rows by table, and when the copy was taken."""

    rows: Mapping[str, int]
    made_at: datetime

    @property
    def n_rows(self) -> int:
        return sum(self.rows.values())


def back_up(url: str, file: Path) -> Copied:
    """Copy the record at `url`, as it is at this moment, into a new SQLite file; the file appears once it is complete.

    Raises:
        InvalidInput: the file exists.
        DatabaseMismatch: the database is of another schema than this code.
        CritoError: the copy does not hold what was copied.
    """
    if file.exists():
        raise InvalidInput("this file exists, and a backup replaces nothing", came=str(file), wanted="name a new file")
    aside = file.with_name(f".{file.name}.part")
    aside.unlink(missing_ok=True)
    try:
        copied = _copy(url, f"sqlite:///{aside}")
        _finish(aside, copied.made_at)
        aside.rename(file)
    except BaseException:
        for left in aside.parent.glob(f"{aside.name}*"):
            left.unlink(missing_ok=True)
        raise
    return copied


def restore(file: Path, url: str) -> Copied:
    """Copy a backup into a new, empty database.

    Raises:
        InvalidInput: the file is no backup.
        DatabaseMismatch: the database holds something already, or the backup is of another schema than this code.
        CritoError: the database does not hold what was copied.
    """
    made_at = _made_at(file)
    target = open_engine(url)
    try:
        if not is_empty(target):
            raise DatabaseMismatch(
                f"the database {target.url.render_as_string()} holds something already; restore into a new one"
            )
    finally:
        target.dispose()
    copied = Copied(_copy(f"sqlite:///{file}", url).rows, made_at)
    _shut_doors(url)
    return copied


def _shut_doors(url: str) -> None:
    """End every session, link and token: one that was revoked after the backup was made must not open anything again."""
    now = datetime.now(UTC)
    engine = open_engine(url)
    try:
        with _one_transaction(engine) as connection:
            for ended in (account_sessions.c.ended_at, access_links.c.revoked_at, api_tokens.c.revoked_at):
                connection.execute(update(ended.table).where(ended.is_(None)).values({ended: now}))
    finally:
        engine.dispose()


def end_roles_as_in(url: str, in_use: str) -> int:
    """End each role in the record at `url` that is no longer there in the one in use, and take passwords from there too;
    returns how many roles that were."""
    present = select(memberships.c.study, memberships.c.account).where(memberships.c.ended_at.is_(None))
    engine = open_engine(in_use)
    try:
        check_schema(engine)
        with engine.connect() as connection:
            still = {(row.study, row.account) for row in connection.execute(present)}
            passwords = connection.execute(select(accounts.c.id, accounts.c.password)).all()
    finally:
        engine.dispose()
    now = datetime.now(UTC)
    engine = open_engine(url)
    try:
        with _one_transaction(engine) as connection:
            for account, password in passwords:
                connection.execute(update(accounts).where(accounts.c.id == account).values(password=password))
            over = [row for row in connection.execute(present) if (row.study, row.account) not in still]
            for row in over:
                connection.execute(
                    update(memberships)
                    .where(
                        memberships.c.study == row.study,
                        memberships.c.account == row.account,
                        memberships.c.ended_at.is_(None),
                    )
                    .values(ended_at=now, ended_by="")
                )
        return len(over)
    finally:
        engine.dispose()


class Erased(NamedTuple):
    """Whose words were taken back in which study, how much with them, and whether who they are went too."""

    study: StudyName
    scope: Scope
    forgotten: bool = False


def erased_people(url: str) -> Mapping[AnnotatorId, Erased]:
    """Everybody whose words were taken back."""
    engine = open_engine(url)
    try:
        check_schema(engine)
        with engine.connect() as connection:
            found = connection.execute(
                select(participants.c.id, participants.c.study, participants.c.ending)
                .join(word_salts, word_salts.c.annotator == participants.c.id)
                .where(word_salts.c.salt == ERASED)
                .order_by(participants.c.id)
            ).all()
            scopes: dict[str, Scope] = {}
            forgotten: set[str] = set()
            for row in connection.execute(
                select(erasures.c.annotator, erasures.c.scope, erasures.c.erased).order_by(erasures.c.ordinal)
            ):
                scopes[row.annotator] = row.scope
                if "identity" in row.erased:
                    forgotten.add(row.annotator)
            return {
                AnnotatorId(row.id): Erased(
                    StudyName(row.study),
                    "whole" if row.ending == "withdrawn" else scopes.get(row.id, "words"),
                    row.id in forgotten,
                )
                for row in found
            }
    finally:
        engine.dispose()


def count_with_words(url: str) -> int:
    """Of how many people the words are in a record."""
    engine = open_engine(url)
    try:
        with engine.connect() as connection:
            found = select(func.count(words.c.owner.distinct())).where(words.c.body.is_not(None))
            return int(connection.execute(found).scalar_one())
    finally:
        engine.dispose()


def _copy(source_url: str, target_url: str) -> Copied:
    source = open_engine(source_url)
    upgrade(target_url)
    target = open_engine(target_url)
    try:
        check_schema(source)
        with one_moment(source) as reading, _one_transaction(target) as writing:
            made_at = datetime.now(UTC)
            rows = {table.name: _copy_table(table, reading, writing) for table in metadata.sorted_tables}
            if target.dialect.name == "postgresql":
                _go_on_counting(writing)
        return Copied(rows, made_at)
    finally:
        source.dispose()
        target.dispose()


def _copy_table(table: Table, reading: Connection, writing: Connection) -> int:
    sent, rows = 0, reading.execution_options(yield_per=ROWS_AT_ONCE).execute(select(table))
    for part in rows.mappings().partitions(ROWS_AT_ONCE):
        batch = [dict(row) for row in part]
        sent ^= _fingerprint(batch)
        writing.execute(insert(table), batch)
    arrived = 0
    for part in writing.execute(select(table)).mappings().partitions(ROWS_AT_ONCE):
        arrived ^= _fingerprint([dict(row) for row in part])
    if sent != arrived:
        raise CritoError(f"the copy of table {table.name!r} does not hold what was copied; nothing was kept of it")
    return int(writing.execute(select(func.count()).select_from(table)).scalar_one())


def _fingerprint(rows: list[dict[str, Any]]) -> int:
    """A number that does not depend on the order of the rows."""
    found = 0
    for row in rows:
        plain = {name: value.isoformat() if isinstance(value, datetime) else value for name, value in row.items()}
        found ^= int.from_bytes(hashlib.blake2b(to_json(plain, sort_keys=True).encode(), digest_size=16).digest())
    return found


@contextmanager
def _one_transaction(engine: Engine) -> Iterator[Connection]:
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            with connection.begin():
                yield connection
            return
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        try:
            yield connection
        except BaseException:
            connection.exec_driver_sql("ROLLBACK")
            raise
        connection.exec_driver_sql("COMMIT")


def _go_on_counting(connection: Connection) -> None:
    """PostgreSQL numbers new rows from where the copied ones end."""
    for table in metadata.sorted_tables:
        if "ordinal" in table.c:
            following = select(func.coalesce(func.max(table.c.ordinal), 0) + 1).scalar_subquery()
            connection.execute(
                select(func.setval(func.pg_get_serial_sequence(table.name, "ordinal"), following, False))
            )


def _finish(file: Path, made_at: datetime) -> None:
    """Note when the backup was taken, and leave one file without a log beside it."""
    engine = open_engine(f"sqlite:///{file}")
    try:
        with engine.connect() as connection:
            backup_made_at.create(connection)
            connection.execute(insert(backup_made_at), {"at": made_at})
            connection.exec_driver_sql("PRAGMA journal_mode=DELETE")
    finally:
        engine.dispose()


def _made_at(file: Path) -> datetime:
    problem = "this file is no backup of Crito's"
    if not file.is_file():
        raise InvalidInput("there is no such file", came=str(file), wanted="a file written by `crito backup`")
    try:
        engine = open_engine(f"sqlite:///{file}")
    except DatabaseMismatch as error:
        raise InvalidInput(problem, came=str(file), wanted="a file written by `crito backup`") from error
    try:
        if backup_made_at.name not in inspect(engine).get_table_names():
            raise InvalidInput(problem, came=str(file), wanted="a file written by `crito backup`")
        with engine.connect() as connection:
            made_at: datetime = connection.execute(select(backup_made_at.c.at)).scalar_one()
        return made_at
    finally:
        engine.dispose()
