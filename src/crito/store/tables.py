"""The tables. Columns bear the names of the fields they keep, so a row reads back as its dataclass.

Every table says which study its rows belong to. Tables with an `ordinal` are append-only logs, in the order of writing.
Words of people stand in `words` alone and in `drafts` until a form is sent; everywhere else only their ids do.
"""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Dialect,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.types import TypeDecorator, TypeEngine

to_json = partial(json.dumps, ensure_ascii=False, separators=(",", ":"), default=dict)


def _utc(value: datetime | None) -> datetime | None:
    if value is not None and value.tzinfo is None:
        raise ValueError(f"a stored time must say its zone, but got {value!r}")
    return value


def _utc_text(value: datetime | None) -> str | None:
    aware = _utc(value)
    return None if aware is None else aware.astimezone(UTC).isoformat(timespec="microseconds")


def _time_of(value: str | None) -> datetime | None:
    return None if value is None else datetime.fromisoformat(value)


class UtcTime(TypeDecorator[datetime]):
    """An aware time; SQLite keeps it as text of fixed width in UTC, which sorts as the times do."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(DateTime(timezone=True) if dialect.name == "postgresql" else Text())

    def bind_processor(self, dialect: Dialect) -> Callable[[Any], Any] | None:
        return _utc if dialect.name == "postgresql" else _utc_text

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any] | None:
        return None if dialect.name == "postgresql" else _time_of


Name = Text().with_variant(Text(collation="C"), "postgresql")
"""Text that is sorted by code point on every database."""
Ordinal = BigInteger().with_variant(Integer(), "sqlite")

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    }
)


def _required(name: str, type_: Any, *rest: Any, **options: Any) -> Column[Any]:
    return Column(name, type_, *rest, nullable=False, **options)


def _study() -> Column[Any]:
    return _required("study", Name)


def _ordinal() -> Column[Any]:
    return Column("ordinal", Ordinal, primary_key=True, autoincrement=True)


study_versions = Table(
    "study_versions",
    metadata,
    Column("study", Name, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    _required("definition", Text),
    _required("hash", Name),
    _required("published_at", UtcTime),
)

items = Table(
    "items",
    metadata,
    Column("study", Name, primary_key=True),
    Column("id", Name, primary_key=True),
    Column("hash", Name, primary_key=True),
    _required("text", Text),
    _required("context", JSON),
)

task_items = Table(
    "task_items",
    metadata,
    Column("study", Name, primary_key=True),
    Column("task", Name, primary_key=True),
    Column("item", Name, primary_key=True),
    _required("hash", Name),
    _required("position", Integer),
    Column("gold", Name),
    ForeignKeyConstraint(["study", "item", "hash"], ["items.study", "items.id", "items.hash"]),
)

slots = Table(
    "slots",
    metadata,
    Column("study", Name, primary_key=True),
    Column("task", Name, primary_key=True),
    Column("condition", Name, primary_key=True),
    Column("item", Name, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    _required("item_hash", Name),
    _required("rank", BigInteger),
    Column("assignment", Name),
    UniqueConstraint("assignment"),
)
Index(
    "ix_slots_free",
    *(slots.c[name] for name in ("study", "task", "condition", "rank")),
    sqlite_where=text("assignment IS NULL"),
    postgresql_where=text("assignment IS NULL"),
)

participants = Table(
    "participants",
    metadata,
    Column("id", Name, primary_key=True),
    _study(),
    _required("study_version", Integer),
    _required("origin", Name),
    _required("language", Name),
    _required("condition", Name),
    _required("seed", BigInteger),
    _required("arrived_at", UtcTime),
    Column("ending", Name),
    Column("ended_at", UtcTime),
    _required("role", Name, server_default="participant"),
    Index(None, "study", "id"),
    Index(None, "study", "arrived_at", "id"),
)


def _person() -> Column[Any]:
    return _required("annotator", Name, ForeignKey("participants.id"))


identities = Table(
    "identities",
    metadata,
    Column("study", Name, primary_key=True),
    Column("provider", Name, primary_key=True),
    Column("external_id", Name, primary_key=True),
    _required("session", Name),
    _person(),
    Index(None, "annotator"),
)

sessions = Table(
    "sessions",
    metadata,
    Column("token_hash", Name, primary_key=True),
    _study(),
    _person(),
    _required("until", UtcTime),
    Index(None, "annotator"),
)

events = Table(
    "events",
    metadata,
    _ordinal(),
    _study(),
    _person(),
    _required("kind", Name),
    _required("about", Name),
    _required("at", UtcTime),
    _required("data", JSON),
    Index(None, "annotator"),
)

draws = Table(
    "draws",
    metadata,
    _ordinal(),
    _study(),
    _required("annotator", Name),
    _required("what", Name),
    _required("chances", JSON),
    _required("seed", BigInteger),
    _required("outcome", Name),
    _required("at", UtcTime),
    UniqueConstraint("annotator", "what"),
)

HELD = "status IN ('open', 'done')"
assignments = Table(
    "assignments",
    metadata,
    Column("id", Name, primary_key=True),
    _study(),
    _person(),
    _required("task", Name),
    _required("item", Name),
    _required("item_hash", Name),
    _required("condition", Name),
    _required("position", Integer),
    _required("slot", Integer),
    _required("status", Name),
    _required("lease_until", UtcTime),
    Index(None, "annotator", "position"),
    Index(None, "study", "task", "condition", "status"),
)
Index(
    "uq_assignments_held",
    *(assignments.c[name] for name in ("study", "task", "condition", "item", "slot")),
    unique=True,
    sqlite_where=text(HELD),
    postgresql_where=text(HELD),
)
Index(
    "ix_assignments_leased",
    assignments.c.lease_until,
    sqlite_where=text("status = 'open'"),
    postgresql_where=text("status = 'open'"),
)

annotations = Table(
    "annotations",
    metadata,
    _ordinal(),
    _study(),
    _required("annotator", Name),
    _required("task", Name),
    _required("item", Name),
    _required("item_hash", Name),
    Column("assignment", Name, ForeignKey("assignments.id")),
    _required("condition", Name),
    _required("study_version", Integer),
    _required("round", Integer),
    _required("revision", Integer),
    _required("seq", Integer),
    Column("label", Name),
    Column("state", Name),
    Column("confidence", Name),
    Column("rationale", Name),
    _required("guideline_hash", Name),
    _required("shown_at", UtcTime),
    _required("submitted_at", UtcTime),
    _required("client_times_ms", JSON),
    UniqueConstraint("annotator", "task", "item", "round", "revision"),
    UniqueConstraint("annotator", "item", "seq"),
    Index(None, "assignment"),
    Index(None, "item", "task", "round"),
)

Index(
    "ix_annotations_first",
    *(annotations.c[name] for name in ("study", "task", "item", "label", "state", "annotator", "revision")),
    sqlite_where=text("round = 0"),
    postgresql_where=text("round = 0"),
)
Index(
    "ix_annotations_revised",
    *(annotations.c[name] for name in ("annotator", "task", "item", "round", "revision")),
    sqlite_where=text("revision > 0"),
    postgresql_where=text("revision > 0"),
)

Index(
    "ix_events_failed",
    events.c.annotator,
    sqlite_where=text("kind = 'failed'"),
    postgresql_where=text("kind = 'failed'"),
)

answers = Table(
    "answers",
    metadata,
    _ordinal(),
    _study(),
    _person(),
    _required("about", Name),
    _required("question", Name),
    Column("choice", Name),
    Column("words", Name),
    _required("at", UtcTime),
    Index(None, "annotator"),
)

exposures = Table(
    "exposures",
    metadata,
    _ordinal(),
    _study(),
    _required("annotator", Name),
    _required("item", Name),
    _required("task", Name),
    _required("kind", Name),
    _required("source", Name),
    _required("part", Integer),
    _required("content", Name),
    _required("route", Name),
    _required("seq", Integer),
    _required("at", UtcTime),
    UniqueConstraint("annotator", "item", "source", "part", "content"),
    UniqueConstraint("annotator", "item", "seq"),
)

words = Table(
    "words",
    metadata,
    Column("id", Name, primary_key=True),
    Column("study", Name),
    Column("owner", Name),
    Column("body", Text),
    Index(None, "owner"),
)

word_salts = Table(
    "word_salts",
    metadata,
    Column("annotator", Name, primary_key=True),
    Column("study", Name),
    _required("salt", Name),
)

drafts = Table(
    "drafts",
    metadata,
    Column("annotator", Name, ForeignKey("participants.id"), primary_key=True),
    Column("form", Name, primary_key=True),
    _study(),
    _required("fields", JSON),
    _required("at", UtcTime),
)

annotators = Table(
    "annotators",
    metadata,
    Column("id", Name, primary_key=True),
    _study(),
    _required("provider", Name),
    _required("model", Name),
    _required("method", Name),
    _required("persona", Text),
    _required("prompt", Name),
    _required("prompt_hash", Name),
    _required("guideline_hash", Name),
    _required("parameters", JSON),
    Index(None, "study"),
)

labellings = Table(
    "labellings",
    metadata,
    _ordinal(),
    _required("id", Name),
    _study(),
    _required("study_version", Integer),
    _required("task", Name),
    _required("panel", JSON),
    _required("protocol_version", Integer),
    _required("seed", BigInteger),
    _required("agents", JSON),
    _required("begun_at", UtcTime),
    UniqueConstraint("id"),
    Index(None, "study", "ordinal"),
)

runs = Table(
    "runs",
    metadata,
    Column("id", Name, primary_key=True),
    _study(),
    Column("assignment", Name, ForeignKey("assignments.id")),
    Column("labelling", Name),
    Column("item", Name),
    Column("item_hash", Name),
    Column("revision", Integer),
    Column("about", Name),
    _required("protocol", Name),
    _required("protocol_version", Integer),
    UniqueConstraint("assignment", "protocol", "protocol_version"),
    Index(None, "study", "assignment"),
    Index(None, "labelling"),
    Index(None, "about"),
)
"""Of a dialogue, which has an assignment; of a panel on an item, which has a labelling; or about a debate or document."""

debates = Table(
    "debates",
    metadata,
    _ordinal(),
    _required("id", Name),
    _study(),
    _required("study_version", Integer),
    _required("name", Text),
    _required("definition", Text),
    _required("begun_at", UtcTime),
    UniqueConstraint("id"),
    Index(None, "study", "ordinal"),
)

interventions = Table(
    "interventions",
    metadata,
    Column("run", Name, ForeignKey("runs.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    _study(),
    _required("kind", Name),
    _required("value", Text),
    _required("at", UtcTime),
)

outcomes = Table(
    "outcomes",
    metadata,
    Column("run", Name, ForeignKey("runs.id"), primary_key=True),
    _study(),
    _required("labelling", Name),
    _required("item", Name),
    _required("vote", JSON),
    _required("rounds", Integer),
    _required("at", UtcTime),
    Index(None, "labelling"),
)

FIRST = 'step = 0 AND "index" = 0'
MARKED = "json_array_length(violations) > 0"
turns = Table(
    "turns",
    metadata,
    Column("run", Name, ForeignKey("runs.id"), primary_key=True),
    Column("step", Integer, primary_key=True, autoincrement=False),
    Column("index", Integer, primary_key=True, autoincrement=False),
    _study(),
    _required("annotator", Name),
    _required("fingerprint", Name),
    _required("speaker", Name),
    _required("kind", Name),
    Column("text", Name),
    Column("mended", Name),
    Column("streamed", Name),
    _required("violations", JSON),
    Column("violation_details", Name),
    _required("no_answer", Text),
    _required("model", Name),
    _required("prompt", Name),
    _required("prompt_hash", Name),
    Column("call", Name),
    _required("at", UtcTime),
    _required("latency_ms", BigInteger),
    Column("labelled", JSON(none_as_null=True)),
    Index(None, "annotator", "at"),
)

Index("ix_turns_first", turns.c.study, turns.c.at, sqlite_where=text(FIRST), postgresql_where=text(FIRST))
Index(
    "ix_turns_marked",
    turns.c.study,
    turns.c.run,
    sqlite_where=text(MARKED),
    postgresql_where=text(MARKED),
)

reply_leases = Table(
    "reply_leases",
    metadata,
    Column("run", Name, ForeignKey("runs.id"), primary_key=True),
    Column("step", Integer, primary_key=True, autoincrement=False),
    _study(),
    _required("holder", Name),
    _required("until", UtcTime),
)

calls = Table(
    "calls",
    metadata,
    _ordinal(),
    _required("key", Name),
    _study(),
    Column("run", Name),
    _required("status", Name),
    _required("provider", Name),
    _required("requested_model", Name),
    _required("served_model", Name),
    _required("request", Name),
    Column("reply", Name),
    _required("finish_reason", Name),
    Column("input_tokens", BigInteger),
    Column("cached_tokens", BigInteger),
    Column("output_tokens", BigInteger),
    Column("cost_usd", Double),
    Column("latency_ms", BigInteger),
    _required("error", Text),
    _required("intended_at", UtcTime),
    Column("finished_at", UtcTime),
    Column("tokens", Name),
    UniqueConstraint("key"),
    Index(None, "study", "ordinal"),
    Index(None, "run"),
)

Index(
    "ix_calls_uncertain",
    calls.c.study,
    sqlite_where=text("status = 'intended'"),
    postgresql_where=text("status = 'intended'"),
)

accounts = Table(
    "accounts",
    metadata,
    Column("id", Name, primary_key=True),
    _required("name", Text),
    _required("name_key", Name),
    _required("email", Text),
    Column("email_key", Name),
    _required("password", Text),
    _required("made_at", UtcTime),
    UniqueConstraint("name_key"),
    UniqueConstraint("email_key"),
)
"""People who sign in. They belong to no study: their memberships say which ones they work on."""

memberships = Table(
    "memberships",
    metadata,
    _ordinal(),
    _study(),
    _required("account", Name, ForeignKey("accounts.id")),
    _required("role", Name),
    Column("annotator", Name),
    _required("at", UtcTime),
    _required("by", Name),
    Column("ended_at", UtcTime),
    Column("ended_by", Name),
    Index(None, "study", "ordinal"),
    Index(None, "account"),
)
PRESENT = "ended_at IS NULL"
Index(
    "uq_memberships_present",
    memberships.c.study,
    memberships.c.account,
    unique=True,
    sqlite_where=text(PRESENT),
    postgresql_where=text(PRESENT),
)

access_links = Table(
    "access_links",
    metadata,
    Column("id", Name, primary_key=True),
    _required("token_hash", Name),
    _study(),
    Column("account", Name, ForeignKey("accounts.id")),
    _required("role", Name),
    _required("name", Text),
    _required("whole", Boolean),
    _required("at", UtcTime),
    _required("by", Name),
    _required("until", UtcTime),
    Column("spent_at", UtcTime),
    Column("revoked_at", UtcTime),
    UniqueConstraint("token_hash"),
    Index(None, "study", "at"),
)

account_sessions = Table(
    "account_sessions",
    metadata,
    Column("id", Name, primary_key=True),
    _required("token_hash", Name),
    _required("account", Name, ForeignKey("accounts.id")),
    _study(),
    _required("at", UtcTime),
    _required("until", UtcTime),
    Column("ended_at", UtcTime),
    UniqueConstraint("token_hash"),
    Index(None, "account"),
)

sign_in_attempts = Table(
    "sign_in_attempts",
    metadata,
    _ordinal(),
    _required("who", Name),
    _required("address", Name),
    _required("at", UtcTime),
    Index(None, "who", "at"),
    Index(None, "address", "at"),
    Index(None, "at"),
)
"""Passwords that did not fit, by the hash of the name that was typed and a trace of the address; gone after a day."""

api_tokens = Table(
    "api_tokens",
    metadata,
    Column("id", Name, primary_key=True),
    _required("token_hash", Name),
    _study(),
    _required("name", Text),
    _required("scopes", Text),
    _required("at", UtcTime),
    _required("by", Name),
    _required("until", UtcTime),
    Column("revoked_at", UtcTime),
    UniqueConstraint("token_hash"),
    Index(None, "study", "at"),
)

transcript_readings = Table(
    "transcript_readings",
    metadata,
    _ordinal(),
    _study(),
    _required("account", Name),
    _required("reader", Text),
    _required("annotator", Name),
    _required("assignment", Name),
    _required("at", UtcTime),
    Index(None, "study", "ordinal"),
    Index(None, "assignment"),
)

seen_marks = Table(
    "seen_marks",
    metadata,
    _ordinal(),
    _study(),
    _required("run", Name, ForeignKey("runs.id")),
    _required("account", Name),
    _required("name", Text),
    _required("at", UtcTime),
    Index(None, "run"),
)
"""That somebody who works on a study has seen what a guard marked in a dialogue, without opening it."""

budgets = Table(
    "budgets",
    metadata,
    _ordinal(),
    _study(),
    _required("limit_usd", Double),
    _required("state", Name),
    _required("at", UtcTime),
    Index(None, "study", "ordinal"),
)

minutes = Table(
    "minutes",
    metadata,
    Column("annotator", Name, ForeignKey("participants.id"), primary_key=True),
    _study(),
    _required("active", Double),
    _required("whole", Double),
    Column("instructions", Double),
    Column("first_labels", Double),
    Column("second_part", Double),
    Column("survey", Double),
    Index(None, "study"),
)
"""What the time of a person who finished came to, worked out once from their traces, so that sums over thousands are quick."""

state_changes = Table(
    "state_changes",
    metadata,
    _ordinal(),
    _study(),
    _required("state", Name),
    _required("at", UtcTime),
    _required("by", Name),
    Index(None, "study", "ordinal"),
)

exclusions = Table(
    "exclusions",
    metadata,
    _ordinal(),
    _study(),
    _person(),
    _required("excluded", Boolean),
    _required("reason", Text),
    _required("decided_by", Name),
    _required("at", UtcTime),
    Index(None, "annotator"),
    Index(None, "study", "ordinal"),
)

blind_draws = Table(
    "blind_draws",
    metadata,
    _ordinal(),
    _required("id", Name),
    _study(),
    _required("task", Name),
    _required("purpose", Name),
    _required("rule", Name),
    _required("rate", Double),
    _required("n_items", Integer),
    _required("n_drawn", Integer),
    _required("seed_hash", Name),
    _required("seed", Name),
    _required("drawn_at", UtcTime),
    Column("revealed_at", UtcTime),
    UniqueConstraint("id"),
    Index(None, "study", "task"),
)
"""The seed stands here alone, and leaves the database only once it is revealed."""

drawn_items = Table(
    "drawn_items",
    metadata,
    Column("draw", Name, ForeignKey("blind_draws.id"), primary_key=True),
    Column("item", Name, primary_key=True),
    _study(),
    _required("item_hash", Name),
    _required("probability", Double),
    _required("drawn", Boolean),
    Index(None, "study", "item"),
)

label_requests = Table(
    "label_requests",
    metadata,
    _ordinal(),
    _required("id", Name),
    _study(),
    _required("task", Name),
    _required("item", Name),
    _required("item_hash", Name),
    _required("condition", Name),
    _required("number", Integer),
    _required("purpose", Name),
    _required("requested_at", UtcTime),
    Column("probability", Double),
    Column("draw", Name),
    _required("source", Text),
    _required("asked_of", Name),
    _required("rank", BigInteger),
    Column("assignment", Name),
    UniqueConstraint("id"),
    UniqueConstraint("study", "task", "condition", "item", "number"),
    UniqueConstraint("assignment"),
)
Index(
    "ix_label_requests_waiting",
    label_requests.c.study,
    label_requests.c.rank,
    sqlite_where=text("assignment IS NULL"),
    postgresql_where=text("assignment IS NULL"),
)

tunings = Table(
    "tunings",
    metadata,
    _ordinal(),
    _study(),
    _required("task", Name),
    _required("item", Name),
    _required("at", UtcTime),
    UniqueConstraint("study", "task", "item"),
)

handoffs = Table(
    "handoffs",
    metadata,
    _ordinal(),
    _required("id", Name),
    _study(),
    _required("study_version", Integer),
    _required("task", Name),
    _required("version", Name),
    _required("number", Integer),
    _required("rule", Name),
    _required("threshold", Double),
    _required("level", Double),
    _required("certified", Boolean),
    _required("n_items", Integer),
    _required("n_blind", Integer),
    _required("agreeing", Integer),
    Column("bound", Double),
    _required("settings", JSON),
    _required("reading", JSON),
    _required("evidence_hash", Name),
    _required("evidence_until", UtcTime),
    _required("by", Text),
    _required("at", UtcTime),
    UniqueConstraint("id"),
    Index(None, "study", "task"),
)

revocations = Table(
    "revocations",
    metadata,
    _ordinal(),
    _required("handoff", Name, ForeignKey("handoffs.id")),
    _study(),
    _required("reason", Name),
    _required("words", Text),
    _required("reading", JSON),
    _required("evidence_hash", Name),
    _required("by", Text),
    _required("at", UtcTime),
    UniqueConstraint("handoff"),
    Index(None, "study"),
)

accepted_labels = Table(
    "accepted_labels",
    metadata,
    Column("handoff", Name, ForeignKey("handoffs.id"), primary_key=True),
    Column("item", Name, primary_key=True),
    _study(),
    _required("task", Name),
    _required("item_hash", Name),
    _required("label", Name),
    Column("confidence", Double),
    _required("source", Text),
    _required("at", UtcTime),
    Index(None, "study", "task", "item"),
)

exports = Table(
    "exports",
    metadata,
    _ordinal(),
    _study(),
    _required("path", Text),
    _required("format", Name),
    _required("table", Name),
    _required("rows", BigInteger),
    _required("sha256", Name),
    _required("at", UtcTime),
    Index(None, "study", "ordinal"),
)

openings = Table(
    "openings",
    metadata,
    _ordinal(),
    _study(),
    _required("places", Integer),
    _required("by", Text),
    _required("at", UtcTime),
    Index(None, "study"),
)

submissions = Table(
    "submissions",
    metadata,
    _ordinal(),
    _study(),
    _person(),
    _required("status", Name),
    _required("code", Text),
    _required("source", Name),
    _required("at", UtcTime),
    Index(None, "annotator"),
)

reviews = Table(
    "reviews",
    metadata,
    _ordinal(),
    _study(),
    _person(),
    _required("decision", Name),
    Column("reason", Name),
    _required("by", Text),
    _required("at", UtcTime),
    Index(None, "annotator"),
)
"""The words of a reason are kept as the person's own, so that they go with theirs."""

erasures = Table(
    "erasures",
    metadata,
    _ordinal(),
    _study(),
    _person(),
    _required("scope", Name),
    _required("by", Text),
    _required("at", UtcTime),
    _required("erased", JSON),
    _required("remains", JSON),
    _required("hash", Name),
    Index(None, "annotator"),
    Index(None, "study", "ordinal"),
)

traits = Table(
    "traits",
    metadata,
    _ordinal(),
    _study(),
    _person(),
    _required("name", Name),
    _required("value", Text),
    _required("source", Name),
    _required("at", UtcTime),
    Index(None, "study", "name"),
    Index(None, "annotator"),
)
"""Who people are, as they or their platform say; kept apart from their answers and deleted with their words."""
