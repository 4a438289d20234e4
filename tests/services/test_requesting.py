"""Labels asked for on purpose: drawn at random with their probability, served blind or with the answer, given back."""

from dataclasses import replace

import pytest

from crito.model.errors import Conflict, InvalidInput
from crito.model.record import Exposure
from crito.services import agreeing, queue, requesting, study_evidence
from crito.services.publishing import publish
from crito.store.verify import verify
from tests.services.test_queue import CANARY, corpus, expert_on, item_of, record_of, say
from tests.services.walking import NAME


async def invited(parts, study):
    await publish(parts, study)
    who, _ = await queue.invite(parts, NAME, "Ana")
    return who


async def test_blind_requests_are_drawn_at_random_and_keep_their_probability(parts):
    await publish(parts, corpus(n_items=30, rate=0.1))

    asked = await requesting.request_labels(parts, NAME, "certification", n=7)

    assert len(asked.requests) == 7
    assert {one.probability for one in asked.requests} == {7 / 30}
    assert asked.draw.n_items == 30


@pytest.mark.parametrize("purpose", ["calibration", "certification", "audit"])
async def test_a_blind_request_comes_first_and_shows_nothing_whatever_the_display(parts, purpose):
    who = await invited(parts, corpus(display="before_label"))
    asked = await requesting.request_labels(parts, NAME, purpose, n=1)
    await queue.begin(parts, who)

    page = await say(parts, who, label="not_sarcastic")
    after = await queue.page(parts, who, undo=True)

    assert await item_of(parts, page.form) == asked.requests[0].item
    assert (page.purpose, page.hidden, page.suggestion) == (purpose, True, None)
    assert (after.hidden, after.suggestion) == (True, None)
    _, exposures = await record_of(parts, who)
    assert [one.item for one in exposures if one.item == asked.requests[0].item] == []


async def test_verify_shows_the_answer_records_it_and_is_no_evidence(parts):
    who = await invited(parts, corpus(rate=0.1))
    await requesting.request_labels(parts, NAME, "verify", n=10)
    await queue.begin(parts, who)
    for _ in range(2):
        page = await queue.page(parts, who)
        if page.suggestion:
            break
        await say(parts, who, label="sarcastic")

    await say(parts, who, accept="1")

    found = (await study_evidence.study_evidence(parts, NAME, "sarcasm")).rows
    kept = found.comparisons[-1]
    assert (page.purpose, page.suggestion.reason) == ("verify", CANARY)
    assert (kept.purpose, kept.refused, kept.taken) == ("verify", "purpose", "button")


async def test_verify_served_bare_still_proves_nothing(parts):
    study = corpus(rate=0.1)
    who = await invited(parts, replace(study, suggestions=replace(study.suggestions, verify_visibility="blind")))
    await requesting.request_labels(parts, NAME, "verify", n=1)
    await queue.begin(parts, who)

    page = await say(parts, who, label="sarcastic")

    found = (await study_evidence.study_evidence(parts, NAME, "sarcasm")).rows
    assert page.suggestion is None
    assert [(one.blind, one.refused) for one in found.comparisons] == [(True, "purpose")]


async def test_a_lapsed_lease_gives_a_request_to_the_next_expert(parts, clock):
    who = await invited(parts, corpus(rate=0.1))
    other, _ = await queue.invite(parts, NAME, "Ben")
    (asked,) = (await requesting.request_labels(parts, NAME, "audit", n=1)).requests
    await queue.begin(parts, who)
    clock.move(hours=2)
    await parts.store.write(lambda tx: tx.expire_leases(parts.now()))

    await queue.begin(parts, other)

    page = await queue.page(parts, other)
    assert (page.purpose, await item_of(parts, page.form)) == ("audit", asked.item)


async def test_adjudication_shows_what_others_and_the_model_said(parts):
    who = await expert_on(parts, corpus(display="after_label", n_items=1))
    await say(parts, who, label="not_sarcastic")
    await say(parts, who, label="not_sarcastic")
    other, _ = await queue.invite(parts, NAME, "Ben")
    await requesting.request_labels(parts, NAME, "adjudicate", n=1)

    await queue.begin(parts, other)

    page = await queue.page(parts, other)
    assert page.purpose == "adjudicate"
    assert [peer.people for peer in page.peers] == [1]
    assert page.suggestion.label == "sarcastic"


async def test_nothing_is_asked_for_an_unknown_purpose_or_when_no_item_is_left(parts):
    await publish(parts, corpus(n_items=2))
    await requesting.request_labels(parts, NAME, "audit", n=2)

    with pytest.raises(InvalidInput):
        await requesting.request_labels(parts, NAME, "curiosity", n=1)
    with pytest.raises(Conflict):
        await requesting.request_labels(parts, NAME, "certification", n=2)


async def test_the_card_counts_blind_labels_of_the_sample_and_leaves_out_what_was_used_for_tuning(parts):
    who = await expert_on(parts, corpus(n_items=12, rate=1.0))
    forms = [(await say(parts, who, label="sarcastic")).form for _ in range(12)]
    await requesting.note_tuning(parts, NAME, None, [await item_of(parts, forms[0])])

    (card,) = await agreeing.agreement_cards(parts, NAME)

    found = (await study_evidence.study_evidence(parts, NAME, "sarcasm")).rows
    assert (card.card.blind.value, card.card.blind.n, card.n_items) == (1.0, 12, 12)
    assert sum(one.refused == "tuned_on" for one in found.comparisons) == 1
    assert card.card.gap.status == "insufficient"


async def test_the_raw_rows_of_a_lived_queue_pass_every_check(parts, record_url):
    who = await expert_on(parts, corpus(n_items=8, rate=0.5))
    await requesting.request_labels(parts, NAME, "audit", n=1)
    for label in ("sarcastic", "not_sarcastic") * 6:
        if (await queue.page(parts, who)).form:
            await say(parts, who, label=label)

    assert [(check.name, check.problems) for check in verify(record_url, NAME) if not check.passed] == []


async def test_verify_finds_an_exposure_on_an_item_of_the_blind_sample(parts, record_url):
    who = await expert_on(parts, corpus(rate=1.0))
    page = await say(parts, who, label="sarcastic")
    mine = await parts.store.read(lambda tx: tx.assignment(page.form.partition(":")[2]))

    def leak(tx):
        words = tx.keep_words(who, "sarcastic")
        tx.add_exposure(
            NAME, Exposure(who, mine.item, mine.task, "suggestion", "elsewhere", -1, words, "cockpit", 9, parts.now())
        )

    await parts.store.write(leak)

    failed = {check.name for check in verify(record_url, NAME) if not check.passed}
    assert "blind items stay blind" in failed
