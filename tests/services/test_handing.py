"""Handing over: only when the gate allows it, on record, watched by audits, ended by a fall or by another version."""

import csv
import json
import re
from dataclasses import replace

import pytest
from selectolax.lexbor import LexborHTMLParser

from crito.engine.labelling import label_waiting
from crito.engine.local import LocalEngine
from crito.formats.exporters import EXPORTERS
from crito.model.errors import Conflict
from crito.model.record import AcceptedLabel
from crito.model.study import RecordedLabel, Suggestions
from crito.report.study_page import render_report
from crito.services import handing, labelling, queue, requesting
from crito.services.asking import Stopped
from crito.services.exporting import export_study
from crito.services.publishing import publish
from crito.services.reporting.study import report_study
from crito.services.standing import standings
from crito.services.study_evidence import study_evidence
from crito.store.verify import verify
from tests.builders import make_condition, make_study, make_task
from tests.services.test_labelling import panel, said, with_models
from tests.services.test_queue import corpus, expert_on, say
from tests.services.walking import NAME

TASK = "sarcasm"


async def ready(parts, *, n_items=120, n_blind=58, study=None, **more):
    """An expert who has agreed with the machine on every item that was drawn to be labelled blind."""
    study = study or corpus(n_items, rate=0.0001, **more)
    await publish(parts, study)
    await requesting.request_labels(parts, NAME, "certification", n=n_blind)
    who, _ = await queue.invite(parts, NAME, "Ana")
    await queue.begin(parts, who)
    await agree(parts, who, n_blind)
    return who, study


async def agree(parts, who, n):
    for _ in range(n):
        await say(parts, who, label="sarcastic")


async def all_standings(parts):
    return await parts.store.read(lambda tx: standings(tx, NAME))


async def accepted(parts):
    return await parts.store.read(lambda tx: tx.accepted_labels(NAME))


async def audit(parts, who, *labels):
    """Answer the audits that come, and whatever the expert still holds before them with the machine's label."""
    for label in labels:
        while (page := await queue.page(parts, who)).purpose != "audit":
            await queue.answer(parts, who, page.form, {"label": "sarcastic"}, {})
        await queue.answer(parts, who, page.form, {"label": label}, {})


async def test_what_the_gate_read_is_on_record_and_the_rest_is_accepted(parts, record_url):
    _, study = await ready(parts)
    theirs = await parts.store.read(lambda tx: tx.labelled_items(NAME, TASK))

    done = await handing.hand_over(parts, NAME, TASK, by="owner", audits=5)

    ((handoff, revocation, n_accepted),) = await all_standings(parts)
    assert (handoff.certified, handoff.rule, handoff.threshold, handoff.number, handoff.by) == (
        True, "anytime", 0.9, 1, "owner",
    )  # fmt: skip
    assert (handoff.n_items, handoff.n_blind, handoff.agreeing) == (120, 58, 58)
    assert handoff.bound > 0.9
    assert handoff.level == pytest.approx(0.05 * 6 / 3.141592653589793**2)
    assert len(handoff.evidence_hash) == 64
    assert (revocation, n_accepted, done.accepted, done.audits) == (None, 62, 62, 5)
    assert {one.item for one in await accepted(parts)} == {item.id for item in study.tasks[0].items} - theirs
    assert [(check.name, check.problems) for check in verify(record_url, NAME) if not check.passed] == []


async def test_exports_hold_the_decision_and_mark_what_was_accepted_under_a_revoked_one(parts, tmp_path, record_url):
    who, _ = await ready(parts)
    await handing.hand_over(parts, NAME, TASK, by="acc-1", audits=8)
    await audit(parts, who, *["not_sarcastic"] * 5)

    await export_study(parts, NAME, EXPORTERS["csv"], tmp_path)

    def rows(table):
        with (tmp_path / f"{table}.csv").open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    (decision,) = rows("handoffs")
    assert (decision["standing"], decision["n_blind"], decision["by"]) == ("audits", "58", "acc-1")
    assert {row["standing"] for row in rows("accepted_labels")} == {"audits"}
    assert len(rows("accepted_labels")) == 62
    assert sum(row["purpose"] == "audit" for row in rows("requests")) == 8
    assert {row["seed"] for row in rows("blind_draws")} == {""}
    assert "its labels in accepted_labels are revoked" in (tmp_path / "README.md").read_text()
    await export_study(parts, NAME, EXPORTERS["huggingface"], tmp_path / "hub")
    (bias,) = json.loads((tmp_path / "hub" / "croissant.json").read_text())["rai:dataBiases"]
    assert "anchoring_gap: insufficient (" in bias  # nobody labelled with a suggestion in view
    assert [(check.name, check.problems) for check in verify(record_url, NAME) if not check.passed] == []


async def test_the_report_holds_the_card_of_blind_agreement(parts):
    await ready(parts)

    page = (
        LexborHTMLParser(render_report(await report_study(parts, NAME))).css_first("section#blind").text(separator=" ")
    )

    told = " ".join(page.split())
    assert "Unseen, people and the machine agree on 100% of 58 items" in told
    assert re.search(r"Agreement, suggestion hidden 100\s?%.*?n = 58", told)
    assert "cannot be told" in told.partition("Agreement, suggestion in view")[2][:80]
    assert "fewer than 5 comparisons on a side" in told.partition("Anchoring gap")[2]
    assert "The gate reads: may be handed over" in told


async def test_nothing_is_handed_over_before_the_gate_allows_it_or_twice(parts):
    who = await expert_on(parts, corpus(120, rate=1.0))
    with pytest.raises(Conflict, match="may not be handed over: 0 of at least 20"):
        await handing.hand_over(parts, NAME, TASK, by="owner")
    await agree(parts, who, 58)
    await handing.hand_over(parts, NAME, TASK, by="owner")

    with pytest.raises(Conflict, match="handed over already"):
        await handing.hand_over(parts, NAME, TASK, by="owner")


async def test_agreement_in_view_never_opens_the_gate(parts):
    who = await expert_on(parts, corpus(40, display="before_label"))
    for _ in range(30):
        await say(parts, who, accept="1")

    with pytest.raises(Conflict, match="not blind"):
        await handing.hand_over(parts, NAME, TASK, by="owner")


async def test_the_guides_rule_hands_over_earlier_and_is_marked_as_uncertified(parts):
    study = corpus(40, rate=1.0)
    study = replace(study, suggestions=replace(study.suggestions, handoff="point"))
    who = await expert_on(parts, study)
    await agree(parts, who, 20)

    await handing.hand_over(parts, NAME, TASK, by="owner")

    ((handoff, _, _),) = await all_standings(parts)
    assert (handoff.rule, handoff.certified) == ("point", False)


async def test_after_a_handoff_experts_get_audits_and_then_nothing(parts):
    who, _ = await ready(parts)
    await handing.hand_over(parts, NAME, TASK, by="owner", audits=3)

    await audit(parts, who, "sarcastic", "sarcastic", "sarcastic")

    page = await queue.page(parts, who)
    assert page.form == ""
    assert [one.ended for one in page.frame.handed] == [None]
    assert (await all_standings(parts))[0].revocation is None


async def test_audits_are_blind_and_drawn_among_what_was_accepted(parts):
    who, _ = await ready(parts)
    await handing.hand_over(parts, NAME, TASK, by="owner", audits=4)
    items = {one.item for one in await accepted(parts)}

    asked = await parts.store.read(lambda tx: [one for one in tx.requests(NAME) if one.purpose == "audit"])
    page = await queue.page(parts, who)
    while page.purpose != "audit":
        await queue.answer(parts, who, page.form, {"label": "sarcastic"}, {})
        page = await queue.page(parts, who)

    assert {one.item for one in asked} <= items
    # One of them is before the expert already.
    assert {one.probability for one in asked} == {4 / (len(items) - 1)}
    assert (page.hidden, page.suggestion) == (True, None)


async def test_a_fall_revokes_stops_acceptance_and_is_said_on_the_page(parts, record_url):
    who, _ = await ready(parts)
    before = (await queue.page(parts, who)).frame.left
    done = await handing.hand_over(parts, NAME, TASK, by="owner", audits=8)
    during = (await queue.page(parts, who)).frame.left

    await audit(parts, who, *["not_sarcastic"] * 5)

    ((_, revocation, n_accepted),) = await all_standings(parts)
    assert (revocation.reason, revocation.by) == ("audits", "")
    assert revocation.reading["fallen"] is True
    with pytest.raises(Stopped):
        await handing.accept_rest(parts, done.handoff)
    page = await queue.page(parts, who)
    assert [one.ended for one in page.frame.handed] == ["audits"]
    assert (before - during, page.frame.left) == (n_accepted - 1, before)
    with pytest.raises(Conflict, match="became worse"):
        await handing.hand_over(parts, NAME, TASK, by="owner")
    assert [(check.name, check.problems) for check in verify(record_url, NAME) if not check.passed] == []


async def test_audits_from_before_a_handoff_are_not_in_its_sequence(parts, clock):
    who = await expert_on(parts, corpus(120, rate=1.0))
    await requesting.request_labels(parts, NAME, "audit", n=8)
    await audit(parts, who, *["not_sarcastic"] * 8)
    clock.move(minutes=1)
    await agree(parts, who, 58)

    done = await handing.hand_over(parts, NAME, TASK, by="owner", audits=5)
    audited = await handing.watch(parts, NAME, TASK)

    assert (audited.n, audited.reading.fallen) == (0, False)
    assert done.audits == 5


async def test_what_was_taken_back_goes_to_people_again_and_may_be_handed_over_anew(parts):
    await ready(parts)
    await handing.hand_over(parts, NAME, TASK, by="owner", audits=0)
    who, _ = await queue.invite(parts, NAME, "Ben")
    during = (await queue.page(parts, who)).frame.left

    await handing.take_back(parts, NAME, TASK, by="owner", why="a new guideline comes")

    assert (await queue.page(parts, who)).frame.left > during
    assert (await all_standings(parts))[0].revocation.words == "a new guideline comes"
    again = await handing.hand_over(parts, NAME, TASK, by="owner", audits=0)
    assert again.accepted > 0
    assert [one.revocation is None for one in await all_standings(parts)] == [False, True]


async def test_other_recorded_labels_are_another_version_and_end_the_handoff(parts):
    _, study = await ready(parts)
    await handing.hand_over(parts, NAME, TASK, by="owner", audits=0)

    await publish(parts, replace(study, suggestions=replace(study.suggestions, fingerprint="2")))

    ((_, revocation, _),) = await all_standings(parts)
    found = await study_evidence(parts, NAME, TASK)
    assert revocation.reason == "new_version"
    assert (found.rule.version, found.rows.subject.machine.number) == (2, 2)
    assert found.rule.level == pytest.approx(0.05 * 6 / 3.141592653589793**2 / 4)


def panel_study(n_items, one, rate=0.0001):
    return make_study(
        tasks=(make_task(TASK, n_items, annotators_per_item=1),),
        conditions=(make_condition("solo", ("annotate",)),),
        models=(one,),
        suggestions=Suggestions(one.name, blind_rate=rate),
    )


async def test_the_rest_is_labelled_through_the_ledger_in_portions_and_accepted_item_by_item(parts):
    _, study = await ready(parts, study=panel_study(120, panel("vanilla")))
    theirs = await parts.store.read(lambda tx: tx.labelled_items(NAME, TASK))
    parts, models = with_models(parts, lambda *_: said("sarcastic"))
    first = await labelling.begin(parts, study, study.models[0])
    await run(parts, replace(first, waiting=tuple(one for one in first.waiting if one.id in theirs)))

    done = await handing.hand_over(parts, NAME, TASK, by="command", audits=0)
    job = await handing.begin_rest(parts, done.handoff, limit=3)
    await run(parts, job, done.handoff)
    some = len(await accepted(parts))
    rest = await handing.begin_rest(parts, done.handoff)
    await run(parts, rest, done.handoff)

    assert (done.accepted, done.unlabelled, some) == (0, 62, 3)
    assert len(await accepted(parts)) == 62
    assert len(models.asked) == 120
    assert {one.source.rpartition("-")[0] for one in await accepted(parts)} == {done.handoff.version}


async def run(parts, job, handoff=None):
    after = (lambda outcome: handing.accept_outcome(parts, handoff, outcome)) if handoff else None
    ignore = lambda *_: None  # noqa: E731
    await label_waiting(parts, job, LocalEngine(2), done=ignore, spent=ignore, held=ignore, after=after)


async def test_labels_given_with_another_versions_suggestion_in_view_are_no_comparison_of_the_present_one(parts):
    study = replace(corpus(10, display="before_label"))
    who = await expert_on(parts, study)
    await say(parts, who, accept="1")
    changed = tuple(replace(item, recorded=RecordedLabel("sarcastic", 0.9, "new")) for item in study.tasks[0].items)
    suggestions = replace(study.suggestions, fingerprint="2")
    new = replace(study, tasks=(replace(study.tasks[0], items=changed),), suggestions=suggestions)

    before = (await study_evidence(parts, NAME, TASK)).rows.comparisons
    await publish(parts, new)
    after = (await study_evidence(parts, NAME, TASK)).rows.comparisons

    assert (len(before), len(after)) == (1, 0)


async def test_verify_finds_labels_that_were_accepted_after_the_end_or_on_labelled_items(parts, record_url, clock):
    await ready(parts)
    done = await handing.hand_over(parts, NAME, TASK, by="command", audits=0)
    await handing.take_back(parts, NAME, TASK, by="command", why="enough")
    clock.move(minutes=1)
    labelled = sorted(await parts.store.read(lambda tx: tx.labelled_items(NAME, TASK)))[0]
    late = AcceptedLabel(done.handoff.id, TASK, labelled, "0" * 64, "sarcastic", None, "gpt-1/x", parts.now())
    await parts.store.write(lambda tx: tx.accept_labels(NAME, [late]))

    (failed,) = [check for check in verify(record_url, NAME) if not check.passed]

    assert failed.name == "handoffs hold"
    assert ["after handoff" in failed.problems[0], "labelled it before" in failed.problems[1]] == [True, True]
