"""Blind draws, requests for labels, and what is handed over to a machine because of them."""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from crito.store.tables.columns import Name, UtcTime, metadata, ordinal_column, required, study_column

blind_draws = Table(
    "blind_draws",
    metadata,
    ordinal_column(),
    required("id", Name),
    study_column(),
    required("task", Name),
    required("purpose", Name),
    required("rule", Name),
    required("rate", Double),
    required("n_items", Integer),
    required("n_drawn", Integer),
    required("seed_hash", Name),
    required("seed", Name),
    required("drawn_at", UtcTime),
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
    study_column(),
    required("item_hash", Name),
    required("probability", Double),
    required("drawn", Boolean),
    Index(None, "study", "item"),
)

label_requests = Table(
    "label_requests",
    metadata,
    ordinal_column(),
    required("id", Name),
    study_column(),
    required("task", Name),
    required("item", Name),
    required("item_hash", Name),
    required("condition", Name),
    required("number", Integer),
    required("purpose", Name),
    required("requested_at", UtcTime),
    Column("probability", Double),
    Column("draw", Name),
    required("source", Text),
    required("asked_of", Name),
    required("rank", BigInteger),
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
    ordinal_column(),
    study_column(),
    required("task", Name),
    required("item", Name),
    required("at", UtcTime),
    UniqueConstraint("study", "task", "item"),
)

handoffs = Table(
    "handoffs",
    metadata,
    ordinal_column(),
    required("id", Name),
    study_column(),
    required("study_version", Integer),
    required("task", Name),
    required("version", Name),
    required("number", Integer),
    required("rule", Name),
    required("threshold", Double),
    required("level", Double),
    required("certified", Boolean),
    required("n_items", Integer),
    required("n_blind", Integer),
    required("agreeing", Integer),
    Column("bound", Double),
    required("settings", JSON),
    required("reading", JSON),
    required("evidence_hash", Name),
    required("evidence_until", UtcTime),
    required("by", Text),
    required("at", UtcTime),
    UniqueConstraint("id"),
    Index(None, "study", "task"),
)

revocations = Table(
    "revocations",
    metadata,
    ordinal_column(),
    required("handoff", Name, ForeignKey("handoffs.id")),
    study_column(),
    required("reason", Name),
    required("words", Text),
    required("reading", JSON),
    required("evidence_hash", Name),
    required("by", Text),
    required("at", UtcTime),
    UniqueConstraint("handoff"),
    Index(None, "study"),
)

accepted_labels = Table(
    "accepted_labels",
    metadata,
    Column("handoff", Name, ForeignKey("handoffs.id"), primary_key=True),
    Column("item", Name, primary_key=True),
    study_column(),
    required("task", Name),
    required("item_hash", Name),
    required("label", Name),
    Column("confidence", Double),
    required("source", Text),
    required("at", UtcTime),
    Index(None, "study", "task", "item"),
)
