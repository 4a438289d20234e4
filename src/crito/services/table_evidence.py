"""Evidence from a table of labels that exists already: a blind sample is drawn from it as if people were still to be asked."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple, get_args

from crito.evidence.certificates import Subject
from crito.evidence.comparisons import Comparison
from crito.evidence.draws import Drawn, key_of, simple_draw
from crito.model.certificate import MachineVersion
from crito.model.errors import InvalidInput
from crito.model.ids import StudyName, TaskName
from crito.model.study import NOT_SURE
from crito.services.certifying import EvidenceRows
from crito.services.given_labels import GivenLabel, LabelTable

Reference = Literal["people", "majority", "gold"]
REFERENCES: tuple[Reference, ...] = get_args(Reference)

SUGGESTION = "suggestion"
"""What the machine is called whose labels stand in the column of suggestions beside people's."""

NEVER = datetime.min.replace(tzinfo=UTC)
"""Tables do not say when their labels were given."""


@dataclass(frozen=True, slots=True)
class TableDesign:
    """How a table becomes evidence.

    Attributes:
        reference: whose answers count: each person's, the majority label of an item, or the reference label.
        blind_rate: share of the items that are drawn into the blind sample; the others remain to be handed over.
        seed: of the draw, and of the order in which the answers are taken.
        assume_blind: take labels for blind of which the table does not say whether anything was in view.
    """

    reference: Reference = "people"
    blind_rate: float = 0.2
    seed: str = "0"
    assume_blind: bool = False


class Answer(NamedTuple):
    """One answer that counts, and whether anyone's answer was in view when it was given."""

    item: str
    annotator: str
    label: str
    visible: bool


def machines(table: LabelTable, task: TaskName) -> tuple[str, ...]:
    """Who of a task is a machine, in the order of first occurrence; `suggestion` where a column holds suggestions."""
    rows = [row for row in table.given if row.task == task]
    named = dict.fromkeys(row.annotator for row in rows if row.kind == "model")
    return (*named, *([SUGGESTION] if any(row.suggestion for row in rows) else []))


def table_evidence(
    table: LabelTable,
    name: str,
    task: TaskName,
    machine: str,
    design: TableDesign,
    source: Mapping[str, Any] | None = None,
) -> EvidenceRows:
    """What people and a machine said of a task's items, with a blind sample drawn from them.

    `source` tells where the rows are found again.

    Raises:
        InvalidInput: the machine labelled nothing, or nothing says that people's labels are blind.
    """
    rows = [row for row in table.given if row.task == task]
    labels = machine_labels(rows, machine)
    if not labels:
        known = ", ".join(machines(table, task)) or "none: give its labels with --machine FILE"
        raise InvalidInput(
            "no machine of this name labelled anything", machine, f"the machines of this table are {known}"
        )
    judged = [answer for answer in _answers(table, task, rows, design) if answer.item in labels]
    drawn = simple_draw(design.seed, task, labels, rate=design.blind_rate)
    people = [row for row in rows if row.kind == "human" and row.state == "labelled" and not row.visible]
    return EvidenceRows(
        Subject(
            StudyName(name), task, MachineVersion(machine, machine, "", ""), table.labels[task], len(labels),
            f"the {len(labels):,} items of {name} that {machine} labelled",
            f"a simple random sample of {len(drawn.items):,} items, drawn from recorded labels by the seed {design.seed}",
            dict(source or {}), NEVER,
        ),
        _comparisons(judged, labels, drawn, task, design.seed),
        tuple((row.item, row.annotator, row.label or "") for row in people),
        labels,
    )  # fmt: skip


def machine_labels(rows: Sequence[GivenLabel], machine: str) -> dict[str, str]:
    """The machine's label by item; the first one where it labelled an item more than once.

    Items on which suggestions differ from person to person are left out: no single label was suggested there.
    """
    if machine == SUGGESTION:
        suggested: dict[str, set[str]] = {}
        for row in rows:
            if row.suggestion:
                suggested.setdefault(row.item, set()).add(row.suggestion)
        return {item: names.pop() for item, names in suggested.items() if len(names) == 1}
    found: dict[str, str] = {}
    for row in rows:
        if row.annotator == machine and row.kind == "model" and row.label is not None:
            found.setdefault(row.item, row.label)
    return found


def _answers(table: LabelTable, task: TaskName, rows: Sequence[GivenLabel], design: TableDesign) -> list[Answer]:
    if design.reference == "gold":
        return [
            Answer(item.id, "gold", item.gold, False)
            for (of, _), item in table.items.items()
            if of == task and item.gold is not None
        ]
    people = [row for row in rows if row.kind == "human" and row.state in ("labelled", "not_sure")]
    if not design.assume_blind and (unknown := next((row for row in people if row.visible is None), None)):
        raise InvalidInput(
            "the table does not say whether people saw anyone's answer before they gave theirs",
            came=f"item {unknown.item!r}, annotator {unknown.annotator!r}",
            wanted="a column `suggestion_visible` or `blind`; or --assume-blind if you know that they did not",
        )
    given = [Answer(row.item, row.annotator, row.label or row.state, bool(row.visible)) for row in people]
    return given if design.reference == "people" else _majorities(given)


def _majorities(given: Sequence[Answer]) -> list[Answer]:
    """The label that most people gave an item unseen; where several share the first place, *not sure*."""
    by_item: dict[str, Counter[str]] = {}
    for answer in given:
        if not answer.visible:
            by_item.setdefault(answer.item, Counter())[answer.label] += 1
    return [
        Answer(item, "majority", top[0][0] if len(top) == 1 or top[0][1] > top[1][1] else NOT_SURE, False)
        for item, counts in by_item.items()
        if (top := counts.most_common(2))
    ]


def _comparisons(
    answers: Sequence[Answer], labels: Mapping[str, str], drawn: Drawn, task: TaskName, seed: str
) -> tuple[Comparison, ...]:
    """A first answer given blind counts where its item was drawn; one in view stands on the visible side."""
    ordered = sorted(_first_of_each(answers), key=lambda answer: key_of(seed, f"order:{task}", answer.item))
    seen = [answer for answer in answers if answer.visible]
    return tuple(
        Comparison(
            item=answer.item, annotator=answer.annotator, answer=answer.label, machine=labels[answer.item],
            blind=not answer.visible, order=order,
            inclusion=drawn.probability if answer.item in drawn.items and not answer.visible else None,
        )
        for order, answer in enumerate([*(one for one in ordered if not one.visible), *seen])
    )  # fmt: skip


def _first_of_each(answers: Sequence[Answer]) -> list[Answer]:
    first: dict[tuple[str, str], Answer] = {}
    for answer in answers:
        first.setdefault((answer.item, answer.annotator), answer)
    return list(first.values())
