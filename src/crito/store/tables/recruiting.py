"""Openings of places, and what becomes of people's submissions at their platform."""

from sqlalchemy import Column, Index, Integer, Table, Text

from crito.store.tables.columns import Name, UtcTime, metadata, ordinal_column, person_column, required, study_column

openings = Table(
    "openings",
    metadata,
    ordinal_column(),
    study_column(),
    required("places", Integer),
    required("by", Text),
    required("at", UtcTime),
    Index(None, "study"),
)

submissions = Table(
    "submissions",
    metadata,
    ordinal_column(),
    study_column(),
    person_column(),
    required("status", Name),
    required("code", Text),
    required("source", Name),
    required("at", UtcTime),
    Index(None, "annotator"),
)

reviews = Table(
    "reviews",
    metadata,
    ordinal_column(),
    study_column(),
    person_column(),
    required("decision", Name),
    Column("reason", Name),
    required("by", Text),
    required("at", UtcTime),
    Index(None, "annotator"),
)
"""The words of a reason are kept as the person's own, so that they go with theirs."""
