"""What models that label will be asked at most, before any of them is: calls and tokens, model by model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from crito.model.study import DEBATE_AT_LEAST, Agent, Item, Panel, Study, Task
from crito.studies.planning import ARGUMENTS, CHARS_PER_TOKEN, longest

INSTRUCTIONS_CHARS = 3_000
"""About as long as the instructions of a labelling are, without the study's own words."""
ARGUING = DEBATE_AT_LEAST - 1
TRIES = 2
"""An answer without a readable label is asked for once more."""


@dataclass(frozen=True, slots=True)
class ModelLoad:
    """What one model is asked at most."""

    model: str
    calls: int
    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class PanelPlan:
    """One panel on the items of one task."""

    panel: str
    task: str
    method: str
    items: int
    loads: tuple[ModelLoad, ...]

    @property
    def calls_at_most(self) -> int:
        return sum(load.calls for load in self.loads)

    @property
    def tokens_at_most(self) -> int:
        return sum(load.input_tokens + load.output_tokens for load in self.loads)


def panel_plans(study: Study) -> tuple[PanelPlan, ...]:
    """Every panel of a study on every task of it."""
    return tuple(panel_plan(panel, task, task.items) for panel in study.models for task in study.tasks)


def panel_plan(panel: Panel, task: Task, items: Sequence[Item]) -> PanelPlan:
    """What a panel may be asked about `items`: every answer as long as it may be, every one asked for again."""
    loads: dict[str, ModelLoad] = {}
    for place, agent in enumerate(panel.agents):
        before = loads.get(agent.model, ModelLoad(agent.model, 0, 0, 0))
        asked = list(_asked(panel, place))
        calls = len(items) * len(asked)
        standing = len(items) * _standing_chars(panel, task) + sum(map(_chars, items))
        read = ceil(standing / CHARS_PER_TOKEN) * len(asked) + len(items) * sum(asked) * panel.max_tokens
        loads[agent.model] = ModelLoad(
            agent.model,
            before.calls + calls,
            before.input_tokens + read,
            before.output_tokens + calls * (panel.max_tokens + _thinking_tokens(agent)),
        )
    return PanelPlan(panel.name, task.name, panel.method, len(items), tuple(loads.values()))


def _asked(panel: Panel, place: int) -> Iterator[int]:
    """For each call that the agent at `place` may get on one item: how many earlier answers it reads."""
    n = len(panel.agents)
    match panel.method:
        case "self_consistency":
            readings = [0] * panel.samples
        case "self_refine":
            yield 1  # the review of the draft, which is no label and is not asked for again
            readings = [0, 2]
        case "discussion":
            readings = [n * earlier for earlier in range(panel.max_rounds + 1)]
        case "debate":
            argues = place < ARGUING
            # An opening is said without anything before it; each later phase has two arguments more in view.
            yield from range(0, ARGUMENTS, ARGUING) if argues else ()
            readings = [0] if argues else [0, ARGUMENTS]
        case "vanilla" | "cot" | "ensemble":
            readings = [0]
    for earlier in readings:
        yield from (earlier + again for again in range(TRIES))


def _standing_chars(panel: Panel, task: Task) -> int:
    labels = sum(longest(label.text) + longest(label.description) for label in task.labels)
    persona = max(len(agent.persona) for agent in panel.agents)
    examples = sum(sorted(map(_chars, task.items), reverse=True)[: panel.examples])
    return INSTRUCTIONS_CHARS + longest(task.guideline) + longest(task.question) + labels + persona + examples


def _chars(item: Item) -> int:
    return len(item.text) + sum(map(len, item.context.values()))


def _thinking_tokens(agent: Agent) -> int:
    """A budget that the study sets; how much a level means, only the provider knows."""
    return agent.reasoning if isinstance(agent.reasoning, int) else 0
