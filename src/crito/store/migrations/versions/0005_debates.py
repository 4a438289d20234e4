"""Debates, runs about something that is no item, and interventions of moderators."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
TIME = sa.Text().with_variant(sa.TIMESTAMP(timezone=True), "postgresql")
ORDINAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "debates",
        sa.Column("ordinal", ORDINAL, autoincrement=True, nullable=False),
        sa.Column("id", NAME, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("study_version", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("definition", sa.Text(), nullable=False),
        sa.Column("begun_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("ordinal", name="pk_debates"),
        sa.UniqueConstraint("id", name="uq_debates_id"),
    )
    op.create_index("ix_debates_study_ordinal", "debates", ["study", "ordinal"])
    op.add_column("runs", sa.Column("about", NAME))
    op.create_index("ix_runs_about", "runs", ["about"])
    op.create_table(
        "interventions",
        sa.Column("run", NAME, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("kind", NAME, nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.ForeignKeyConstraint(["run"], ["runs.id"], name="fk_interventions_run"),
        sa.PrimaryKeyConstraint("run", "number", name="pk_interventions"),
    )
