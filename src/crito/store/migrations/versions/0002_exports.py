"""Files that were written from the record."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
TIME = sa.Text().with_variant(sa.TIMESTAMP(timezone=True), "postgresql")
ORDINAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "exports",
        sa.Column("ordinal", ORDINAL, autoincrement=True, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("format", NAME, nullable=False),
        sa.Column("table", NAME, nullable=False),
        sa.Column("rows", sa.BigInteger(), nullable=False),
        sa.Column("sha256", NAME, nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("ordinal", name="pk_exports"),
    )
    op.create_index("ix_exports_study_ordinal", "exports", ["study", "ordinal"])
