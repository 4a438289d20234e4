"""Models that label: annotators, panels at work, their runs and what those came to."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
TIME = sa.Text().with_variant(sa.TIMESTAMP(timezone=True), "postgresql")
ORDINAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "annotators",
        sa.Column("id", NAME, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("provider", NAME, nullable=False),
        sa.Column("model", NAME, nullable=False),
        sa.Column("method", NAME, nullable=False),
        sa.Column("persona", sa.Text(), nullable=False),
        sa.Column("prompt", NAME, nullable=False),
        sa.Column("prompt_hash", NAME, nullable=False),
        sa.Column("guideline_hash", NAME, nullable=False),
        sa.Column("parameters", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_annotators"),
    )
    op.create_index("ix_annotators_study", "annotators", ["study"])
    op.create_table(
        "labellings",
        sa.Column("ordinal", ORDINAL, autoincrement=True, nullable=False),
        sa.Column("id", NAME, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("study_version", sa.Integer(), nullable=False),
        sa.Column("task", NAME, nullable=False),
        sa.Column("panel", sa.JSON(), nullable=False),
        sa.Column("protocol_version", sa.Integer(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("agents", sa.JSON(), nullable=False),
        sa.Column("begun_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("ordinal", name="pk_labellings"),
        sa.UniqueConstraint("id", name="uq_labellings_id"),
    )
    op.create_index("ix_labellings_study_ordinal", "labellings", ["study", "ordinal"])
    with op.batch_alter_table("runs") as runs:
        runs.alter_column("assignment", existing_type=NAME, nullable=True)
        runs.add_column(sa.Column("labelling", NAME))
        runs.add_column(sa.Column("item", NAME))
        runs.add_column(sa.Column("item_hash", NAME))
        runs.add_column(sa.Column("revision", sa.Integer()))
    op.create_index("ix_runs_labelling", "runs", ["labelling"])
    with op.batch_alter_table("annotations") as annotations:
        annotations.alter_column("assignment", existing_type=NAME, nullable=True)
    op.add_column("turns", sa.Column("labelled", sa.JSON()))
    op.create_table(
        "outcomes",
        sa.Column("run", NAME, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("labelling", NAME, nullable=False),
        sa.Column("item", NAME, nullable=False),
        sa.Column("vote", sa.JSON(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.ForeignKeyConstraint(["run"], ["runs.id"], name="fk_outcomes_run"),
        sa.PrimaryKeyConstraint("run", name="pk_outcomes"),
    )
    op.create_index("ix_outcomes_labelling", "outcomes", ["labelling"])
