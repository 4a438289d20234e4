"""Panels of models label items: what is recorded, what is resumed, what is asked again."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from crito.engine.local import LocalEngine
from crito.model.errors import Conflict, InvalidInput
from crito.model.ids import StudyName
from crito.model.record import LabelOutcome
from crito.model.study import Agent, Item, Method, Panel, Study
from crito.services.asking import Calling, Spent
from crito.services.label_tables import ROUNDS, replayed_rows, round_rows
from crito.services.labelling import Job, begin, label_item
from crito.services.parts import Parts
from crito.services.ports.models import CallContext, ChatRequest
from crito.store.opening import open_store
from tests.builders import make_study, make_task
from tests.fake_model import FakeModels
from tests.services.conftest import Clock


def said(label: str, reason: str = "because") -> str:
    return json.dumps({"label": label, "confidence": 0.75, "reason": reason})


def panel(method: Method = "vanilla", *models: str, **more: Any) -> Panel:
    return Panel(str(method), method, tuple(Agent(model) for model in models or ("fake:one",)), **more)


def only_models(n_items: int = 3) -> Study:
    return replace(make_study(tasks=(make_task("sarcasm", n_items),)), conditions=(), survey=())


async def work(parts: Parts, job: Job, at_once: int = 2) -> list[LabelOutcome]:
    engine, outcomes = LocalEngine(at_once), list[LabelOutcome]()
    calling = Calling(engine.turnstile, lambda spent: None)
    await engine.drive(job.waiting, lambda item: label_item(parts, job, item, calling), outcomes.append)
    return outcomes


def with_models(parts: Parts, answer: Callable[[str, ChatRequest, CallContext], str]) -> tuple[Parts, FakeModels]:
    models = FakeModels(answer)
    return replace(parts, models=models), models


async def test_every_item_gets_a_label_of_the_model(parts: Parts) -> None:
    parts, models = with_models(parts, lambda *_: said("Sarcastic"))

    job = await begin(parts, only_models(), panel())
    outcomes = await work(parts, job)

    assert [outcome.vote.label for outcome in outcomes] == ["sarcastic"] * 3
    assert len(models.asked) == 3
    (annotator,) = job.labelling.agents
    history = await parts.store.read(lambda tx: tx.annotation_history(StudyName("kettles"), [annotator]))
    assert sorted((a.item, a.label, a.confidence, a.round, a.assignment) for a in history) == [
        (f"sarcasm-{n}", "sarcastic", "0.75", 0, None) for n in range(3)
    ]


async def test_the_stable_part_comes_first_and_the_item_last(parts: Parts) -> None:
    parts, models = with_models(parts, lambda *_: said("Sarcastic"))

    await work(parts, await begin(parts, only_models(2), panel()))

    (_, first, _), (_, second, _) = models.asked
    assert first.system == second.system
    assert "Text number" not in first.system
    assert {"Text number 0" in one.messages[0].text for one in (first, second)} == {True, False}
    assert first.temperature == 0.0


async def test_the_same_panel_again_asks_nothing(parts: Parts) -> None:
    parts, models = with_models(parts, lambda *_: said("Sarcastic"))
    await work(parts, await begin(parts, only_models(), panel(), limit=2))

    job = await begin(parts, only_models(), panel())
    await work(parts, job)

    assert (len(job.done), len(job.waiting), len(models.asked)) == (2, 1, 3)


async def test_another_persona_is_another_annotator(parts: Parts) -> None:
    parts, _ = with_models(parts, lambda *_: said("Sarcastic"))
    hatted = replace(panel(), agents=(Agent("fake:one", "red_hat"),))

    plain, hat = await begin(parts, only_models(), panel()), await begin(parts, only_models(), hatted)

    assert plain.labelling.agents != hat.labelling.agents
    known = await parts.store.read(lambda tx: tx.model_annotators(StudyName("kettles")))
    assert sorted(annotator.persona for annotator in known) == ["", "red_hat"]


async def test_a_discussion_stops_in_mid_run_and_goes_on_without_asking_again(parts: Parts) -> None:
    def answer(name: str, request: ChatRequest, context: CallContext) -> str:
        return said("Sarcastic" if context.step or name == "fake:a" else "Not sarcastic")

    parts, models = with_models(parts, answer)
    three = panel("discussion", "fake:a", "fake:b", "fake:c")
    job = await begin(parts, only_models(1), three)
    engine = LocalEngine(3)

    def spent(_: Spent) -> None:
        if len(models.asked) == 3:
            engine.stop()

    await engine.drive(
        job.waiting, lambda item: label_item(parts, job, item, Calling(engine.turnstile, spent)), lambda _: None
    )
    assert len(models.asked) == 3

    (outcome,) = await work(parts, await begin(parts, only_models(1), three))

    assert (outcome.vote.label, outcome.vote.status, outcome.rounds) == ("sarcastic", "consensus", 2)
    assert [context.step for _, _, context in models.asked] == [0, 0, 0, 1, 1, 1]


async def test_peers_reasons_are_exposures_before_the_second_label_and_the_first_is_blind(parts: Parts) -> None:
    def answer(name: str, request: ChatRequest, context: CallContext) -> str:
        return said("Sarcastic" if context.step or name == "fake:a" else "Not sarcastic", f"{name} thinks")

    parts, models = with_models(parts, answer)
    job = await begin(parts, only_models(1), panel("discussion", "fake:a", "fake:b", "fake:c"))
    await work(parts, job)

    first = job.labelling.agents[0]
    history = await parts.store.read(lambda tx: tx.annotation_history(StudyName("kettles"), [first]))
    seen = await parts.store.read(lambda tx: tx.exposures(StudyName("kettles"), [first]))
    assert [annotation.round for annotation in history] == [0, 1]
    assert [exposure.kind for exposure in seen] == ["peer_label", "peer_label"]
    assert history[0].seq < min(e.seq for e in seen) <= max(e.seq for e in seen) < history[1].seq
    _, request, _ = models.asked[3]
    assert "fake:b thinks" in request.messages[0].text


@pytest.mark.parametrize(
    ("reply", "reading"),
    [
        ("I cannot say.", "unreadable"),
        (said("Ironic"), "outside_label_set"),
        ("cut", "truncated"),
        ("dead", "no_answer"),
    ],
)
async def test_what_is_no_label_is_no_vote_and_is_told_as_what_it_was(parts: Parts, reply: str, reading: str) -> None:
    parts, _ = with_models(parts, lambda *_: reply)
    job = await begin(parts, only_models(1), panel())

    (outcome,) = await work(parts, job)

    (row,) = await round_rows(parts, job.labelling)
    cells = dict(zip((column.name for column in ROUNDS.columns), row, strict=True))
    assert (outcome.vote.status, cells["label"], cells["reading"]) == ("missing", None, reading)
    history = await parts.store.read(lambda tx: tx.annotation_history(StudyName("kettles"), job.labelling.agents))
    assert not history


async def test_an_unreadable_reply_is_shown_to_the_model_with_the_labels_once(parts: Parts) -> None:
    def answer(name: str, request: ChatRequest, context: CallContext) -> str:
        return said("Sarcastic") if context.attempt else "Hm, hard."

    parts, models = with_models(parts, answer)

    (outcome,) = await work(parts, await begin(parts, only_models(1), panel()))

    assert outcome.vote.label == "sarcastic"
    assert "Hm, hard." in models.asked[1][1].messages[0].text
    assert [(context.step, context.attempt) for _, _, context in models.asked] == [(0, 0), (1, 1)]


async def test_samples_are_warm_and_numbered_and_stop_when_decided(parts: Parts) -> None:
    parts, models = with_models(parts, lambda *_: said("Sarcastic"))

    (outcome,) = await work(parts, await begin(parts, only_models(1), panel("self_consistency")))

    assert outcome.vote.label == "sarcastic"
    assert [(request.temperature, context.sample) for _, request, context in models.asked] == [
        (0.7, 0),
        (0.7, 1),
        (0.7, 2),
    ]


async def test_a_replay_from_the_replies_gives_the_same_rows_without_any_model(parts: Parts) -> None:
    asking, _ = with_models(parts, lambda name, *_: said("Sarcastic" if name == "fake:a" else "Not sarcastic"))
    job = await begin(asking, only_models(2), panel("ensemble", "fake:a", "fake:b", "fake:c"))
    await work(asking, job)

    rows = await round_rows(parts, job.labelling)

    assert len(rows) == 6
    assert await replayed_rows(parts, job.labelling) == rows


async def test_an_item_with_another_text_is_labelled_anew_beside_the_old_label(parts: Parts) -> None:
    parts, _ = with_models(parts, lambda *_: said("Sarcastic"))
    study = only_models(1)
    job = await begin(parts, study, panel())
    await work(parts, job)
    task = study.tasks[0]
    reworded = replace(study, tasks=(replace(task, items=(Item(task.items[0].id, "Another text."),)),))

    await work(parts, await begin(parts, reworded, panel()))

    history = await parts.store.read(lambda tx: tx.annotation_history(StudyName("kettles"), job.labelling.agents))
    assert [(annotation.revision, annotation.seq) for annotation in history] == [(0, 1), (1, 5)]


async def test_two_processes_cannot_hold_one_labelling(parts: Parts, record_url: str) -> None:
    other = open_store(record_url)
    async with parts.store.hold("labelling l-1"):
        with pytest.raises(Conflict, match="another process"):
            async with other.hold("labelling l-1"):
                pass
        async with other.hold("labelling l-2"):
            pass
    async with other.hold("labelling l-1"):
        pass
    await other.close()


async def test_a_debate_about_a_label_is_recorded_with_what_its_judges_read(parts: Parts) -> None:
    def answer(model: str, request: ChatRequest, context: CallContext) -> str:
        words = request.messages[0].text
        if "no JSON" in words:
            return f"{model} argues."
        if "Decide by the arguments" in words:
            return said("Not sarcastic", "the second ground stands")
        return said("Not sarcastic" if model == "fake:b" else "Sarcastic")

    parts, models = with_models(parts, answer)
    debaters_and_judges = panel("debate", "fake:a", "fake:b", "fake:c", only_disputed=True)

    job = await begin(parts, only_models(1), debaters_and_judges)
    (outcome,) = await work(parts, job)

    assert (outcome.vote.label, outcome.rounds) == ("not_sarcastic", 2)
    assert len(models.asked) == 3 + 6 + 1
    judge = job.labelling.agents[2]
    history = await parts.store.read(lambda tx: tx.annotation_history(StudyName("kettles"), [judge]))
    (exposure,) = await parts.store.read(lambda tx: tx.exposures(StudyName("kettles"), [judge]))
    assert [(a.round, a.label) for a in history] == [(0, "sarcastic"), (1, "not_sarcastic")]
    assert history[0].seq < exposure.seq < history[1].seq
    assert exposure.route == "debate"
    rows = await round_rows(parts, job.labelling)
    assert await replayed_rows(parts, job.labelling) == rows
    assert [row[[column.name for column in ROUNDS.columns].index("round")] for row in rows] == [0, 0, 0, 1]


def with_gold(n_items: int = 4) -> Study:
    study = only_models(n_items)
    items = tuple(
        replace(item, gold="sarcastic" if place % 2 else "not_sarcastic")
        for place, item in enumerate(study.tasks[0].items)
    )
    return replace(study, tasks=(replace(study.tasks[0], items=items),))


async def test_examples_stand_in_the_instructions_are_not_labelled_and_are_recorded_as_shown(parts: Parts) -> None:
    parts, models = with_models(parts, lambda *_: said("Sarcastic"))
    job = await begin(parts, with_gold(), panel(examples=2))
    outcomes = await work(parts, job)

    shown = await parts.store.read(lambda tx: tx.exposures(StudyName("kettles"), job.labelling.agents))
    assert {exposure.kind for exposure in shown} == {"example"}
    taught = {exposure.item for exposure in shown}
    assert len(taught) == 2
    assert {outcome.item for outcome in outcomes} == {item.id for item in with_gold().tasks[0].items} - taught
    system = models.asked[0][1].system
    assert "<label>Sarcastic</label>\n</examples>" in system or "<label>Not sarcastic</label>\n</examples>" in system
    assert all(item.text in system for item in with_gold().tasks[0].items if item.id in taught)
    words = await parts.store.read(lambda tx: tx.words([exposure.content for exposure in shown]))
    assert sorted(filter(None, words.values())) == ["not_sarcastic", "sarcastic"]


async def test_a_panel_with_examples_is_another_annotator_and_one_without_stays_who_it_was(parts: Parts) -> None:
    parts, _ = with_models(parts, lambda *_: said("Sarcastic"))

    plain = await begin(parts, with_gold(), panel())
    taught = await begin(parts, with_gold(), panel(examples=1))

    assert plain.labelling.id != taught.labelling.id
    (annotator,) = await parts.store.read(
        lambda tx: [one for one in tx.model_annotators(StudyName("kettles")) if one.id in plain.labelling.agents]
    )
    assert annotator.parameters.keys().isdisjoint({"examples", "probabilities", "prompts"})


async def test_more_examples_than_references_are_refused(parts: Parts) -> None:
    with pytest.raises(InvalidInput, match="only 4 items"):
        await begin(parts, with_gold(4), panel(examples=5))


async def test_a_prompt_of_the_owner_stands_in_for_ours_and_makes_another_annotator(parts: Parts) -> None:
    parts, models = with_models(parts, lambda *_: said("Sarcastic"))
    study = only_models(1)
    own = replace(
        study, tasks=(replace(study.tasks[0], prompts={"label": "version: 7\n---\nPick one:\n$labels\n$guideline"}),)
    )

    ours, theirs = await begin(parts, study, panel()), await begin(parts, own, panel())
    await work(parts, theirs)

    system = models.asked[0][1].system
    assert system.startswith("Pick one:\n<label>Sarcastic</label>")
    assert "You are an expert" not in system
    assert ours.labelling.id != theirs.labelling.id
    (turn,) = await parts.store.read(lambda tx: next(iter(tx.turns([run.id for run in theirs.runs.values()]).values())))
    assert turn.prompt == "labelling/label@7.own"


async def test_a_provider_without_log_probabilities_leaves_a_reason(parts: Parts) -> None:
    parts, models = with_models(parts, lambda *_: said("Sarcastic"))
    job = await begin(parts, only_models(1), panel(probabilities=True))
    await work(parts, job)

    (row,) = await round_rows(parts, job.labelling)
    cells = dict(zip((column.name for column in ROUNDS.columns), row, strict=True))
    assert models.asked[0][1].top_logprobs == 20
    assert (cells["probabilities"], cells["unweighed"]) == (None, "the provider gave no log-probabilities")


async def test_where_reasons_come_first_no_probabilities_are_asked_for(parts: Parts) -> None:
    parts, models = with_models(parts, lambda *_: said("Sarcastic"))
    job = await begin(parts, only_models(1), panel("cot", probabilities=True))
    await work(parts, job)

    (row,) = await round_rows(parts, job.labelling)
    assert models.asked[0][1].top_logprobs == 0
    assert "the label stands after the reasons" in row


async def test_a_clock_that_jumps_changes_neither_labels_nor_their_order(parts: Parts, clock: Clock) -> None:
    def answer(name: str, request: ChatRequest, context: CallContext) -> str:
        clock.move(days=400 if name == "fake:a" else -700)
        return said("Sarcastic" if context.step or name == "fake:a" else "Not sarcastic")

    parts, _ = with_models(parts, answer)
    job = await begin(parts, only_models(1), panel("discussion", "fake:a", "fake:b", "fake:c"))
    (outcome,) = await work(parts, job)

    assert (outcome.vote.label, outcome.vote.status) == ("sarcastic", "consensus")
    first = job.labelling.agents[0]
    history = await parts.store.read(lambda tx: tx.annotation_history(StudyName("kettles"), [first]))
    seen = await parts.store.read(lambda tx: tx.exposures(StudyName("kettles"), [first]))
    assert history[0].seq < min(e.seq for e in seen) <= max(e.seq for e in seen) < history[1].seq
    assert await replayed_rows(parts, job.labelling) == await round_rows(parts, job.labelling)
