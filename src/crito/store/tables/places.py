"""The places of items, and who holds them."""

from sqlalchemy import BigInteger, Column, Index, Integer, Table, UniqueConstraint, text

from crito.store.tables.columns import Name, UtcTime, metadata, person_column, required, study_column

slots = Table(
    "slots",
    metadata,
    Column("study", Name, primary_key=True),
    Column("task", Name, primary_key=True),
    Column("condition", Name, primary_key=True),
    Column("item", Name, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    required("item_hash", Name),
    required("rank", BigInteger),
    Column("assignment", Name),
    UniqueConstraint("assignment"),
)

Index(
    "ix_slots_free",
    *(slots.c[name] for name in ("study", "task", "condition", "rank")),
    sqlite_where=text("assignment IS NULL"),
    postgresql_where=text("assignment IS NULL"),
)

HELD = "status IN ('open', 'done')"

assignments = Table(
    "assignments",
    metadata,
    Column("id", Name, primary_key=True),
    study_column(),
    person_column(),
    required("task", Name),
    required("item", Name),
    required("item_hash", Name),
    required("condition", Name),
    required("position", Integer),
    required("slot", Integer),
    required("status", Name),
    required("lease_until", UtcTime),
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
