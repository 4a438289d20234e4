"""What a report says about a study."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from crito.model.errors import NotFound
from crito.model.ids import StudyName
from crito.model.study import Study
from crito.model.talk import Violation
from crito.services.parts import Parts
from crito.services.reporting.study import ReportData, report_study
from tests.builders import make_condition
from tests.services.recorded import (
    NOON,
    STUDY,
    TASK,
    Left,
    RecordedStore,
    RecordedTx,
    make_annotation,
    make_answer,
    make_assignment,
    make_event,
    make_exposure,
    make_study,
    make_turn,
)

A, B = "Sarcastic", "Not sarcastic"


async def report_of(
    people: Sequence[Left], study: Study | None = None, said: dict[str, str | None] | None = None
) -> ReportData:
    store: Any = RecordedStore(RecordedTx(people, said or {}))
    study = study or make_study()
    parts = Parts(store, None, lambda: NOON + timedelta(days=1), lambda: 7, _editions={(STUDY, 1): study})  # type: ignore[arg-type]
    return await report_study(parts, STUDY)


def labelled_twice(
    name: str, first: str, last: str | None, *, item: str = "i1", sure: tuple[str, str] = ("low", "low"), **more: Any
) -> Left:
    """Someone who labelled one item before and after; `last` None stands for *not sure*."""
    condition = more.get("condition", "socratic")
    mine = make_assignment(name, item, condition=condition)
    state = None if last else "not_sure"
    given = [
        make_annotation(mine, first, confidence=sure[0]),
        make_annotation(mine, last, state=state, confidence=sure[1], round=1, seq=5),
    ]
    return Left(name, [mine], given, **{"ending": "done", **more})


async def test_flips_count_over_labels_on_both_sides() -> None:
    people = [
        labelled_twice("p1", A, A), labelled_twice("p2", A, B), labelled_twice("p3", B, B, item="i2"),
        labelled_twice("p4", B, A, item="i2"), labelled_twice("p5", A, None),
    ]  # fmt: skip
    started = make_assignment("p6", status="open")
    people.append(Left("p6", [started], [make_annotation(started, A)]))

    (group,) = (await report_of(people)).tasks[0].groups

    assert group.flips is not None
    assert (group.flips.eligible, group.flips.flips, group.flips.rate.value) == (4, 2, 0.5)
    assert group.flips.rate.dropped == {"not_sure": 1, "missing": 1}
    assert group.flips.directions.count(A, B) == group.flips.directions.count(B, A) == 1
    assert group.item_flip_rate is not None
    assert group.item_flip_rate.value == 0.5
    assert (group.n_people, group.n_items) == (6, 2)
    assert group.before.labels == {A: 4, B: 2}
    assert group.after is not None
    assert (group.after.labels, group.after.states) == ({A: 2, B: 2}, {"not_sure": 1, "missing": 1})


async def test_confidence_is_told_from_the_highest_step_to_the_lowest() -> None:
    people = [
        labelled_twice("p1", A, A, sure=("low", "high")),
        labelled_twice("p2", A, A, sure=("medium", "high")),
        labelled_twice("p3", A, A, sure=("high", "high")),
    ]

    report = await report_of(people)

    assert list(report.confidence_steps) == ["high", "medium", "low"]
    found = report.tasks[0].groups[0].confidence
    assert found is not None
    assert found.transitions.moves.labels == ("high", "medium", "low")
    assert found.transitions.moves.count("low", "high") == 1
    assert (found.change.value, found.transitions.up.value) == (1.0, pytest.approx(2 / 3))
    assert (found.highest_before.value, found.highest_after.value) == (pytest.approx(1 / 3), 1.0)


async def test_a_label_named_like_a_state_is_a_label() -> None:
    study = make_study()
    task = study.tasks[0]
    odd = replace(task, labels=(*task.labels, replace(task.labels[0], name="not_sure")))
    people = [labelled_twice("p1", "not_sure", A), labelled_twice("p2", A, None)]

    (group,) = (await report_of(people, replace(study, tasks=(odd,)))).tasks[0].groups

    assert group.before.labels["not_sure"] == 1
    assert group.flips is not None
    assert (group.flips.eligible, group.flips.n_not_sure) == (1, 1)


async def test_accuracy_is_told_where_a_task_has_reference_labels() -> None:
    people = [labelled_twice("p1", B, A), labelled_twice("p2", A, A), labelled_twice("p3", A, A, item="i2")]

    (group,) = (await report_of(people)).tasks[0].groups

    assert group.accuracy is not None
    assert group.accuracy.after is not None
    after = group.accuracy.after.accuracy
    assert (group.accuracy.before.accuracy.value, after.value, after.n) == (0.5, 1.0, 2)
    assert group.accuracy.change is not None
    assert group.accuracy.change.value == 0.5
    assert after.dropped == {"no_gold": 1}


async def test_people_whose_attention_failed_are_in_the_sample_and_in_no_number_about_labels() -> None:
    answers = [make_answer("p2", "annotate:p2-i1", "sum", "3")]
    people = [labelled_twice("p1", A, A), labelled_twice("p2", A, B, ending="attention_failed", answers=answers)]

    report = await report_of(people)

    assert report.sample.n_people == 2
    assert report.sample.excluded == {"attention_failed": 1}
    assert report.tasks[0].groups[0].n_people == 1
    assert report.attention["sum"].value == 1.0


async def test_people_who_withdrew_are_counted_as_come_and_left_only() -> None:
    answers = [make_answer("p2", "annotate:p2-i1", "sum", "3")]
    people = [labelled_twice("p1", A, A), labelled_twice("p2", A, B, ending="withdrawn", answers=answers)]

    report = await report_of(people)

    assert report.sample.endings == {"done": 1, "withdrawn": 1}
    assert (report.tasks[0].groups[0].n_people, dict(report.attention)) == (1, {})


async def test_how_far_people_got_is_counted_by_condition() -> None:
    events = [make_event("p1", "consented"), make_event("p1", "instructed", minutes=2)]
    people = [labelled_twice("p1", A, A, events=events), Left("p2", ending="no_consent", condition="")]

    reached = (await report_of(people)).sample.reached

    assert (reached[""]["came"], reached[""]["instructed"], reached[""]["relabelled"], reached[""]["done"]) == (
        2,
        1,
        1,
        1,
    )
    assert reached["socratic"]["came"] == 1


async def test_conditions_are_compared_with_adjusted_p_values() -> None:
    study = make_study(
        conditions=[make_condition("a"), make_condition("b"), make_condition("c", flow=("consent", "annotate"))]
    )
    people = [labelled_twice(f"a{n}", A, B if n < 9 else A, condition="a") for n in range(20)]
    people += [labelled_twice(f"b{n}", A, B if n < 1 else A, condition="b") for n in range(20)]

    report = await report_of(people, study)

    flips = [row for row in report.comparisons if row.measure == "flip_rate"]
    assert [(row.first, row.second, row.task) for row in flips] == [("a", "b", TASK)]
    assert flips[0].difference.value == pytest.approx(0.4)
    assert flips[0].p_adjusted == flips[0].difference.p_value


async def test_a_condition_without_a_second_labelling_has_no_flips() -> None:
    study = make_study(conditions=[make_condition("alone", flow=("consent", "annotate"))])
    mine = make_assignment("p1", condition="alone")

    (group,) = (
        (await report_of([Left("p1", [mine], [make_annotation(mine)], condition="alone")], study)).tasks[0].groups
    )

    assert (group.flips, group.after, group.confidence) == (None, None, None)
    assert group.before.labels == {A: 1, B: 0}


async def test_a_study_nobody_came_to_gives_reasons_instead_of_numbers() -> None:
    report = await report_of([])

    (group,) = report.tasks[0].groups
    assert group.flips is not None
    assert (group.flips.rate.value, group.flips.rate.reason) == (None, "no eligible annotations")
    assert (report.sample.n_people, report.partners) == (0, ())


async def test_drafts_of_the_partner_count_as_made_and_not_as_shown() -> None:
    mine = make_assignment("p1")
    length, verdict = Violation("length", -1, ""), Violation("no_verdict", 1, "")
    talk = [
        make_turn(mine, 0, "Why?", kind="fixed"),
        make_turn(mine, 1, "So.", speaker="person", kind="person"),
        make_turn(mine, 2, "Long.", kind="model", violations=(length, length)),
        make_turn(mine, 3, "Right. Why?", kind="model", violations=(verdict,), mended="Why?"),
        make_turn(mine, 4, "", kind="fixed", no_answer="no answer in time"),
        make_turn(mine, 5, "And then?", kind="fixed"),
    ]
    shown = [make_exposure(mine, f"run-p1-i1/{step}/0", f"w{step}", step + 1) for step in (0, 3, 5)]
    left = Left("p1", [mine], [make_annotation(mine)], shown, talk)

    report = await report_of([left], said={"w0": "Why?", "w3": "Why?", "w5": "And then?"})

    (partner,), (talk,) = report.partners, report.talks
    assert (partner.made, partner.shown) == ({"fixed": 1, "model": 2}, {"fixed": 1, "trimmed": 1})
    made = {(broken.rule, broken.kind): broken.rate for broken in partner.broken_made}
    assert (made["length", "model"].value, made["length", "model"].n, made["length", "fixed"].value) == (0.5, 2, 0.0)
    assert partner.broken_shown == ()
    assert partner.unanswered == {"no answer in time": 1}
    assert talk.engagement.messages_person.value == 1.0


async def test_routing_by_disagreement_is_named_with_its_counts() -> None:
    conditions = [make_condition(), make_condition("routed")]
    conditions[1] = replace(conditions[1], partner=replace(conditions[1].partner, only_on_disagreement=True))
    events = [replace(make_event("p1", "routed", "p1-i1"), data={"dialogue": False})]

    report = await report_of(
        [labelled_twice("p1", A, A, condition="routed", events=events)], make_study(conditions=conditions)
    )

    assert report.routings == (("routed", 0, 1),)


async def test_minutes_are_the_servers_own() -> None:
    mine = make_assignment("p1")
    events = [
        make_event("p1", "consented"), make_event("p1", "instructed", minutes=2),
        make_event("p1", "opened", "survey", minutes=6), make_event("p1", "surveyed", minutes=8.5),
    ]  # fmt: skip
    given = [
        make_annotation(mine, shown_at=NOON, submitted_at=NOON + timedelta(seconds=90)),
        make_annotation(mine, round=1, seq=4, shown_at=NOON, submitted_at=NOON + timedelta(minutes=5)),
    ]
    talk = [make_turn(mine, 1, "Why?")]

    report = await report_of([Left("p1", [mine], given, turns=talk, events=events, ending="done")])

    minutes = {phase: statistic.value for phase, statistic in report.minutes["socratic"].items()}
    assert minutes == {
        "instructions": 2.0, "first_label": 1.5, "talk_and_second_label": 4.0, "survey": 2.5, "whole_study": 9.0,
    }  # fmt: skip


async def test_a_study_that_was_never_published_has_no_report() -> None:
    parts = Parts(RecordedStore(RecordedTx([])), None, lambda: NOON, lambda: 7)  # type: ignore[arg-type]

    with pytest.raises(NotFound, match="'other'"):
        await report_study(parts, StudyName("other"))


def read_a_debate(
    name: str, first: str, last: str, *, shown_first: str, said: str = "yes"
) -> tuple[Left, dict[str, str]]:
    """Someone who labelled, read two sides on the item, and labelled again."""
    left = labelled_twice(name, first, last, condition="debate")
    mine, other = left.assignments[0], B if shown_first == A else A
    words = {
        f"{name}-{label}": json.dumps({"topic": "Tone", "label": label, "text": "So.", "author": "two friends"})
        for label in (shown_first, other)
    }
    shown = [
        make_exposure(mine, f"prepared/{place}", content, 2 + place, kind="argument", route="debate")
        for place, content in enumerate(words)
    ]
    events = [make_event(name, "opened", f"debate:{mine.id}"), make_event(name, "read", mine.id, minutes=3)]
    answers = [make_answer(name, f"reannotate:{mine.id}", "debate_helped", said)]
    return replace(left, exposures=shown, events=events, answers=answers), words


async def test_debates_that_were_read_are_counted_with_the_side_that_came_first() -> None:
    came = [
        read_a_debate("ana", A, B, shown_first=B),
        read_a_debate("bob", A, A, shown_first=B, said="no"),
        read_a_debate("cyd", B, A, shown_first=A),
    ]
    blind = replace(labelled_twice("dan", A, A, condition="debate"), events=[
        replace(make_event("dan", "routed", "dan-i1"), data={"dialogue": False, "debate": False, "blind": True})
    ])  # fmt: skip
    flow = ("consent", "annotate", "debate", "reannotate")
    study = make_study(conditions=(make_condition("debate", flow),))

    report = await report_of([*(left for left, _ in came), blind], study, dict(w for _, d in came for w in d.items()))

    (found,) = report.readings
    assert (found.shown, found.read, dict(found.missed)) == (3, 3, {"the item is blind": 1})
    assert (found.first_after.value, found.first_after.n) == (pytest.approx(2 / 3), 3)
    assert (found.first_flips.value, found.first_flips.n) == (1.0, 2)
    assert found.minutes.value == 3.0
    assert found.said["debate_helped"].value == pytest.approx(2 / 3)
    assert dict(found.authors) == {"two friends": 3}
