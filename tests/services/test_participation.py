"""A person's way through a study, over both databases."""

import asyncio
from dataclasses import replace

import pytest

from crito.model.errors import Conflict, InvalidInput, NotFound, PartClosed, TooMany
from crito.services import dialogue, enrolment, overview, participation, showing
from crito.services.happening import happening
from crito.services.publishing import publish
from tests.builders import make_condition, make_study, make_task
from tests.services.walking import EN, NAME, enrol, fields_for, prolific, step, walk


async def record_of(parts, person):
    return await parts.store.read(lambda tx: tx.person(person))


async def exposures_of(parts, person):
    return await parts.store.read(lambda tx: tx.exposures(NAME, [person]))


async def test_a_person_walks_the_whole_study_and_gets_the_code(parts):
    await publish(parts, make_study())
    person = await enrol(parts)

    end = await walk(parts, person)

    assert (end.ending, end.code, end.return_url) == ("done", "C1", "https://example.org/?cc=C1")
    record = await record_of(parts, person)
    assert [a.status for a in record.assignments] == ["done", "done"]
    assert sorted((a.round, a.label) for a in record.annotations) == [
        (0, "sarcastic"), (0, "sarcastic"), (1, "not_sarcastic"), (1, "not_sarcastic"),
    ]  # fmt: skip
    assert {e.kind for e in record.events} >= {"consented", "instructed", "confirmed", "paused", "surveyed", "ended"}


async def test_only_the_second_label_has_exposures_before_it(parts):
    await publish(parts, make_study())
    person = await enrol(parts)
    await walk(parts, person)

    record, exposures = await record_of(parts, person), await exposures_of(parts, person)

    for annotation in record.annotations:
        before = [e for e in exposures if e.item == annotation.item and e.seq < annotation.seq]
        assert bool(before) == (annotation.round == 1)


async def test_the_same_link_finds_the_same_person_however_often_it_consents(parts):
    await publish(parts, make_study())

    people = await asyncio.gather(*(enrol(parts, "pid-1") for _ in range(8)))

    assert len(set(people)) == 1
    assert await enrolment.find(parts, NAME, prolific("pid-1")) == people[0]
    assert await enrolment.find(parts, NAME, prolific("pid-2")) is None


async def test_places_are_never_given_twice_however_many_come_at_once(parts):
    study = make_study(tasks=(make_task("sarcasm", 4, annotators_per_item=2),))
    await publish(parts, study)

    await asyncio.gather(*(enrol(parts, f"pid-{n}") for n in range(20)))

    progress = await overview.progress(parts, NAME)
    assert [(row.open, row.places) for row in progress.items] == [(2, 2)] * 4
    assert progress.people == {"active": 8, "over_quota": 12}


async def test_who_comes_too_late_is_told_so_at_once(parts):
    await publish(parts, make_study(tasks=(make_task("sarcasm", 1, annotators_per_item=1),)))
    await enrol(parts, "first")

    page = await showing.page(parts, await enrol(parts, "second"))

    assert page.ending == "over_quota"


async def test_refused_consent_leaves_a_pseudonym_and_its_ending_only(parts):
    await publish(parts, make_study())

    person = await enrolment.decline(parts, NAME, prolific("pid-1"), EN)

    record = await record_of(parts, person)
    assert (record.participant.ending, record.assignments) == ("no_consent", ())


async def test_a_lapsed_place_goes_to_the_next_person(parts, clock):
    await publish(parts, make_study(tasks=(make_task("sarcasm", 1, annotators_per_item=1),)))
    slow = await enrol(parts, "slow")
    clock.move(minutes=61)

    quick = await enrol(parts, "quick")

    assert (await showing.page(parts, slow)).ending == "timed_out"
    assert type(await showing.page(parts, quick)).__name__ == "InstructionsPage"


async def test_who_comes_back_late_goes_on_where_they_were_if_the_place_is_free(parts, clock):
    await publish(parts, make_study(tasks=(make_task("sarcasm", 1, annotators_per_item=1),)))
    person = await enrol(parts)
    await walk(parts, person, until="ConfirmPage")
    clock.move(minutes=61)
    assert await overview.expire_leases(parts) == 1

    assert type(await showing.page(parts, person)).__name__ == "ConfirmPage"
    assert (await walk(parts, person)).ending == "done"


async def test_a_form_sent_after_the_lease_ran_out_counts_if_the_place_is_free(parts, clock):
    await publish(parts, make_study(tasks=(make_task("sarcasm", 1, annotators_per_item=1),)))
    person = await enrol(parts)
    for kind in ("AnnotatePage", "TalkPage"):
        page = await walk(parts, person, until=kind)
        clock.move(minutes=61)
        assert await overview.expire_leases(parts) == 1
        await step(parts, person, page)
    clock.move(minutes=61)
    assert await overview.expire_leases(parts) == 1

    again = await showing.page(parts, person)

    assert [line.text for line in again.talk.lines if not line.partner]
    assert (await walk(parts, person)).ending == "done"


async def test_a_form_sent_after_the_place_went_to_someone_else_is_refused_as_closed(parts, clock):
    await publish(parts, make_study(tasks=(make_task("sarcasm", 1, annotators_per_item=1),)))
    slow = await enrol(parts, "slow")
    page = await walk(parts, slow, until="AnnotatePage")
    clock.move(minutes=61)
    await enrol(parts, "quick")

    with pytest.raises(PartClosed):
        await step(parts, slow, page)

    assert (await showing.page(parts, slow)).ending == "timed_out"


@pytest.mark.parametrize("form", ["annotate:a-1", "message:a-1:1", "survey:more", "annotate", "annotate:"])
async def test_there_are_no_drafts_of_forms_that_a_person_does_not_have(parts, form):
    await publish(parts, make_study())
    person = await enrol(parts)

    with pytest.raises(NotFound):
        await participation.save_draft(parts, person, form, {"label": "sarcastic"})


async def test_every_step_renews_the_lease(parts, clock):
    await publish(parts, make_study())
    person = await enrol(parts)
    for _ in range(3):
        clock.move(minutes=45)
        await step(parts, person, await showing.page(parts, person))

    assert await overview.expire_leases(parts) == 0


async def test_failing_all_attention_checks_ends_politely_and_gives_the_places_back(parts):
    await publish(parts, make_study(tasks=(make_task("sarcasm", 1, annotators_per_item=1), make_task("relation", 1))))
    person = await enrol(parts)

    end = await walk(parts, person, answers={"q_colour": "red", "q_letters": "rain"})

    assert end.ending == "attention_failed"
    record = await record_of(parts, person)
    assert [a.status for a in record.assignments] == ["ended", "ended"]
    assert len(record.annotations) == 2
    assert type(await showing.page(parts, await enrol(parts, "next"))).__name__ == "InstructionsPage"


async def test_failing_one_attention_check_of_two_changes_nothing(parts):
    await publish(parts, make_study())
    person = await enrol(parts)

    assert (await walk(parts, person, answers={"q_colour": "red"})).ending == "done"


async def test_the_same_form_twice_is_stored_once(parts):
    await publish(parts, make_study())
    person = await enrol(parts)
    page = await walk(parts, person, until="AnnotatePage")
    fields = fields_for(page.questions, label="sarcastic")

    await asyncio.gather(*(participation.annotate(parts, person, page.form, fields, {}) for _ in range(5)))

    history = await parts.store.read(lambda tx: tx.annotation_history(NAME, [person]))
    assert [(a.round, a.revision) for a in history] == [(0, 0)]


async def test_another_answer_on_the_same_form_is_a_correction_that_keeps_the_first(parts):
    await publish(parts, make_study())
    person = await enrol(parts)
    page = await walk(parts, person, until="AnnotatePage")
    await step(parts, person, page, label="sarcastic")

    await step(parts, person, page, label="not_sarcastic")

    history = await parts.store.read(lambda tx: tx.annotation_history(NAME, [person]))
    assert [(a.revision, a.label) for a in history] == [(0, "sarcastic"), (1, "not_sarcastic")]
    assert [a.label for a in (await record_of(parts, person)).annotations] == ["not_sarcastic"]


async def test_nothing_can_be_corrected_once_the_part_is_confirmed(parts):
    await publish(parts, make_study())
    person = await enrol(parts)
    page = await walk(parts, person, until="AnnotatePage")
    await walk(parts, person, until="TalkPage")

    with pytest.raises(PartClosed):
        await step(parts, person, page, label="not_sarcastic")
    await step(parts, person, page)


@pytest.mark.parametrize(
    ("field", "came"),
    [
        ("label", ""),
        ("label", "ironic"),
        ("label", "not_sure"),
        ("confidence", "1"),
        ("q_colour", "green"),
        ("q_discussion_would_help", ""),
    ],
)
async def test_an_answer_that_was_not_offered_is_refused_by_field(parts, field, came):
    await publish(parts, make_study())
    person = await enrol(parts)
    page = await walk(parts, person, until="AnnotatePage")

    with pytest.raises(InvalidInput) as refused:
        await step(parts, person, page, **{field: came})

    assert refused.value.key == field
    assert (await record_of(parts, person)).annotations == ()


async def test_not_sure_is_kept_as_a_state_and_never_as_a_label(parts):
    await publish(parts, make_study())
    person = await enrol(parts)
    await walk(parts, person, until="TalkPage")
    await walk(parts, person, until="PausePage", answers={"label": "not_sure"})

    (second,) = [a for a in (await record_of(parts, person)).annotations if a.round == 1]
    assert (second.label, second.state) == (None, "not_sure")


async def test_the_second_labelling_opens_after_the_second_message(parts):
    await publish(parts, make_study())
    person = await enrol(parts)
    page = await walk(parts, person, until="TalkPage")
    fields = fields_for(page.again.questions, label="sarcastic")
    assert page.talk.messages_left == 2

    with pytest.raises(PartClosed):
        await participation.reannotate(parts, person, page.again.form, fields, {})
    for left in (1, 0):
        await dialogue.send_message(parts, person, page.talk.message_form, f"The kettle says so, {left}.")
        [_ async for _ in dialogue.reply(parts, person, page.assignment)]
        page = await showing.page(parts, person)
        assert page.talk.messages_left == left
    await participation.reannotate(parts, person, page.again.form, fields, {})

    assert (await record_of(parts, person)).annotation(page.assignment, 1).label == "sarcastic"


async def test_a_message_is_kept_before_the_partner_is_asked_and_stored_once(parts):
    await publish(parts, make_study())
    person = await enrol(parts)
    page = await walk(parts, person, until="TalkPage")

    for _ in range(2):
        await dialogue.send_message(parts, person, page.talk.message_form, "The kettle sings.")

    talk = (await showing.page(parts, person)).talk
    assert talk.waiting
    assert [line.text for line in talk.lines if not line.partner] == ["The kettle sings."]


async def test_another_message_from_the_same_form_is_refused(parts):
    await publish(parts, make_study())
    person = await enrol(parts)
    page = await walk(parts, person, until="TalkPage")
    await dialogue.send_message(parts, person, page.talk.message_form, "The kettle sings.")

    with pytest.raises(Conflict):
        await dialogue.send_message(parts, person, page.talk.message_form, "The kettle is silent.")


async def test_two_windows_that_ask_for_one_reply_get_one(parts):
    await publish(parts, make_study())
    person = await enrol(parts)
    page = await walk(parts, person, until="TalkPage")
    await dialogue.send_message(parts, person, page.talk.message_form, "The kettle sings.")

    async def listen():
        return [sentence async for sentence in dialogue.reply(parts, person, page.assignment)]

    await asyncio.gather(*(listen() for _ in range(4)))

    talk = (await showing.page(parts, person)).talk
    assert (len(talk.lines), talk.waiting) == (3, False)


async def test_messages_beyond_the_minutes_limit_wait(parts):
    await publish(parts, make_study())
    person = await enrol(parts)
    await walk(parts, person, until="TalkPage")

    with pytest.raises(TooMany):
        for n in range(100):
            page = await showing.page(parts, person)
            await dialogue.send_message(parts, person, page.talk.message_form, f"Reason number {n} of the kettle.")
            [_ async for _ in dialogue.reply(parts, person, page.assignment)]


@pytest.mark.parametrize("kind", ["annotate", "reannotate", "message"])
async def test_nobody_can_touch_another_persons_item(parts, kind):
    await publish(parts, make_study())
    one, other = await enrol(parts, "one"), await enrol(parts, "other")
    page = await walk(parts, one, until="TalkPage")
    await walk(parts, other, until="TalkPage")

    with pytest.raises(NotFound):
        match kind:
            case "annotate":
                await participation.annotate(parts, other, f"annotate:{page.assignment}", {}, {})
            case "reannotate":
                await participation.reannotate(parts, other, f"reannotate:{page.assignment}", {}, {})
            case "message":
                await dialogue.send_message(parts, other, page.talk.message_form, "Hello.")


async def test_withdrawing_blanks_the_words_and_gives_the_places_back(parts):
    await publish(parts, make_study(tasks=(make_task("sarcasm", 1, annotators_per_item=1),)))
    person = await enrol(parts)
    await walk(parts, person, until="TalkPage")
    page = await showing.page(parts, person)
    await dialogue.send_message(parts, person, page.talk.message_form, "My very own words.")

    await participation.withdraw(parts, person)

    assert (await showing.page(parts, person)).ending == "withdrawn"
    turns = await parts.store.read(
        lambda tx: [t for run in tx.runs([page.assignment]) for t in tx.turns([run.id])[run.id]]
    )
    assert turns
    assert all(turn.erased and not turn.text for turn in turns)
    assert type(await showing.page(parts, await enrol(parts, "next"))).__name__ == "InstructionsPage"


async def test_a_draft_survives_until_the_form_is_sent(parts):
    await publish(parts, make_study())
    person = await enrol(parts)
    page = await walk(parts, person, until="AnnotatePage")
    await participation.save_draft(parts, person, page.form, {"label": "sarcastic"})

    assert (await showing.page(parts, person)).fields == {"label": "sarcastic"}
    await step(parts, person, page)

    assert (await showing.page(parts, person, correct=page.assignment)).fields["label"] == "sarcastic"
    assert (await showing.page(parts, person)).fields == {}


async def test_half_a_message_outlives_the_partners_reply(parts):
    await publish(parts, make_study())
    person = await enrol(parts)
    page = await walk(parts, person, until="TalkPage")
    await dialogue.send_message(parts, person, page.talk.message_form, "The kettle sings.")
    await participation.save_draft(parts, person, page.talk.message_form, {"message": "And also"})
    [_ async for _ in dialogue.reply(parts, person, page.assignment)]

    assert (await showing.page(parts, person)).talk.draft == "And also"


async def test_conditions_are_drawn_with_a_recorded_chance_and_both_fill(parts):
    control = make_condition("control", ("consent", "annotate", "reannotate", "survey"))
    await publish(parts, make_study(tasks=(make_task("sarcasm", 5),), conditions=(make_condition(), control)))

    people = [await enrol(parts, f"pid-{n}") for n in range(30)]

    draws = await parts.store.read(lambda tx: tx.draws(NAME, people))
    assert {draw.what for draw in draws} == {"condition"}
    assert sorted(draw.outcome for draw in draws) == ["control"] * 15 + ["socratic"] * 15
    assert draws[0].chances == {"socratic": 0.5, "control": 0.5}


async def test_conditions_drawn_per_item_fill_each_items_places(parts):
    control = make_condition("control", ("consent", "annotate", "reannotate", "survey"))
    study = make_study(
        tasks=(make_task("sarcasm", 2, annotators_per_item=2, items_per_person=2),),
        conditions=(make_condition(), control),
        assign="item",
    )
    await publish(parts, study)

    ends = [await walk(parts, await enrol(parts, f"pid-{n}")) for n in range(4)]

    assert [end.ending for end in ends] == ["done"] * 4
    progress = await overview.progress(parts, NAME)
    assert {(row.condition, row.item): row.done for row in progress.items} == {
        (c, f"sarcasm-{n}"): 2 for c in ("control", "socratic") for n in (0, 1)
    }


async def test_routing_by_disagreement_holds_a_dialogue_only_against_the_majority(parts):
    condition = make_condition()
    routed = replace(condition, partner=replace(condition.partner, only_on_disagreement=True))
    await publish(parts, make_study(tasks=(make_task("sarcasm", 1),), conditions=(routed,)))

    talked = []
    for name, label in [("first", "sarcastic"), ("same", "sarcastic"), ("other", "not_sarcastic")]:
        person = await enrol(parts, name)
        page = await walk(parts, person, until="TalkPage", answers={"label": label})
        talked.append(page.talk is not None)
        await walk(parts, person, answers={"label": label})

    assert talked == [True, False, True]


async def test_who_went_long_ago_is_away_and_who_holds_a_place_or_did_something_is_not(parts, clock) -> None:
    await publish(parts, make_study(lease_minutes=30))
    gone = await enrol(parts, "gone")
    clock.move(minutes=31)
    await overview.expire_leases(parts)
    await enrol(parts, "holds a place")
    clock.move(minutes=15)
    await overview.expire_leases(parts)

    found = await happening(parts, NAME)
    assert (found.people["active"], found.count("present", "stuck"), found.count("away")) == (2, 1, 1)

    clock.move(minutes=20)
    assert (await happening(parts, NAME)).count("away") == 2
    await participation.leave(parts, gone)
    assert (await happening(parts, NAME)).count("present") == 1
