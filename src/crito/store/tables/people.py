"""Who takes part, and what they did."""

from sqlalchemy import JSON, BigInteger, Column, Index, Integer, Table, Text, UniqueConstraint, text

from crito.store.tables.columns import Name, UtcTime, metadata, ordinal_column, person_column, required, study_column

participants = Table(
    "participants",
    metadata,
    Column("id", Name, primary_key=True),
    study_column(),
    required("study_version", Integer),
    required("origin", Name),
    required("language", Name),
    required("condition", Name),
    required("seed", BigInteger),
    required("arrived_at", UtcTime),
    Column("ending", Name),
    Column("ended_at", UtcTime),
    required("role", Name, server_default="participant"),
    Index(None, "study", "id"),
    Index(None, "study", "arrived_at", "id"),
)

identities = Table(
    "identities",
    metadata,
    Column("study", Name, primary_key=True),
    Column("provider", Name, primary_key=True),
    Column("external_id", Name, primary_key=True),
    required("session", Name),
    person_column(),
    Index(None, "annotator"),
)

sessions = Table(
    "sessions",
    metadata,
    Column("token_hash", Name, primary_key=True),
    study_column(),
    person_column(),
    required("until", UtcTime),
    Index(None, "annotator"),
)

events = Table(
    "events",
    metadata,
    ordinal_column(),
    study_column(),
    person_column(),
    required("kind", Name),
    required("about", Name),
    required("at", UtcTime),
    required("data", JSON),
    Index(None, "annotator"),
)

Index(
    "ix_events_failed",
    events.c.annotator,
    sqlite_where=text("kind = 'failed'"),
    postgresql_where=text("kind = 'failed'"),
)

draws = Table(
    "draws",
    metadata,
    ordinal_column(),
    study_column(),
    required("annotator", Name),
    required("what", Name),
    required("chances", JSON),
    required("seed", BigInteger),
    required("outcome", Name),
    required("at", UtcTime),
    UniqueConstraint("annotator", "what"),
)

traits = Table(
    "traits",
    metadata,
    ordinal_column(),
    study_column(),
    person_column(),
    required("name", Name),
    required("value", Text),
    required("source", Name),
    required("at", UtcTime),
    Index(None, "study", "name"),
    Index(None, "annotator"),
)
"""Who people are, as they or their platform say; kept apart from their answers and deleted with their words."""
