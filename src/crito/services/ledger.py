"""What was asked of models: every call with what it came to and cost, sums of them, and those whose outcome nobody knows."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from crito.model.errors import InvalidInput
from crito.model.ids import CallKey, RunId, StudyName
from crito.model.record import Call
from crito.services.parts import Parts
from crito.services.ports import Alternative, Token, Tx

STATUSES = ("answered", "refused", "truncated", "error", "uncertain")
DIALOGUE = "dialogue"
"""Stands where a solo or group method would, for the turns of a partner who talks with a person."""

AGENTS_ALONE: Mapping[str, str] = {"d-": "debate", "j-": "judging"}
"""What stands in the place of a method for runs that are about no item, by the beginning of their ids."""

PAGE = 5_000

MostUsd = Callable[[Call, str], float | None]
"""What a call may have cost at most, by the call and the body that was sent; None where no price is known."""


@dataclass(frozen=True, slots=True)
class CallFilter:
    """Which calls are meant; empty is any. A model is `PROVIDER:NAME`."""

    model: str = ""
    method: str = ""
    status: str = ""

    def __post_init__(self) -> None:
        if self.status and self.status not in STATUSES:
            raise InvalidInput("there is no such status of a call", self.status, f"use one of {', '.join(STATUSES)}")

    def fits(self, row: "CallRow") -> bool:
        return all(
            wanted in ("", given)
            for wanted, given in ((self.model, row.model), (self.method, row.method), (self.status, row.status))
        )


class CallRow(NamedTuple):
    """One call as it is listed. The cost of an uncertain one is the most it may be."""

    key: CallKey
    at: datetime
    model: str
    method: str
    status: str
    input_tokens: int | None
    output_tokens: int | None
    cost_usd: float | None
    latency_ms: int | None
    error: str


class CallSum(NamedTuple):
    """Calls of one model, method and status; `unpriced` is how many of them have no known cost."""

    model: str
    method: str
    status: str
    calls: int
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    cost_usd: float
    unpriced: int


class Ledger(NamedTuple):
    """The calls that were meant: the first of them one by one, all of them in sums."""

    rows: list[CallRow]
    sums: list[CallSum]


async def ledger(parts: Parts, study: StudyName, which: CallFilter, most_usd: MostUsd, *, limit: int) -> Ledger:
    """The calls of a study that `which` means, in the order they were made; at most `limit` one by one."""

    def work(tx: Tx) -> Ledger:
        methods, rows = _methods(tx, study), list[CallRow]()
        figures: dict[tuple[str, str, str], list[float]] = defaultdict(lambda: [0, 0, 0, 0, 0.0, 0])
        for call in calls_of(tx, study):
            row = _row(tx, call, methods, most_usd)
            if not which.fits(row):
                continue
            if len(rows) < limit:
                rows.append(row)
            tokens = (call.input_tokens or 0, call.cached_tokens or 0, call.output_tokens or 0)
            unpriced = row.cost_usd is None and row.status != "error"
            adding = (1, *tokens, row.cost_usd or 0.0, int(unpriced))
            figures[row.model, row.method, row.status] = [
                a + b for a, b in zip(figures[row.model, row.method, row.status], adding, strict=True)
            ]
        return Ledger(rows, [_sum(group, added) for group, added in sorted(figures.items())])

    return await parts.store.read(work)


async def allow_resending(parts: Parts, study: StudyName, which: CallFilter) -> int:
    """Close the uncertain calls that `which` means, so that whoever needs their answers asks again; returns how many."""
    now = parts.now()

    def work(tx: Tx) -> int:
        methods, closed = _methods(tx, study), 0
        for call in list(calls_of(tx, study)):
            if call.status == "intended" and which.fits(_row(tx, call, methods, lambda call, body: None)):
                said = "its outcome is not known, and the owner allowed to ask again"
                tx.finish_call(replace(call, status="error", finish_reason="resent", error=said, finished_at=now))
                closed += 1
        return closed

    return await parts.store.write(work)


def render_tokens(tokens: Sequence[Token]) -> str:
    """Tokens with their alternatives as the ledger keeps them."""
    return json.dumps(
        [[token.text, token.logprob, token.alternatives] for token in tokens], ensure_ascii=False, separators=(",", ":")
    )


def parse_tokens(text: str) -> tuple[Token, ...]:
    """The tokens that `render_tokens` wrote."""
    return tuple(
        Token(said, logprob, tuple(Alternative(*other) for other in others))
        for said, logprob, others in json.loads(text)
    )


def calls_of(tx: Tx, study: StudyName) -> Iterator[Call]:
    """Every call of a study."""
    page = tx.calls(study, limit=PAGE)
    while page:
        yield from page
        page = tx.calls(study, after=page[-1].key, limit=PAGE)


def _methods(tx: Tx, study: StudyName) -> Mapping[RunId, str]:
    """The method of each run of a panel; a run that is not here is a dialogue."""
    return {run.id: labelling.panel.method for labelling in tx.labellings(study) for run in tx.label_runs(labelling.id)}


def _row(tx: Tx, call: Call, methods: Mapping[RunId, str], most_usd: MostUsd) -> CallRow:
    uncertain = call.status == "intended"
    cost_usd = most_usd(call, tx.words([call.request])[call.request] or "") if uncertain else call.cost_usd
    return CallRow(
        key=call.key,
        at=call.intended_at,
        model=f"{call.provider}:{call.requested_model}",
        method=methods.get(call.run, _by_prefix(call.run)) if call.run else DIALOGUE,
        status="uncertain" if uncertain else call.status,
        input_tokens=call.input_tokens,
        output_tokens=call.output_tokens,
        cost_usd=cost_usd,
        latency_ms=call.latency_ms,
        error=call.error,
    )


def _by_prefix(run: RunId) -> str:
    return next((method for prefix, method in AGENTS_ALONE.items() if run.startswith(prefix)), DIALOGUE)


def _sum(group: tuple[str, str, str], added: list[float]) -> CallSum:
    calls, given, cached, said, cost_usd, unpriced = added
    return CallSum(*group, int(calls), int(given), int(cached), int(said), cost_usd, int(unpriced))
