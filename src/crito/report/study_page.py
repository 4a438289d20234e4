"""The report of a study as one page."""

from collections.abc import Callable, Mapping, Sequence

from markupsafe import Markup

from crito.report.blind_section import blind_section
from crito.report.blocks import Beside, Block, Column, Fact, Facts, Figure, Note, Page, Prose, Section, Stack, Table
from crito.report.cite import cited_section
from crito.report.dialogue_sections import partner_section, talk_section
from crito.report.figures import Bar, Estimate, bars, interval_plot
from crito.report.harm_section import harm_section
from crito.report.label_sections import comparisons_section, group_name, slugged, task_section
from crito.report.page import render_page
from crito.report.reading_section import reading_section
from crito.report.survey_sections import answers_section, workload_section
from crito.report.wording import counted, named, utc, whole
from crito.services.reporting.phases import PHASES
from crito.services.reporting.sample import MILESTONES
from crito.services.reporting.study import ReportData
from crito.services.reporting.talks import Routing

STATUSES = ("done", "open", "expired", "ended", "withdrawn")

SectionMaker = Callable[[ReportData], Section | None]


def render_report(data: ReportData, *, sections: Markup = Markup()) -> str:  # noqa: B008 (it cannot change)
    """The report of a study, as HTML; `sections` are what other parts have to say, before how the numbers are worked out."""
    return render_page(study_page(data, sections))


def study_page(data: ReportData, more: Markup) -> Page:
    """The report of a study, as blocks."""
    title = data.title or data.study
    editions = ", ".join(str(number) for number in data.editions)
    kicker = Markup("Crito report · study <b>{}</b> · edition{} {} · as of {}").format(
        data.study, "s" if len(data.editions) > 1 else "", editions, utc(data.made_at)
    )
    made = (section(data) for section in SECTIONS)
    tasks = [
        task_section(task, data.conditions, data.confidence_steps, f"task-{slugged(task.name)}") for task in data.tasks
    ]
    before, after = _around_tasks([section for section in made if section])
    footer = (
        f"Made by Crito from the record as it stood at {utc(data.made_at)}. Intervals are at 95\u00a0%; seeds of resampling "
        "are fixed, so the same record gives the same page. The rows behind every number come with crito export."
    )
    return Page(title, kicker, _counts(data), _notes(data), [*before, *tasks, *after], footer, more)


def _around_tasks(sections: Sequence[Section]) -> tuple[list[Section], list[Section]]:
    first = ("short", "sample")
    return [s for s in sections if s.key in first], [s for s in sections if s.key not in first]


def _counts(data: ReportData) -> Mapping[str, int]:
    groups = [group for task in data.tasks for group in task.groups]
    return {
        "people who came": data.sample.n_people,
        "finished": data.sample.endings.get("done", 0),
        "first labels": sum(sum(group.before.labels.values()) for group in groups),
        "second labels": sum(sum(group.after.labels.values()) for group in groups if group.after),
        "dialogues": sum(partner.dialogues for partner in data.partners),
    }


def _notes(data: ReportData) -> list[Note]:
    notes = []
    if rehearsed := data.origins.get("rehearsal"):
        who = "is a script" if rehearsed == 1 else "are scripts"
        notes.append(
            Note(
                "Rehearsal.",
                f"{whole(rehearsed)} of those in this report {who}. Nothing here says anything about people.",
            )
        )
    notes += [Note("Dialogue only on disagreement.", _routed(routing)) for routing in data.routings]
    for reason, count in data.sample.excluded.items():
        people = counted(count, "person", "people")
        words = (
            f"{people} ({named(reason).lower()}): kept in the record, in none of the numbers about labels and talks."
        )
        notes.append(Note("Left out.", words, "exclusion"))
    if withdrawn := data.sample.endings.get("withdrawn"):
        who = "person has taken their" if withdrawn == 1 else "people have taken their"
        words = f"{whole(withdrawn)} {who} data back. They are counted as having come and left, and nowhere else."
        notes.append(Note("Withdrawn.", words))
    return notes


def _routed(routing: Routing) -> Markup:
    return Markup(
        "Condition {} declares <code>only_on_disagreement</code>: the partner talks with a person only where their label is "
        "not the one that most others gave ({} of {} items so far). This puts the burden of talking on minority views; flips "
        "here are no fair picture of what talking does."
    ).format(routing.condition, whole(routing.dialogues), whole(routing.items))


def short_section(data: ReportData) -> Section:
    """Flips and confidence of every task and condition at a glance."""
    rows: list[Sequence[object]] = [
        (
            task.title, group_name(group.name, data.conditions), group.n_people, group.n_items,
            group.flips.rate if group.flips else "not asked again",
            group.confidence.change if group.confidence else "–",
        )
        for task in data.tasks
        for group in task.groups
    ]  # fmt: skip
    columns = [
        Column("Task"), Column("Condition"), Column("People", "count"), Column("Items", "count"),
        Column("Labels that flipped", "share", "flips", brief=True), Column("Change of confidence", "signed", "confidence", brief=True),
    ]  # fmt: skip
    return Section("short", "In short", [Table("", columns, rows, folds=True)])


def sample_section(data: ReportData) -> Section:
    """Who came, how far they got, how it ended, who is left out."""
    sample = data.sample
    everyone = sample.reached[""]
    split = [name for name in data.conditions if name in sample.reached] if len(sample.reached) > 2 else []
    steps = [step for step in MILESTONES if step != "read" or everyone[step]]
    flow = Table(
        "",
        [Column("Step"), Column("People", "count"), *(Column(group_name(name, data.conditions), "count") for name in split)],
        [
            (named(step), everyone[step], *(sample.reached[name][step] for name in split))
            for step in steps
        ],
    )  # fmt: skip
    figure = Figure(
        "flow", "How far people got", f"of {whole(sample.n_people)} who came",
        bars([Bar(named(step), everyone[step]) for step in steps], "How far people got", of=sample.n_people),
        "people", flow,
    )  # fmt: skip
    endings = sorted(sample.endings.items(), key=lambda row: -row[1])
    ended = Table(
        "How it ended, or where it stands",
        [Column("Ending"), Column("People", "count")],
        [*((named(ending), count) for ending, count in endings), ("Everyone", sample.n_people)] if endings else [],
        sums=frozenset({len(endings)}),
        empty="Nobody has come yet. crito serve prints the address to send out.",
    )
    blocks: list[Block] = [Beside([figure, ended]), *_excluded(data), _assignments(data)]
    return Section("sample", "Who came, who left", blocks)


def _excluded(data: ReportData) -> list[Block]:
    if not data.sample.excluded_by_group:
        return [Prose("Exclusions by group: nobody is left out, or all are of one group.")]
    rows = [
        (row.what, group_name(row.group, data.conditions) if row.what == "condition" else row.group,
         named(row.reason), row.rate)
        for row in data.sample.excluded_by_group
    ]  # fmt: skip
    columns = [Column("By"), Column("Group"), Column("Reason"), Column("Left out, of those who gave a label", "share")]
    return [Table("Exclusions by group", columns, rows, "exclusion", folds=True)]


def _assignments(data: ReportData) -> Table:
    counts: dict[tuple[str, str], dict[str, int]] = {}
    for row in data.assignments:
        of = counts.setdefault((row.task, row.condition), {})
        of[row.status] = of.get(row.status, 0) + row.assignments
    rows = [
        (
            task.title,
            group_name(condition, data.conditions),
            *(own.get(status, 0) for status in STATUSES),
            sum(own.values()),
        )
        for task in data.tasks
        for condition in data.conditions
        for own in [counts.get((task.name, condition), {})]
    ]
    columns = [
        Column("Task"),
        Column("Condition"),
        *(Column(status, "count") for status in STATUSES),
        Column("all", "count"),
    ]
    return Table("Assignments by status", columns, rows, "assignments")


def compared_section(data: ReportData) -> Section | None:
    """Conditions beside each other."""
    return comparisons_section(data.comparisons, data.tasks, data.conditions) if data.comparisons else None


def harm(data: ReportData) -> Section | None:
    """The harm monitor."""
    return harm_section(data.tasks, data.conditions, data.people_groups, models_known=bool(data.models))


def time_section(data: ReportData) -> Section:
    """Minutes of each phase, and attention checks."""
    several = len(data.minutes) > 1
    rows = [
        (
            named(phase),
            *(([group_name(name, data.conditions) or "everyone"]) if several else []),
            data.minutes[name][phase],
        )
        for phase in PHASES
        for name in data.minutes
    ]
    columns = [Column("Phase"), *([Column("Condition")] if several else []), Column("Minutes, mean", "minutes")]
    estimates = [
        Estimate(f"{named(f'minutes_{phase}')}, {name}" if name else named(f"minutes_{phase}"), data.minutes[name][phase],
                 data.conditions.index(name) if name else 0)
        for phase in PHASES
        for name in data.minutes
    ]  # fmt: skip
    drawing = interval_plot(estimates, "Minutes per phase", unit="minutes")
    figure = Figure(
        "minutes",
        "Minutes per phase",
        "mean, with 95 % interval",
        drawing,
        "minutes",
        Table("", columns, rows, folds=True),
    )
    checks = Facts([Fact(key, found) for key, found in data.attention.items()])
    attention: Block = checks if data.attention else Prose("No attention check was answered.")
    wrong = Stack([attention], "Attention checks answered wrongly")
    return Section("time", "Time and attention", [Beside([figure, wrong])], how="attention")


def cost_section(data: ReportData) -> Section:
    """What asking models cost."""
    costs = data.costs
    if not costs.sums:
        return Section("cost", "Cost", [Prose("No model was asked: there were no calls, and nothing was spent.")])
    rows = [
        (row.model, row.method, row.status, row.calls, row.input_tokens, row.output_tokens,
         f"${row.cost_usd:.4f}" if row.unpriced < row.calls else "not known", row.unpriced)
        for row in costs.sums
    ]  # fmt: skip
    columns = [
        Column("Model"), Column("Asked for"), Column("Status"), Column("Calls", "count"), Column("Tokens sent", "count"),
        Column("Tokens received", "count"), Column("Cost"), Column("Calls without a price", "count"),
    ]  # fmt: skip
    each = f"${costs.per_dialogue_usd:.4f}" if costs.per_dialogue_usd is not None else "cannot be told"
    facts = Facts(
        [Fact("Spent, as far as prices are known", f"${costs.cost_usd:.4f}", "text", "cost"),
         Fact("Calls without a known price", costs.unpriced, "count"),
         Fact("A dialogue with a model", f"{each}, n = {whole(costs.dialogues)}", "text")]
    )  # fmt: skip
    return Section("cost", "Cost", [facts, Table("Calls", columns, rows, folds=True)])


SECTIONS: tuple[SectionMaker, ...] = (
    short_section, sample_section, blind_section, compared_section, partner_section, talk_section, reading_section,
    answers_section, workload_section, harm, time_section, cost_section, cited_section,
)  # fmt: skip
"""What a study's report is made of, in order, the tasks after the sample; another part of the report joins by standing here."""
