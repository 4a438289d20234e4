"""What people were shown, said and answered, and the words of it."""

from sqlalchemy import JSON, BigInteger, Column, ForeignKey, Index, Integer, Table, Text, UniqueConstraint, text

from crito.store.tables.columns import Name, UtcTime, metadata, ordinal_column, person_column, required, study_column

annotations = Table(
    "annotations",
    metadata,
    ordinal_column(),
    study_column(),
    required("annotator", Name),
    required("task", Name),
    required("item", Name),
    required("item_hash", Name),
    Column("assignment", Name, ForeignKey("assignments.id")),
    required("condition", Name),
    required("study_version", Integer),
    required("round", Integer),
    required("revision", Integer),
    required("seq", Integer),
    Column("label", Name),
    Column("state", Name),
    Column("confidence", Name),
    Column("rationale", Name),
    required("guideline_hash", Name),
    required("shown_at", UtcTime),
    required("submitted_at", UtcTime),
    required("client_times_ms", JSON),
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
    *(annotations.c[name] for name in ("study", "task", "round", "annotator", "item", "revision")),
    sqlite_where=text("revision > 0"),
    postgresql_where=text("revision > 0"),
)

answers = Table(
    "answers",
    metadata,
    ordinal_column(),
    study_column(),
    person_column(),
    required("about", Name),
    required("question", Name),
    Column("choice", Name),
    Column("words", Name),
    required("at", UtcTime),
    Index(None, "annotator"),
)

exposures = Table(
    "exposures",
    metadata,
    ordinal_column(),
    study_column(),
    required("annotator", Name),
    required("item", Name),
    required("task", Name),
    required("kind", Name),
    required("source", Name),
    required("part", Integer),
    required("content", Name),
    required("route", Name),
    required("seq", Integer),
    required("at", UtcTime),
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
    required("salt", Name),
)

drafts = Table(
    "drafts",
    metadata,
    Column("annotator", Name, ForeignKey("participants.id"), primary_key=True),
    Column("form", Name, primary_key=True),
    study_column(),
    required("fields", JSON),
    required("at", UtcTime),
)

runs = Table(
    "runs",
    metadata,
    Column("id", Name, primary_key=True),
    study_column(),
    Column("assignment", Name, ForeignKey("assignments.id")),
    Column("labelling", Name),
    Column("item", Name),
    Column("item_hash", Name),
    Column("revision", Integer),
    Column("about", Name),
    required("protocol", Name),
    required("protocol_version", Integer),
    UniqueConstraint("assignment", "protocol", "protocol_version"),
    Index(None, "study", "assignment"),
    Index(None, "labelling"),
    Index(None, "about"),
)
"""Of a dialogue, which has an assignment; of a panel on an item, which has a labelling; or about a debate or document."""

FIRST = 'step = 0 AND "index" = 0'

MARKED = "json_array_length(violations) > 0"

turns = Table(
    "turns",
    metadata,
    Column("run", Name, ForeignKey("runs.id"), primary_key=True),
    Column("step", Integer, primary_key=True, autoincrement=False),
    Column("index", Integer, primary_key=True, autoincrement=False),
    study_column(),
    required("annotator", Name),
    required("fingerprint", Name),
    required("speaker", Name),
    required("kind", Name),
    Column("text", Name),
    Column("mended", Name),
    Column("streamed", Name),
    required("violations", JSON),
    Column("violation_details", Name),
    required("no_answer", Text),
    required("model", Name),
    required("prompt", Name),
    required("prompt_hash", Name),
    Column("call", Name),
    required("at", UtcTime),
    required("latency_ms", BigInteger),
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
    study_column(),
    required("holder", Name),
    required("until", UtcTime),
)

exports = Table(
    "exports",
    metadata,
    ordinal_column(),
    study_column(),
    required("path", Text),
    required("format", Name),
    required("table", Name),
    required("rows", BigInteger),
    required("sha256", Name),
    required("at", UtcTime),
    Index(None, "study", "ordinal"),
)
