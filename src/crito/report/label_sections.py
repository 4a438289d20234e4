"""The part of a report about labels, the same for a study and for tables: task by task, and groups beside each other."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from markupsafe import Markup

from crito.report.blocks import Beside, Block, Column, Fact, Facts, Figure, Prose, Section, Stack, Table
from crito.report.figures import LETTERS, Dot, Estimate, interval_plot, item_map, sankey, shape
from crito.report.wording import counted, named, percent, whole
from crito.services.reporting.comparing import Comparison
from crito.services.reporting.groups import Between, GroupReport, ItemMap, TaskReport
from crito.stats.accuracy import Confusion
from crito.stats.statistic import Statistic
from crito.stats.tables import Moves

MOST_DRAWN = 12
"""With more labels than that, moves are listed and not drawn."""

MOST_LISTED = 20
MOST_DIVIDED = 10

MEASURES: Mapping[str, tuple[str, str]] = {
    "flip_rate": ("Flips by annotation", "points"),
    "item_flip_rate": ("Flips by item", "points"),
    "accuracy_first": ("Accuracy of first labels", "points"),
    "accuracy_last": ("Accuracy of last labels", "points"),
    "confidence_change": ("Change of confidence, in steps", "signed"),
}
"""What each comparison measures, and the unit of its difference."""

Groups = Sequence[str]
"""The names of all groups of the report, in their order: each keeps its mark and colour everywhere."""


def task_section(task: TaskReport, groups: Groups, steps: Mapping[str, str], key: str) -> Section:
    """Everything about one task: agreement, the map of items, and each group's flips, confidence and accuracy.

    Args:
        task: with its groups.
        groups: of the whole report.
        steps: the words of the confidence steps, the highest first; empty where they are their own words.
        key: address within the page.
    """
    described = f"{counted(task.n_items, 'item', 'items')}, {whole(task.n_gold)} with a reference label."
    blocks: list[Block] = []
    relabelled = [group for group in task.groups if group.flips]
    if len(relabelled) > 1:
        blocks.append(Beside(_flip_plots(task, relabelled, groups, key)))
    blocks.append(Beside([_group(task, group, groups, steps, key) for group in task.groups]))
    if any(group.accuracy for group in task.groups):
        blocks.append(_accuracy(task, groups, key))
    blocks.append(_agreement(task, groups, key))
    blocks += _minutes(task, groups, key)
    blocks += [_between(task.between)] if task.between else []
    blocks.append(_map(task, groups, key))
    return Section(key, task.title, blocks, f"{task.question} {described}".strip())


def comparisons_section(rows: Sequence[Comparison], tasks: Sequence[TaskReport], groups: Groups) -> Section:
    """Groups beside each other: differences with their intervals and tests."""
    titles = {task.name: task.title for task in tasks}
    columns = [
        Column("Measure"), Column("Task"), Column("First − second"), Column("Difference"), Column("Test"),
        Column("p", "p"), Column("p, adjusted", "p"),
    ]  # fmt: skip
    blocks: list[Block] = []
    for measure, (name, unit) in MEASURES.items():
        family = [row for row in rows if row.measure == measure]
        if not family:
            continue
        shown = [*columns[1:3], Column("Difference", "signed" if unit == "signed" else "points"), *columns[4:]]
        table = Table(
            "",
            shown,
            [
                (
                    titles[row.task],
                    Markup("{} − {}").format(group_name(row.first, groups), group_name(row.second, groups)),
                    row.difference, _test(row.difference), row.difference.p_value, row.p_adjusted,
                )
                for row in family
            ],
            folds=True,
        )  # fmt: skip
        estimates = [
            Estimate(f"{titles[row.task]}: {row.first} − {row.second}" if len(tasks) > 1 else f"{row.first} − {row.second}",
                     row.difference, place)
            for place, row in enumerate(family)
        ]  # fmt: skip
        words = f"first minus second, with 95 % interval; {counted(len(family), 'comparison', 'comparisons')}"
        drawing = interval_plot(estimates, f"{name}: differences", unit=shown[2].unit)
        blocks.append(Figure(f"compared-{measure.replace('_', '-')}", name, words, drawing, "comparisons", table))
    return Section("compared", "Compared", blocks, how="comparisons")


def group_name(name: str, groups: Groups) -> Markup:
    """A group with its mark."""
    if not name or len(groups) < 2:
        return Markup("{}").format(name)
    return Markup('<span class="condition">{}{}</span>').format(shape(groups.index(name)), name)


def _test(difference: Statistic) -> str:
    return difference.method.rpartition(", ")[2] if difference.value is not None else "–"


def _flip_plots(task: TaskReport, relabelled: Sequence[GroupReport], groups: Groups, key: str) -> list[Block]:
    plots: list[Block] = []
    for slug, title, words, how in (
        ("flips", "Flips by annotation", "share of labels that changed, with 95 % interval", "flips"),
        ("item-flips", "Flips by item", "mean over items of each item's flip rate, with 95 % interval", "item_flips"),
    ):
        found = {
            group.name: group.flips.rate if slug == "flips" else group.item_flip_rate
            for group in relabelled
            if group.flips
        }
        rows = [Estimate(name, value, groups.index(name)) for name, value in found.items() if value is not None]
        table = Table(
            "",
            [Column("Group"), Column("Rate", "share")],
            [(group_name(row.name, groups), row.statistic) for row in rows],
        )
        plots.append(Figure(f"{key}-{slug}", title, words, interval_plot(rows, f"{task.title}: {title}"), how, table))
    return plots


def _group(task: TaskReport, group: GroupReport, groups: Groups, steps: Mapping[str, str], key: str) -> Stack:
    size = f"{counted(group.n_people, 'annotator', 'annotators')}, {counted(group.n_items, 'item', 'items')}"
    title = Markup('{} <span class="small">{}</span>').format(group_name(group.name, groups) or "Labels", size)
    blocks: list[Block] = []
    name = f"{task.title}, {group.name}" if group.name else task.title
    slug = f"{key}-{slugged(group.name)}" if group.name else key
    if not group.flips:
        blocks.append(_labels_given(task, group))
        return Stack(blocks, title)
    if group.flips.eligible and len(task.labels) <= MOST_DRAWN:
        words = (
            f"{counted(group.flips.eligible, 'annotation', 'annotations')} with a label on both sides; strong: flipped"
        )
        drawing = sankey(group.flips.directions, task.labels, f"{name}: labels before and after", palette="labels")
        blocks.append(
            Figure(f"{slug}-labels", "Labels before and after", words, drawing, "directions", _moves(task, group))
        )
    else:
        blocks.append(_moves(task, group))
    blocks.append(
        Facts(
            [
                Fact("Flipped", group.flips.rate, "share", "flips"),
                Fact("By item", group.item_flip_rate, "share", "item_flips"),
            ]
        )
    )
    if group.confidence:
        blocks += _confidence(group, steps, name, slug)
    return Stack(blocks, title)


def _labels_given(task: TaskReport, group: GroupReport) -> Table:
    total = sum(group.before.labels.values())
    rows: list[Sequence[object]] = [
        (_lettered(task, label), count, count / total if total else None)
        for label, count in group.before.labels.items()
    ]
    rows += [(named(state).lower(), count, None) for state, count in group.before.states.items()]
    return Table("Labels given", [Column("Label"), Column("given", "count"), Column("share", "share")], rows, "given")


def _lettered(task: TaskReport, label: str) -> Markup:
    place = list(task.labels).index(label)
    if len(task.labels) > MOST_DRAWN:
        return Markup("{}").format(task.labels[label])
    return Markup("<b>{}</b> {}").format(LETTERS[place], task.labels[label])


def _moves(task: TaskReport, group: GroupReport) -> Table:
    assert group.flips is not None
    assert group.after is not None
    directions = group.flips.directions
    caption = "How labels moved: initial label in rows, final in columns"
    if len(task.labels) > MOST_DRAWN:
        return _listed_moves(task, directions)
    letters = [LETTERS[place] for place in range(len(task.labels))]
    columns = [Column("Label"), Column("given first", "count"), *(Column(f"→ {letter}", "count") for letter in letters),
               Column("given last", "count")]  # fmt: skip
    rows: list[Sequence[object]] = [
        (_lettered(task, label), group.before.labels[label], *(directions.count(label, other) for other in task.labels),
         group.after.labels[label])
        for label in task.labels
    ]  # fmt: skip
    for state in ("not_sure", "skipped", "abstained", "missing"):
        first, last = group.before.states.get(state, 0), group.after.states.get(state, 0)
        if first or last:
            rows.append((named(state).lower(), first, *("" for _ in letters), last))
    return Table(caption, columns, rows, "directions")


def _listed_moves(task: TaskReport, directions: Moves) -> Table:
    flows = [(count, str(a), str(b)) for a, b, count in directions.flows() if count and a != b]
    flows.sort(key=lambda flow: (-flow[0], flow[1:]))
    rows = [(task.labels[a], task.labels[b], count) for count, a, b in flows[:MOST_LISTED]]
    note = f"{len(flows) - MOST_LISTED} more kinds of moves are not listed." if len(flows) > MOST_LISTED else ""
    columns = [Column("from"), Column("to"), Column("flips", "count")]
    return Table("The most frequent flips", columns, rows, "directions", empty="No label flipped.", note=note)


def _confidence(group: GroupReport, steps: Mapping[str, str], name: str, slug: str) -> list[Block]:
    assert group.confidence is not None
    confidence = group.confidence
    moved = confidence.transitions.moves
    words = {str(step): steps.get(str(step), str(step)) for step in moved.labels}
    highest = next(iter(words.values()))
    facts = Facts(
        [
            Fact("Mean change, in steps", confidence.change, "signed", "confidence"),
            Fact("More sure", confidence.transitions.up),
            Fact("Less sure", confidence.transitions.down),
            Fact(f"{highest}, before", confidence.highest_before),
            Fact(f"{highest}, after", confidence.highest_after),
        ]
    )
    if not moved.n:
        return [facts]
    table = Table(
        "How confidence moved: before in rows, after in columns",
        [Column("Confidence"), *(Column(f"→ {word}", "count") for word in words.values()), Column("share that rose or fell", "share")],
        [
            (word, *(moved.count(step, other) for other in moved.labels),
             1 - row[place] if (row := moved.row_shares()[place]) else None)
            for place, (step, word) in enumerate(zip(moved.labels, words.values(), strict=True))
        ],
    )  # fmt: skip
    told = f"{counted(moved.n, 'annotation', 'annotations')} with both; strong: changed, rising to surer or falling to less sure"
    drawing = sankey(moved, words, f"{name}: confidence before and after", palette="levels")
    return [Figure(f"{slug}-confidence", "Confidence before and after", told, drawing, "confidence", table), facts]


def _accuracy(task: TaskReport, groups: Groups, key: str) -> Stack:
    known = [(group, group.accuracy) for group in task.groups if group.accuracy]
    rows = [
        Estimate(f"{group.name} {when}".strip(), found.accuracy, groups.index(group.name))
        for group, accuracy in known
        for when, found in (("before", accuracy.before), ("after", accuracy.after))
        if found
    ]
    plot = interval_plot(rows, f"{task.title}: accuracy", within=(0.0, 1.0))
    table = Table(
        "",
        [Column("Group"), Column("Before", "share"), Column("After", "share"), Column("Change", "points"), Column("p", "p")],
        [
            (group_name(group.name, groups), accuracy.before.accuracy, accuracy.after and accuracy.after.accuracy,
             accuracy.change, accuracy.change and accuracy.change.p_value)
            for group, accuracy in known
        ],
        folds=True,
    )  # fmt: skip
    words = f"share of labels equal to the reference, over {counted(task.n_gold, 'item', 'items')} that have one"
    blocks: list[Block] = [Figure(f"{key}-accuracy", "Accuracy", words, plot, "accuracy", table)]
    if len(task.labels) <= MOST_DRAWN:
        blocks.append(
            Beside(
                [
                    _confusion(task, found, f"{group.name} {when}".strip())
                    for group, accuracy in known
                    for when, found in (("before", accuracy.before), ("after", accuracy.after))
                    if found and found.counts.sum()
                ]
            )
        )
    return Stack(blocks, "Against the reference labels")


def _confusion(task: TaskReport, found: Confusion, name: str) -> Table:
    n = int(found.counts.sum())
    letters = [LETTERS[place] for place in range(len(task.labels))]
    rows: list[Sequence[object]] = [
        (
            _lettered(task, str(label)),
            *(f"{whole(int(count))} · {percent(count / n)}" for count in found.counts[place]),
            int(found.not_sure[place]),
        )
        for place, label in enumerate(found.labels)
    ]
    columns = [
        Column("Reference"),
        *(Column(f"said {letter}", "count") for letter in letters),
        Column("not sure", "count"),
    ]
    note = ""
    if len(found.labels) == 2:
        rates = found.error_rates(found.labels[0])
        said = [
            f"{task.labels[str(label)]} in error: {_told(of_all)} of everything, {_told(of_class)} of those it should not be"
            for label, of_all, of_class in (
                (found.labels[0], rates.fp_share, rates.fpr),
                (found.labels[1], rates.fn_share, rates.fnr),
            )
        ]
        note = "; ".join(said) + "."
    return Table(f"{name}: reference in rows, given in columns; n = {whole(n)}", columns, rows, "confusion", note=note)


def _told(rate: Statistic) -> str:
    return "–" if rate.value is None else percent(rate.value)


def _agreement(task: TaskReport, groups: Groups, key: str) -> Block:
    rounds = [(group, part) for group in task.groups for part in group.rounds]
    several = len({part.round for _, part in rounds}) > 1
    names = list(dict.fromkeys(name for _, part in rounds for name in part.agreement))

    def name_of(group: GroupReport, number: int) -> str:
        return f"{group.name} round {number}".strip() if several or not group.name else group.name

    rows = [
        Estimate(name_of(group, part.round), part.agreement[names[0]], groups.index(group.name))
        for group, part in rounds
    ]
    columns = [
        Column("Group and round" if several else "Group"),
        *(
            Column(name, "share" if name == "Pairs that agree" else "number", brief=place > 0)
            for place, name in enumerate(names)
        ),
        Column("Entropy", "number", "entropy", brief=True),
    ]
    table = Table(
        "", columns,
        [(name_of(group, part.round), *(part.agreement.get(name) for name in names), part.entropy) for group, part in rounds],
        folds=True,
    )  # fmt: skip
    words = f"{names[0]}, with 95 % interval; 1 is full agreement, 0 what chance gives"
    drawing = interval_plot(rows, f"{task.title}: agreement", unit="number")
    return Figure(f"{key}-agreement", "Agreement by round and group", words, drawing, "agreement", table)


def _minutes(task: TaskReport, groups: Groups, key: str) -> list[Block]:
    """What labels took, where the table told it."""
    found = [
        (group, part.round, part.minutes) for group in task.groups for part in group.rounds if part.minutes is not None
    ]
    if not found:
        return []
    several = len({number for _, number, _ in found}) > 1
    named_rows = [
        (" ".join(filter(None, (group.name, f"round {number}" if several else ""))), group, minutes)
        for group, number, minutes in found
    ]
    table = Table(
        "", [Column("Group and round" if several else "Group"), Column("Minutes, mean", "minutes")],
        [(name or "everyone", minutes) for name, _, minutes in named_rows], folds=True,
    )  # fmt: skip
    estimates = [Estimate(name, minutes, groups.index(group.name)) for name, group, minutes in named_rows]
    drawing = interval_plot(estimates, f"{task.title}: minutes per label", unit="minutes")
    words = "mean of the times in the table, with 95 % interval"
    return [Figure(f"{key}-minutes", "Minutes per label", words, drawing, "minutes_of_labels", table)]


def _between(pairs: Sequence[Between]) -> Table:
    return Table(
        "Do groups of annotators see the same items differently?",
        [Column("Groups"), Column("Mean distance of label shares", "number"), Column("Over chance", "signed"), Column("p", "p"),
         Column("Pairs that disagree, within", "share"), Column("across", "share")],
        [
            (f"{pair.first} and {pair.second}", found.total_variation, found.total_variation.details.get("excess"),
             found.total_variation.p_value, found.within, found.cross)
            for pair in pairs
            for found in [pair.disagreement]
        ],
        "between", folds=True,
    )  # fmt: skip


def _map(task: TaskReport, groups: Groups, key: str) -> Block:
    maps = [(group, group.item_map) for group in task.groups if len(group.item_map.items)]
    if not maps:
        return Prose("Map of items: cannot be told, since no item has two first labels.")
    flipped = any(found.flips is not None for _, found in maps)
    table = _divided(task, maps)
    if not flipped:
        return table
    dots = [dot for group, found in maps for dot in _dots(group, found, groups)]
    n = sum(len(found.items) for _, found in maps)
    words = (
        f"{counted(n, 'item', 'items')} with at least two first labels; to the right: how divided first labels were "
        "(entropy); upward: share of them that flipped; larger marks: more items"
    )
    drawing = item_map(
        dots,
        f"{task.title}: map of items",
        across="entropy of first labels",
        upward="labels that flipped",
        groups=[(groups.index(group.name), group.name) for group, _ in maps if len(maps) > 1],
    )
    return Figure(f"{key}-items", "Map of items", words, drawing, "item_map", table)


def _dots(group: GroupReport, found: ItemMap, groups: Groups) -> list[Dot]:
    if found.flips is None or found.counted is None:
        return []
    known = found.counted > 0
    rates = found.flips[known] / found.counted[known]
    # rounded, so that items with the same labels share a mark
    places = Counter(zip(np.round(found.entropy[known], 3).tolist(), np.round(rates, 3).tolist(), strict=True))
    mark = groups.index(group.name)
    return [
        Dot(x, y, n, mark, f"{counted(n, 'item', 'items')}: entropy {x:.2f}, {percent(y)} flipped")
        for (x, y), n in places.items()
    ]


def _divided(task: TaskReport, maps: Sequence[tuple[GroupReport, ItemMap]]) -> Table:
    columns = [Column("Item"), Column("Entropy"), Column("First labels"), Column("Flips")]
    several = len(maps) > 1
    rows: list[Sequence[object]] = []
    for group, found in maps:
        # by name where entropies are equal, so that the order of rows decides nothing
        order = np.lexsort((np.array([str(item) for item in found.items]), -np.round(found.entropy, 9)))
        for place in order[:MOST_DIVIDED].tolist():
            if found.entropy[place] <= 0:
                continue
            item = found.items[place]
            text = task.texts.get(item, "")
            words = Markup('{} <span class="soft">{}</span>').format(
                item, text[:120] + ("…" if len(text) > 120 else "")
            )
            counts = [
                f"{task.labels[label]} {round(share * found.labels[place])}"
                for label, share in zip(task.labels, found.shares[place], strict=True)
                if share > 0
            ]
            flips = (
                "–"
                if found.flips is None or found.counted is None
                else f"{found.flips[place]} of {found.counted[place]}"
            )
            row = (words, f"{found.entropy[place]:.2f}", ", ".join(counts), flips)
            rows.append((group.name, *row) if several else row)
    if several:
        columns = [Column("Group"), *columns]
    return Table(
        "Items whose first labels divide most",
        columns,
        rows,
        "entropy",
        folds=True,
        empty="No item divides its annotators.",
    )


def slugged(name: str) -> str:
    """A name as part of an address: letters, digits and hyphens."""
    kept = "".join(letter if letter.isalnum() and letter.isascii() else "-" for letter in name.lower())
    return "-".join(part for part in kept.split("-") if part) or "group"
