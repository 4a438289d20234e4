"""Recruitment, erasure, and who people are: places opened, submissions, reviews, certificates of erasure, traits."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
TIME = sa.Text().with_variant(sa.TIMESTAMP(timezone=True), "postgresql")
ORDINAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _log(name: str, *columns: sa.Column[Any], of_people: bool = True) -> None:
    """A table that is appended to, of a study and mostly of its people."""
    person = [sa.Column("annotator", NAME, nullable=False)] if of_people else []
    rules: list[sa.Constraint] = [sa.PrimaryKeyConstraint("ordinal", name=f"pk_{name}")]
    if of_people:
        rules.append(sa.ForeignKeyConstraint(["annotator"], ["participants.id"], name=f"fk_{name}_annotator"))
    op.create_table(
        name,
        sa.Column("ordinal", ORDINAL, autoincrement=True, nullable=False),
        sa.Column("study", NAME, nullable=False),
        *person,
        *columns,
        *rules,
    )
    if of_people:
        op.create_index(f"ix_{name}_annotator", name, ["annotator"])


def upgrade() -> None:
    _log(
        "openings",
        sa.Column("places", sa.Integer(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", TIME, nullable=False),
        of_people=False,
    )
    op.create_index("ix_openings_study", "openings", ["study"])
    _log(
        "submissions",
        sa.Column("status", NAME, nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("source", NAME, nullable=False),
        sa.Column("at", TIME, nullable=False),
    )
    _log(
        "reviews",
        sa.Column("decision", NAME, nullable=False),
        sa.Column("reason", NAME),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", TIME, nullable=False),
    )
    _log(
        "erasures",
        sa.Column("scope", NAME, nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.Column("erased", sa.JSON(), nullable=False),
        sa.Column("remains", sa.JSON(), nullable=False),
        sa.Column("hash", NAME, nullable=False),
    )
    op.create_index("ix_erasures_study_ordinal", "erasures", ["study", "ordinal"])
    _log(
        "traits",
        sa.Column("name", NAME, nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("source", NAME, nullable=False),
        sa.Column("at", TIME, nullable=False),
    )
    op.create_index("ix_traits_study_name", "traits", ["study", "name"])
