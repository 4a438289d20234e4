"""What waits for the owner: marks that were seen, budgets; and sums that the owner's pages need over thousands of people."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
TIME = sa.Text().with_variant(sa.TIMESTAMP(timezone=True), "postgresql")
ORDINAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "seen_marks",
        sa.Column("ordinal", ORDINAL, autoincrement=True, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("run", NAME, nullable=False),
        sa.Column("account", NAME, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.ForeignKeyConstraint(["run"], ["runs.id"], name="fk_seen_marks_run"),
        sa.PrimaryKeyConstraint("ordinal", name="pk_seen_marks"),
    )
    op.create_index("ix_seen_marks_run", "seen_marks", ["run"])
    op.create_table(
        "budgets",
        sa.Column("ordinal", ORDINAL, autoincrement=True, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("limit_usd", sa.Double(), nullable=False),
        sa.Column("state", NAME, nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("ordinal", name="pk_budgets"),
    )
    op.create_index("ix_budgets_study_ordinal", "budgets", ["study", "ordinal"])
    op.create_table(
        "minutes",
        sa.Column("annotator", NAME, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("active", sa.Double(), nullable=False),
        sa.Column("whole", sa.Double(), nullable=False),
        sa.Column("instructions", sa.Double()),
        sa.Column("first_labels", sa.Double()),
        sa.Column("second_part", sa.Double()),
        sa.Column("survey", sa.Double()),
        sa.ForeignKeyConstraint(["annotator"], ["participants.id"], name="fk_minutes_annotator"),
        sa.PrimaryKeyConstraint("annotator", name="pk_minutes"),
    )
    op.create_index("ix_minutes_study", "minutes", ["study"])
    op.create_index("ix_transcript_readings_assignment", "transcript_readings", ["assignment"])
    first = ["study", "task", "item", "label", "state", "annotator", "revision"]
    _partial_index("ix_annotations_first", "annotations", first, "round = 0")
    revised = ["study", "task", "round", "annotator", "item", "revision"]
    _partial_index("ix_annotations_revised", "annotations", revised, "revision > 0")


def _partial_index(name: str, table: str, columns: list[str], where: str) -> None:
    condition = sa.text(where)
    op.create_index(name, table, columns, sqlite_where=condition, postgresql_where=condition)
