"""The record: studies, people, assignments, annotations, exposures, runs, calls."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
TIME = sa.Text().with_variant(sa.TIMESTAMP(timezone=True), "postgresql")
ORDINAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "calls",
        sa.Column("ordinal", ORDINAL, autoincrement=True, nullable=False),
        sa.Column("key", NAME, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("run", NAME),
        sa.Column("status", NAME, nullable=False),
        sa.Column("provider", NAME, nullable=False),
        sa.Column("requested_model", NAME, nullable=False),
        sa.Column("served_model", NAME, nullable=False),
        sa.Column("request", NAME, nullable=False),
        sa.Column("reply", NAME),
        sa.Column("finish_reason", NAME, nullable=False),
        sa.Column("input_tokens", sa.BigInteger()),
        sa.Column("cached_tokens", sa.BigInteger()),
        sa.Column("output_tokens", sa.BigInteger()),
        sa.Column("cost_usd", sa.Double()),
        sa.Column("latency_ms", sa.BigInteger()),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("intended_at", TIME, nullable=False),
        sa.Column("finished_at", TIME),
        sa.PrimaryKeyConstraint("ordinal", name="pk_calls"),
        sa.UniqueConstraint("key", name="uq_calls_key"),
    )
    op.create_index("ix_calls_run", "calls", ["run"])
    op.create_index("ix_calls_study_ordinal", "calls", ["study", "ordinal"])
    op.create_table(
        "draws",
        sa.Column("ordinal", ORDINAL, autoincrement=True, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("annotator", NAME, nullable=False),
        sa.Column("what", NAME, nullable=False),
        sa.Column("chances", sa.JSON(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("outcome", NAME, nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("ordinal", name="pk_draws"),
        sa.UniqueConstraint("annotator", "what", name="uq_draws_annotator_what"),
    )
    op.create_table(
        "exposures",
        sa.Column("ordinal", ORDINAL, autoincrement=True, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("annotator", NAME, nullable=False),
        sa.Column("item", NAME, nullable=False),
        sa.Column("task", NAME, nullable=False),
        sa.Column("kind", NAME, nullable=False),
        sa.Column("source", NAME, nullable=False),
        sa.Column("part", sa.Integer(), nullable=False),
        sa.Column("content", NAME, nullable=False),
        sa.Column("route", NAME, nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("ordinal", name="pk_exposures"),
        sa.UniqueConstraint("annotator", "item", "seq", name="uq_exposures_annotator_item_seq"),
        sa.UniqueConstraint(
            "annotator", "item", "source", "part", "content", name="uq_exposures_annotator_item_source_part_content"
        ),
    )
    op.create_table(
        "items",
        sa.Column("study", NAME, nullable=False),
        sa.Column("id", NAME, nullable=False),
        sa.Column("hash", NAME, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("context", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("study", "id", "hash", name="pk_items"),
    )
    op.create_table(
        "owner_tokens",
        sa.Column("study", NAME, nullable=False),
        sa.Column("token_hash", NAME, nullable=False),
        sa.Column("kind", NAME, nullable=False),
        sa.Column("until", TIME, nullable=False),
        sa.Column("spent_at", TIME),
        sa.PrimaryKeyConstraint("study", "token_hash", "kind", name="pk_owner_tokens"),
    )
    op.create_table(
        "participants",
        sa.Column("id", NAME, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("study_version", sa.Integer(), nullable=False),
        sa.Column("origin", NAME, nullable=False),
        sa.Column("language", NAME, nullable=False),
        sa.Column("condition", NAME, nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("arrived_at", TIME, nullable=False),
        sa.Column("ending", NAME),
        sa.Column("ended_at", TIME),
        sa.PrimaryKeyConstraint("id", name="pk_participants"),
    )
    op.create_index("ix_participants_study_arrived_at_id", "participants", ["study", "arrived_at", "id"])
    op.create_index("ix_participants_study_id", "participants", ["study", "id"])
    op.create_table(
        "slots",
        sa.Column("study", NAME, nullable=False),
        sa.Column("task", NAME, nullable=False),
        sa.Column("condition", NAME, nullable=False),
        sa.Column("item", NAME, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("item_hash", NAME, nullable=False),
        sa.Column("rank", sa.BigInteger(), nullable=False),
        sa.Column("assignment", NAME),
        sa.PrimaryKeyConstraint("study", "task", "condition", "item", "number", name="pk_slots"),
        sa.UniqueConstraint("assignment", name="uq_slots_assignment"),
    )
    op.create_index(
        "ix_slots_free",
        "slots",
        ["study", "task", "condition", "rank"],
        sqlite_where=sa.text("assignment IS NULL"),
        postgresql_where=sa.text("assignment IS NULL"),
    )
    op.create_table(
        "study_versions",
        sa.Column("study", NAME, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("definition", sa.Text(), nullable=False),
        sa.Column("hash", NAME, nullable=False),
        sa.Column("published_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("study", "number", name="pk_study_versions"),
    )
    op.create_table(
        "word_salts",
        sa.Column("annotator", NAME, nullable=False),
        sa.Column("study", NAME),
        sa.Column("salt", NAME, nullable=False),
        sa.PrimaryKeyConstraint("annotator", name="pk_word_salts"),
    )
    op.create_table(
        "words",
        sa.Column("id", NAME, nullable=False),
        sa.Column("study", NAME),
        sa.Column("owner", NAME),
        sa.Column("body", sa.Text()),
        sa.PrimaryKeyConstraint("id", name="pk_words"),
    )
    op.create_index("ix_words_owner", "words", ["owner"])
    op.create_table(
        "answers",
        sa.Column("ordinal", ORDINAL, autoincrement=True, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("annotator", NAME, nullable=False),
        sa.Column("about", NAME, nullable=False),
        sa.Column("question", NAME, nullable=False),
        sa.Column("choice", NAME),
        sa.Column("words", NAME),
        sa.Column("at", TIME, nullable=False),
        sa.ForeignKeyConstraint(["annotator"], ["participants.id"], name="fk_answers_annotator"),
        sa.PrimaryKeyConstraint("ordinal", name="pk_answers"),
    )
    op.create_index("ix_answers_annotator", "answers", ["annotator"])
    op.create_table(
        "assignments",
        sa.Column("id", NAME, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("annotator", NAME, nullable=False),
        sa.Column("task", NAME, nullable=False),
        sa.Column("item", NAME, nullable=False),
        sa.Column("item_hash", NAME, nullable=False),
        sa.Column("condition", NAME, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("slot", sa.Integer(), nullable=False),
        sa.Column("status", NAME, nullable=False),
        sa.Column("lease_until", TIME, nullable=False),
        sa.ForeignKeyConstraint(["annotator"], ["participants.id"], name="fk_assignments_annotator"),
        sa.PrimaryKeyConstraint("id", name="pk_assignments"),
    )
    op.create_index("ix_assignments_annotator_position", "assignments", ["annotator", "position"])
    op.create_index(
        "ix_assignments_leased",
        "assignments",
        ["lease_until"],
        sqlite_where=sa.text("status = 'open'"),
        postgresql_where=sa.text("status = 'open'"),
    )
    op.create_index(
        "ix_assignments_study_task_condition_status", "assignments", ["study", "task", "condition", "status"]
    )
    op.create_index(
        "uq_assignments_held",
        "assignments",
        ["study", "task", "condition", "item", "slot"],
        unique=True,
        sqlite_where=sa.text("status IN ('open', 'done')"),
        postgresql_where=sa.text("status IN ('open', 'done')"),
    )
    op.create_table(
        "drafts",
        sa.Column("annotator", NAME, nullable=False),
        sa.Column("form", NAME, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("fields", sa.JSON(), nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.ForeignKeyConstraint(["annotator"], ["participants.id"], name="fk_drafts_annotator"),
        sa.PrimaryKeyConstraint("annotator", "form", name="pk_drafts"),
    )
    op.create_table(
        "events",
        sa.Column("ordinal", ORDINAL, autoincrement=True, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("annotator", NAME, nullable=False),
        sa.Column("kind", NAME, nullable=False),
        sa.Column("about", NAME, nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["annotator"], ["participants.id"], name="fk_events_annotator"),
        sa.PrimaryKeyConstraint("ordinal", name="pk_events"),
    )
    op.create_index("ix_events_annotator", "events", ["annotator"])
    op.create_table(
        "identities",
        sa.Column("study", NAME, nullable=False),
        sa.Column("provider", NAME, nullable=False),
        sa.Column("external_id", NAME, nullable=False),
        sa.Column("session", NAME, nullable=False),
        sa.Column("annotator", NAME, nullable=False),
        sa.ForeignKeyConstraint(["annotator"], ["participants.id"], name="fk_identities_annotator"),
        sa.PrimaryKeyConstraint("study", "provider", "external_id", name="pk_identities"),
    )
    op.create_index("ix_identities_annotator", "identities", ["annotator"])
    op.create_table(
        "sessions",
        sa.Column("token_hash", NAME, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("annotator", NAME, nullable=False),
        sa.Column("until", TIME, nullable=False),
        sa.ForeignKeyConstraint(["annotator"], ["participants.id"], name="fk_sessions_annotator"),
        sa.PrimaryKeyConstraint("token_hash", name="pk_sessions"),
    )
    op.create_index("ix_sessions_annotator", "sessions", ["annotator"])
    op.create_table(
        "task_items",
        sa.Column("study", NAME, nullable=False),
        sa.Column("task", NAME, nullable=False),
        sa.Column("item", NAME, nullable=False),
        sa.Column("hash", NAME, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("gold", NAME),
        sa.ForeignKeyConstraint(
            ["study", "item", "hash"], ["items.study", "items.id", "items.hash"], name="fk_task_items_study_item_hash"
        ),
        sa.PrimaryKeyConstraint("study", "task", "item", name="pk_task_items"),
    )
    op.create_table(
        "annotations",
        sa.Column("ordinal", ORDINAL, autoincrement=True, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("annotator", NAME, nullable=False),
        sa.Column("task", NAME, nullable=False),
        sa.Column("item", NAME, nullable=False),
        sa.Column("item_hash", NAME, nullable=False),
        sa.Column("assignment", NAME, nullable=False),
        sa.Column("condition", NAME, nullable=False),
        sa.Column("study_version", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("label", NAME),
        sa.Column("state", NAME),
        sa.Column("confidence", NAME),
        sa.Column("rationale", NAME),
        sa.Column("guideline_hash", NAME, nullable=False),
        sa.Column("shown_at", TIME, nullable=False),
        sa.Column("submitted_at", TIME, nullable=False),
        sa.Column("client_times_ms", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["assignment"], ["assignments.id"], name="fk_annotations_assignment"),
        sa.PrimaryKeyConstraint("ordinal", name="pk_annotations"),
        sa.UniqueConstraint("annotator", "item", "seq", name="uq_annotations_annotator_item_seq"),
        sa.UniqueConstraint(
            "annotator", "task", "item", "round", "revision", name="uq_annotations_annotator_task_item_round_revision"
        ),
    )
    op.create_index("ix_annotations_assignment", "annotations", ["assignment"])
    op.create_index("ix_annotations_item_task_round", "annotations", ["item", "task", "round"])
    op.create_table(
        "runs",
        sa.Column("id", NAME, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("assignment", NAME, nullable=False),
        sa.Column("protocol", NAME, nullable=False),
        sa.Column("protocol_version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["assignment"], ["assignments.id"], name="fk_runs_assignment"),
        sa.PrimaryKeyConstraint("id", name="pk_runs"),
        sa.UniqueConstraint(
            "assignment", "protocol", "protocol_version", name="uq_runs_assignment_protocol_protocol_version"
        ),
    )
    op.create_table(
        "reply_leases",
        sa.Column("run", NAME, nullable=False),
        sa.Column("step", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("holder", NAME, nullable=False),
        sa.Column("until", TIME, nullable=False),
        sa.ForeignKeyConstraint(["run"], ["runs.id"], name="fk_reply_leases_run"),
        sa.PrimaryKeyConstraint("run", "step", name="pk_reply_leases"),
    )
    op.create_table(
        "turns",
        sa.Column("run", NAME, nullable=False),
        sa.Column("step", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("index", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("study", NAME, nullable=False),
        sa.Column("annotator", NAME, nullable=False),
        sa.Column("fingerprint", NAME, nullable=False),
        sa.Column("speaker", NAME, nullable=False),
        sa.Column("kind", NAME, nullable=False),
        sa.Column("text", NAME),
        sa.Column("mended", NAME),
        sa.Column("streamed", NAME),
        sa.Column("violations", sa.JSON(), nullable=False),
        sa.Column("violation_details", NAME),
        sa.Column("no_answer", sa.Text(), nullable=False),
        sa.Column("model", NAME, nullable=False),
        sa.Column("prompt", NAME, nullable=False),
        sa.Column("prompt_hash", NAME, nullable=False),
        sa.Column("call", NAME),
        sa.Column("at", TIME, nullable=False),
        sa.Column("latency_ms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["run"], ["runs.id"], name="fk_turns_run"),
        sa.PrimaryKeyConstraint("run", "step", "index", name="pk_turns"),
    )
    op.create_index("ix_turns_annotator_at", "turns", ["annotator", "at"])
