"""An expert's queue: what is shown is on record first, blind items stay blind, and no form can change that."""

from dataclasses import replace

import pytest

from crito.model.errors import Conflict, Forbidden, InvalidInput, NotFound, PartClosed
from crito.model.study import RecordedLabel, Suggestions
from crito.services import queue, suggesting
from crito.services.drawing import blind_sample
from crito.services.publishing import publish
from tests.builders import make_condition, make_study, make_task
from tests.services.walking import NAME, enrol

CANARY = "the kettle told the machine so"


def corpus(n_items=10, display="blind_sample", rate=0.2, places=1, **more):
    task = make_task("sarcasm", n_items, annotators_per_item=places)
    said = tuple(replace(item, recorded=RecordedLabel("sarcastic", 0.8, CANARY)) for item in task.items)
    return make_study(
        tasks=(replace(task, items=said),),
        conditions=(make_condition("solo", ("annotate",)),),
        suggestions=Suggestions("gpt", recorded=True, display=display, blind_rate=rate, fingerprint="1"),
        **more,
    )


async def expert_on(parts, study, name="Ana"):
    await publish(parts, study)
    who, _ = await queue.invite(parts, NAME, name)
    await queue.begin(parts, who)
    return who


async def say(parts, who, **fields):
    page = await queue.page(parts, who)
    await queue.answer(parts, who, page.form, fields, {})
    return page


async def record_of(parts, who):
    annotations = await parts.store.read(lambda tx: tx.annotation_history(NAME, [who]))
    exposures = await parts.store.read(lambda tx: tx.exposures(NAME, [who]))
    return annotations, exposures


async def item_of(parts, form):
    return (await parts.store.read(lambda tx: tx.assignment(form.partition(":")[2]))).item


async def test_an_item_outside_the_sample_shows_the_suggestion_that_is_on_record(parts):
    who = await expert_on(parts, corpus(rate=0.0001, n_items=30))
    drawn = await parts.store.read(lambda tx: blind_sample(tx, NAME, "sarcasm"))

    for _ in range(30):
        page = await queue.page(parts, who)
        if await item_of(parts, page.form) not in drawn:
            break
        await say(parts, who, label="sarcastic")

    assert (page.suggestion.label, page.suggestion.confidence, page.suggestion.reason) == ("sarcastic", 0.8, CANARY)
    _, exposures = await record_of(parts, who)
    assert [one.route for one in exposures] == ["suggestion"]


async def test_a_drawn_item_shows_a_note_and_nothing_of_the_model_before_or_after(parts):
    who = await expert_on(parts, corpus(rate=1.0))

    page = await say(parts, who, label="not_sarcastic")
    after = await queue.page(parts, who)

    assert page.hidden
    assert page.suggestion is None
    assert (after.state, after.hidden) == ("label", True)
    assert (await record_of(parts, who))[1] == []


async def test_a_forged_accept_on_a_blind_item_is_refused(parts):
    who = await expert_on(parts, corpus(rate=1.0))

    with pytest.raises(Conflict, match="no suggestion in view"):
        await say(parts, who, accept="1", label="sarcastic", exposed="", blind="1")

    assert (await record_of(parts, who))[0] == []


async def test_accepting_takes_the_label_that_the_record_shows_and_not_the_one_of_the_form(parts):
    who = await expert_on(parts, corpus(display="before_label"))

    await say(parts, who, accept="1", label="not_sarcastic")

    (annotation,), (exposure, _) = await record_of(parts, who)
    assert annotation.label == "sarcastic"
    assert exposure.seq < annotation.seq
    person = await parts.store.read(lambda tx: tx.person(who))
    assert [event.about for event in person.events if event.kind == "accepted"] == [f"0:{annotation.assignment}"]


async def test_after_a_difference_both_labels_are_shown_and_what_is_said_then_is_the_next_round(parts):
    who = await expert_on(parts, corpus(display="after_label"))

    before = await say(parts, who, label="not_sarcastic")
    page = await queue.page(parts, who)
    await say(parts, who, label="sarcastic")

    annotations, exposures = await record_of(parts, who)
    assert before.suggestion is None
    assert (page.state, page.given, page.suggestion.reason) == ("resolve", "not_sarcastic", CANARY)
    assert [(one.round, one.label) for one in annotations] == [(0, "not_sarcastic"), (1, "sarcastic")]
    assert annotations[0].seq < exposures[0].seq < annotations[1].seq


async def test_a_suggestion_in_view_that_is_not_followed_is_asked_about_once_more(parts):
    who = await expert_on(parts, corpus(display="before_label"))

    await say(parts, who, label="not_sarcastic")
    page = await queue.page(parts, who)
    await say(parts, who, label="not_sarcastic")

    annotations, exposures = await record_of(parts, who)
    assert page.state == "resolve"
    assert [(one.round, one.label) for one in annotations] == [(0, "not_sarcastic"), (1, "not_sarcastic")]
    assert [one.route for one in exposures[:2]] == ["suggestion", "resolve"]


async def test_the_same_form_again_or_another_answer_on_it_cannot_change_the_label_before_the_difference(parts):
    who = await expert_on(parts, corpus(display="after_label"))
    first = await say(parts, who, label="not_sarcastic")
    await say(parts, who, label="sarcastic")

    await queue.answer(parts, who, first.form, {"label": "sarcastic"}, {})

    annotations, _ = await record_of(parts, who)
    assert [(one.round, one.revision, one.label) for one in annotations] == [
        (0, 0, "not_sarcastic"),
        (1, 0, "sarcastic"),
    ]


async def test_undo_is_a_new_annotation_of_the_same_round(parts):
    who = await expert_on(parts, corpus(rate=1.0))
    await say(parts, who, label="not_sarcastic")

    page = await queue.page(parts, who, undo=True)
    await queue.answer(parts, who, page.form, {"label": "sarcastic"}, {})

    annotations, _ = await record_of(parts, who)
    assert (page.state, page.given) == ("undo", "not_sarcastic")
    assert [(one.round, one.revision, one.label) for one in annotations] == [
        (0, 0, "not_sarcastic"),
        (0, 1, "sarcastic"),
    ]


async def test_undo_is_refused_once_something_was_shown_since(parts):
    who = await expert_on(parts, corpus(display="after_label"))
    page = await say(parts, who, label="sarcastic")
    seen_since = await parts.store.read(lambda tx: tx.assignment(page.form.partition(":")[2]))

    def show(tx):
        study = parts.edition(tx, NAME, 1)
        told = suggesting.suggestion_for(tx, study, seen_since.task, seen_since.item, seen_since.item_hash)
        suggesting.expose(tx, study, who, seen_since.task, seen_since.item, told, "resolve", parts.now())

    await parts.store.write(show)

    with pytest.raises(PartClosed, match="shown on this item since"):
        await queue.answer(parts, who, page.form, {"label": "not_sarcastic"}, {})


async def test_the_queue_goes_through_every_item_once_in_an_order_of_its_own(parts):
    study = corpus(n_items=12, rate=1.0)
    who = await expert_on(parts, study)

    forms = [(await say(parts, who, label="sarcastic")).form for _ in range(12)]

    items = [await item_of(parts, form) for form in forms]
    assert sorted(items) == sorted(item.id for item in study.tasks[0].items)
    assert items != [item.id for item in study.tasks[0].items]
    assert (await queue.page(parts, who)).state == "empty"


async def test_two_experts_share_the_queue_without_meeting(parts):
    who = await expert_on(parts, corpus(n_items=6, rate=1.0))
    other = await expert_on(parts, corpus(n_items=6, rate=1.0), "Ben")

    mine = [await item_of(parts, (await say(parts, person, label="sarcastic")).form) for person in (who, other) * 3]

    assert len(set(mine)) == 6


async def test_a_lapsed_lease_gives_the_item_back_and_a_late_form_takes_it_up_again(parts, clock):
    who = await expert_on(parts, corpus(rate=1.0))
    page = await queue.page(parts, who)
    clock.move(hours=2)
    await parts.store.write(lambda tx: tx.expire_leases(parts.now()))

    await queue.answer(parts, who, page.form, {"label": "sarcastic"}, {})

    (annotation,), _ = await record_of(parts, who)
    assert annotation.label == "sarcastic"


async def test_skipping_is_recorded_as_a_state(parts):
    who = await expert_on(parts, corpus(rate=1.0))

    await say(parts, who, label="skipped")

    (annotation,), _ = await record_of(parts, who)
    assert (annotation.label, annotation.state) == (None, "skipped")


async def test_a_label_that_is_not_offered_or_an_item_of_somebody_else_is_refused(parts):
    who = await expert_on(parts, corpus(rate=1.0, places=2))
    other = await expert_on(parts, corpus(rate=1.0, places=2), "Ben")
    theirs = await queue.page(parts, other)

    with pytest.raises(InvalidInput):
        await say(parts, who, label="perhaps")
    with pytest.raises(NotFound):
        await queue.answer(parts, who, theirs.form, {"label": "sarcastic"}, {})


async def test_who_came_as_a_participant_has_no_queue(parts):
    await publish(parts, corpus())
    person = await enrol(parts)

    with pytest.raises(Forbidden):
        await queue.begin(parts, person)


async def test_nothing_can_be_shown_on_a_blind_item_by_any_use_case(parts):
    who = await expert_on(parts, corpus(rate=1.0))
    mine = (await parts.store.read(lambda tx: tx.assignments_of(who, ["open"])))[0]

    def show(tx):
        study = parts.edition(tx, NAME, 1)
        told = suggesting.suggestion_for(tx, study, mine.task, mine.item, mine.item_hash)
        suggesting.expose(tx, study, who, mine.task, mine.item, told, "anywhere", parts.now())

    with pytest.raises(Forbidden, match="is blind for annotator"):
        await parts.store.write(show)
