"""Accounts, their roles in studies, links that let in once, sessions, tokens with scopes, readings, studies' states."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
TIME = sa.Text().with_variant(sa.TIMESTAMP(timezone=True), "postgresql")
ORDINAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
PRESENT = sa.text("ended_at IS NULL")


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", NAME, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_key", NAME, nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("email_key", NAME),
        sa.Column("password", sa.Text(), nullable=False),
        sa.Column("made_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_accounts"),
        sa.UniqueConstraint("name_key", name="uq_accounts_name_key"),
        sa.UniqueConstraint("email_key", name="uq_accounts_email_key"),
    )
    op.create_table(
        "memberships",
        sa.Column("ordinal", ORDINAL, autoincrement=True, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("account", NAME, nullable=False),
        sa.Column("role", NAME, nullable=False),
        sa.Column("annotator", NAME),
        sa.Column("at", TIME, nullable=False),
        sa.Column("by", NAME, nullable=False),
        sa.Column("ended_at", TIME),
        sa.Column("ended_by", NAME),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name="fk_memberships_account"),
        sa.PrimaryKeyConstraint("ordinal", name="pk_memberships"),
    )
    op.create_index("ix_memberships_study_ordinal", "memberships", ["study", "ordinal"])
    op.create_index("ix_memberships_account", "memberships", ["account"])
    op.create_index(
        "uq_memberships_present",
        "memberships",
        ["study", "account"],
        unique=True,
        sqlite_where=PRESENT,
        postgresql_where=PRESENT,
    )
    op.create_table(
        "access_links",
        sa.Column("id", NAME, nullable=False),
        sa.Column("token_hash", NAME, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("account", NAME),
        sa.Column("role", NAME, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("whole", sa.Boolean(), nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.Column("by", NAME, nullable=False),
        sa.Column("until", TIME, nullable=False),
        sa.Column("spent_at", TIME),
        sa.Column("revoked_at", TIME),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name="fk_access_links_account"),
        sa.PrimaryKeyConstraint("id", name="pk_access_links"),
        sa.UniqueConstraint("token_hash", name="uq_access_links_token_hash"),
    )
    op.create_index("ix_access_links_study_at", "access_links", ["study", "at"])
    op.create_table(
        "account_sessions",
        sa.Column("id", NAME, nullable=False),
        sa.Column("token_hash", NAME, nullable=False),
        sa.Column("account", NAME, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.Column("until", TIME, nullable=False),
        sa.Column("ended_at", TIME),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name="fk_account_sessions_account"),
        sa.PrimaryKeyConstraint("id", name="pk_account_sessions"),
        sa.UniqueConstraint("token_hash", name="uq_account_sessions_token_hash"),
    )
    op.create_index("ix_account_sessions_account", "account_sessions", ["account"])
    op.create_table(
        "sign_in_attempts",
        sa.Column("ordinal", ORDINAL, autoincrement=True, nullable=False),
        sa.Column("who", NAME, nullable=False),
        sa.Column("address", NAME, nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("ordinal", name="pk_sign_in_attempts"),
    )
    op.create_index("ix_sign_in_attempts_who_at", "sign_in_attempts", ["who", "at"])
    op.create_index("ix_sign_in_attempts_address_at", "sign_in_attempts", ["address", "at"])
    op.create_index("ix_sign_in_attempts_at", "sign_in_attempts", ["at"])
    op.create_table(
        "api_tokens",
        sa.Column("id", NAME, nullable=False),
        sa.Column("token_hash", NAME, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.Column("by", NAME, nullable=False),
        sa.Column("until", TIME, nullable=False),
        sa.Column("revoked_at", TIME),
        sa.PrimaryKeyConstraint("id", name="pk_api_tokens"),
        sa.UniqueConstraint("token_hash", name="uq_api_tokens_token_hash"),
    )
    op.create_index("ix_api_tokens_study_at", "api_tokens", ["study", "at"])
    op.create_table(
        "transcript_readings",
        sa.Column("ordinal", ORDINAL, autoincrement=True, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("account", NAME, nullable=False),
        sa.Column("reader", sa.Text(), nullable=False),
        sa.Column("annotator", NAME, nullable=False),
        sa.Column("assignment", NAME, nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("ordinal", name="pk_transcript_readings"),
    )
    op.create_index("ix_transcript_readings_study_ordinal", "transcript_readings", ["study", "ordinal"])
    op.create_table(
        "state_changes",
        sa.Column("ordinal", ORDINAL, autoincrement=True, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("state", NAME, nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.Column("by", NAME, nullable=False),
        sa.PrimaryKeyConstraint("ordinal", name="pk_state_changes"),
    )
    op.create_index("ix_state_changes_study_ordinal", "state_changes", ["study", "ordinal"])
    op.create_index("ix_runs_study_assignment", "runs", ["study", "assignment"])
    # A token of before could read all there was to read, and was good for a year.
    made = {
        "postgresql": sa.text("until - interval '365 days'"),
        "sqlite": sa.text("strftime('%Y-%m-%dT%H:%M:%S.000000+00:00', until, '-365 days')"),
    }
    old = sa.table("owner_tokens", *map(sa.column, ("token_hash", "study", "kind", "until")))
    new = sa.table("api_tokens", *map(sa.column, ("id", "token_hash", "study", "name", "scopes", "at", "by", "until")))
    kept = sa.select(
        sa.func.substr(old.c.token_hash, 1, 12),
        old.c.token_hash,
        old.c.study,
        sa.literal_column("'without a name'"),
        sa.literal_column("'read:study read:people read:labels'"),
        made[op.get_bind().dialect.name],
        sa.literal_column("''"),
        old.c.until,
    ).where(old.c.kind == "api")
    op.execute(new.insert().from_select(list(new.c.keys()), kept))
    op.drop_table("owner_tokens")
