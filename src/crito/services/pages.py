"""What a visitor may see, as data: a page holds nothing that its visitor must not know (no gold, no one else's answer)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from crito.model.ids import AssignmentId, Language
from crito.model.record import RevocationReason
from crito.model.study import ConfidenceStep, Ending, Label, Question, Text

ENGLISH = Language("en")


@dataclass(frozen=True, slots=True)
class ShownItem:
    """An item as its annotator sees it.

    `context` keeps the order of the study file, `names` are the study's words for some of its names; `language` is the
    study's first.
    """

    text: str
    context: Mapping[str, str]
    guideline: Text
    language: Language = ENGLISH
    names: Mapping[str, Text] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Line:
    """One message of a dialogue as shown. `partner` is false for the person's own words."""

    text: str
    partner: bool


@dataclass(frozen=True, slots=True)
class Frame:
    """What every page of a participant carries.

    `title` is the study's; `done` of `steps` pieces of the whole study are behind the person.
    """

    title: Text
    language: Language
    done: int
    steps: int


@dataclass(frozen=True, slots=True)
class ShownSuggestion:
    """A model's label in view: in words, by its name, with how sure it is in [0, 1] and why."""

    text: Text
    label: str
    confidence: float | None
    reason: str


@dataclass(frozen=True, slots=True)
class InstructionsPage:
    frame: Frame
    text: Text
    n_items: int


@dataclass(frozen=True, slots=True)
class AnnotatePage:
    """The first labelling of one item. `form` names the form; `fields` are answers given or drafted before."""

    frame: Frame
    form: str
    assignment: AssignmentId
    number: int
    total: int
    title: Text
    question: Text
    item: ShownItem
    labels: tuple[Label, ...]
    confidence: tuple[ConfidenceStep, ...]
    questions: tuple[Question, ...]
    ask_rationale: bool
    fields: Mapping[str, str] = field(default_factory=dict)
    suggestion: ShownSuggestion | None = None
    hidden: bool = False
    """Whether a suggestion is kept out of sight on purpose."""


@dataclass(frozen=True, slots=True)
class ResolvePage:
    """After a label that differs from the model's: both, and what shall be said now; `labels` are the task's."""

    frame: Frame
    form: str
    assignment: AssignmentId
    number: int
    total: int
    title: Text
    item: ShownItem
    first_label: Text
    suggestion: ShownSuggestion | None
    labels: tuple[Label, ...]
    confidence: tuple[ConfidenceStep, ...]
    questions: tuple[Question, ...] = ()
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GivenLabel:
    """One own label, for the page that says there is no way back."""

    assignment: AssignmentId
    title: Text
    excerpt: str
    label: Text
    language: Language = ENGLISH
    """Of the excerpt."""


@dataclass(frozen=True, slots=True)
class ConfirmPage:
    """You cannot come back to this part."""

    frame: Frame
    given: tuple[GivenLabel, ...]


@dataclass(frozen=True, slots=True)
class Talk:
    """A dialogue on one item.

    `message_form` names the form of the next message (it changes with every step), `waiting` says that the partner's reply is
    still to come, `messages_left` how many messages are missing until the second labelling opens.
    """

    message_form: str
    lines: tuple[Line, ...]
    waiting: bool
    messages_left: int
    draft: str = ""


@dataclass(frozen=True, slots=True)
class ArguedTopic:
    """One topic of a debate: what each side says, in the order of the sides; empty where a side says nothing."""

    title: str
    texts: tuple[str, str]


@dataclass(frozen=True, slots=True)
class ReadDebate:
    """A debate to be read before the second label; `sides` stand in the order that was drawn.

    `waiting` says that it has yet to be argued, `is_read` that the person has read it; `author` is who wrote it.
    """

    sides: tuple[Text, Text]
    topics: tuple[ArguedTopic, ...]
    author: str
    waiting: bool = False
    is_read: bool = False


@dataclass(frozen=True, slots=True)
class SecondLabelling:
    """The questions after the dialogue; `labels` are the task's, *Not sure* is added by the page."""

    form: str
    labels: tuple[Label, ...]
    confidence: tuple[ConfidenceStep, ...]
    questions: tuple[Question, ...]
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TalkPage:
    """Dialogue or debate, and second labelling of one item; any may be absent, by the condition's flow."""

    frame: Frame
    assignment: AssignmentId
    number: int
    total: int
    title: Text
    question: Text
    item: ShownItem
    first_label: Text
    talk: Talk | None
    again: SecondLabelling | None
    debate: ReadDebate | None = None

    @property
    def opens_after_reading(self) -> bool:
        """Whether the second labelling waits for the debate to be read."""
        return self.debate is not None and not self.debate.is_read


@dataclass(frozen=True, slots=True)
class PausePage:
    frame: Frame
    text: Text
    assignment: AssignmentId


@dataclass(frozen=True, slots=True)
class SurveyPage:
    frame: Frame
    questions: tuple[Question, ...]
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AboutYouPage:
    """Optional questions about the person. `smallest_group` is said to them: fewer people are never told about."""

    frame: Frame
    questions: tuple[Question, ...]
    smallest_group: int
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EndPage:
    """How it ended. `code` and `return_url` are empty where the study has none for this ending."""

    frame: Frame
    ending: Ending
    code: str
    return_url: str
    contact: str
    may_withdraw: bool


class HandedTask(NamedTuple):
    """A task whose rest was left to a machine: whether it still is, or by what it ended."""

    title: Text
    ended: RevocationReason | None


@dataclass(frozen=True, slots=True)
class ExpertFrame:
    """What every page of an expert carries: `done` labels given, `left` items that still have room, and what was `handed`
    over to the machine.
    """

    title: Text
    language: Language
    done: int
    left: int
    handed: tuple[HandedTask, ...] = ()


@dataclass(frozen=True, slots=True)
class PeerLabel:
    """How many others gave a label."""

    label: Text
    people: int


NO_WORDS = Text({})
NO_ITEM = ShownItem("", {}, NO_WORDS)

ExpertState = Literal["label", "resolve", "undo", "ready", "empty"]


@dataclass(frozen=True, slots=True)
class ExpertPage:
    """One item of an expert's queue, or what stands in its place.

    `hidden` says that the model's label is kept out of sight on purpose. `given` is the label that stands already,
    where one is resolved or changed.
    """

    frame: ExpertFrame
    state: ExpertState
    form: str = ""
    purpose: str = "label"
    title: Text = NO_WORDS
    question: Text = NO_WORDS
    item: ShownItem = NO_ITEM
    labels: tuple[Label, ...] = ()
    suggestion: ShownSuggestion | None = None
    hidden: bool = False
    given: str = ""
    peers: tuple[PeerLabel, ...] = ()
    ask_rationale: bool = False
    may_undo: bool = False


Page = (
    InstructionsPage
    | AnnotatePage
    | ResolvePage
    | ConfirmPage
    | TalkPage
    | PausePage
    | SurveyPage
    | AboutYouPage
    | EndPage
)
