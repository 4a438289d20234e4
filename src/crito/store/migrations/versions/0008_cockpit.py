"""The cockpit: decisions to leave people out of analyses, and indexes for what the owner's pages look for."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
TIME = sa.Text().with_variant(sa.TIMESTAMP(timezone=True), "postgresql")
ORDINAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "exclusions",
        sa.Column("ordinal", ORDINAL, autoincrement=True, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("annotator", NAME, nullable=False),
        sa.Column("excluded", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("decided_by", NAME, nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.ForeignKeyConstraint(["annotator"], ["participants.id"], name="fk_exclusions_annotator"),
        sa.PrimaryKeyConstraint("ordinal", name="pk_exclusions"),
    )
    op.create_index("ix_exclusions_annotator", "exclusions", ["annotator"])
    op.create_index("ix_exclusions_study_ordinal", "exclusions", ["study", "ordinal"])
    _partial_index("ix_events_failed", "events", ["annotator"], "kind = 'failed'")
    _partial_index("ix_calls_uncertain", "calls", ["study"], "status = 'intended'")
    _partial_index("ix_turns_first", "turns", ["study", "at"], 'step = 0 AND "index" = 0')
    _partial_index("ix_turns_marked", "turns", ["study", "run"], "json_array_length(violations) > 0")


def _partial_index(name: str, table: str, columns: list[str], where: str) -> None:
    condition = sa.text(where)
    op.create_index(name, table, columns, sqlite_where=condition, postgresql_where=condition)
