"""Suggestions where people take part as they always do: in view, hidden, or after the label."""

from dataclasses import replace

import pytest

from crito.model.errors import PartClosed
from crito.services import participation, showing
from crito.services.publishing import note_on_display, publish
from tests.builders import make_condition, make_study
from tests.services.test_queue import CANARY, corpus
from tests.services.walking import enrol, fields_for, step, walk

PLAIN = ("consent", "annotate")


def crowd(display, rate, flow=PLAIN):
    study = corpus(display=display, rate=rate, n_items=3, places=3)
    return replace(
        make_study(), tasks=study.tasks, suggestions=study.suggestions, conditions=(make_condition("c", flow),)
    )


async def first_page(parts, display, rate=0.2, flow=PLAIN):
    await publish(parts, crowd(display, rate, flow))
    person = await enrol(parts)
    return person, await walk(parts, person, until="AnnotatePage")


async def say(parts, person, page, label):
    await participation.annotate(parts, person, page.form, fields_for(page.questions, label=label), {})


async def test_a_suggestion_in_view_is_on_record_before_its_page(parts):
    person, page = await first_page(parts, "before_label")

    assert page.suggestion.reason == CANARY
    exposures = await parts.store.read(lambda tx: tx.exposures("kettles", [person]))
    assert [one.route for one in exposures] == ["suggestion"]


async def test_an_item_of_the_blind_sample_says_that_something_is_hidden_and_no_more(parts):
    person, page = await first_page(parts, "blind_sample", 1.0)
    await say(parts, person, page, "not_sarcastic")

    assert (page.hidden, page.suggestion) == (True, None)
    assert type(await showing.page(parts, person)).__name__ == "EndPage"
    assert await parts.store.read(lambda tx: tx.exposures("kettles", [person])) == []


async def test_after_a_difference_both_labels_are_shown_and_the_first_one_stays(parts):
    person, page = await first_page(parts, "after_label")
    await say(parts, person, page, "not_sarcastic")

    after = await showing.page(parts, person)
    with pytest.raises(PartClosed):
        await say(parts, person, page, "sarcastic")
    fields = {"label": "sarcastic", "confidence": "very_sure"}
    await participation.resolve(parts, person, after.form, fields, {})
    await participation.resolve(parts, person, after.form, fields, {})

    history = await parts.store.read(lambda tx: tx.annotation_history("kettles", [person]))
    assert page.suggestion is None
    assert after.suggestion.reason == CANARY
    assert [(one.round, one.label) for one in history] == [(0, "not_sarcastic"), (1, "sarcastic")]
    assert type(await showing.page(parts, person)).__name__ == "EndPage"


async def test_the_same_label_as_the_model_brings_no_page_of_a_difference(parts):
    person, page = await first_page(parts, "after_label")

    await say(parts, person, page, "sarcastic")

    assert type(await showing.page(parts, person)).__name__ == "EndPage"


async def test_nobody_talks_with_the_partner_about_a_blind_item(parts):
    whole = ("consent", "annotate", "discuss", "reannotate")
    person, page = await first_page(parts, "blind_sample", 1.0, whole)
    await step(parts, person, page)
    await walk(parts, person, until="ConfirmPage")
    await participation.confirm(parts, person)

    talk = await showing.page(parts, person)

    assert talk.talk is None
    assert talk.again is not None
    assert await parts.store.read(lambda tx: tx.exposures("kettles", [person])) == []


async def test_changing_the_display_warns_once_there_are_labels(parts):
    before = crowd("before_label", 0.2)
    await publish(parts, before)
    early = await note_on_display(parts, crowd("blind_sample", 0.2))
    person = await enrol(parts)
    page = await walk(parts, person, until="AnnotatePage")
    await say(parts, person, page, "sarcastic")

    late = await note_on_display(parts, crowd("blind_sample", 0.2))

    assert early == ""
    assert "stay so for good" in late
    assert await note_on_display(parts, before) == ""
