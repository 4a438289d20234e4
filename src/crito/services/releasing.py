"""What of a study may leave the house: by the tier that people consented to, and without personal data."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple, get_args

from crito.model.errors import InvalidInput
from crito.model.study import Study
from crito.services.personal_data import PersonalData
from crito.services.study_tables import CALLS, TURNS
from crito.services.tables import Cell, Column, Outgoing, Row, Table

Tier = Literal["labels", "reasons", "transcripts"]
TIERS: tuple[Tier, ...] = get_args(Tier)
"""From the least to the most."""

REDACTIONS = Table(
    "redactions",
    "One row per stretch of words that looked like personal data and was taken out.",
    (
        Column("table", "text", "Where it stood."),
        Column("column", "text", "In which column."),
        Column("annotator", "text", "Pseudonym of the person whose row it was."),
        Column("item", "text", "Id of the item, where there is one."),
        Column("found", "text", "What it looked like: `email`, `phone`, `web_address`, `platform_id`, …"),
    ),
)

REASONS = frozenset({"rationale", "text"})
SPOKEN = frozenset({"text", "shown_text", "mended", "streamed", "violations"})
WORDS_STATES = {"rationale": "rationale_state", "text": "text_state"}


class Hit(NamedTuple):
    """What was found, with the words themselves: for the owner's eyes, never for the release."""

    table: str
    column: str
    annotator: str
    item: str
    kind: str
    words: str


def released(outgoing: Outgoing, tier: Tier, scan: PersonalData, tell: Callable[[Hit], None]) -> Outgoing:
    """`outgoing` as it may be given to anyone: no more than the tier, personal data taken out and listed.

    `labels` keeps no words of people, `reasons` their rationales and free answers, `transcripts` the dialogues too.
    What was found is told to `tell` as it is found.

    Raises:
        InvalidInput: people consented to less.
    """
    allowed = tier_promised(outgoing.editions)
    if TIERS.index(tier) > TIERS.index(allowed):
        raise InvalidInput(
            "people consented to less", tier, f"release {allowed!r}, as the study's `release` said", key="--release"
        )
    tables = tuple(table for table in outgoing.tables if tier == "transcripts" or table not in (TURNS, CALLS))
    questions = _questions_in_words(outgoing.editions)
    found: list[Hit] = []

    def note(hit: Hit) -> None:
        found.append(hit)
        tell(hit)

    def rows() -> Iterator[tuple[Table, Row]]:
        for table, row in outgoing.rows:
            if table in tables:
                yield table, _released_row(table, row, tier, questions, scan, note)
        for hit in found:
            yield REDACTIONS, (hit.table, hit.column, hit.annotator, hit.item, hit.kind)

    return replace(
        outgoing, tables=(*tables, REDACTIONS), rows=rows(), notes=(*outgoing.notes, *card(outgoing.editions, tier))
    )


def tier_promised(editions: Mapping[int, Study]) -> Tier:
    """The least of what the editions of a study told people about the use of their words."""
    return min((study.release for study in editions.values()), key=TIERS.index)


def _debates_read(study: Study) -> str:
    """In which conditions people read debates, and who wrote them; empty where nobody did."""
    reading = [condition.name for condition in study.conditions if condition.has("debate")]
    if not reading or study.item_debates is None:
        return ""
    prepared = [debate.author for task in study.tasks for item in task.items for debate in item.debates]
    by = [f"prepared by {author}" if author else "prepared" for author in dict.fromkeys(prepared)]
    by += [f"argued by the panel `{study.item_debates.panel}`"] if study.item_debates.panel else []
    return (
        f"In {', '.join(f'`{name}`' for name in reading)} people read two sides on an item before the second label "
        f"({'; '.join(by)}); `arguments` holds what was shown."
    )


def card(editions: Mapping[int, Study], tier: Tier) -> Sequence[str]:
    """What a reader of released data has to know about how they came about."""
    study = editions[max(editions)]
    held_back = {
        "labels": "People's words (reasons, free answers, dialogues) are left out.",
        "reasons": "Dialogues and model calls are left out.",
        "transcripts": "Nothing that people left is left out.",
    }[tier]
    drawn = "once per person" if study.assign == "person" else "anew for each item"
    conditions = ", ".join(f"`{condition.name}` ({condition.weight:g})" for condition in study.conditions)
    sampling = ", ".join(
        f"`{task.name}`: {task.annotators_per_item} annotators on each of {len(task.items)} items"
        for task in study.tasks
    )
    routed = [condition.name for condition in study.conditions if condition.partner.only_on_disagreement]
    partners = dict.fromkeys(c.partner.model for c in study.conditions if c.has("discuss"))
    panels = [
        f"`{panel.name}` ({panel.method} by {', '.join(a.model for a in panel.agents)})" for panel in study.models
    ]
    return tuple(filter(None, (
        f"Release tier: {tier}. {held_back}",
        "Words that looked like mail or web addresses, telephone or account numbers or platform ids were taken out; "
        "`redactions` lists where. Names cannot be found by patterns: read before you publish.",
        f"Sampling: {sampling}; items come in an order drawn for each person.",
        f"Conditions, drawn at random {drawn}, with their weights: {conditions}.",
        f"In {', '.join(routed)} dialogues were held only where a label was not the most frequent one, which taxes minority "
        "views." if routed else "",
        _debates_read(study),
        f"Exclusions: rows of people who failed more than {study.attention_allowed} attention checks are marked "
        "`excluded_by_default` and are here; no other row was filtered.",
        f"Partners in dialogues: {', '.join(f'`{model}`' for model in partners)}." if partners else "",
        f"Models that label: {'; '.join(panels)}." if panels else "",
        "Exposure: `blind` and `exposures` say of each label what its author had been shown of others' answers before.",
    )))  # fmt: skip


def _released_row(
    table: Table,
    row: Row,
    tier: Tier,
    questions: frozenset[str],
    scan: PersonalData,
    note: Callable[[Hit], None],
) -> Row:
    cells = dict(zip((column.name for column in table.columns), row, strict=True))
    if cells.get("annotator_kind") == "model" and table is not TURNS:
        return row
    worded = SPOKEN if table is TURNS else (REASONS if table.name != "items" else frozenset[str]()) | questions
    for name in worded & cells.keys():
        cell = cells[name]
        if cell is None or cell == "":
            continue
        if tier == "labels":
            cells[name] = None
            if (state := WORDS_STATES.get(name, "")) in cells:
                cells[state] = "withheld"
            continue
        cells[name], found = _redacted(cell, scan)
        for kind, words in found:
            note(Hit(table.name, name, _text(cells, "annotator"), _text(cells, "item"), kind, words))
    return table.row(cells)


def _redacted(cell: Cell, scan: PersonalData) -> tuple[Any, list[tuple[str, str]]]:
    """A cell without personal data, and what it held; of lists and objects, every text in them."""
    if isinstance(cell, str):
        text, found = scan.redact(cell)
        return text, [(one.kind, cell[one.start : one.end]) for one in found]
    if isinstance(cell, Mapping):
        parts = {name: _redacted(value, scan) for name, value in cell.items()}
        return {name: part for name, (part, _) in parts.items()}, [one for _, found in parts.values() for one in found]
    if isinstance(cell, list):
        listed = [_redacted(value, scan) for value in cell]
        return [part for part, _ in listed], [one for _, found in listed for one in found]
    return cell, []


def _text(cells: Mapping[str, Cell], name: str) -> str:
    return str(cells.get(name) or "")


def _questions_in_words(editions: Mapping[int, Study]) -> frozenset[str]:
    """Columns of answers in words beside the label."""
    return frozenset(
        f"q_{question.key}"
        for study in editions.values()
        for question in (*study.expectations, *study.reconsiderations)
        if question.kind == "text"
    )
