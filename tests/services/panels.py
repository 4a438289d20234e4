"""Panels of scripted models that label a study, for tests of what is made of their record."""

import json
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass, replace
from itertools import count

from crito.engine.local import LocalEngine
from crito.model.errors import ModelUnavailable
from crito.model.ids import CallKey, ItemId
from crito.model.record import Call
from crito.model.study import Agent, Item, Method, Panel, Study
from crito.services.asking import Calling
from crito.services.labelling import begin, label_item
from crito.services.parts import Parts
from crito.services.ports.models import CallContext, ChatModel, ChatRequest, Completion, Reply
from tests.builders import NOON, make_label, make_study, make_task

Script = Mapping[str, Mapping[str, str]]
"""By model and item the labels it gives round by round, a letter each; `?` cannot be read, `-` never comes."""

X, Y, Z = (make_label(name) for name in "xyz")


@dataclass
class Scripted:
    """Models that follow a script, with what each call takes and costs; a cost of None is not known."""

    script: Script
    parts: Parts
    cost_usd: float | None = 0.25
    keys: Callable[[], int] = count().__next__

    def __call__(self, name: str) -> ChatModel:
        return _Model(name, self)


@dataclass
class _Model:
    name: str
    models: Scripted
    local: bool = True

    async def stream(self, request: ChatRequest, context: CallContext) -> AsyncGenerator[str | Completion, None]:
        yield (await self.complete(request, context)).text

    async def complete(self, request: ChatRequest, context: CallContext) -> Reply:
        item = request.messages[0].text.split("item ")[1][0]
        rounds = self.models.script[self.name][item]
        label = rounds[min(request.messages[0].text.count("<round "), len(rounds) - 1)]
        if label == "-":
            raise ModelUnavailable(f"{self.name} is away")
        text = "Hm." if label == "?" else json.dumps({"label": label.capitalize(), "confidence": 0.5, "reason": "so"})
        call = await self._recorded(context)
        return Reply(text, Completion("stop", self.name, 100, 40, 10, self.models.cost_usd, 1500, call))

    async def _recorded(self, context: CallContext) -> CallKey:
        key = CallKey(f"{self.models.keys():064}")
        provider, _, model = self.name.partition(":")

        def work(tx: object) -> None:
            words = tx.keep_words(None, "{}")  # type: ignore[attr-defined]
            call = Call(
                key, context.study, context.run, "intended", provider, model, "", words, None, "", None, None, None,
                None, None, "", NOON, None,
            )  # fmt: skip
            tx.add_call(call)  # type: ignore[attr-defined]
            done = replace(
                call, status="answered", input_tokens=100, cached_tokens=40, output_tokens=10,
                cost_usd=self.models.cost_usd, latency_ms=1500, finished_at=NOON,
            )  # fmt: skip
            tx.finish_call(done)  # type: ignore[attr-defined]

        await self.models.parts.store.write(work)
        return key


def lettered_study(gold: Mapping[str, str]) -> Study:
    """Items named by letters with their reference labels, and nobody but models."""
    items = tuple(Item(ItemId(name), f"This is item {name}.", gold=label or None) for name, label in gold.items())
    task = make_task("letters", labels=(X, Y, Z), items=items)
    return replace(make_study(tasks=(task,)), conditions=(), survey=())


def lettered_panel(method: Method, *models: str, name: str = "") -> Panel:
    return Panel(name or method, method, tuple(Agent(model) for model in models))


async def label_all(parts: Parts, study: Study, panel: Panel) -> None:
    """Have a panel label every item of the study's only task."""
    engine = LocalEngine(1)
    job = await begin(parts, study, panel)
    calling = Calling(engine.turnstile, lambda spent: None)
    for model in {agent.model for agent in panel.agents}:
        calling.watch.heard(model)
    await engine.drive(job.waiting, lambda item: label_item(parts, job, item, calling), lambda outcome: None)
