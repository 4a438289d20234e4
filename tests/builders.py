"""Studies, items and records for tests, with defaults that suit most of them."""

from datetime import UTC, datetime, timedelta
from typing import Any

from crito.model.ids import AnnotatorId, AssignmentId, ItemId, Language, StudyName, TaskName
from crito.model.record import Annotation, Assignment, Event, GivenAnswer, Participant, PersonRecord
from crito.model.study import (
    Argument,
    AttentionCheck,
    Completion,
    Condition,
    ConfidenceStep,
    Item,
    Label,
    Option,
    Partner,
    PreparedDebate,
    Question,
    Study,
    Task,
    Text,
)

EN = Language("en")
NOON = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
WHOLE_FLOW = ("consent", "annotate", "discuss", "reannotate", "survey")


def words(text: str) -> Text:
    return Text({EN: text})


def make_item(name: str = "i1", text: str = "The kettle sings only on Sundays.", **context: str) -> Item:
    return Item(ItemId(name), text, context)


def make_debate(
    *labels: str, topics: tuple[str, ...] = ("Tone", "Wording"), author: str = "a script"
) -> PreparedDebate:
    """Two sides, each with one sentence on each topic that names both."""
    first, second = labels or ("sarcastic", "not_sarcastic")
    said = tuple(
        Argument(topic, label, f"The {topic.lower()} says {label}.") for topic in topics for label in (first, second)
    )
    return PreparedDebate((first, second), said, author)


def make_label(name: str) -> Label:
    return Label(name, words(name.replace("_", " ").capitalize()), words(""))


def make_choice(key: str, *options: str, **more: Any) -> Question:
    named = tuple(Option(option, words(option)) for option in options or ("yes", "no"))
    return Question(key, words(f"{key}?"), "choice", named, **more)


def make_check(key: str, expected: str, *others: str) -> AttentionCheck:
    return AttentionCheck(make_choice(key, expected, *others or ("wrong",)), expected)


def make_task(name: str = "sarcasm", n_items: int = 3, **more: Any) -> Task:
    defaults: dict[str, Any] = {
        "title": words(name),
        "question": words("Is it sarcastic?"),
        "labels": (make_label("sarcastic"), make_label("not_sarcastic")),
        "guideline": words("Judge the tone."),
        "items": tuple(make_item(f"{name}-{n}", f"Text number {n} about a kettle.") for n in range(n_items)),
    }
    return Task(name=TaskName(name), **{**defaults, **more})


def make_condition(name: str = "socratic", flow: tuple[Any, ...] = WHOLE_FLOW, **more: Any) -> Condition:
    return Condition(name, flow, **{"partner": Partner(), **more})


def make_study(**more: Any) -> Study:
    defaults: dict[str, Any] = {
        "name": StudyName("kettles"),
        "title": words("Kettles"),
        "tasks": (make_task("sarcasm"), make_task("relation")),
        "conditions": (make_condition(),),
        "assign": "person",
        "languages": (EN,),
        "confidence": (
            ConfidenceStep("very_sure", words("Very sure"), 1.0),
            ConfidenceStep("somewhat_sure", words("Somewhat sure"), 0.5),
            ConfidenceStep("not_sure", words("Not sure"), 0.0),
        ),
        "expectations": (make_choice("discussion_would_help"),),
        "reconsiderations": (
            make_choice("helped"),
            Question("process", words("How was it?"), "text", required=False),
        ),
        "attention_checks": (make_check("colour", "blue", "red"), make_check("letters", "sunshine", "rain")),
        "survey": (make_choice("again", "yes", "no"),),
        "consent": words("The partner is software."),
        "instructions": words("Read, label, talk."),
        "pause": words("Stretch."),
        "completion": Completion("prolific", {"done": "C1", "withdrawn": "C2"}, "https://example.org/?cc={code}"),
    }
    return Study(**{**defaults, **more})


def make_participant(name: str = "p-1", **more: Any) -> Participant:
    defaults: dict[str, Any] = {
        "study": StudyName("kettles"),
        "study_version": 1,
        "origin": "real",
        "language": EN,
        "condition": "socratic",
        "seed": 7,
        "arrived_at": NOON,
    }
    return Participant(AnnotatorId(name), **{**defaults, **more})


def make_assignment(name: str = "a-1", position: int = 0, **more: Any) -> Assignment:
    defaults: dict[str, Any] = {
        "annotator": AnnotatorId("p-1"),
        "task": TaskName("sarcasm"),
        "item": ItemId(f"item-of-{name}"),
        "item_hash": "0" * 64,
        "condition": "socratic",
        "slot": 0,
        "status": "open",
        "lease_until": NOON + timedelta(hours=1),
    }
    return Assignment(id=AssignmentId(name), position=position, **{**defaults, **more})


def make_annotation(assignment: str = "a-1", round: int = 0, **more: Any) -> Annotation:  # noqa: A002
    defaults: dict[str, Any] = {
        "annotator": AnnotatorId("p-1"),
        "task": TaskName("sarcasm"),
        "item": ItemId(f"item-of-{assignment}"),
        "item_hash": "0" * 64,
        "condition": "socratic",
        "study_version": 1,
        "revision": 0,
        "seq": round,
        "label": "sarcastic",
        "state": None,
        "confidence": "very_sure",
        "rationale": None,
        "guideline_hash": "1" * 64,
        "shown_at": NOON,
        "submitted_at": NOON,
    }
    return Annotation(assignment=AssignmentId(assignment), round=round, **{**defaults, **more})


def make_event(kind: Any, about: str = "", **data: Any) -> Event:
    return Event(AnnotatorId("p-1"), kind, about, NOON, data)


def make_answer(question: str, choice: str, about: str = "annotate:a-1") -> GivenAnswer:
    return GivenAnswer(AnnotatorId("p-1"), about, question, choice, None, NOON)


def make_record(**more: Any) -> PersonRecord:
    defaults: dict[str, Any] = {"participant": make_participant(), "assignments": (make_assignment(),)}
    return PersonRecord(**{**defaults, **more})
