"""Who works on a study, how they get in, and whether it is open."""

from sqlalchemy import Boolean, Column, ForeignKey, Index, Table, Text, UniqueConstraint, text

from crito.store.tables.columns import Name, UtcTime, metadata, ordinal_column, required, study_column

accounts = Table(
    "accounts",
    metadata,
    Column("id", Name, primary_key=True),
    required("name", Text),
    required("name_key", Name),
    required("email", Text),
    Column("email_key", Name),
    required("password", Text),
    required("made_at", UtcTime),
    UniqueConstraint("name_key"),
    UniqueConstraint("email_key"),
)
"""People who sign in. They belong to no study: their memberships say which ones they work on."""

memberships = Table(
    "memberships",
    metadata,
    ordinal_column(),
    study_column(),
    required("account", Name, ForeignKey("accounts.id")),
    required("role", Name),
    Column("annotator", Name),
    required("at", UtcTime),
    required("by", Name),
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
    required("token_hash", Name),
    study_column(),
    Column("account", Name, ForeignKey("accounts.id")),
    required("role", Name),
    required("name", Text),
    required("whole", Boolean),
    required("at", UtcTime),
    required("by", Name),
    required("until", UtcTime),
    Column("spent_at", UtcTime),
    Column("revoked_at", UtcTime),
    UniqueConstraint("token_hash"),
    Index(None, "study", "at"),
)

account_sessions = Table(
    "account_sessions",
    metadata,
    Column("id", Name, primary_key=True),
    required("token_hash", Name),
    required("account", Name, ForeignKey("accounts.id")),
    study_column(),
    required("at", UtcTime),
    required("until", UtcTime),
    Column("ended_at", UtcTime),
    UniqueConstraint("token_hash"),
    Index(None, "account"),
)

sign_in_attempts = Table(
    "sign_in_attempts",
    metadata,
    ordinal_column(),
    required("who", Name),
    required("address", Name),
    required("at", UtcTime),
    Index(None, "who", "at"),
    Index(None, "address", "at"),
    Index(None, "at"),
)
"""Passwords that did not fit, by the hash of the name that was typed and a trace of the address; gone after a day."""

api_tokens = Table(
    "api_tokens",
    metadata,
    Column("id", Name, primary_key=True),
    required("token_hash", Name),
    study_column(),
    required("name", Text),
    required("scopes", Text),
    required("at", UtcTime),
    required("by", Name),
    required("until", UtcTime),
    Column("revoked_at", UtcTime),
    UniqueConstraint("token_hash"),
    Index(None, "study", "at"),
)

transcript_readings = Table(
    "transcript_readings",
    metadata,
    ordinal_column(),
    study_column(),
    required("account", Name),
    required("reader", Text),
    required("annotator", Name),
    required("assignment", Name),
    required("at", UtcTime),
    Index(None, "study", "ordinal"),
    Index(None, "assignment"),
)

state_changes = Table(
    "state_changes",
    metadata,
    ordinal_column(),
    study_column(),
    required("state", Name),
    required("at", UtcTime),
    required("by", Name),
    Index(None, "study", "ordinal"),
)
