"""What a visitor may see, as data: a page holds nothing that its visitor must not know (no gold, no one else's answer)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from crito.model.ids import AssignmentId, Language
from crito.model.study import ConfidenceStep, Ending, Label, Question, Text


@dataclass(frozen=True, slots=True)
class ShownItem:
    """An item as its annotator sees it. `context` keeps the order of the study file."""

    text: str
    context: Mapping[str, str]
    guideline: Text


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


@dataclass(frozen=True, slots=True)
class GivenLabel:
    """One own label, for the page that says there is no way back."""

    assignment: AssignmentId
    title: Text
    excerpt: str
    label: Text


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
class SecondLabelling:
    """The questions after the dialogue; `labels` are the task's, *Not sure* is added by the page."""

    form: str
    labels: tuple[Label, ...]
    confidence: tuple[ConfidenceStep, ...]
    questions: tuple[Question, ...]
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TalkPage:
    """Dialogue and second labelling of one item; either may be absent, by the condition's flow."""

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
class EndPage:
    """How it ended. `code` and `return_url` are empty where the study has none for this ending."""

    frame: Frame
    ending: Ending
    code: str
    return_url: str
    contact: str
    may_withdraw: bool


Page = InstructionsPage | AnnotatePage | ConfirmPage | TalkPage | PausePage | SurveyPage | EndPage
