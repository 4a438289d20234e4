"""What models labelled and argued, and every call that was made for it."""

from sqlalchemy import JSON, BigInteger, Column, Double, ForeignKey, Index, Integer, Table, Text, UniqueConstraint, text

from crito.store.tables.columns import Name, UtcTime, metadata, ordinal_column, required, study_column

annotators = Table(
    "annotators",
    metadata,
    Column("id", Name, primary_key=True),
    study_column(),
    required("provider", Name),
    required("model", Name),
    required("method", Name),
    required("persona", Text),
    required("prompt", Name),
    required("prompt_hash", Name),
    required("guideline_hash", Name),
    required("parameters", JSON),
    Index(None, "study"),
)

labellings = Table(
    "labellings",
    metadata,
    ordinal_column(),
    required("id", Name),
    study_column(),
    required("study_version", Integer),
    required("task", Name),
    required("panel", JSON),
    required("protocol_version", Integer),
    required("seed", BigInteger),
    required("agents", JSON),
    required("begun_at", UtcTime),
    UniqueConstraint("id"),
    Index(None, "study", "ordinal"),
)

debates = Table(
    "debates",
    metadata,
    ordinal_column(),
    required("id", Name),
    study_column(),
    required("study_version", Integer),
    required("name", Text),
    required("definition", Text),
    required("begun_at", UtcTime),
    UniqueConstraint("id"),
    Index(None, "study", "ordinal"),
)

interventions = Table(
    "interventions",
    metadata,
    Column("run", Name, ForeignKey("runs.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    study_column(),
    required("kind", Name),
    required("value", Text),
    required("at", UtcTime),
)

outcomes = Table(
    "outcomes",
    metadata,
    Column("run", Name, ForeignKey("runs.id"), primary_key=True),
    study_column(),
    required("labelling", Name),
    required("item", Name),
    required("vote", JSON),
    required("rounds", Integer),
    required("at", UtcTime),
    Index(None, "labelling"),
)

calls = Table(
    "calls",
    metadata,
    ordinal_column(),
    required("key", Name),
    study_column(),
    Column("run", Name),
    required("status", Name),
    required("provider", Name),
    required("requested_model", Name),
    required("served_model", Name),
    required("request", Name),
    Column("reply", Name),
    required("finish_reason", Name),
    Column("input_tokens", BigInteger),
    Column("cached_tokens", BigInteger),
    Column("output_tokens", BigInteger),
    Column("cost_usd", Double),
    Column("latency_ms", BigInteger),
    required("error", Text),
    required("intended_at", UtcTime),
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

budgets = Table(
    "budgets",
    metadata,
    ordinal_column(),
    study_column(),
    required("limit_usd", Double),
    required("state", Name),
    required("at", UtcTime),
    Index(None, "study", "ordinal"),
)
