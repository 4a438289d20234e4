"""The shape of a study file: one class per section, one field per key; docstrings are the reference that users read."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from crito.model.debate import Phase, Swap
from crito.model.study import TRIGGER, CodedEnding, Display, HandoffRuleName, Method, Rule, Step
from crito.model.votes import TieRule
from crito.studies.yaml_text import WrittenFloat, WrittenInt


@dataclass(frozen=True)
class Reads:
    """How the reference words the kind of value a key takes."""

    words: str


def refused(problem: str, wanted: str) -> PydanticCustomError:
    """An error of our own wording for a value of the wrong shape."""
    # The message goes in as a value: a brace in it would else be read as a blank.
    return PydanticCustomError("refused", "{problem}", {"problem": problem, "wanted": wanted})


def as_written(value: object) -> object:
    """Text for a scalar: numbers as they were written; truth values and nothing are refused."""
    if isinstance(value, WrittenInt | WrittenFloat):
        return value.written
    if isinstance(value, bool):
        raise refused(
            "must be text, and without quotes this is a truth value", f'write "{str(value).lower()}" in quotes'
        )
    if isinstance(value, list | dict):
        raise refused(f"must be text, not a {_shape(value)}", "write one text")
    if not str(value).strip():
        raise refused("is blank", "write a text, or leave the key out")
    return value


def _shape(value: object) -> str:
    return "map" if isinstance(value, dict) else "list"


def by_language(value: object) -> object:
    """Words as a map from language to text; the language of a plain text is "", the study's first."""
    if not isinstance(value, dict):
        return {"": as_written(value)}
    if not value:
        raise refused("is empty", "write a text, or one text per language")
    return {language: as_written(text) for language, text in value.items()}


def _scalar_as(key: str, section: "type[Section]") -> BeforeValidator:
    """Let a plain word stand for a section with only `key`."""
    return BeforeValidator(
        lambda value: value if isinstance(value, dict) else {key: as_written(value)},
        json_schema_input_type=Scalar | section,
    )


def _listed(value: object) -> object:
    return value if isinstance(value, list) else [value]


def _named_columns(value: object) -> object:
    if isinstance(value, list):
        return {str(as_written(column)): as_written(column) for column in value}
    return value


def _nothing_as_empty(value: object) -> object:
    return {} if value is None else value


Scalar = str | int | float
"""What may be written where text is wanted."""
_AS_WRITTEN = BeforeValidator(as_written, json_schema_input_type=Scalar)

Word = Annotated[str, _AS_WRITTEN, Reads("text")]
Name = Annotated[
    str,
    StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"),
    BeforeValidator(as_written),
    Reads("a name of letters, digits, `_` and `-`"),
]
StoredName = Annotated[
    str,
    StringConstraints(pattern=r"^[\w][\w.-]{0,63}$"),
    BeforeValidator(as_written),
    Reads("a name of letters, digits, `_`, `.` and `-`"),
]
Tag = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$"),
    BeforeValidator(as_written),
    Reads("a language tag such as `en`"),
]
Words = Annotated[
    dict[str, str],
    BeforeValidator(by_language, json_schema_input_type=Scalar | dict[str, Scalar]),
    Reads("text, or a text per language"),
]
LongWords = Annotated[
    dict[str, str],
    BeforeValidator(by_language, json_schema_input_type=Scalar | dict[str, Scalar]),
    Reads("text, or a file (`.md`, `.txt`), or one per language"),
]
WordList = Annotated[
    list[Word],
    BeforeValidator(_listed, json_schema_input_type=Scalar | list[Scalar]),
    Reads("text, or a list of texts"),
]
Count = Annotated[int, Field(strict=True, ge=1), Reads("a whole number from 1")]


class Section(BaseModel):
    """A part of a study file; a key that is not listed is an error."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, use_attribute_docstrings=True)


class LabelSection(Section):
    """One allowed answer. A plain text is its wording; `labels: [Sarcastic, Not sarcastic]` is enough."""

    name: StoredName | None = None
    """What is stored and exported. Left out: made from the text, as in `not_sarcastic`."""
    text: Words | None = None
    """What people see. Left out: the name."""
    description: Words | None = None
    """What the label means, shown beside it."""


class OptionSection(Section):
    """One answer of a choice question. A plain text is its wording."""

    name: StoredName | None = None
    """What is stored and exported. Left out: made from the text."""
    text: Words | None = None
    """What people see. Left out: the name."""


AnyLabel = Annotated[LabelSection, _scalar_as("text", LabelSection)]
AnyOption = Annotated[OptionSection, _scalar_as("text", OptionSection)]


class QuestionSection(Section):
    """One question besides the label.

    With `options` it is a choice, with `steps` a scale, else a text field.
    A plain name stands for a ready-made question; a ready-made question's keys can be changed one by one:
    what is left out comes from the ready-made question of the same `key`.
    """

    key: StoredName
    """Name of the question in the export, or of a ready-made question or block."""
    text: Words | None = None
    """The question itself."""
    options: list[AnyOption] | None = None
    """The answers to choose from, at least two."""
    steps: Annotated[int, Field(strict=True, ge=2, le=101), Reads("a whole number from 2 to 101")] | None = None
    """How many steps the scale has, counted from 1."""
    low: Words | None = None
    """Words at the low end of the scale."""
    high: Words | None = None
    """Words at the high end of the scale."""
    required: bool | None = None
    """Whether it must be answered. Left out: choices and scales must, text fields need not."""
    only_if: dict[str, WordList] | None = None
    """Ask only after one of these answers to an earlier question: `{talked_before: yes}`."""
    only_with: Step | None = None
    """Ask only where this step is in the flow; a question about the talk has `discuss`, one about the two sides `debate`."""


AnyQuestion = Annotated[QuestionSection, _scalar_as("key", QuestionSection)]


class AttentionSection(Section):
    """A question with one right answer, to see whether it was read. A plain name stands for a ready-made one."""

    key: StoredName
    """Name of the question in the export, or of a ready-made check."""
    text: Words | None = None
    """The question itself."""
    options: list[AnyOption] | None = None
    """The answers to choose from, at least two."""
    expected: Word | None = None
    """Name of the right answer."""


AnyAttention = Annotated[AttentionSection, _scalar_as("key", AttentionSection)]


class ConfidenceSection(Section):
    """One step of the confidence scale. A plain text is its wording."""

    name: StoredName | None = None
    """What is stored and exported. Left out: made from the text."""
    text: Words | None = None
    """What people see. Left out: the name."""
    value: (
        Annotated[float, Field(strict=True, ge=0, le=1, allow_inf_nan=False), Reads("a number from 0 to 1")] | None
    ) = None
    """Its place between 0 (not sure at all) and 1 (certain). Left out in all steps: evenly spread, the first step is 1."""


AnyConfidence = Annotated[ConfidenceSection, _scalar_as("text", ConfidenceSection)]


class ItemsSection(Section):
    """Where a task's items stand. A plain text is the file."""

    file: Word
    """JSONL, JSON, CSV, TSV, Excel (`.xlsx`) or Parquet, seen from the study file."""
    id: Word = "id"
    """Column with the item's name; it must differ from item to item and stay the same for good."""
    text: Word = "text"
    """Column with what is labelled."""
    context: (
        Annotated[
            dict[str, Word],
            BeforeValidator(_named_columns, json_schema_input_type=list[Scalar] | dict[str, Scalar]),
            Reads("a list of columns, or `shown name: column` pairs"),
        ]
        | None
    ) = None
    """Columns shown above the text. A name inside an object is written `review.title`, or found in an object called
    `context`. Left out: everything in an object called `context`, if there is one."""
    context_names: dict[str, Words] | None = None
    """What people read in the place of a shown name, a text per language: `{Product: {en: Product, it: Prodotto}}`. A name that
    is left out stands as it is."""
    gold: Word | None = None
    """Column with reference labels, by name or wording; people never see them. Left out: `gold`, if there is one."""
    where: dict[str, WordList] | None = None
    """Take only rows with these values: `{task: sarcasm}`."""


AnyItems = Annotated[ItemsSection, _scalar_as("file", ItemsSection)]


class TaskSection(Section):
    """The question asked of each item, with its labels and guideline."""

    name: Name
    """Name of the task in addresses and exports."""
    title: Words | None = None
    """What people see above the item. Left out: made from the name."""
    question: Words
    """The question, such as `Is this review sarcastic?`"""
    labels: Annotated[list[AnyLabel], Field(min_length=2), Reads("a list of at least two labels")]
    """The allowed answers, in the order they are shown."""
    guideline: LongWords | None = None
    """How to decide; shown beside every item."""
    items: AnyItems
    """Where the items stand."""
    items_per_person: Count = 1
    """How many items each person gets."""
    annotators_per_item: Count = 3
    """How many people complete each item, counted in each condition."""
    explicit_only: bool = False
    """Whether only what the text states outright counts. If not, a partner may never ask for an explicit statement."""
    prompts: dict[Literal["label", "review", "refine", "discuss", "again"], Word] = {}
    """Prompt files of your own for models that label, in place of those that come with Crito: `{label: prompts/label.txt}`.
    `label` holds the standing instructions, the others what is asked by `self_refine`, in a discussion, and after an answer
    that could not be used."""


class PartnerSection(Section):
    """Who talks with people, and under which rules."""

    model: Annotated[
        str,
        StringConstraints(pattern=r"^(script|[a-z][a-z0-9_-]*:\S(.*\S)?)$"),
        BeforeValidator(as_written),
        Reads("`script`, `provider:name` or `local:PATH`"),
    ] = "script"
    """`script` is a program with prepared questions; it needs no key and no download."""
    persona: Word = ""
    """A point of view for the partner, in your own words or by name: `white_hat`, `red_hat`, `black_hat`,
    `yellow_hat`, `green_hat`, `blue_hat`, `community_member`. The script has none."""
    min_messages: Count = 2
    """How many messages a person must send before the second labelling opens."""
    first_sentence_s: Annotated[
        float, Field(strict=True, gt=0, le=600, allow_inf_nan=False), Reads("a number of seconds above 0")
    ] = 10.0
    """How long a person waits for the partner's first words before a fixed question comes; 30 for a local model."""
    rules_off: list[Rule] = []
    """Rules that the partner is neither told nor held to."""
    only_on_disagreement: bool = False
    """Talk only where a person's label is not the one most others gave. Every report names it: it taxes minority views."""
    messages_per_minute: Count = 12
    """The most messages one person may send in a minute."""


ModelName = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z][a-z0-9_-]*:\S(.*\S)?$"),
    BeforeValidator(as_written),
    Reads("`provider:name` or `local:PATH`"),
]


class AgentSection(Section):
    """One model in a panel. A plain text is the model."""

    model: ModelName
    """Which model, such as `openai:gpt-4o`; the same one may stand in a panel several times."""
    persona: Word = ""
    """A point of view in your own words, or by name: `white_hat`, `red_hat`, `black_hat`, `yellow_hat`, `green_hat`,
    `blue_hat`."""
    reasoning: Annotated[
        Literal["off", "low", "medium", "high"] | Annotated[int, Field(strict=True, ge=1)],
        Reads("`off`, `low`, `medium`, `high` or a number of tokens"),
    ] = "off"
    """How much the model may think before it answers, where it can."""


AnyAgent = Annotated[AgentSection, _scalar_as("model", AgentSection)]


class PanelSection(Section):
    """Language models that label the items, alone or as a group; `crito label` sets them to work."""

    name: Name
    """Name of the panel in exports and reports."""
    method: Method = "vanilla"
    """Alone: `vanilla` (asked directly), `cot` (reasons first), `self_consistency` (several chains of thought, the most
    frequent label), `self_refine` (draft, review, final answer). As a group: `discussion` (all label, read each other's
    reasons and label again), `ensemble` (independent votes), `debate` (the first two argue for the two most voted labels, the
    others judge)."""
    panel: Annotated[
        list[AnyAgent],
        Field(min_length=1),
        BeforeValidator(_listed, json_schema_input_type=Scalar | AgentSection | list[Scalar | AgentSection]),
        Reads("a model, or a list of models"),
    ]
    """Who takes part: one model for the methods of one, any number for those of a group."""
    max_rounds: Annotated[int, Field(strict=True, ge=0, le=10), Reads("a whole number from 0 to 10")] = 2
    """How often a group discusses and labels again, at most."""
    only_disputed: Annotated[bool, Field(strict=True), Reads("true or false")] = False
    """Whether items on which all agree stay undebated."""
    samples: Annotated[int, Field(strict=True, ge=1, le=101), Reads("a whole number from 1 to 101")] = 5
    """How many chains of thought self-consistency draws, at most: it stops once the label cannot change."""
    ties: TieRule = "escalate"
    """What a group's tie comes to: no label and a person has to decide (`escalate`), the label of whoever stands first in
    the panel (`priority`), of most votes over all rounds (`history`), or a draw (`seeded`)."""
    trigger: Word = TRIGGER
    """The phrase that asks for a chain of thought."""
    max_tokens: Annotated[int, Field(strict=True, ge=1), Reads("a whole number from 1")] = 1000
    """How long one answer may be, in tokens."""
    examples: Annotated[int, Field(strict=True, ge=0, le=100), Reads("a whole number from 0 to 100")] = 0
    """How many items stand in the instructions as examples with their reference labels. They are drawn by the study's
    `seed`, the panel does not label them, and what it was shown is recorded."""
    probabilities: bool = False
    """Whether the provider is asked for the probability of each label, where the answer begins with the label."""


Level = Annotated[
    float,
    Field(strict=True, ge=0, le=1, allow_inf_nan=False),
    Reads("a number from 0 (conciliatory) to 1 (adversarial)"),
]


class DebateSection(Section):
    """A subject that two models argue; `crito debate` holds it."""

    name: Name
    """Name of the debate in addresses and folders."""
    subject: Word
    """What is debated, best as a question that can be answered with yes or no."""
    claims: Annotated[list[Word], Field(min_length=2, max_length=2), Reads("two texts")] | None = None
    """What A and what B argue. Left out: yes and no to the subject."""
    models: Annotated[
        list[ModelName],
        Field(min_length=1, max_length=2),
        BeforeValidator(_listed, json_schema_input_type=Scalar | list[Scalar]),
        Reads("a model, or a list of two"),
    ]
    """Who argues: one model for both sides, or A's and B's."""
    judges: Annotated[
        list[ModelName],
        BeforeValidator(_listed, json_schema_input_type=Scalar | list[Scalar]),
        Reads("a model, or a list of models"),
    ] = []
    """Models that judge the closings."""
    judges_may_debate: bool = False
    """Whether a model may judge a debate it argued in; the result says so."""
    rounds: Annotated[int, Field(strict=True, ge=1, le=20), Reads("a whole number from 1 to 20")] = 3
    """Rounds, the opening included, before both are asked whether they are ready to close."""
    max_rounds: Annotated[int, Field(strict=True, ge=1, le=20), Reads("a whole number from 1 to 20")] = 5
    """Rounds at most: each time one of them is not ready, one is added."""
    contentiousness: Level = 0.9
    """How adversarial they are, through the closings."""
    closing: Level = 0.3
    """How adversarial they are after the closings."""
    levels: dict[Phase, Level] = {}
    """Contentiousness of single phases."""
    topics: Annotated[int, Field(strict=True, ge=1, le=20), Reads("a whole number from 1 to 20")] = 5
    """How many topics the debate goes through."""
    topics_proposed: Annotated[int, Field(strict=True, ge=1, le=50), Reads("a whole number from 1 to 50")] = 10
    """How many topics each agent proposes first."""
    given_topics: list[Word] = []
    """Topics to debate; the agents then propose none."""
    temperature: Annotated[float, Field(strict=True, ge=0, le=2), Reads("a number from 0 to 2")] = 0.7
    """Of both agents."""
    max_tokens: Annotated[int, Field(strict=True, ge=20), Reads("a whole number from 20")] = 300
    """How long one argument on one topic may be, in tokens."""
    concessions: bool = True
    """Whether both are asked what the other side is right about."""
    joint_proposal: bool = True
    """Whether both write a proposal together at the end."""
    swap: Swap = "none"
    """What is done in both orders: `none`, the `judging`, or the whole `debate`."""
    material: Word = ""
    """A text that the subject is about."""


class ItemDebatesSection(Section):
    """The debates that people read on their items where their flow has the step `debate`: two sides argue for two labels.

    A plain text is the file of prepared ones. With a `panel` of method `debate`, what it argued (`crito label`) is read where
    nothing is prepared, and where it has not come to an item yet, its first two agents argue while the person waits."""

    file: Word | None = None
    """A table with one argument per row, seen from the study file."""
    panel: Name | None = None
    """A panel under `models` with `method: debate`."""
    item: Word = "item"
    """Column with the item's id."""
    label: Word = "label"
    """Column with the label that is argued for, by name or wording."""
    topic: Word = "topic"
    """Column with what the argument is about; on each topic both sides say something."""
    argument: Word = "argument"
    """Column with the argument itself."""
    task: Word | None = None
    """Column with the task's name, where an item stands in several tasks."""
    debate: Word | None = None
    """Column that tells several debates on one item apart, such as those for different pairs of labels. A person reads the
    first in which their own label is a side."""
    author: Word = ""
    """Who wrote the arguments, shown to the people who read them."""


class ConditionSection(Section):
    """What is different in this condition; an empty one (`{}`) takes everything from the study."""

    flow: list[Step] | None = None
    """The steps of this condition."""
    partner: PartnerSection | None = None
    """Keys of the partner that differ here."""
    weight: Annotated[float, Field(strict=True, gt=0, le=1_000_000, allow_inf_nan=False), Reads("a number above 0")] = (
        1.0
    )
    """Chance in the draw, relative to the other conditions."""


_EMPTY_IF_NOTHING = BeforeValidator(_nothing_as_empty, json_schema_input_type=ConditionSection | None)


class ConditionsSection(Section):
    """The treatments a study compares: every other key is the name of a condition. Which one applies is drawn at random."""

    model_config = ConfigDict(extra="allow", strict=True, frozen=True, use_attribute_docstrings=True)
    __pydantic_extra__: dict[str, Annotated[ConditionSection, _EMPTY_IF_NOTHING]]

    assign: Literal["person", "item"] = "person"
    """Whether a condition is drawn once per person or anew for each item."""


class SourceSection(Section):
    """Whose labels are suggested: a panel, or labels that exist already, in columns. A plain name stands for the panel."""

    panel: Name | None = None
    """A panel under `models`; `crito label` sets it to work."""
    name: Name = "recorded"
    """What recorded labels are called in exports and reports."""
    file: Word | None = None
    """A table with one row per item, seen from the study file. Left out: the columns stand in each task's items file."""
    item: Word | None = None
    """Column with the item's id. Left out: `item` in a file of its own, else the tasks' `id`."""
    task: Word | None = None
    """Column with the task's name, where one file holds the labels of several tasks."""
    label: Word | None = None
    """Column with the label, by name or wording."""
    confidence: Word | None = None
    """Column with a number from 0 to 1."""
    reason: Word | None = None
    """Column with the model's reason."""


AnySource = Annotated[SourceSection, _scalar_as("panel", SourceSection)]
Share = Annotated[float, Field(strict=True, gt=0, le=1, allow_inf_nan=False), Reads("a number above 0 and up to 1")]


class SuggestionsSection(Section):
    """A model's labels beside people's, and the blind sample that shows how far they are followed.

    Before the first label, `blind_rate` of each task's items are drawn by a secret seed. On these nobody who labels them
    is ever shown a machine's answer, unless the suggestions come after the label on every item."""

    source: AnySource
    """Whose labels are suggested."""
    display: Display = "blind_sample"
    """`before_label` shows the suggestion on every item, `blind_sample` on all but those drawn, `after_label` never first:
    only when the person's label differs."""
    blind_rate: Share = 0.2
    """Share of each task's items in the blind sample, rounded up; fixed once drawn."""
    minimum_blind_sample: Annotated[int, Field(strict=True, ge=0), Reads("a whole number from 0")] = 20
    """Blind comparisons below which nothing is handed over; the sample does not grow by it."""
    verify_visibility: Literal["shown", "blind"] = "shown"
    """Whether requests to verify show the model's answer; `blind` ones certify nothing either."""
    end_human_annotation_agreement: Annotated[
        float, Field(strict=True, gt=0, lt=1, allow_inf_nan=False), Reads("a number between 0 and 1")
    ] = 0.9
    """What blind agreement on the remaining items has to exceed before they may be handed over."""
    handoff: HandoffRuleName = "anytime"
    """How that is shown: by a bound that holds whenever one looks (`anytime`), by one look when the sample is complete
    (`fixed`), or by the plain rate (`point`), which certifies nothing."""
    show_fields: list[Word] = []
    """Fields of the items that look as if they carried labels and do not; others that do are shown to nobody."""


class CompletionSection(Section):
    """What people take back to the platform that sent them."""

    provider: Literal["prolific", "mturk", "none"] = "none"
    """Where people come from."""
    code: Word | None = None
    """The code for those who finish; short for `codes: {done: …}`."""
    codes: dict[CodedEnding, Word] = {}
    """A code per ending: `done`, `no_consent`, `withdrawn`, `attention_failed`, `over_quota`, `timed_out`, `technical`."""
    return_url: Word | None = None
    """Address that takes the code, with `{code}` where it goes. Left out: Prolific's own for Prolific, else none."""


class PaySection(Section):
    """What people are paid, so that the owner's pages can tell what an hour comes to."""

    per_person: Annotated[float, Field(gt=0), Reads("an amount above 0")]
    """What everyone who finishes gets."""
    currency: Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$"), Reads("three capital letters, such as `EUR`")]
    """The currency, by its three letters: `GBP`, `USD`, `EUR`."""


class StudyFile(Section):
    """One study."""

    study: Annotated[
        str,
        StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$"),
        BeforeValidator(as_written),
        Reads("a name of small letters, digits, `_` and `-`"),
    ]
    """Name of the study in addresses, database and exports."""
    title: Words | None = None
    """What people see at the top of each page. Left out: made from the name."""
    languages: Annotated[list[Tag], Field(min_length=1), Reads("a list of language tags")] = ["en"]
    """The languages people can choose; a plain text in this file is in the first one."""
    tasks: Annotated[list[TaskSection], Field(min_length=1), Reads("a list of tasks")]
    """What is asked; people do the tasks' items in a random order."""
    flow: list[Step] = ["consent", "annotate", "discuss", "reannotate", "survey"]
    """The steps people go through, in this order; leave out those you do not want. In the place of `discuss`, `debate` lets
    them read what two sides argue about the item."""
    partner: PartnerSection = PartnerSection()
    """Who talks with people."""
    conditions: ConditionsSection | None = None
    """What is compared. Left out: one condition, called `socratic` if people talk, `debate` if they read one, else `solo`."""
    confidence: Annotated[list[AnyConfidence], Field(min_length=2)] | None = None
    """The scale for *how sure are you*. Left out: very sure (1), somewhat sure (0.5), not sure (0)."""
    expectations: list[AnyQuestion] | None = None
    """Asked with the first label. Left out: `[talk_helps, others_agree]`."""
    reconsiderations: list[AnyQuestion] | None = None
    """Asked with the second label. Left out: `[talk_helped, made_doubt, made_change, about_process, about_outcome]`,
    and where people read debates `[debate_helped, debate_doubt, debate_change, debate_fair, about_debate]`."""
    attention_checks: list[AnyAttention] | None = None
    """One with each first label, always in this order. Left out: `[favourite_colour, longest_word]`."""
    attention_allowed: Annotated[int, Field(strict=True, ge=0), Reads("a whole number from 0")] = 1
    """How many attention checks a person may fail; one more ends the study for them."""
    survey: list[AnyQuestion] | None = None
    """Asked at the end. Left out: `[nasa_tlx, experience]`."""
    about_you: list[AnyQuestion] = []
    """Optional questions about the person, asked last: `[age, gender, ethnicity, first_language, education]`, or choices of
    your own. The answers are kept apart, stand in no export, and are used to compare groups only."""
    smallest_group: Annotated[int, Field(strict=True, ge=2), Reads("a whole number from 2")] = 5
    """The fewest people of whom a group may consist, so that anything is told about it."""
    ask_rationale: bool = False
    """Whether a field for reasons stands below the first label."""
    consent: LongWords | None = None
    """What people agree to. Left out: written from partner, `release`, `retention_days` and `contact`."""
    instructions: LongWords | None = None
    """Shown before the first item. Left out: written from the flow."""
    pause: LongWords | None = None
    """Shown between two items' dialogues."""
    completion: CompletionSection = CompletionSection()
    """What people take back to the platform that sent them."""
    pay: PaySection | None = None
    """What people are paid. Left out: the owner's pages say minutes only."""
    contact: Word = ""
    """Whom people can write to; stands in the consent."""
    release: Literal["labels", "reasons", "transcripts"] = "transcripts"
    """What may be published: labels and ratings only; also what people write in forms; also the dialogues."""
    retention_days: Count = 3650
    """How long people's data are kept."""
    lease_minutes: Count = 60
    """How long an item is kept for someone who does nothing."""
    seed: Annotated[int, Field(strict=True, ge=0), Reads("a whole number from 0")] = 0
    """Start of the study's own random orders."""
    models: list[PanelSection] = []
    """Language models that label the same items."""
    debates: list[DebateSection] = []
    """Subjects that models debate."""
    suggestions: SuggestionsSection | None = None
    """A model's labels proposed to people."""
    item_debates: Annotated[ItemDebatesSection, _scalar_as("file", ItemDebatesSection)] | None = None
    """The debates that people read in the step `debate`."""
    open_to: Literal["anyone", "experts", "models"] = "anyone"
    """`experts` takes only people who were invited with `crito expert add`; with `models` nobody takes part but the models."""


def name_from(words: str) -> str:
    """`Not sarcastic` → `not_sarcastic`; empty when the words hold no letter or digit."""
    return re.sub(r"[^\w]+", "_", words.casefold()).strip("_")[:64]


def reads(annotation: Any, metadata: Sequence[Any] = ()) -> str:
    """What a key takes, in words that go on from *write*."""
    stated = next((mark.words for mark in metadata if isinstance(mark, Reads)), "")
    kind, inside = get_origin(annotation), get_args(annotation)
    if stated:
        return stated
    if kind is Annotated:
        return reads(inside[0], inside[1:])
    if kind is Literal:
        return ", ".join(f"`{choice}`" for choice in inside[:-1]) + f" or `{inside[-1]}`"
    if kind in (Union, UnionType):
        return reads(next(part for part in inside if part is not type(None)))
    if kind is list:
        return f"a list of: {reads(inside[0])}"
    if kind is dict:
        return f"a map whose values are: {reads(inside[1])}"
    if isinstance(annotation, type) and issubclass(annotation, Section):
        title = TITLES[annotation]
        return f"the keys of {'an' if title[0] in 'aeiou' else 'a'} {title}"
    return "`true` or `false`"


TITLES: Mapping[type[Section], str] = {
    StudyFile: "study",
    TaskSection: "task",
    LabelSection: "label",
    ItemsSection: "source of items",
    PartnerSection: "partner",
    ConditionsSection: "set of conditions",
    ConditionSection: "condition",
    QuestionSection: "question",
    OptionSection: "option",
    AttentionSection: "attention check",
    ConfidenceSection: "confidence step",
    CompletionSection: "completion",
    PaySection: "pay",
    PanelSection: "panel of models",
    SuggestionsSection: "set of suggestions",
    SourceSection: "source of suggestions",
    AgentSection: "model in a panel",
    DebateSection: "debate",
    ItemDebatesSection: "source of debates on items",
}
"""What the sections are called, in the order of the reference."""
