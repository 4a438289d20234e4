"""What was erased, and when."""

from sqlalchemy import JSON, Index, Table, Text

from crito.store.tables.columns import Name, UtcTime, metadata, ordinal_column, person_column, required, study_column

erasures = Table(
    "erasures",
    metadata,
    ordinal_column(),
    study_column(),
    person_column(),
    required("scope", Name),
    required("by", Text),
    required("at", UtcTime),
    required("erased", JSON),
    required("remains", JSON),
    required("hash", Name),
    Index(None, "annotator"),
    Index(None, "study", "ordinal"),
)
