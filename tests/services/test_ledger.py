"""Listing, summing and releasing calls, over both databases."""

from dataclasses import replace
from typing import Any

import pytest

from crito.model.errors import Conflict, InvalidInput
from crito.model.ids import CallKey, RunId
from crito.model.record import Call
from crito.services.ledger import CallFilter, CallSum, allow_resending, ledger
from crito.services.parts import Parts
from crito.services.publishing import publish
from tests.builders import NOON, make_study
from tests.services.walking import NAME

ANY = CallFilter()


def make_call(key: str, **given: Any) -> Call:
    call = Call(
        key=CallKey(key),
        study=NAME,
        run=RunId("r"),
        status="answered",
        provider="openai",
        requested_model="m",
        served_model="m-1",
        request=None,  # type: ignore[arg-type]  # `kept` fills it in
        reply=None,
        finish_reason="stop",
        input_tokens=100,
        cached_tokens=40,
        output_tokens=10,
        cost_usd=0.5,
        latency_ms=20,
        error="",
        intended_at=NOON,
        finished_at=NOON,
    )
    return replace(call, **given)


UNCERTAIN: dict[str, Any] = {
    "status": "intended",
    "finish_reason": "",
    "served_model": "",
    "input_tokens": None,
    "cached_tokens": None,
    "output_tokens": None,
    "cost_usd": None,
    "latency_ms": None,
    "finished_at": None,
}


async def kept(parts: Parts, *calls: Call) -> None:
    await publish(parts, make_study())

    def work(tx: Any) -> None:
        for call in calls:
            tx.add_call(replace(call, request=tx.keep_words(None, f"body of {call.key}")))

    await parts.store.write(work)


def no_price(call: Call, body: str) -> None:
    return None


async def test_calls_are_summed_by_model_method_and_status(parts: Parts) -> None:
    await kept(
        parts,
        make_call("a"),
        make_call("b"),
        make_call("c", status="error", finish_reason="busy", input_tokens=None, cost_usd=None),
        make_call("d", requested_model="n", cost_usd=None),
    )

    found = await ledger(parts, NAME, ANY, no_price, limit=0)

    assert found.rows == []
    assert found.sums == [
        CallSum("openai:m", "dialogue", "answered", 2, 200, 80, 20, 1.0, 0),
        CallSum("openai:m", "dialogue", "error", 1, 0, 40, 10, 0.0, 0),
        CallSum("openai:n", "dialogue", "answered", 1, 100, 40, 10, 0.0, 1),
    ]


@pytest.mark.parametrize(
    ("which", "keys"),
    [
        (CallFilter(), "abc"),
        (CallFilter(model="openai:n"), "b"),
        (CallFilter(status="uncertain"), "c"),
        (CallFilter(method="cot"), ""),
        (CallFilter(model="openai:m", method="dialogue", status="answered"), "a"),
    ],
)
async def test_calls_are_found_by_model_method_and_status(parts: Parts, which: CallFilter, keys: str) -> None:
    await kept(parts, make_call("a"), make_call("b", requested_model="n"), make_call("c", **UNCERTAIN))

    found = await ledger(parts, NAME, which, no_price, limit=10)

    assert [row.key for row in found.rows] == list(keys)


async def test_an_uncertain_call_is_listed_with_the_most_it_may_have_cost(parts: Parts) -> None:
    await kept(parts, make_call("a", **UNCERTAIN))

    found = await ledger(parts, NAME, ANY, lambda call, body: 0.75 if body == "body of a" else None, limit=10)

    assert [(row.status, row.cost_usd) for row in found.rows] == [("uncertain", 0.75)]
    assert found.sums[0].cost_usd == 0.75


async def test_uncertain_calls_are_closed_once_their_owner_allows_to_ask_again(parts: Parts) -> None:
    await kept(parts, make_call("a", **UNCERTAIN), make_call("b"), make_call("c", **UNCERTAIN, requested_model="n"))

    released = await allow_resending(parts, NAME, CallFilter(model="openai:m"))
    again = await allow_resending(parts, NAME, CallFilter(model="openai:m"))

    calls = await parts.store.read(lambda tx: tx.calls(NAME))
    assert (released, again) == (1, 0)
    assert [(call.key, call.status, call.finish_reason) for call in calls] == [
        ("a", "error", "resent"),
        ("b", "answered", "stop"),
        ("c", "intended", ""),
    ]
    with pytest.raises(Conflict):
        await parts.store.write(lambda tx: tx.finish_call(calls[0]))


def test_a_status_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(InvalidInput, match="answered, refused, truncated, error, uncertain"):
        CallFilter(status="lost")
