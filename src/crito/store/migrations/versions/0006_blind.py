"""Blind evidence: draws, the items they chose among, requests for labels, items used for tuning; experts among people."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
TIME = sa.Text().with_variant(sa.TIMESTAMP(timezone=True), "postgresql")
ORDINAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("participants", sa.Column("role", NAME, nullable=False, server_default="participant"))
    op.create_table(
        "blind_draws",
        sa.Column("ordinal", ORDINAL, autoincrement=True, nullable=False),
        sa.Column("id", NAME, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("task", NAME, nullable=False),
        sa.Column("purpose", NAME, nullable=False),
        sa.Column("rule", NAME, nullable=False),
        sa.Column("rate", sa.Double(), nullable=False),
        sa.Column("n_items", sa.Integer(), nullable=False),
        sa.Column("n_drawn", sa.Integer(), nullable=False),
        sa.Column("seed_hash", NAME, nullable=False),
        sa.Column("seed", NAME, nullable=False),
        sa.Column("drawn_at", TIME, nullable=False),
        sa.Column("revealed_at", TIME),
        sa.PrimaryKeyConstraint("ordinal", name="pk_blind_draws"),
        sa.UniqueConstraint("id", name="uq_blind_draws_id"),
    )
    op.create_index("ix_blind_draws_study_task", "blind_draws", ["study", "task"])
    op.create_table(
        "drawn_items",
        sa.Column("draw", NAME, nullable=False),
        sa.Column("item", NAME, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("item_hash", NAME, nullable=False),
        sa.Column("probability", sa.Double(), nullable=False),
        sa.Column("drawn", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["draw"], ["blind_draws.id"], name="fk_drawn_items_draw"),
        sa.PrimaryKeyConstraint("draw", "item", name="pk_drawn_items"),
    )
    op.create_index("ix_drawn_items_study_item", "drawn_items", ["study", "item"])
    op.create_table(
        "label_requests",
        sa.Column("ordinal", ORDINAL, autoincrement=True, nullable=False),
        sa.Column("id", NAME, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("task", NAME, nullable=False),
        sa.Column("item", NAME, nullable=False),
        sa.Column("item_hash", NAME, nullable=False),
        sa.Column("condition", NAME, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("purpose", NAME, nullable=False),
        sa.Column("requested_at", TIME, nullable=False),
        sa.Column("probability", sa.Double()),
        sa.Column("draw", NAME),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("asked_of", NAME, nullable=False),
        sa.Column("rank", sa.BigInteger(), nullable=False),
        sa.Column("assignment", NAME),
        sa.PrimaryKeyConstraint("ordinal", name="pk_label_requests"),
        sa.UniqueConstraint("id", name="uq_label_requests_id"),
        sa.UniqueConstraint(
            "study", "task", "condition", "item", "number", name="uq_label_requests_study_task_condition_item_number"
        ),
        sa.UniqueConstraint("assignment", name="uq_label_requests_assignment"),
    )
    op.create_index(
        "ix_label_requests_waiting",
        "label_requests",
        ["study", "rank"],
        sqlite_where=sa.text("assignment IS NULL"),
        postgresql_where=sa.text("assignment IS NULL"),
    )
    op.create_table(
        "tunings",
        sa.Column("ordinal", ORDINAL, autoincrement=True, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("task", NAME, nullable=False),
        sa.Column("item", NAME, nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("ordinal", name="pk_tunings"),
        sa.UniqueConstraint("study", "task", "item", name="uq_tunings_study_task_item"),
    )
