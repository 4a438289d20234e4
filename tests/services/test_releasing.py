"""What may leave the house, by tier."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from crito.formats.exporters import exporter
from crito.model.errors import InvalidInput
from crito.model.record import Identity
from crito.model.study import ItemDebates
from crito.services.exporting import ExportSummary, export_study
from crito.services.participation import withdraw
from crito.services.parts import Parts
from crito.services.publishing import publish
from crito.services.releasing import TIERS, Tier, card
from tests.builders import make_condition, make_debate, make_study
from tests.services.walking import NAME, enrol, walk

MAIL = "ana@example.org"


async def said(parts: Parts, who: str = "pid-1") -> None:
    """A person who gives a mail address away in a reason."""
    person = await enrol(parts, who)
    await walk(parts, person, answers={"rationale": f"Ask me at {MAIL}."})


async def release(parts: Parts, tier: Tier, out: Path) -> ExportSummary:
    return await export_study(parts, NAME, exporter("jsonl"), out, release=tier)


def rows(out: Path, table: str) -> list[Mapping[str, Any]]:
    file = out / f"{table}.jsonl"
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


@pytest.fixture
async def walked(parts: Parts) -> Parts:
    await publish(parts, make_study(ask_rationale=True))
    await said(parts)
    return parts


async def test_labels_come_without_any_words_of_people(walked: Parts, tmp_path: Path) -> None:
    await release(walked, "labels", tmp_path / "out")

    annotations = rows(tmp_path / "out", "annotations")
    assert {row["label"] for row in annotations} != {None}
    assert {row["rationale"] for row in annotations} == {None}
    assert "withheld" in {row["rationale_state"] for row in annotations}
    assert rows(tmp_path / "out", "turns") == []
    assert {row["text"] for row in rows(tmp_path / "out", "answers")} <= {None}


async def test_reasons_come_without_dialogues_and_without_personal_data(walked: Parts, tmp_path: Path) -> None:
    summary = await release(walked, "reasons", tmp_path / "out")

    reasons = {row["rationale"] for row in rows(tmp_path / "out", "annotations")}
    assert "Ask me at [email]." in reasons
    assert rows(tmp_path / "out", "turns") == []
    assert {(hit.kind, hit.words) for hit in summary.redacted} == {("email", MAIL)}


async def test_transcripts_come_with_dialogues(walked: Parts, tmp_path: Path) -> None:
    await release(walked, "transcripts", tmp_path / "out")

    assert any("kettle" in row["text"] for row in rows(tmp_path / "out", "turns"))


@pytest.mark.parametrize("tier", TIERS)
async def test_what_was_taken_out_is_in_no_byte_of_any_file(tier: Tier, walked: Parts, tmp_path: Path) -> None:
    await release(walked, tier, tmp_path / "out")

    files = list((tmp_path / "out").iterdir())
    assert files
    assert not any(MAIL.encode() in file.read_bytes() for file in files)


async def test_where_it_stood_is_listed(walked: Parts, tmp_path: Path) -> None:
    await release(walked, "reasons", tmp_path / "out")

    listed = rows(tmp_path / "out", "redactions")
    assert {(row["table"], row["column"], row["found"]) for row in listed} == {("annotations", "rationale", "email")}


async def test_more_than_people_consented_to_is_refused(parts: Parts, tmp_path: Path) -> None:
    await publish(parts, make_study(release="reasons"))

    with pytest.raises(InvalidInput, match="consented to less"):
        await release(parts, "transcripts", tmp_path / "out")

    assert not (tmp_path / "out").exists()


async def test_whoever_withdrew_is_in_no_release(walked: Parts, tmp_path: Path) -> None:
    person = await walked.store.read(lambda tx: tx.find_person(NAME, Identity("prolific", "pid-1")))
    assert person is not None
    await withdraw(walked, person)

    await release(walked, "transcripts", tmp_path / "out")

    assert rows(tmp_path / "out", "annotations") == []
    assert not any(person.encode() in file.read_bytes() for file in (tmp_path / "out").iterdir())


async def test_the_card_says_how_the_data_came_about(walked: Parts, tmp_path: Path) -> None:
    await release(walked, "reasons", tmp_path / "out")

    card = (tmp_path / "out" / "README.md").read_text()
    for words in ("Release tier: reasons", "Sampling:", "Conditions, drawn at random", "Exclusions:", "Exposure:"):
        assert words in card


def test_the_card_says_where_people_read_debates_and_whose_words_they_are() -> None:
    plain = make_study()
    task = replace(plain.tasks[0], items=(replace(plain.tasks[0].items[0], debates=(make_debate(),)),))
    flow = ("consent", "annotate", "debate", "reannotate")
    study = replace(
        plain, tasks=(task,), conditions=(make_condition("sides", flow), make_condition("control")),
        item_debates=ItemDebates("pair"),
    )  # fmt: skip

    (told,) = [words for words in card({1: study}, "labels") if "two sides" in words]

    assert "In `sides` people read" in told
    assert "prepared by a script; argued by the panel `pair`" in told
    assert not any("two sides" in words for words in card({1: plain}, "labels"))
