"""Items left to a machine: decisions with what the gate read, how they ended, and the labels accepted under them."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
TIME = sa.Text().with_variant(sa.TIMESTAMP(timezone=True), "postgresql")
ORDINAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "handoffs",
        sa.Column("ordinal", ORDINAL, autoincrement=True, nullable=False),
        sa.Column("id", NAME, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("study_version", sa.Integer(), nullable=False),
        sa.Column("task", NAME, nullable=False),
        sa.Column("version", NAME, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("rule", NAME, nullable=False),
        sa.Column("threshold", sa.Double(), nullable=False),
        sa.Column("level", sa.Double(), nullable=False),
        sa.Column("certified", sa.Boolean(), nullable=False),
        sa.Column("n_items", sa.Integer(), nullable=False),
        sa.Column("n_blind", sa.Integer(), nullable=False),
        sa.Column("agreeing", sa.Integer(), nullable=False),
        sa.Column("bound", sa.Double()),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("reading", sa.JSON(), nullable=False),
        sa.Column("evidence_hash", NAME, nullable=False),
        sa.Column("evidence_until", TIME, nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("ordinal", name="pk_handoffs"),
        sa.UniqueConstraint("id", name="uq_handoffs_id"),
    )
    op.create_index("ix_handoffs_study_task", "handoffs", ["study", "task"])
    op.create_table(
        "revocations",
        sa.Column("ordinal", ORDINAL, autoincrement=True, nullable=False),
        sa.Column("handoff", NAME, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("reason", NAME, nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("reading", sa.JSON(), nullable=False),
        sa.Column("evidence_hash", NAME, nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("ordinal", name="pk_revocations"),
        sa.UniqueConstraint("handoff", name="uq_revocations_handoff"),
        sa.ForeignKeyConstraint(["handoff"], ["handoffs.id"], name="fk_revocations_handoff"),
    )
    op.create_index("ix_revocations_study", "revocations", ["study"])
    op.create_table(
        "accepted_labels",
        sa.Column("handoff", NAME, nullable=False),
        sa.Column("item", NAME, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("task", NAME, nullable=False),
        sa.Column("item_hash", NAME, nullable=False),
        sa.Column("label", NAME, nullable=False),
        sa.Column("confidence", sa.Double()),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("handoff", "item", name="pk_accepted_labels"),
        sa.ForeignKeyConstraint(["handoff"], ["handoffs.id"], name="fk_accepted_labels_handoff"),
    )
    op.create_index("ix_accepted_labels_study_task_item", "accepted_labels", ["study", "task", "item"])
