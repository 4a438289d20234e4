"""What a study will need before anyone is invited: people, dialogues, calls, and what its owner may have overlooked."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, comb

from crito.model.ids import TaskName
from crito.model.phrase import Phrase
from crito.model.study import CODED_ENDINGS, DEBATE_AT_LEAST, Condition, Question, Study, Task, Text, blind_sample_size
from crito.model.talk import ATTEMPTS

PROMPT_CHARS = 7_000
"""About as long as the partner's standing instructions are."""
MESSAGE_CHARS = 300
"""About as long as one message of a talk is, generously."""
CHARS_PER_TOKEN = 3
"""Fewer than in English prose, so that the plan errs upwards."""
REPLY_TOKENS = 120
ARGUMENTS = 6
"""What both agents of a debate on an item say, opening, refutation and closing."""
ARGUMENT_TOKENS = 200
"""About as long as one of these is, generously."""


@dataclass(frozen=True, slots=True)
class TaskPlan:
    """One task: its items, and the places to fill over all conditions."""

    task: TaskName
    items: int
    places: int


@dataclass(frozen=True, slots=True)
class ConditionPlan:
    """One condition.

    `people` is None where conditions are drawn per item, since each person then meets several.
    `partner_turns` counts what the partner says after its fixed opening, at `messages_each` messages per dialogue.
    `debates` counts those that are read. Calls and tokens are what the partner's turns take if each one is asked for as
    often as it may be, and what debates take that are argued while people wait; 0 for the script and for prepared ones.
    """

    condition: str
    share: float
    people: int | None
    dialogues: int
    messages_each: int
    partner_turns: int
    debates: int
    calls_at_most: int
    input_tokens_at_most: int
    output_tokens_at_most: int
    model: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What a study needs at most, dialogues of twice the required messages assumed; people who leave come on top.

    `cost_usd` is 0 where no paid model speaks, and None (unknown) where one does.
    """

    items: int
    places: int
    people: int
    tasks: tuple[TaskPlan, ...]
    conditions: tuple[ConditionPlan, ...]
    cost_usd: float | None
    notes: tuple[str, ...]


def plan(study: Study) -> Plan:
    """Count what `study` needs, and note what its owner may have overlooked."""
    n_conditions = len(study.conditions)
    tasks = tuple(TaskPlan(task.name, len(task.items), _places(task) * n_conditions) for task in study.tasks)
    conditions = tuple(_condition_plan(study, condition) for condition in study.conditions)
    paid = any(p.calls_at_most and not p.model.startswith("local:") for p in conditions)
    return Plan(
        items=sum(task.items for task in tasks),
        places=sum(task.places for task in tasks),
        people=_people(study, 1) * n_conditions if study.assign == "person" else _people(study, n_conditions),
        tasks=tasks,
        conditions=conditions,
        cost_usd=None if paid else 0.0,
        notes=tuple(_notes(study)),
    )


def _places(task: Task) -> int:
    """How many assignments one condition completes."""
    return len(task.items) * task.annotators_per_item


def _people(study: Study, times: int) -> int:
    """The fewest people who fill the places of `times` conditions."""
    return max(ceil(_places(task) * times / task.items_per_person) for task in study.tasks)


def _condition_plan(study: Study, condition: Condition) -> ConditionPlan:
    talks = condition.has("discuss")
    dialogues = sum(_places(task) for task in study.tasks) if talks else 0
    messages = 2 * condition.partner.min_messages if talks else 0
    asked = ATTEMPTS if condition.partner.model != "script" else 0
    reads = condition.has("debate")
    argued = ARGUMENTS * _debates_to_argue(study) if reads else 0
    return ConditionPlan(
        condition=condition.name,
        share=condition.weight / sum(other.weight for other in study.conditions),
        people=_people(study, 1) if study.assign == "person" else None,
        dialogues=dialogues,
        messages_each=messages,
        partner_turns=dialogues * messages,
        debates=sum(_places(task) for task in study.tasks) if reads else 0,
        calls_at_most=dialogues * messages * asked + argued,
        input_tokens_at_most=asked * _input_tokens(study, messages) if talks else argued * _tokens_to_argue(study),
        output_tokens_at_most=dialogues * messages * asked * REPLY_TOKENS + argued * ARGUMENT_TOKENS,
        model=condition.partner.model if talks else _arguing(study) if argued else "",
    )


def _debates_to_argue(study: Study) -> int:
    """How many debates would be argued while people wait, at most: for any two labels of each item without a prepared one."""
    if study.item_debates is None or not study.item_debates.panel:
        return 0
    return sum(comb(len(t.labels), 2) for t in study.tasks for item in t.items if not item.debates)


def _tokens_to_argue(study: Study) -> int:
    """What one argument reads at most: instructions, the longest item, what was said before."""
    most_chars = max(
        len(item.text) + sum(map(len, item.context.values())) + longest(task.guideline)
        for task in study.tasks
        for item in task.items
    )
    return ceil((PROMPT_CHARS + most_chars) / CHARS_PER_TOKEN) + (ARGUMENTS - 1) * ARGUMENT_TOKENS


def _arguing(study: Study) -> str:
    """The models that argue, as the study names them."""
    assert study.item_debates is not None, "only a study with debates on its items has agents that argue"
    panel = next(panel for panel in study.models if panel.name == study.item_debates.panel)
    return " / ".join(dict.fromkeys(agent.model for agent in panel.agents[: DEBATE_AT_LEAST - 1]))


def _input_tokens(study: Study, messages: int) -> int:
    """What all dialogues of one condition send when each turn is asked for once."""
    # The n-th reply reads the opening, n messages and n - 1 replies.
    talk = sum(2 * n * MESSAGE_CHARS for n in range(1, messages + 1))
    chars = 0
    for task in study.tasks:
        standing = PROMPT_CHARS + longest(task.guideline) + longest(task.question)
        per_round = sum(
            messages * (standing + len(item.text) + sum(map(len, item.context.values()))) + talk for item in task.items
        )
        chars += per_round * task.annotators_per_item
    return ceil(chars / CHARS_PER_TOKEN)


def longest(text: Text) -> int:
    """Characters of a text in its longest language."""
    return max(map(len, text.by_language.values()), default=0)


def _notes(study: Study) -> Iterator[str]:
    for language in study.languages:
        missing = [key for key, text in _texts(study) if text.by_language and language not in text.by_language]
        if missing:
            more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
            yield f"not in {language!r}, so another language is shown: {', '.join(missing[:5])}{more}"
    yield from _notes_on_conditions(study)
    yield from _notes_on_debates(study)
    yield from notes_on_suggestions(study)
    if study.open_to == "models":
        return
    if study.open_to == "experts":
        yield "open to experts only: invite each with `crito expert add`"
        return
    first_labels = sum(task.items_per_person for task in study.tasks)
    if len(study.attention_checks) != first_labels:
        n_checks = len(study.attention_checks)
        yield f"each person gives {first_labels} first labels, and there are {n_checks} attention checks: one goes with each"
    if study.attention_checks and study.attention_allowed >= min(len(study.attention_checks), first_labels):
        yield f"attention_allowed is {study.attention_allowed}: nobody can fail"
    for ending in CODED_ENDINGS if study.completion.provider != "none" else ():
        if ending not in study.completion.codes:
            yield f"no completion code for {ending!r}: these people go back without one"
    if not study.contact:
        yield "no contact: people cannot ask anyone about the study"


def _notes_on_conditions(study: Study) -> Iterator[str]:
    for condition in study.conditions:
        partner, name = condition.partner, condition.name
        if not condition.has("consent") and study.open_to == "anyone":
            yield f"condition {name!r} does not ask for consent"
        if condition.has("discuss") and not condition.has("reannotate"):
            yield f"condition {name!r} has a talk and no second labelling after it"
        if condition.has("discuss") and partner.model == "script" and (partner.persona or partner.rules_off):
            yield f"condition {name!r}: the scripted partner has no persona and keeps all rules"
        if condition.has("discuss") and partner.only_on_disagreement:
            yield f"condition {name!r} talks only with people whose label is not the usual one: this taxes minority views"


def _notes_on_debates(study: Study) -> Iterator[str]:
    """What is read where, and what has yet to be argued."""
    reads = any(condition.has("debate") for condition in study.conditions)
    if study.item_debates is None:
        return
    if not reads:
        yield "item_debates: no condition has the step `debate`, so nobody reads them"
        return
    without = sum(not item.debates for task in study.tasks for item in task.items)
    if without:
        yield (
            f"{without} items have no prepared debate: `crito label` has panel {study.item_debates.panel!r} argue beforehand; "
            f"where it has not, two agents argue while the person waits, {ARGUMENTS} calls a debate, kept for those who follow"
        )


def notes_on_suggestions(study: Study) -> Iterator[str]:
    """What the owner may have overlooked about suggestions and the blind sample."""
    suggestions = study.suggestions
    if suggestions is None:
        return
    for task in study.tasks:
        n_blind = blind_sample_size(suggestions.blind_rate, len(task.items))
        if n_blind < suggestions.minimum_blind_sample:
            yield Phrase(
                "task %(task)s has %(items)s items, so its blind sample has %(blind)s, and a handoff needs %(least)s: raise "
                "blind_rate, add items, or lower minimum_blind_sample",
                task=repr(task.name), items=len(task.items), blind=n_blind, least=suggestions.minimum_blind_sample,
            )  # fmt: skip
        if task.withheld_fields:
            fields = ", ".join(task.withheld_fields)
            yield Phrase(
                "task %(task)s: these fields of the items look as if they carried labels and are shown to nobody: %(fields)s; "
                "name those that carry none under suggestions.show_fields", task=repr(task.name), fields=fields,
            )  # fmt: skip
    if suggestions.display == "before_label":
        yield Phrase("suggestions are in view on every item, so no label is blind and nothing can be certified")


def _texts(study: Study) -> Iterator[tuple[str, Text]]:
    """Every text that people see, with its key."""
    yield from (("title", study.title), ("consent", study.consent), ("instructions", study.instructions))
    yield "pause", study.pause
    for task in study.tasks:
        key = f"tasks.{task.name}"
        yield from (
            (f"{key}.title", task.title),
            (f"{key}.question", task.question),
            (f"{key}.guideline", task.guideline),
        )
        for label in task.labels:
            yield f"{key}.labels.{label.name}", label.text
            yield f"{key}.labels.{label.name}.description", label.description
    yield from ((f"confidence.{step.name}", step.text) for step in study.confidence)
    checks = [check.question for check in study.attention_checks]
    for part, questions in (
        ("expectations", study.expectations),
        ("attention_checks", checks),
        ("reconsiderations", study.reconsiderations),
        ("survey", study.survey),
        ("about_you", study.about_you),
    ):
        for question in questions:
            yield from _texts_of(question, f"{part}.{question.key}")


def _texts_of(question: Question, key: str) -> Iterator[tuple[str, Text]]:
    yield key, question.text
    yield f"{key}.low", question.low
    yield f"{key}.high", question.high
    yield from ((f"{key}.options.{option.name}", option.text) for option in question.options)
