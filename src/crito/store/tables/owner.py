"""What the owner of a study has seen and decided, and sums that are kept for them."""

from sqlalchemy import Boolean, Column, Double, ForeignKey, Index, Table, Text

from crito.store.tables.columns import Name, UtcTime, metadata, ordinal_column, person_column, required, study_column

seen_marks = Table(
    "seen_marks",
    metadata,
    ordinal_column(),
    study_column(),
    required("run", Name, ForeignKey("runs.id")),
    required("account", Name),
    required("name", Text),
    required("at", UtcTime),
    Index(None, "run"),
)
"""That somebody who works on a study has seen what a guard marked in a dialogue, without opening it."""

minutes = Table(
    "minutes",
    metadata,
    Column("annotator", Name, ForeignKey("participants.id"), primary_key=True),
    study_column(),
    required("active", Double),
    required("whole", Double),
    Column("instructions", Double),
    Column("first_labels", Double),
    Column("second_part", Double),
    Column("survey", Double),
    Index(None, "study"),
)
"""What the time of a person who finished came to, worked out once from their traces, so that sums over thousands are quick."""

exclusions = Table(
    "exclusions",
    metadata,
    ordinal_column(),
    study_column(),
    person_column(),
    required("excluded", Boolean),
    required("reason", Text),
    required("decided_by", Name),
    required("at", UtcTime),
    Index(None, "annotator"),
    Index(None, "study", "ordinal"),
)
