"""The call ledger: what is asked of a model is on disk before it is sent, and what came back is on disk after."""

import asyncio
import hashlib
import itertools
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, NamedTuple, Protocol

from crito.llm.limits import Backoff, Budget, Time, Turnstile
from crito.llm.wires import most_input_tokens
from crito.model.errors import CallHeld, Conflict, ModelDenied, ModelUnavailable, Trouble
from crito.model.ids import CallKey
from crito.model.record import Call, CallStatus
from crito.services.ledger import parse_tokens, render_tokens
from crito.services.ports.models import CallContext, ChatRequest, Completion, Reply, Token
from crito.services.ports.store import Store, Tx

STATUS_OF: Mapping[str, CallStatus] = {
    "stop": "answered",
    "length": "truncated",
    "closed": "truncated",
    "content_filter": "refused",
    "error": "error",
    "busy": "error",
    "unreached": "error",
    "denied": "error",
    "resent": "error",
}
"""The status of a call by the reason why its reply ended; any other reason counts as an answer. Ours are
`closed`: the reader had heard enough; `busy`, `unreached`, `denied`: see `Trouble`; `resent`: its outcome is not
known, and it was decided to ask again."""

OPEN_ENDS = frozenset({"busy", "unreached", "denied", "resent"})
"""Ends after which the same may be asked again: there was no answer, and none was charged or that is accepted."""

TRIES: Mapping[Trouble, int] = {"busy": 8, "unreached": 3, "uncertain": 2}
"""How often one call is sent at most when it fails in this way; otherwise once."""

LONGEST_PAUSE_S = 600.0
"""A provider that wants to be left alone for longer is not waited for."""

InFlight = Literal["hold", "resend"]
"""What becomes of calls whose outcome nobody knows."""


class UnrecordedModel(Protocol):
    """One model behind one provider, before the ledger stands in front of it."""

    @property
    def name(self) -> str: ...
    @property
    def provider(self) -> str: ...
    @property
    def model_name(self) -> str: ...
    @property
    def local(self) -> bool: ...
    def stream(
        self, request: ChatRequest, before_sending: Callable[[str], Awaitable[None]]
    ) -> AsyncGenerator[str | Completion, None]:
        """Pieces of the reply and a `Completion` last; sends at most one request, and that one only after
        `before_sending` has been given its body and has returned."""

    async def complete(self, request: ChatRequest, before_sending: Callable[[str], Awaitable[None]]) -> Reply:
        """The whole reply; sends as `stream` does."""

    def most_usd(self, request: ChatRequest) -> float | None:
        """What a request may cost at most; None where no price is known."""


def call_key(model: str, request: ChatRequest, context: CallContext, sent_before: int = 0) -> CallKey:
    """SHA-256 of everything that decides what may come back, and of whose call it is; the waiting time is neither.

    `sent_before` counts how often the same call was sent in vain.
    """
    parts = {
        "study": context.study,
        "run": context.run,
        "step": context.step,
        "attempt": context.attempt,
        "annotator": context.annotator,
        "model": model,
        "system": request.system,
        "messages": [[message.role, message.text] for message in request.messages],
        "temperature": request.temperature,
        "max_tokens": request.max_tokens,
        "stop": request.stop,
    }
    # Left out where they say nothing, so that calls made before they existed keep their keys.
    later = {
        "index": context.index,
        "slot": context.slot,
        "sample": context.sample,
        "schema": request.schema,
        "top_logprobs": request.top_logprobs,
        "sent_before": sent_before,
        "reasoning": "" if request.reasoning == "off" else request.reasoning,
    }
    parts |= {name: value for name, value in later.items() if value}
    canonical = json.dumps(parts, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return CallKey(hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest())


class KnownCall(NamedTuple):
    """A call that the ledger holds, with the words of its reply: None where they were erased; and its tokens as JSON."""

    call: Call
    reply: str | None
    tokens: str | None


@dataclass(frozen=True, slots=True)
class Controls:
    """What whole replies wait for: the provider's limits, the budget, and the time between tries."""

    turnstile: Turnstile
    budget: Budget
    backoff: Backoff
    time: Time
    in_flight: InFlight = "hold"


class RecordedModel:
    """A model whose every call goes through the ledger.

    A call that has a result is served from the ledger and not asked again. A call with an intent and no result is
    *uncertain*: it may have been paid for, so a hosted model is not asked again; a local one is.
    """

    def __init__(self, model: UnrecordedModel, store: Store, clock: Callable[[], datetime], controls: Controls) -> None:
        self._model = model
        self._store = store
        self._clock = clock
        self._controls = controls
        self._denied = ""
        self._finishing: set[asyncio.Task[None]] = set()

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def local(self) -> bool:
        return self._model.local

    async def stream(self, request: ChatRequest, context: CallContext) -> AsyncGenerator[str | Completion, None]:
        """Pieces of the reply as they come, and a `Completion` last. Closing the iterator early stops the call.

        Raises:
            ModelUnavailable: no answer, or not within the request's time; or nobody knows whether there was one.
        """
        key = call_key(self.name, request, context)
        known = await self._known(key, context)
        if known is not None and known.call.status != "intended":
            for recorded in _served(known):
                yield recorded
            return
        if known is not None and not self.local:
            raise ModelUnavailable(f"{self.name} may have answered this before without a record of it; not asked again")
        intent = known.call if known is not None else None

        async def intend(body: str) -> None:
            nonlocal intent
            if intent is None:
                intent = await self._record_intent(key, context, body)

        pieces: list[str] = []
        end, error = Completion(finish_reason="closed", served_model=""), ""
        try:
            async with aclosing(self._model.stream(request, intend)) as reply:
                async for piece in reply:
                    if isinstance(piece, Completion):
                        end = piece
                    else:
                        pieces.append(piece)
                        yield piece
        except ModelUnavailable as unavailable:
            end, error = replace(end, finish_reason="error"), str(unavailable)
            raise
        except Conflict as conflict:
            raise ModelUnavailable(f"{self.name} is being asked the same by somebody else") from conflict
        finally:
            if intent is not None:
                await self._record_result(intent, context, "".join(pieces), end, error)
        yield replace(end, call=key)

    async def complete(self, request: ChatRequest, context: CallContext) -> Reply:
        """The whole reply at once; what a provider refuses for now is sent again, each time as a call of its own.

        Raises:
            ModelUnavailable: no answer, however often it was asked.
            ModelDenied: whoever asks may not, or not this model.
            CallHeld: nobody knows whether there was an answer, and asking again may cost money again.
            BudgetReached: the call might cross the limit of spending; it was not sent.
            InvalidInput: the model cannot be asked in this way; nothing was sent.
        """
        sent_before, key = 0, call_key(self.name, request, context)
        while (known := await self._known(key, context)) is not None:
            if known.call.status == "intended":
                self._require_resending()
                await self._finish(known.call, "resent", f"{self.name} was asked, and its answer was not recorded")
            elif known.call.finish_reason not in OPEN_ENDS:
                return _whole(known, request)
            sent_before += 1
            key = call_key(self.name, request, context, sent_before)
        for tries in itertools.count(1):
            try:
                return await self._attempt(request, context, key)
            except ModelUnavailable as unavailable:
                await self._wait_or_give_up(unavailable, tries)
                sent_before += 1
                key = call_key(self.name, request, context, sent_before)
        raise AssertionError("the loop above ends by itself")

    async def _attempt(self, request: ChatRequest, context: CallContext, key: CallKey) -> Reply:
        """Send once, when the provider's limits and the budget allow it."""
        if self._denied:
            raise ModelDenied(self._denied)
        intent: Call | None = None
        turnstile = self._controls.turnstile

        aside_usd = await self._controls.budget.set_aside(self.name, lambda: self._model.most_usd(request))
        cost_usd = 0.0
        try:
            async with turnstile.out(most_tokens(request)) as let_out_at, turnstile.getting_ready() as leaves:

                async def intend(body: str) -> None:
                    nonlocal intent
                    intent = await self._record_intent(key, context, body)
                    leaves()

                try:
                    reply = await self._model.complete(request, intend)
                except ModelUnavailable as unavailable:
                    if unavailable.trouble == "busy":
                        self._controls.turnstile.was_busy(
                            let_out_at, min(unavailable.retry_after_s or 0, LONGEST_PAUSE_S)
                        )
                    cost_usd = aside_usd if unavailable.trouble == "uncertain" else 0.0
                    raise
                except asyncio.CancelledError:
                    cost_usd = aside_usd if intent is not None else 0.0
                    raise
            cost_usd = reply.completion.cost_usd or 0.0
            self._controls.turnstile.went_well()
        except ModelUnavailable as unavailable:
            if intent is not None and (unavailable.trouble != "uncertain" or self._resends):
                end = "resent" if unavailable.trouble == "uncertain" else unavailable.trouble
                await self._finish(intent, "error" if end == "other" else end, str(unavailable))
            raise
        except Conflict as conflict:
            raise CallHeld(f"{self.name} is being asked the same by somebody else") from conflict
        finally:
            self._controls.budget.settle(aside_usd, cost_usd)
        assert intent is not None, "a model announces what it sends"
        await self._record_result(intent, context, reply.text, reply.completion, "", reply.tokens)
        return replace(reply, completion=replace(reply.completion, call=key), parsed=_parsed(reply.text, request))

    async def _wait_or_give_up(self, unavailable: ModelUnavailable, tries: int) -> None:
        """Return when the call may be sent again.

        Raises:
            ModelUnavailable, ModelDenied, CallHeld: it may not.
        """
        if unavailable.trouble == "denied":
            self._denied = str(unavailable)
            raise ModelDenied(str(unavailable)) from unavailable
        if unavailable.trouble == "uncertain":
            self._require_resending(unavailable)
        pause_s = unavailable.retry_after_s
        if tries >= TRIES.get(unavailable.trouble, 1) or (pause_s or 0) > LONGEST_PAUSE_S:
            raise unavailable
        await self._controls.time.sleep(self._controls.backoff.wait_s(tries - 1, pause_s))

    @property
    def _resends(self) -> bool:
        return self.local or self._controls.in_flight == "resend"

    def _require_resending(self, cause: ModelUnavailable | None = None) -> None:
        if not self._resends:
            what = cause or f"{self.name} was asked, and its answer was not recorded"
            raise CallHeld(
                f"{what}; it may have been charged, so it is not sent again: `crito calls --uncertain` lists such calls, "
                "`--resend` or `--in-flight resend` allows it"
            ) from cause

    async def _finish(self, intent: Call, finish_reason: str, error: str) -> None:
        """Close a call that brought no answer."""
        await self._record_result(intent, None, "", Completion(finish_reason, served_model=""), error)

    async def close(self) -> None:
        """Wait until every result is on disk."""
        await asyncio.gather(*self._finishing)

    async def _known(self, key: CallKey, context: CallContext) -> KnownCall | None:
        if context.called is not None and key not in context.called:
            return None
        return await self._store.read(lambda tx: _find(tx, key))

    async def _record_intent(self, key: CallKey, context: CallContext, body: str) -> Call:
        now = self._clock()

        def work(tx: Tx) -> Call:
            intent = Call(
                key=key,
                study=context.study,
                run=context.run,
                status="intended",
                provider=self._model.provider,
                requested_model=self._model.model_name,
                served_model="",
                request=tx.keep_words(context.annotator, body),
                reply=None,
                finish_reason="",
                input_tokens=None,
                cached_tokens=None,
                output_tokens=None,
                cost_usd=None,
                latency_ms=None,
                error="",
                intended_at=now,
                finished_at=None,
            )
            tx.add_call(intent)
            return intent

        return await self._store.write(work)

    async def _record_result(
        self,
        intent: Call,
        context: CallContext | None,
        reply: str,
        end: Completion,
        error: str,
        tokens: Sequence[Token] | None = None,
    ) -> None:
        now = self._clock()
        waited_ms = max(0, round(1000 * (now - intent.intended_at).total_seconds()))

        def work(tx: Tx) -> None:
            tx.finish_call(
                replace(
                    intent,
                    status=STATUS_OF.get(end.finish_reason, "answered"),
                    served_model=end.served_model,
                    reply=tx.keep_words(context.annotator, reply) if reply and context else None,
                    finish_reason=end.finish_reason,
                    input_tokens=end.input_tokens,
                    cached_tokens=end.cached_tokens,
                    output_tokens=end.output_tokens,
                    cost_usd=end.cost_usd,
                    latency_ms=end.latency_ms or waited_ms,
                    error=error,
                    finished_at=now,
                    tokens=tx.keep_words(context.annotator, render_tokens(tokens)) if tokens and context else None,
                )
            )

        # A visitor who leaves cancels the task that reads the reply; what came is kept all the same.
        task = asyncio.create_task(self._store.write(work))
        self._finishing.add(task)
        task.add_done_callback(self._finishing.discard)
        await asyncio.shield(task)


def _find(tx: Tx, key: CallKey) -> KnownCall | None:
    call = tx.call(key)
    if call is None:
        return None
    words = tx.words([words for words in (call.reply, call.tokens) if words])
    return KnownCall(call, words[call.reply] if call.reply else "", words[call.tokens] if call.tokens else None)


def _served(known: KnownCall) -> list[str | Completion]:
    """The reply as the ledger holds it."""
    call = known.call
    if call.status == "error":
        raise ModelUnavailable(call.error)
    if known.reply is None:
        raise ModelUnavailable(f"the reply of {call.requested_model} was erased with the words of its annotator")
    end = Completion(
        finish_reason=call.finish_reason,
        served_model=call.served_model,
        input_tokens=call.input_tokens,
        cached_tokens=call.cached_tokens,
        output_tokens=call.output_tokens,
        cost_usd=call.cost_usd,
        latency_ms=call.latency_ms or 0,
        call=call.key,
    )
    return [known.reply, end] if known.reply else [end]


def _whole(known: KnownCall, request: ChatRequest) -> Reply:
    """A whole reply as the ledger holds it."""
    *pieces, end = _served(known)
    assert isinstance(end, Completion)
    text = "".join(str(piece) for piece in pieces)
    tokens = None if known.tokens is None else parse_tokens(known.tokens)
    return Reply(text, end, _parsed(text, request), tokens)


def most_tokens(request: ChatRequest) -> int:
    """How many tokens a request is counted for against a provider's limit, as providers themselves do."""
    return most_input_tokens(request) + request.max_tokens


def _parsed(text: str, request: ChatRequest) -> Any:
    """The JSON of a reply to a request with a schema; None where it is none."""
    if request.schema is None:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return None
