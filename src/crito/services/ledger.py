"""What was asked of models: every call with what it came to and cost, sums of them, and those whose outcome nobody knows."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import NamedTuple

from crito.model.errors import InvalidInput
from crito.model.ids import CallKey, LabellingId, RunId, StudyName
from crito.model.record import Call
from crito.services.parts import Parts
from crito.services.ports.agents import CallTotals
from crito.services.ports.models import Alternative, Token
from crito.services.ports.store import Tx

STATUSES = ("answered", "refused", "truncated", "error", "uncertain")
DIALOGUE = "dialogue"
"""Stands where a solo or group method would, for the turns of a partner who talks with a person."""

AGENTS_ALONE: Mapping[str, str] = {"d-": "debate", "j-": "judging"}
"""What stands in the place of a method for runs that are about no item, by the beginning of their ids."""

PAGE = 1_000

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

    def fits(self, model: str, method: str, status: str) -> bool:
        wanted = (self.model, model), (self.method, method), (self.status, status)
        return all(wish in ("", given) for wish, given in wanted)

    @property
    def stored_status(self) -> str:
        return "intended" if self.status == "uncertain" else self.status


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
        methods = _methods(tx, study)
        sums: dict[tuple[str, str, str], CallSum] = {}
        for total in tx.call_totals(study):
            one = _sum(total, methods)
            if which.fits(*one[:3]):
                sums[one[:3]] = _together(sums[one[:3]], one) if one[:3] in sums else one
        for row in _rows(tx, study, replace(which, status="uncertain"), methods, most_usd) if _uncertain(sums) else ():
            group = row.model, row.method, row.status
            priced = row.cost_usd is not None
            sums[group] = _together(sums[group], CallSum(*group, 0, 0, 0, 0, row.cost_usd or 0.0, -priced))
        listed = min(limit, sum(one.calls for one in sums.values()))
        rows = list(islice(_rows(tx, study, which, methods, most_usd), listed))
        return Ledger(rows, [one for _, one in sorted(sums.items())])

    return await parts.store.survey(work)


async def allow_resending(parts: Parts, study: StudyName, which: CallFilter) -> int:
    """Close the uncertain calls that `which` means, so that whoever needs their answers asks again; returns how many."""
    now = parts.now()

    def work(tx: Tx) -> int:
        methods = _methods(tx, study)
        uncertain = list(_calls(tx, study, replace(which, status="uncertain"), methods))
        for call, _ in uncertain:
            said = "its outcome is not known, and the owner allowed to ask again"
            tx.finish_call(replace(call, status="error", finish_reason="resent", error=said, finished_at=now))
        return len(uncertain)

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


def _methods(tx: Tx, study: StudyName) -> Mapping[LabellingId, str]:
    """The method of each labelling."""
    return {labelling.id: labelling.panel.method for labelling in tx.labellings(study)}


def _without_labelling(run_prefix: str) -> str:
    return AGENTS_ALONE.get(run_prefix, DIALOGUE)


def _calls(
    tx: Tx, study: StudyName, which: CallFilter, methods: Mapping[LabellingId, str]
) -> Iterator[tuple[Call, str]]:
    """The calls that are meant, each with its method."""
    after = ""
    while page := tx.calls(study, after=after, limit=PAGE, status=which.stored_status, model=which.model):
        labellings = tx.labellings_of(list({call.run for call in page if call.run}))
        for call in page:
            run = call.run or RunId("")
            method = methods[labellings[run]] if run in labellings else _without_labelling(run[:2])
            if which.method in ("", method):
                yield call, method
        after = page[-1].key


def _rows(
    tx: Tx, study: StudyName, which: CallFilter, methods: Mapping[LabellingId, str], most_usd: MostUsd
) -> Iterator[CallRow]:
    for call, method in _calls(tx, study, which, methods):
        uncertain = call.status == "intended"
        yield CallRow(
            key=call.key,
            at=call.intended_at,
            model=f"{call.provider}:{call.requested_model}",
            method=method,
            status="uncertain" if uncertain else call.status,
            input_tokens=call.input_tokens,
            output_tokens=call.output_tokens,
            cost_usd=most_usd(call, tx.words([call.request])[call.request] or "") if uncertain else call.cost_usd,
            latency_ms=call.latency_ms,
            error=call.error,
        )


def _sum(total: CallTotals, methods: Mapping[LabellingId, str]) -> CallSum:
    """What the ledger holds of one group; what an uncertain call may cost is not in it, and a failed one costs nothing."""
    status = "uncertain" if total.status == "intended" else total.status
    method = methods[total.labelling] if total.labelling else _without_labelling(total.run_prefix)
    return CallSum(
        f"{total.provider}:{total.model}", method, status, total.calls, total.input_tokens,
        total.cached_tokens, total.output_tokens, total.cost_usd, 0 if status == "error" else total.unpriced,
    )  # fmt: skip


def _together(one: CallSum, other: CallSum) -> CallSum:
    return CallSum._make((*one[:3], *(a + b for a, b in zip(one[3:], other[3:], strict=True))))


def _uncertain(sums: Mapping[tuple[str, str, str], CallSum]) -> bool:
    return any(status == "uncertain" for _, _, status in sums)
