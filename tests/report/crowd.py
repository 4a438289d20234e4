"""A crowd's record with two conditions, drawn from a seed: everything that a report can show occurs in it."""

import random
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from crito.model.ids import ItemId
from crito.model.study import Item, Partner, Study
from crito.model.talk import Violation
from crito.studies import ready
from tests.builders import make_choice, make_condition, make_label, make_task, words
from tests.services.recorded import (
    NOON,
    Left,
    make_annotation,
    make_answer,
    make_assignment,
    make_event,
    make_exposure,
    make_study,
    make_turn,
)

STEPS = ("low", "medium", "high")
YES_NO = ("yes", "no")
BORN = make_choice("born", "before_1990", "later")
"""What the owner asks people about themselves."""


def crowd_study() -> Study:
    """Sarcasm with two labels and references, relations with three; a scripted and a modelled partner."""
    sarcasm = make_study().tasks[0]
    sarcasm = replace(sarcasm, items=tuple(Item(ItemId(f"s{n}"), "Great.", gold="Sarcastic") for n in range(12)))
    relation = make_task(
        "relation", 12, title=words("Where people lived and died"), question=words("What does the sentence say?"),
        labels=(make_label("lived_in_that_very_place"), make_label("died_in"), make_label("neither_of_these_two")),
    )  # fmt: skip
    conditions = (
        make_condition("scripted"),
        make_condition("modelled", partner=Partner("openai:small", only_on_disagreement=True)),
        make_condition("alone", flow=("consent", "annotate", "survey")),
    )
    return replace(
        make_study(conditions=conditions),
        tasks=(sarcasm, relation),
        expectations=ready.EXPECTATIONS,
        reconsiderations=ready.RECONSIDERATIONS,
        survey=(*ready.NASA_TLX, *ready.EXPERIENCE, BORN),
    )


def crowd(n_people: int = 90, seed: int = 5) -> tuple[list[Left], Mapping[str, str | None]]:
    """What they left, and the words that were shown."""
    rng = random.Random(seed)
    said: dict[str, str | None] = {}
    return [_person(f"p{number:03}", rng, said) for number in range(n_people)], said


def _person(name: str, rng: random.Random, said: dict[str, str | None]) -> Left:
    condition = rng.choice(["scripted", "modelled", "alone"])
    ending: Any = rng.choices(
        ["done", None, "no_consent", "attention_failed", "withdrawn", "timed_out"], weights=[70, 6, 8, 5, 4, 7]
    )[0]
    left = Left(name, condition=condition, ending=ending, events=[make_event(name, "opened", "consent")])
    if ending == "no_consent":
        return left
    given: list[Any] = [
        make_event(name, "consented", minutes=0.4),
        make_event(name, "instructed", minutes=rng.uniform(1, 3)),
    ]
    for task, label_names in (
        ("sarcasm", ["Sarcastic", "Not sarcastic"]),
        ("relation", ["lived_in_that_very_place", "died_in", "neither_of_these_two"]),
    ):
        item = f"s{rng.randrange(12)}" if task == "sarcasm" else f"relation-{rng.randrange(12)}"
        mine = make_assignment(
            name, item, task=task, condition=condition, status="done" if ending == "done" else "expired"
        )
        left.assignments = [*left.assignments, mine]
        _label_and_talk(left, mine, label_names, rng, said)
    right = ending != "attention_failed"
    left.answers = [
        *left.answers,
        make_answer(name, "annotate:x", "sum", "4" if right and rng.random() > 0.03 else "3"),
    ]
    if ending == "done":
        given += [make_event(name, "confirmed", minutes=4), make_event(name, "opened", "survey", minutes=12)]
        given.append(make_event(name, "surveyed", minutes=12 + rng.uniform(1, 4)))
        left.answers = [*left.answers, *_survey(name, rng)]
    left.events = [*left.events, *given]
    return left


def _label_and_talk(left: Left, mine: Any, labels: list[str], rng: random.Random, said: dict[str, str | None]) -> None:
    first, step = rng.choice(labels), rng.choice(STEPS)
    shown = NOON + timedelta(minutes=2)
    left.annotations = [
        *left.annotations,
        make_annotation(
            mine, first, confidence=step, shown_at=shown, submitted_at=shown + timedelta(seconds=rng.uniform(20, 90))
        ),
    ]
    if mine.condition == "alone":
        return
    is_model = mine.condition == "modelled"
    dialogue = not is_model or rng.random() < 0.6
    if is_model:
        left.events = [
            *left.events,
            replace(make_event(left.annotator, "routed", mine.id), data={"dialogue": dialogue}),
        ]
    if dialogue:
        _talk(left, mine, "model" if is_model else "script", rng, said)
    left.answers = [*left.answers, make_answer(mine.annotator, f"annotate:{mine.id}", "talk_helps", rng.choice(YES_NO))]
    if left.ending != "done":
        return
    for key in ("talk_helped", "made_doubt", "made_change"):
        given = make_answer(mine.annotator, f"reannotate:{mine.id}", key, rng.choice(YES_NO))
        left.answers = [*left.answers, given]
    flipped, unsure = rng.random() < 0.15, rng.random() < 0.05
    last = rng.choice([label for label in labels if label != first]) if flipped else first
    left.annotations = [
        *left.annotations,
        make_annotation(
            mine, None if unsure else last, state="not_sure" if unsure else None, round=1, seq=9,
            confidence=STEPS[min(2, STEPS.index(step) + rng.choice([0, 0, 0, 1, 1]))],
            shown_at=shown, submitted_at=NOON + timedelta(minutes=5 + rng.uniform(0, 6)),
        ),
    ]  # fmt: skip


def _survey(name: str, rng: random.Random) -> list[Any]:
    answers = [make_answer(name, "survey", q.key, str(rng.randint(1, 21))) for q in ready.NASA_TLX]
    choices = [question for question in (*ready.EXPERIENCE, BORN) if question.kind == "choice"]
    answers += [make_answer(name, "survey", q.key, rng.choice(q.options).name) for q in choices]
    return [answer for answer in answers if rng.random() < 0.97]


def _talk(left: Left, mine: Any, kind: Any, rng: random.Random, said: dict[str, str | None]) -> None:
    turns, shown = [make_turn(mine, 0, "You chose a label. Why?", kind="fixed")], [0]
    for message in range(rng.randint(2, 4)):
        turns.append(make_turn(mine, len(turns), "Because.", speaker="person", kind="person"))
        broken = kind == "model" and rng.random() < 0.3
        found = (Violation(rng.choice(["one_question", "no_verdict", "length"]), -1, ""),) if broken else ()
        turns.append(make_turn(mine, len(turns), f"What if {message}?", kind=kind, violations=found))
        if broken:
            mended = rng.random() < 0.5
            text = "What then?" if mended else "And why?"
            turns.append(make_turn(mine, len(turns), text if not mended else "Yes! What then?", kind="model" if mended else "fixed",
                                   mended=text if mended else ""))  # fmt: skip
        shown.append(len(turns) - 1)
    if kind == "model" and rng.random() < 0.1:
        turns.append(make_turn(mine, len(turns), "", kind="fixed", no_answer="no answer in time"))
    for step in shown:
        content = f"{mine.id}/{step}"
        said[content] = turns[step].mended or turns[step].text
        left.exposures = [*left.exposures, make_exposure(mine, f"run-{mine.id}/{step}/0", content, step + 2)]
    left.turns = [*left.turns, *turns]
