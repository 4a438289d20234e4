"""One study as its owner defined it: tasks, flow, partner, conditions, survey, endings."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from typing import Literal, get_args

from crito.model.debate import Debate
from crito.model.ids import ItemId, Language, StudyName, TaskName
from crito.model.votes import TieRule

Step = Literal["consent", "annotate", "discuss", "debate", "reannotate", "survey"]
STEPS: tuple[Step, ...] = get_args(Step)

CodedEnding = Literal["done", "no_consent", "withdrawn", "attention_failed", "over_quota", "timed_out", "technical"]
"""Endings that may have a completion code."""
CODED_ENDINGS: tuple[CodedEnding, ...] = get_args(CodedEnding)

Ending = CodedEnding | Literal["submission_closed"]
"""The platform closes a submission from its side; there is no code to take back."""
ENDINGS: tuple[Ending, ...] = (*CODED_ENDINGS, "submission_closed")

NOT_SURE = "not_sure"
"""The state stored when a person chooses *Not sure* instead of a label."""

State = Literal["not_sure", "skipped", "abstained"]
STATES: tuple[State, ...] = get_args(State)

Rule = Literal[
    "length", "one_question", "no_verdict", "no_push", "no_outside_fact", "no_false_strictness", "honest_quotes",
    "no_formatting", "no_repetition", "no_personal_data", "language", "own_label_only", "no_early_hand_over", "ask_for_reason",
]  # fmt: skip
RULES: tuple[Rule, ...] = get_args(Rule)
"""What every turn of a Socratic partner must keep; each can be switched off to study its effect."""


@dataclass(frozen=True, slots=True)
class Text:
    """Words of the study in each of its languages."""

    by_language: Mapping[Language, str]

    def in_language(self, language: Language) -> str:
        """The words in `language`, or in the first language they were written in."""
        return self.by_language.get(language) or next(iter(self.by_language.values()), "")

    def spoken(self, language: Language) -> Language:
        """The language that `in_language(language)` is in."""
        return language if self.by_language.get(language) else next(iter(self.by_language), language)


@dataclass(frozen=True, slots=True)
class Label:
    """One allowed answer: the name that is stored, the words that are shown, what it means."""

    name: str
    text: Text
    description: Text


@dataclass(frozen=True, slots=True)
class RecordedLabel:
    """What a model said of an item before the study: its label, in [0, 1] how sure it was, and why."""

    label: str
    confidence: float | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Argument:
    """What the side that stands for `label` says on one topic."""

    topic: str
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class PreparedDebate:
    """Two sides argued about an item before the study: for which labels, topic by topic, and in whose words."""

    labels: tuple[str, str]
    arguments: tuple[Argument, ...]
    author: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """The thing being labelled.

    `context` are named fields shown above the text; `gold` is a reference label and never leaves the server.
    `recorded` is a model's label that came with the item; people see it as a suggestion or not at all.
    `debates` were prepared for people whose flow has the step `debate`.
    """

    id: ItemId
    text: str
    context: Mapping[str, str] = field(default_factory=dict)
    gold: str | None = None
    recorded: RecordedLabel | None = None
    debates: tuple[PreparedDebate, ...] = ()

    @property
    def hash(self) -> str:
        """SHA-256 of what an annotator sees of the item."""
        shown = "\x1f".join([self.text, *(f"{name}\x1e{value}" for name, value in self.context.items())])
        return hashlib.sha256(shown.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Task:
    """The question asked of each item, with its label set and guideline.

    `explicit_only` is true when the guideline accepts only what the text states outright;
    otherwise a partner may not demand an explicit statement. `context_names` is what people read in the place of a field's
    name, for those that have words of their own. `withheld_fields` are fields of the item file that carry
    labels; they are in no item. `prompts` are texts of the owner's own for models that label, by the name of the prompt
    they stand in for.
    """

    name: TaskName
    title: Text
    question: Text
    labels: tuple[Label, ...]
    guideline: Text
    items: tuple[Item, ...]
    context_fields: tuple[str, ...] = ()
    context_names: Mapping[str, Text] = field(default_factory=dict)
    items_per_person: int = 1
    annotators_per_item: int = 3
    explicit_only: bool = False
    withheld_fields: tuple[str, ...] = ()
    prompts: Mapping[str, str] = field(default_factory=dict)

    @property
    def label_names(self) -> tuple[str, ...]:
        return tuple(label.name for label in self.labels)

    def label(self, name: str) -> Label:
        return next(label for label in self.labels if label.name == name)


@dataclass(frozen=True, slots=True)
class Option:
    """One answer of a choice question: stored name, shown words."""

    name: str
    text: Text


@dataclass(frozen=True, slots=True)
class Question:
    """One thing asked besides the label.

    `scale` questions run from 1 to `steps`, with `low` and `high` worded at the ends.
    A question with `only_if` is asked only when an earlier one was answered by one of the given option names;
    one with `only_with` only of people who meet that step: a question about the talk means nothing without one.
    """

    key: str
    text: Text
    kind: Literal["choice", "scale", "text"]
    options: tuple[Option, ...] = ()
    steps: int = 0
    low: Text = Text({})
    high: Text = Text({})
    required: bool = True
    only_if: tuple[str, tuple[str, ...]] | None = None
    only_with: Step | None = None


@dataclass(frozen=True, slots=True)
class ConfidenceStep:
    """One step of the confidence scale; `value` is its place in [0, 1]."""

    name: str
    text: Text
    value: float


@dataclass(frozen=True, slots=True)
class AttentionCheck:
    """A question with one right answer, to see whether it was read."""

    question: Question
    expected: str


@dataclass(frozen=True, slots=True)
class Partner:
    """Who talks with the person, and under which rules.

    `model` is `script`, `provider:name` or `local:PATH`.
    `first_sentence_s` is how long a person waits for the first words before the fixed question comes, retries included.
    `persona` is free text put before the prompt; `rules_off` names rules that are neither prompted nor checked.
    `only_on_disagreement` holds the dialogue only where the person's label is not the one most others gave;
    reports must say so, since it taxes minority views.
    """

    model: str = "script"
    persona: str = ""
    min_messages: int = 2
    first_sentence_s: float = 10.0
    rules_off: frozenset[Rule] = frozenset()
    only_on_disagreement: bool = False
    messages_per_minute: int = 12


@dataclass(frozen=True, slots=True)
class Condition:
    """The treatment an assignment gets. `weight` is its relative chance in the draw."""

    name: str
    flow: tuple[Step, ...]
    partner: Partner
    weight: float = 1.0

    def has(self, step: Step) -> bool:
        return step in self.flow


Display = Literal["before_label", "after_label", "blind_sample"]
DISPLAYS: tuple[Display, ...] = get_args(Display)

HandoffRuleName = Literal["anytime", "fixed", "point"]


@dataclass(frozen=True, slots=True)
class Suggestions:
    """A model's labels proposed to people, when they come into view, and on which share of the items they do not.

    `source` is the name of a panel of the study, or of labels that are `recorded` with the items.
    `blind_rate` is the share of a task's items that are drawn into the blind sample; `minimum_blind_sample` is how many
    blind comparisons a handoff needs and changes nothing about the draw.
    `end_human_annotation_agreement` is what blind agreement has to exceed for a handoff, by the rule `handoff`.
    `fingerprint` tells recorded labels from those of another edition.
    """

    source: str
    recorded: bool = False
    display: Display = "blind_sample"
    blind_rate: float = 0.2
    minimum_blind_sample: int = 20
    verify_visibility: Literal["shown", "blind"] = "shown"
    end_human_annotation_agreement: float = 0.9
    handoff: HandoffRuleName = "anytime"
    fingerprint: str = ""


def blind_sample_size(rate: float, n_items: int) -> int:
    """`ceil(rate · n_items)`, with the rate as it is written: a fifth of fifteen is three, and seven thirtieths of thirty seven."""
    return ceil(Fraction(str(rate)) * n_items - Fraction(1, 10**9))


Method = Literal["vanilla", "cot", "self_consistency", "self_refine", "discussion", "ensemble", "debate"]
METHODS: tuple[Method, ...] = get_args(Method)
GROUP_METHODS: frozenset[Method] = frozenset({"discussion", "ensemble", "debate"})
"""Methods in which several agents take part; in the others one labels alone."""

DEBATE_AT_LEAST = 3
"""Two agents of a panel argue, and at least one more judges."""

Hat = Literal["white_hat", "red_hat", "black_hat", "yellow_hat", "green_hat", "blue_hat"]
HATS: tuple[Hat, ...] = get_args(Hat)
"""The Six Thinking Hats: personas that a panel may name."""

TRIGGER = "Let's think step by step."
"""The phrase that asks for a chain of thought, as `experts` words it."""


@dataclass(frozen=True, slots=True)
class Agent:
    """One model in a panel.

    `persona` is free text or the name of a hat; `reasoning` is how much it may think first, a number being tokens.
    """

    model: str
    persona: str = ""
    reasoning: Literal["off", "low", "medium", "high"] | int = "off"


@dataclass(frozen=True, slots=True)
class Panel:
    """Language models that label the items of a study together, or one that does so alone, and the method they use.

    `max_rounds` counts the re-annotations of a discussion, `samples` the chains of thought of self-consistency.
    `only_disputed` leaves items that all agree on undebated. `ties` is the rule of a group's vote. `trigger` asks for the
    chain of thought. `examples` is how many items with their reference labels stand in the instructions; the panel does not
    label those. `probabilities` asks the provider for the probability of each label.
    """

    name: str
    method: Method
    agents: tuple[Agent, ...]
    max_rounds: int = 2
    samples: int = 5
    ties: TieRule = "escalate"
    trigger: str = TRIGGER
    max_tokens: int = 1000
    only_disputed: bool = False
    examples: int = 0
    probabilities: bool = False


@dataclass(frozen=True, slots=True)
class ItemDebates:
    """Where the debates come from that people read on their items.

    Prepared ones stand with the items. `panel` is one that debates: what it argued is read where nothing was prepared, and
    on an item that it has not come to its first two agents argue while the person waits. Empty: everything was prepared.
    """

    panel: str = ""


@dataclass(frozen=True, slots=True)
class Completion:
    """What a person takes back to where they came from: one code per ending, and the address that takes it."""

    provider: Literal["prolific", "mturk", "none"]
    codes: Mapping[Ending, str]
    return_url: str = ""
    """With `{code}` where the code goes; empty: the code is shown to be copied."""


@dataclass(frozen=True, slots=True)
class Pay:
    """What everyone who finishes is paid; people who are paid in other ways are not known here."""

    per_person: float
    currency: str


@dataclass(frozen=True, slots=True)
class Study:
    """One definition: everything a participant meets, in the words the owner wrote.

    `lease_minutes` is how long an assignment is kept for someone who does nothing.
    `attention_allowed` is how many attention checks may fail before the study ends for the person.
    `about_you` are optional questions about the person, whose answers are kept apart; no number is told of a group of fewer
    than `smallest_group` people.
    A study that is `open_to` experts takes only people who were invited by a link of their own; one open to models takes
    nobody and has no conditions.
    """

    name: StudyName
    title: Text
    tasks: tuple[Task, ...]
    conditions: tuple[Condition, ...]
    assign: Literal["person", "item"]
    languages: tuple[Language, ...]
    confidence: tuple[ConfidenceStep, ...]
    expectations: tuple[Question, ...]
    reconsiderations: tuple[Question, ...]
    attention_checks: tuple[AttentionCheck, ...]
    survey: tuple[Question, ...]
    consent: Text
    instructions: Text
    pause: Text
    completion: Completion
    contact: str = ""
    release: Literal["labels", "reasons", "transcripts"] = "transcripts"
    ask_rationale: bool = False
    attention_allowed: int = 1
    lease_minutes: int = 60
    retention_days: int = 3650
    seed: int = 0
    models: tuple[Panel, ...] = ()
    debates: tuple[Debate, ...] = ()
    suggestions: Suggestions | None = None
    pay: Pay | None = None
    open_to: Literal["anyone", "experts", "models"] = "anyone"
    about_you: tuple[Question, ...] = ()
    smallest_group: int = 5
    item_debates: ItemDebates | None = None

    def task(self, name: str) -> Task:
        return next(task for task in self.tasks if task.name == name)

    def condition(self, name: str) -> Condition:
        return next(condition for condition in self.conditions if condition.name == name)
