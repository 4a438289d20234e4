"""Runs of protocols: their turns, who may ask for the next one, and the calls to models."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import bindparam, func, literal, literal_column, or_, select, update

from crito.model.errors import Conflict, NotFound
from crito.model.ids import AnnotatorId, AssignmentId, CallKey, RunId, StudyName
from crito.model.record import Call, RecordedTurn, Run
from crito.model.talk import PARTNER_KINDS, ReadLabel, Violation
from crito.services.ports.agents import CallTotals
from crito.store.prepared import among
from crito.store.record import RecordRows
from crito.store.rows import columns_of, insert_into, values_of
from crito.store.tables.agents import calls
from crito.store.tables.columns import to_json
from crito.store.tables.record import reply_leases, words
from crito.store.tables.record import runs as runs_
from crito.store.tables.record import turns as turns_

_RUNS = (
    select(*columns_of(runs_, Run))
    .where(among(runs_.c.assignment, "assignments"))
    .order_by(runs_.c.assignment, runs_.c.protocol_version, runs_.c.id)
)

_SPOKEN = ("text", "mended", "streamed", "violation_details")
_BODIES = {name: words.alias(f"{name}_words") for name in _SPOKEN}
_TURNS_WITH_WORDS = turns_
for _name, _body in _BODIES.items():
    _TURNS_WITH_WORDS = _TURNS_WITH_WORDS.outerjoin(_body, _body.c.id == turns_.c[_name])  # type: ignore[assignment]
_TURNS = (
    select(
        turns_,
        *(body.c.body.label(f"{name}_body") for name, body in _BODIES.items()),
        or_(*(body.c.id.is_not(None) & body.c.body.is_(None) for body in _BODIES.values())).label("erased"),
    )
    .select_from(_TURNS_WITH_WORDS)
    .where(among(turns_.c.run, "runs"))
    .order_by(turns_.c.run, turns_.c.step, turns_.c.index)
)
_PARTNER_TURNS = select(func.count()).where(
    turns_.c.annotator == bindparam("annotator"),
    turns_.c.at >= bindparam("since"),
    or_(*(turns_.c.kind == kind for kind in sorted(PARTNER_KINDS))),
)

_STUDY_OF_RUN = select(runs_.c.study).where(runs_.c.id == bindparam("of_run")).scalar_subquery()


@cache
def _lease(dialect: str) -> Any:
    """Take a lease that is free, run out or one's own; changes no row when it is somebody else's."""
    taken = insert_into(dialect, reply_leases).values(
        run=bindparam("of_run"),
        step=bindparam("of_step"),
        study=_STUDY_OF_RUN,
        holder=bindparam("new_holder"),
        until=bindparam("new_until"),
    )
    return taken.inline().on_conflict_do_update(
        index_elements=[reply_leases.c.run, reply_leases.c.step],
        set_={"holder": taken.excluded.holder, "until": taken.excluded.until},
        where=or_(reply_leases.c.until <= bindparam("now"), reply_leases.c.holder == taken.excluded.holder),
    )


_FINISHED = tuple(name for name in Call.__slots__ if name not in ("key", "study", "run", "intended_at", "request"))
_CALL = select(*columns_of(calls, Call)).where(calls.c.key == bindparam("key"))
_CALL_KEYS = select(calls.c.key).where(calls.c.run == bindparam("run"))
_FINISH = (
    update(calls)
    .where(calls.c.key == bindparam("of_key"), calls.c.status == "intended")
    .values({name: bindparam(f"new_{name}") for name in _FINISHED})
)
_CALLS = (
    select(*columns_of(calls, Call))
    .where(
        calls.c.study == bindparam("study"),
        calls.c.ordinal
        > func.coalesce(
            select(calls.c.ordinal).where(calls.c.key == bindparam("after")).correlate(None).scalar_subquery(), 0
        ),
        or_(bindparam("status") == literal(""), calls.c.status == bindparam("status")),
        or_(bindparam("model") == literal(""), calls.c.provider + ":" + calls.c.requested_model == bindparam("model")),
    )
    .order_by(calls.c.ordinal)
    .limit(bindparam("limit"))
)

# Numbers as they stand: PostgreSQL takes two parameters of the same value for different expressions.
_PREFIX = func.coalesce(func.substr(calls.c.run, literal_column("1"), literal_column("2")), literal_column("''"))
_GROUP = (calls.c.provider, calls.c.requested_model, runs_.c.labelling, _PREFIX, calls.c.status)
_CALL_TOTALS = (
    select(
        *_GROUP,
        func.count(),
        *(func.coalesce(func.sum(calls.c[name]), 0) for name in ("input_tokens", "cached_tokens", "output_tokens")),
        func.coalesce(func.sum(calls.c.cost_usd), 0.0),
        func.count() - func.count(calls.c.cost_usd),
    )
    .select_from(calls.outerjoin(runs_, runs_.c.id == calls.c.run))
    .where(calls.c.study == bindparam("study"))
    .group_by(*_GROUP)
    .order_by(*_GROUP)
)
_STARTS_SO = func.substr(calls.c.run, 1, func.length(bindparam("start"))) == bindparam("start")
_SPENT = select(func.coalesce(func.sum(calls.c.cost_usd), 0.0)).where(calls.c.study == bindparam("study"), _STARTS_SO)


class RunRows(RecordRows):
    """What `Tx` says about runs and calls."""

    def run_of(self, assignment: AssignmentId) -> Run | None:
        found = self.runs([assignment])
        return found[-1] if found else None

    def runs(self, assignments: Sequence[AssignmentId]) -> Sequence[Run]:
        return self._each(Run, _RUNS, {"assignments": list(assignments)})

    def add_run(self, study: StudyName, run: Run) -> None:
        self._add(runs_, values_of(run, study=study))

    def turns(self, runs: Sequence[RunId]) -> Mapping[RunId, Sequence[RecordedTurn]]:
        found: dict[RunId, list[RecordedTurn]] = {run: [] for run in runs}
        for row in self._rows(_TURNS, {"runs": list(runs)}):
            found[row.run].append(_turn(row))
        return found

    def add_turn(self, study: StudyName, annotator: AnnotatorId, turn: RecordedTurn) -> None:
        self._add_turns(study, annotator, [(annotator, turn)])

    def add_agent_turns(self, study: StudyName, turns: Sequence[tuple[AnnotatorId, RecordedTurn]]) -> None:
        self._add_turns(study, None, turns)

    def _add_turns(
        self, study: StudyName, owner: AnnotatorId | None, turns: Sequence[tuple[AnnotatorId, RecordedTurn]]
    ) -> None:
        """Keep turns, their words as the `owner`'s."""
        said = [_spoken(turn) for _, turn in turns]
        ids = iter(self.keep_all_words(owner, [text for texts in said for text in texts.values()]))
        rows = []
        for (annotator, turn), texts in zip(turns, said, strict=True):
            values = values_of(turn, study=study, annotator=annotator)
            values |= {name: next(ids) if name in texts else None for name in _SPOKEN}
            values["violations"] = [[violation.rule, violation.sentence] for violation in turn.violations]
            values["labelled"] = None if turn.labelled is None else asdict(turn.labelled)
            del values["erased"]
            rows.append(values)
        if self._add_missing(turns_, rows) != len(rows):
            first = turns[0][1]
            raise Conflict(
                f"run {first.run!r} has a turn at step {first.step}, index {first.index} or beside it already"
            )

    def lease_reply(self, run: RunId, step: int, holder: str, until: datetime, now: datetime) -> bool:
        lease = {"of_run": run, "of_step": step, "new_holder": holder, "new_until": until, "now": now}
        return self._run(_lease(self._statements.dialect.name), lease) == 1

    def partner_turns_since(self, annotator: AnnotatorId, since: datetime) -> int:
        row = self._first(_PARTNER_TURNS, {"annotator": annotator, "since": since})
        return row[0] if row else 0

    def add_call(self, call: Call) -> None:
        if not self._add_missing(calls, [values_of(call)]):
            raise Conflict(f"call {call.key!r} is in the ledger already")

    def finish_call(self, call: Call) -> None:
        result = {f"new_{name}": getattr(call, name) for name in _FINISHED}
        if self._run(_FINISH, {"of_key": call.key} | result):
            return
        if self.call(call.key) is None:
            raise NotFound(f"no call with the key {call.key!r} was intended")
        raise Conflict(f"call {call.key!r} has its result already")

    def call(self, key: CallKey) -> Call | None:
        row = self._first(_CALL, {"key": key})
        return Call(*row) if row else None

    def call_keys(self, run: RunId) -> frozenset[CallKey]:
        return frozenset(row.key for row in self._rows(_CALL_KEYS, {"run": run}))

    def calls(
        self, study: StudyName, *, after: str = "", limit: int = 500, status: str = "", model: str = ""
    ) -> Sequence[Call]:
        which = {"study": study, "after": after, "limit": limit, "status": status, "model": model}
        return self._each(Call, _CALLS, which)

    def call_totals(self, study: StudyName) -> Sequence[CallTotals]:
        # PostgreSQL sums whole numbers into decimals.
        return [
            CallTotals._make((*row[:5], *(int(number) for number in row[5:9]), *row[9:]))
            for row in self._rows(_CALL_TOTALS, {"study": study})
        ]

    def spent_usd(self, study: StudyName, run_prefixes: Collection[str]) -> float:
        return sum(float(self._first(_SPENT, {"study": study, "start": start})[0]) for start in run_prefixes)


def _spoken(turn: RecordedTurn) -> dict[str, str]:
    """The words of a turn, by column; those that are none are left out."""
    details = [violation.detail for violation in turn.violations]
    spoken = {
        "text": turn.text,
        "mended": turn.mended,
        "streamed": turn.streamed,
        "violation_details": to_json(details) if any(details) else "",
    }
    return {name: spoken[name] for name in _SPOKEN if spoken[name]}


def _turn(row: Any) -> RecordedTurn:
    details = json.loads(row.violation_details_body) if row.violation_details_body else [""] * len(row.violations)
    return RecordedTurn(
        run=row.run,
        step=row.step,
        index=row.index,
        fingerprint=row.fingerprint,
        speaker=row.speaker,
        kind=row.kind,
        text=row.text_body or "",
        mended=row.mended_body or "",
        streamed=row.streamed_body or "",
        violations=tuple(
            Violation(rule, sentence, detail) for (rule, sentence), detail in zip(row.violations, details, strict=True)
        ),
        no_answer=row.no_answer,
        model=row.model,
        prompt=row.prompt,
        prompt_hash=row.prompt_hash,
        call=row.call,
        at=row.at,
        latency_ms=row.latency_ms,
        erased=bool(row.erased),
        labelled=ReadLabel(**row.labelled) if row.labelled else None,
    )
