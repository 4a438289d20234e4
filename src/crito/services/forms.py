"""What came in a participant's form, read once into what the study asks for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from crito.model.errors import InvalidInput
from crito.model.ids import AssignmentId
from crito.model.study import NOT_SURE, ConfidenceStep, Question, Study, Task

MAX_WORDS = 20_000
"""Code points of one free text."""

QUESTION_PREFIX = "q_"


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to one question: a choice or scale step, or free words; both None when it was left open."""

    question: str
    choice: str | None
    words: str | None


@dataclass(frozen=True, slots=True)
class LabelForm:
    """A labelling as it came in; exactly one of `label` and `state` is set."""

    label: str | None
    state: str | None
    confidence: str
    rationale: str
    replies: tuple[Reply, ...]


def resolve_form(assignment: AssignmentId) -> str:
    """The name of the form for what is said after a difference from the suggestion."""
    return f"resolve:{assignment}"


def label_form(assignment: AssignmentId, number: int) -> str:
    """The name of the form for the label of round `number`; answers given on it are about this form."""
    return f"{'reannotate' if number else 'annotate'}:{assignment}"


def parse_label_form(
    study: Study, task: Task, questions: Sequence[Question], fields: Mapping[str, str], *, not_sure: bool
) -> LabelForm:
    """Read a labelling.

    Raises:
        InvalidInput: something required is missing, or is none of what was offered; `key` is the field.
    """
    offered = [*task.label_names, *([NOT_SURE] if not_sure else [])]
    label = _one_of(offered, fields.get("label", ""), "label", "choose a label")
    return LabelForm(
        label=None if label == NOT_SURE and not_sure else label,
        state=NOT_SURE if label == NOT_SURE and not_sure else None,
        confidence=_confidence(study.confidence, fields),
        rationale=clean_words(fields.get("rationale", ""), "rationale") if study.ask_rationale else "",
        replies=parse_replies(questions, fields),
    )


def parse_replies(questions: Sequence[Question], fields: Mapping[str, str]) -> tuple[Reply, ...]:
    """Read the answers to `questions`; those that do not apply to this person are left out.

    Raises:
        InvalidInput: a required answer is missing, or an answer is none of what was offered.
    """
    replies: dict[str, Reply] = {}
    for question in questions:
        if question.only_if:
            earlier = replies.get(question.only_if[0])
            if earlier is None or earlier.choice not in question.only_if[1]:
                continue
        replies[question.key] = _reply(question, fields.get(QUESTION_PREFIX + question.key, ""))
    return tuple(replies.values())


def clean_words(text: str, key: str) -> str:
    """Free words with the line ends of a browser made plain.

    Raises:
        InvalidInput: they are too long, or hold a character that cannot be kept.
    """
    if len(text) > MAX_WORDS:
        raise InvalidInput(
            "this text is too long", came=f"{len(text):,} characters", wanted=f"at most {MAX_WORDS:,}", key=key
        )
    if "\x00" in text:
        raise InvalidInput("this text holds a character that cannot be kept (NUL)", key=key)
    return text.replace("\r\n", "\n").strip()


def _reply(question: Question, came: str) -> Reply:
    key = QUESTION_PREFIX + question.key
    if question.kind == "text":
        words = clean_words(came, key)
        if question.required and not words:
            raise InvalidInput("write a few words here", key=key)
        return Reply(question.key, None, words or None)
    if not came and not question.required:
        return Reply(question.key, None, None)
    offered = (
        [option.name for option in question.options]
        if question.kind == "choice"
        else [str(step) for step in range(1, question.steps + 1)]
    )
    return Reply(question.key, _one_of(offered, came, key, "choose an answer"), None)


def _confidence(steps: Sequence[ConfidenceStep], fields: Mapping[str, str]) -> str:
    return _one_of([step.name for step in steps], fields.get("confidence", ""), "confidence", "say how sure you are")


def _one_of(offered: Sequence[str], came: str, key: str, problem: str) -> str:
    if not came:
        raise InvalidInput(problem, key=key)
    if came not in offered:
        raise InvalidInput(problem, came=came, wanted=f"one of {', '.join(offered)}", key=key)
    return came
