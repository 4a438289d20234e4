"""Versions of studies, and their items."""

from sqlalchemy import JSON, Column, ForeignKeyConstraint, Integer, Table, Text

from crito.store.tables.columns import Name, UtcTime, metadata, required

study_versions = Table(
    "study_versions",
    metadata,
    Column("study", Name, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    required("definition", Text),
    required("hash", Name),
    required("published_at", UtcTime),
)

items = Table(
    "items",
    metadata,
    Column("study", Name, primary_key=True),
    Column("id", Name, primary_key=True),
    Column("hash", Name, primary_key=True),
    required("text", Text),
    required("context", JSON),
)

task_items = Table(
    "task_items",
    metadata,
    Column("study", Name, primary_key=True),
    Column("task", Name, primary_key=True),
    Column("item", Name, primary_key=True),
    required("hash", Name),
    required("position", Integer),
    Column("gold", Name),
    ForeignKeyConstraint(["study", "item", "hash"], ["items.study", "items.id", "items.hash"]),
)
