"""The harm monitor as a part of a report: where talking pulls labels, and whom it wears down."""

from collections.abc import Sequence

from crito.report.blocks import Block, Column, Figure, Prose, Section, Table
from crito.report.figures import Estimate, interval_plot
from crito.report.label_sections import Groups, group_name, slugged
from crito.report.wording import p_value
from crito.services.reporting.groups import GroupReport, TaskReport
from crito.services.reporting.harm import FEWEST, GOLD, MAJORITY, HarmReport
from crito.services.reporting.people_groups import PeopleGroups


def harm_section(
    tasks: Sequence[TaskReport], groups: Groups, people: Sequence[PeopleGroups] = (), *, models_known: bool
) -> Section | None:
    """The harm monitor; None where nobody labelled twice."""
    watched = [(task, group, group.harm) for task in tasks for group in task.groups if group.harm]
    if not watched:
        return None
    blocks: list[Block] = []
    for task in tasks:
        own = [(group, harm) for of, group, harm in watched if of is task]
        if own:
            blocks += [_toward(task, own, groups), _minorities(task, own, groups)]
    if not models_known:
        blocks.append(
            Prose(
                "Flips toward a model's own label: cannot be told, since no model has labelled these items (crito label)."
            )
        )
    blocks.append(_taken(watched, groups))
    blocks += [_people(found) for found in people]
    words = (
        f"Did talking pull labels somewhere, and did it weigh more on those whose view few share? With fewer than {FEWEST} to "
        "count, a number is not stated. Nothing here says what caused a flip: compare conditions with and without a talk."
    )
    return Section("harm", "Harm monitor", blocks, words, "harm")


def _toward(task: TaskReport, own: Sequence[tuple[GroupReport, HarmReport]], groups: Groups) -> Figure:
    rows = [
        (group, target, toward)
        for target in dict.fromkeys(target for _, harm in own for target in harm.toward)
        for group, harm in own
        if (toward := harm.toward.get(target))
    ]
    table = Table(
        "", [Column("Toward"), Column("Group"), Column("Came to it", "share"), Column("Left it", "share", brief=True)],
        [(f"{target}", group_name(group.name, groups), toward.to, toward.away) for group, target, toward in rows],
        folds=True,
    )  # fmt: skip
    estimates = [
        Estimate(
            f"{_short(target)}, {group.name}" if group.name else _short(target), toward.to, groups.index(group.name)
        )
        for group, target, toward in rows
    ]
    words = "of the labels that were not there at first, the share that came to it, with 95 % interval"
    drawing = interval_plot(estimates, f"{task.title}: flips toward")
    return Figure(f"harm-{slugged(task.name)}-toward", f"{task.title}: flips toward", words, drawing, "toward", table)


def _short(target: str) -> str:
    return {MAJORITY: "majority", GOLD: "reference"}.get(target, target.removeprefix("the label of "))


def _minorities(task: TaskReport, own: Sequence[tuple[GroupReport, HarmReport]], groups: Groups) -> Figure:
    table = Table(
        "",
        [Column("Group"), Column("Minority gave way", "share"), Column("Majority gave way", "share", brief=True),
         Column("Difference", "points"), Column("p", "p"), Column("Minority labels lost", "share"),
         Column("Change of entropy", "signed")],
        [
            (group_name(group.name, groups), harm.minority.minority_left, harm.minority.majority_left,
             harm.minority.difference, harm.minority.difference.p_value, harm.minority.labels_lost,
             harm.minority.entropy_change)
            for group, harm in own
        ],
        folds=True,
    )  # fmt: skip
    estimates = [
        Estimate(f"{side} {group.name}".strip(), value, groups.index(group.name))
        for group, harm in own
        for side, value in (("minority", harm.minority.minority_left), ("majority", harm.minority.majority_left))
    ]
    words = "share that changed their label, of those who began with and without most others, with 95 % interval"
    drawing = interval_plot(estimates, f"{task.title}: who gave way")
    return Figure(
        f"harm-{slugged(task.name)}-minority", f"{task.title}: who gave way", words, drawing, "minority", table
    )


def _taken(watched: Sequence[tuple[TaskReport, GroupReport, HarmReport]], groups: Groups) -> Block:
    rows = [
        (
            task.title,
            group_name(group.name, groups),
            what,
            taken.minority,
            taken.majority,
            taken.difference,
            taken.difference.p_value,
        )
        for task, group, harm in watched
        for what, taken in (("minutes", harm.minutes), ("messages", harm.messages))
        if taken
    ]
    columns = [
        Column("Task"), Column("Group"), Column("Of the second part"), Column("Began in the minority", "minutes"),
        Column("Began with the majority", "minutes"), Column("Difference", "signed"), Column("p", "p"),
    ]  # fmt: skip
    empty = "Time and turns by group: cannot be told, since the table has no times and no messages."
    return Table("Time and turns, by where people began", columns, rows, "taken", folds=True, empty=empty)


def _people(found: PeopleGroups) -> Table:
    rows = [
        (group.answer, group.n_people, group.alpha, group.flip_rate, group.minutes, group.messages)
        for group in found.groups
    ]
    notes = []
    if found.disagreement and found.compared:
        varied = found.disagreement.total_variation
        told = f"cannot be told: {varied.reason}"
        if varied.value is not None and varied.p_value is not None:
            told = f"{varied.value:.2f}, {p_value(varied.p_value)}"
        notes.append(f"Mean distance of label shares between {' and '.join(found.compared)}: {told}.")
    if found.hidden:
        notes.append(f"Answers of too few people are not shown ({found.hidden}).")
    return Table(
        f"{found.question} ({found.task})",
        [Column("Answer"), Column("People", "count"), Column("Krippendorff's alpha", "number"), Column("Flipped", "share"),
         Column("Minutes", "minutes"), Column("Messages", "minutes")],
        rows, "people_groups", folds=True, note=" ".join(notes),
    )  # fmt: skip
