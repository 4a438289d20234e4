"""Asks for labels turned into requests to models, and their replies into turns."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any

from crito.model.errors import InvalidInput
from crito.model.ids import Language
from crito.model.study import Agent, Item, Panel, Task
from crito.model.talk import Ask, Reading, ReadLabel, Turn
from crito.prompts import labellers as prompts
from crito.prompts.files import Rendered
from crito.protocols.answers import read_label
from crito.protocols.case import ShownLabel
from crito.protocols.solo import SAMPLING_TEMPERATURE
from crito.services.label_chances import AFTER_REASONS, TOP, label_chances
from crito.services.ports.models import ChatMessage, ChatRequest, Reply

TIMEOUT_S = 600.0
"""Longer than a reasoning model thinks; nobody sits and waits."""

UNLABELLED = ("labelling/review", "labelling/argue")
"""Asks that are answered in words, without a label."""

CUT_OFF: Mapping[str, Reading] = {"length": "truncated", "content_filter": "refused", "refusal": "refused"}
"""Readings that follow from the reason why a reply ended, whatever it says."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, and the prompt file that it was made from."""

    request: ChatRequest
    prompt: str
    prompt_hash: str


@dataclass(frozen=True, slots=True)
class Desk:
    """What an agent is asked about: its task, in the language of the study, and how its panel works; `seed` is the study's."""

    task: Task
    language: Language
    panel: Panel
    seed: int = 0
    _instructions: dict[Agent, Rendered] = field(default_factory=dict, compare=False, repr=False)
    """Every call needs them, and they are the same each time."""

    @property
    def labels(self) -> tuple[ShownLabel, ...]:
        """The labels as the agent gets them; where two have the same words, by their names."""
        shown = [
            ShownLabel(
                label.name, label.text.in_language(self.language),
                label.description.in_language(self.language),
            )
            for label in self.task.labels
        ]  # fmt: skip
        if len({label.text.casefold() for label in shown}) == len(shown):
            return tuple(shown)
        return tuple(ShownLabel(label.name, label.name, label.description) for label in shown)

    def instructions(self, agent: Agent) -> Rendered:
        """The standing instructions of an agent of this panel."""
        if agent not in self._instructions:
            self._instructions[agent] = self._render_instructions(agent)
        return self._instructions[agent]

    def _render_instructions(self, agent: Agent) -> Rendered:
        words = {label.name: label.text for label in self.labels}
        return prompts.labeller_instructions(
            question=self.task.question.in_language(self.language),
            labels=[(label.text, label.description) for label in self.labels],
            guideline=self.task.guideline.in_language(self.language),
            reasoned=is_reasoned(self.panel),
            trigger=self.panel.trigger,
            persona=agent.persona,
            examples=[(self._shown(item), words[item.gold]) for item in self.examples if item.gold],
            own=self.task.prompts,
        )

    @property
    def examples(self) -> tuple[Item, ...]:
        """The items that stand in the instructions with their reference labels: drawn by the seed, all labels in turn.

        Raises:
            InvalidInput: fewer items have a reference label.
        """
        return examples_of(self.task, self.panel.examples, self.seed)

    def _shown(self, item: Item) -> str:
        return prompts.item_message(item.text, item.context)

    def request(self, ask: Ask, agent: Agent, item: Item) -> Asked:
        """What is sent for an ask: instructions that are the same for every item, then the item, then what else is asked."""
        instructions = self.instructions(agent)
        added = [self._added(ask)] if ask.prompt != "labelling/label" else []
        if "unread" in ask.values:
            unread = ask.values["unread"]
            labels = [label.text for label in self.labels]
            added.append(prompts.repair_request(unread["reply"], unread["came"], labels, self.task.prompts))
        words = [self._shown(item), *(part.text for part in added)]
        request = ChatRequest(
            instructions.text,
            (ChatMessage("user", "\n\n".join(words)),),
            temperature=SAMPLING_TEMPERATURE if self.panel.method == "self_consistency" else 0.0,
            max_tokens=self.panel.max_tokens,
            timeout_s=TIMEOUT_S,
            schema=None if ask.prompt in UNLABELLED else self.schema(),
            top_logprobs=TOP if self._weighs and ask.prompt not in UNLABELLED else 0,
            reasoning=agent.reasoning,
        )
        used = added[0].prompt if added else instructions.prompt
        return Asked(request, used.id, used.hash)

    def schema(self) -> Mapping[str, Any]:
        """The form of an answer; where the reasoning comes before the label, it stands before it."""
        kinds: dict[str, Any] = {
            "reason": {"type": "string"},
            "label": {"type": "string", "enum": [label.text for label in self.labels]},
            "confidence": {"type": "number"},
        }
        order = ("reason", "label", "confidence") if is_reasoned(self.panel) else ("label", "confidence", "reason")
        properties = {name: kinds[name] for name in order}
        return {
            "type": "object", "properties": properties, "required": list(properties), "additionalProperties": False,
        }  # fmt: skip

    def turn(self, ask: Ask, reply: Reply) -> Turn:
        """A reply as the answer to its ask, with the label it gives."""
        return self.turn_of(ask.speaker, reply, labelled=ask.prompt not in UNLABELLED)

    def turn_of(self, speaker: str, reply: Reply, *, labelled: bool) -> Turn:
        """A reply as a turn; `labelled` when a label was asked for."""
        if not labelled:
            return Turn(speaker, reply.text, "model")
        cut_off = CUT_OFF.get(reply.completion.finish_reason)
        read = ReadLabel(cut_off) if cut_off else read_label(reply.text, self.labels)
        if self.panel.probabilities and read.label is not None:
            found = label_chances(reply.tokens, self.labels) if self._weighs else AFTER_REASONS
            read = replace(read, probabilities=found.of, unweighed=found.missing)
        return Turn(speaker, reply.text, "model", labelled=read)

    @property
    def _weighs(self) -> bool:
        return self.panel.probabilities and not is_reasoned(self.panel)

    def _added(self, ask: Ask) -> Rendered:
        if ask.prompt == "labelling/review":
            return prompts.review_request(ask.values["draft"], self.task.prompts)
        if ask.prompt == "labelling/refine":
            return prompts.refine_request(ask.values["draft"], ask.values["review"], self.task.prompts)
        words = {label.name: label.text for label in self.labels}
        if ask.prompt == "labelling/argue":
            stance, opposing = words[ask.values["stance"]], words[ask.values["opposing"]]
            return prompts.argue_request(ask.values["phase"], stance, opposing, ask.values["arguments"], words)
        if ask.prompt == "labelling/decide":
            first, second = (words[label] for label in ask.values["stances"])
            return prompts.decide_request(first, second, ask.values["arguments"], words)
        return prompts.discussion_request(ask.values["history"], words, self.task.prompts)


def examples_of(task: Task, n: int, seed: int) -> tuple[Item, ...]:
    """`n` items with a reference label, drawn by `seed`: one of each label in turn, as long as there are any.

    Raises:
        InvalidInput: fewer have one.
    """
    known = [item for item in task.items if item.gold is not None]
    if n > len(known):
        wanted = "ask for fewer examples, or give more items a reference label"
        raise InvalidInput(f"only {len(known)} items of task {task.name!r} have a reference label", n, wanted)

    def place(item: Item) -> str:
        return hashlib.sha256(f"{seed}\x1fexamples\x1f{item.id}".encode("utf-8", "surrogatepass")).hexdigest()

    by_label = [sorted((item for item in known if item.gold == name), key=place) for name in task.label_names]
    in_turn = [item for row in zip_longest(*by_label) for item in row if item is not None]
    return tuple(in_turn[:n])


def is_reasoned(panel: Panel) -> bool:
    """Whether the panel's agents give their reasons before the label."""
    return panel.method not in ("vanilla", "self_refine")
