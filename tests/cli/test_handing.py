"""`crito handoff` from the gate to the last label, against a provider on this machine, on both databases."""

import asyncio
import json
from pathlib import Path

import pytest

from crito.bootstrap import Settings, load_study, open_parts
from crito.model.ids import StudyName
from crito.services import queue, requesting
from crito.services.publishing import publish
from tests.cli.commands import Command
from tests.provider import Provider

N_ITEMS, N_BLIND = 120, 58
STUDY = """\
study: notes
tasks:
  - name: irony
    question: Is it ironic?
    labels: [Ironic, Plain]
    items: items.jsonl
    annotators_per_item: 1
flow: [annotate]
consent: none
models:
  - {name: reader, method: vanilla, panel: "lab:m"}
suggestions: {source: reader, blind_rate: 0.0001}
"""
NAME = StudyName("notes")


@pytest.fixture
def folder(folder: Path) -> Path:
    items = [json.dumps({"id": f"i{n}", "text": f"Text number {n}."}) for n in range(N_ITEMS)]
    (folder / "items.jsonl").write_text("\n".join(items))
    (folder / "study.yaml").write_text(STUDY)
    return folder


async def labelled_blind(url: str) -> None:
    """An expert has found every drawn item ironic, before any model has answered."""
    async with open_parts(Settings(url)) as parts:
        await publish(parts, load_study(Path("study.yaml")))
        await requesting.request_labels(parts, NAME, "certification", n=N_BLIND)
        who, _ = await queue.invite(parts, NAME, "Ana")
        await queue.begin(parts, who)
        for _ in range(N_BLIND):
            page = await queue.page(parts, who)
            await queue.answer(parts, who, page.form, {"label": "ironic"}, {})


async def published_again(url: str) -> None:
    async with open_parts(Settings(url)) as parts:
        await publish(parts, load_study(Path("study.yaml")))


async def audits_by_draw(url: str) -> list[int]:
    async with open_parts(Settings(url)) as parts:
        draws = await parts.store.read(lambda tx: tx.blind_draws(NAME))
    return [one.n_drawn for one in draws if one.purpose == "audit"]


def test_from_blind_labels_to_the_last_accepted_one_and_nothing_paid_twice(
    folder: Path, provider: Provider, command: Command, record_url: str
) -> None:
    at = ("study.yaml", "--db", record_url)
    asyncio.run(labelled_blind(record_url))

    some = command("handoff", *at, "--over", "--limit", "3", "--audits", "31", "--json")
    after_some = len(provider.asked)
    rest = command("handoff", *at, "--over", "--audits", "31", "--json")
    shown = command("handoff", *at)
    verified = command("verify", *at)
    back = command("handoff", *at, "--take-back", "enough", "--json")

    assert [ended.status for ended in (some, rest, shown, verified, back)] == [0] * 5, verified.out
    first, second, last = (ended.facts["handoffs"][0] for ended in (some, rest, back))
    assert (after_some, len(provider.asked), len(set(provider.asked))) == (N_BLIND + 3, N_ITEMS, N_ITEMS)
    assert (first["accepted"], second["accepted"]) == (3, N_ITEMS - N_BLIND)
    assert (first["n_blind"], first["n_items"], first["certified"], first["by"]) == (N_BLIND, N_ITEMS, True, "command")
    assert asyncio.run(audits_by_draw(record_url)) == [2, 29]
    assert "62 labels accepted; in force" in shown.out
    assert (last["ended"]["reason"], last["ended"]["words"]) == ("taken_back", "enough")


def test_before_the_gate_allows_it_nothing_is_handed_over_and_only_the_sample_is_paid_for(
    folder: Path, provider: Provider, command: Command, sqlite_record: str
) -> None:
    asyncio.run(labelled_blind(sqlite_record))
    text = (folder / "study.yaml").read_text()
    (folder / "study.yaml").write_text(text.replace("0.0001}", "0.0001, end_human_annotation_agreement: 0.99}"))
    asyncio.run(published_again(sqlite_record))

    refused = command("handoff", "study.yaml", "--db", sqlite_record, "--over")

    assert (refused.status, len(provider.asked)) == (1, N_BLIND)
    assert "may not be handed over" in refused.err
