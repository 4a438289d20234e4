"""A study file's text as a `Study`, or everything that is wrong with it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from string import Template

from crito.model.errors import InvalidInput, InvalidStudy
from crito.model.ids import Language, StudyName, TaskName
from crito.model.study import (
    DEBATE_AT_LEAST,
    GROUP_METHODS,
    HATS,
    STATES,
    STEPS,
    Agent,
    AttentionCheck,
    Completion,
    Condition,
    ConfidenceStep,
    Ending,
    Item,
    Label,
    Option,
    Panel,
    Partner,
    Pay,
    Question,
    Step,
    Study,
    Task,
    Text,
)
from crito.studies import ready
from crito.studies.debates import debates_of
from crito.studies.item_files import Columns, decode, read_items
from crito.studies.prepared_debates import item_debates, with_prepared_debates
from crito.studies.reading import Read, Reading
from crito.studies.recorded_labels import fingerprint, suggesting, with_recorded_labels, without_labels
from crito.studies.sections import (
    AttentionSection,
    CompletionSection,
    ConfidenceSection,
    ItemsSection,
    LabelSection,
    OptionSection,
    PanelSection,
    PartnerSection,
    QuestionSection,
    StudyFile,
    TaskSection,
    name_from,
)
from crito.studies.shape import one_of, shape_of
from crito.studies.yaml_text import KeyPath, YamlText, parse_yaml

FORM_FIELDS = frozenset({"label", "confidence", "rationale"})
"""Names of what every labelling page asks itself."""

_NOT_IN_NAMES = re.compile(r"[^a-z0-9_-]+")

PROLIFIC_RETURN = "https://app.prolific.com/submissions/complete?cc={code}"

LOCAL_FIRST_SENTENCE_S = 30.0
"""How long a person waits for a local model's first words unless the file says otherwise."""

READY_QUESTIONS: Mapping[str, Question] = {
    question.key: question
    for question in (
        *ready.EXPECTATIONS,
        *ready.RECONSIDERATIONS,
        *ready.ABOUT_DEBATES,
        *ready.NASA_TLX,
        *ready.EXPERIENCE,
        *ready.ABOUT_YOU,
    )
}
"""Questions that a study file may name instead of writing them."""

READY_CHECKS: Mapping[str, AttentionCheck] = {check.question.key: check for check in ready.ATTENTION_CHECKS}


def parse_study(text: str, *, file: str, read: Read) -> Study:
    """The study that `text`, the content of a study file called `file`, defines.

    Args:
        read: gives the bytes of the files it names.

    Raises:
        InvalidStudy: with every problem of the file and of the files it names, in the order of the study file.
    """
    yaml = parse_yaml(text, file=file)
    if not isinstance(yaml.value, dict):
        problem = InvalidInput("this is no study file", None, "begin with `study: NAME` and `tasks:`", file, 1)
        raise InvalidStudy((problem,))
    study = _parsed(Reading(file, yaml, read))
    return _without_people(study) if study.open_to == "models" else study


def parse_task(text: str, *, file: str, items: str, read: Read) -> Study:
    """A study of one task and nobody but models, from the content of a task file: the keys of a task, without the rest.

    Args:
        items: the file with the items, in place of the one that the task may name; empty for that one.
        read: gives the bytes of the files it names, and of `items`.

    Raises:
        InvalidStudy: with every problem of the file and of the files it names.
    """
    yaml = parse_yaml(text, file=file)
    if not isinstance(yaml.value, dict):
        problem = InvalidInput("this is no task file", None, "begin with `question: …` and `labels:`", file, 1)
        raise InvalidStudy((problem,))
    name = _NOT_IN_NAMES.sub("_", PurePosixPath(file).stem.lower()).strip("_-")[:64] or "task"
    task: dict[str, object] = {"name": name, **yaml.value}
    if items:
        named = task.get("items")
        task["items"] = {**(named if isinstance(named, dict) else {}), "file": items}
    lines = {("tasks", 0, *path): line for path, line in yaml.lines.items()}
    whole = YamlText({"study": name, "tasks": [task]}, lines)
    return _without_people(_parsed(Reading(file, whole, read, part=("tasks", 0))))


def _without_people(study: Study) -> Study:
    """The same tasks for models alone."""
    return replace(
        study, conditions=(), expectations=(), reconsiderations=(), attention_checks=(), survey=(), about_you=(),
        consent=Text({}), instructions=Text({}), pause=Text({}),
    )  # fmt: skip


def _parsed(reading: Reading) -> Study:
    shape = shape_of(reading.yaml.value, reading)
    study = None
    if shape.sections is not None:
        deeper = Reading(reading.file, reading.yaml, reading.read, reading.part)
        study = _study(shape.sections, shape.places, deeper)
        # What was left out for its shape cannot be judged further, and nothing that follows from its absence is news.
        reading.problems += [found for found in deeper.problems if not {found[0][:1], found[0][:2]} & shape.broken]
    if reading.problems or study is None:
        raise InvalidStudy(reading.in_order())
    return study


def _study(sections: StudyFile, places: Sequence[int], reading: Reading) -> Study:
    reading.languages = tuple(Language(tag) for tag in dict.fromkeys(sections.languages))
    conditions = _conditions(sections, reading)
    tasks = [_task(task, ("tasks", place), reading) for task, place in zip(sections.tasks, places, strict=True)]
    _check_tasks(tasks, places, reading)
    panels = _panels(sections.models, reading)
    suggestions = None
    if sections.suggestions:
        suggestions = suggesting(sections.suggestions, [panel.name for panel in panels], reading)
        tasks = [
            with_recorded_labels(
                without_labels(task, sections.suggestions), section.items, sections.suggestions, reading
            )
            for task, section in zip(tasks, sections.tasks, strict=True)
        ]
        suggestions = replace(suggestions, fingerprint=fingerprint(tasks) if suggestions.recorded else "")
    if sections.item_debates:
        tasks = with_prepared_debates(tasks, sections.item_debates, conditions, reading)
    if sections.open_to == "models" and not (sections.models or sections.debates):
        wanted = "describe a panel under `models:`, or leave `open_to` out"
        reading.complain(("open_to",), "only models are to take part, and there is none", "models", wanted)
    expectations = _questions(sections.expectations, "expectations", ready.EXPECTATIONS, reading)
    checks = _attention_checks(sections.attention_checks, reading)
    _check_first_form(expectations, checks, reading)
    flows = [condition.flow for condition in conditions]
    partners = [condition.partner for condition in conditions if condition.has("discuss")]
    return Study(
        name=StudyName(sections.study),
        title=_text(sections.title, ("title",), reading, default=_plain(_as_words(sections.study), reading)),
        tasks=tuple(tasks),
        conditions=conditions,
        assign=sections.conditions.assign if sections.conditions else "person",
        languages=reading.languages,
        confidence=_confidence(sections.confidence, reading),
        expectations=expectations,
        reconsiderations=_questions(sections.reconsiderations, "reconsiderations", _usual(conditions), reading),
        attention_checks=checks,
        survey=_questions(sections.survey, "survey", (*ready.NASA_TLX, *ready.EXPERIENCE), reading),
        about_you=_about_you(sections.about_you, reading),
        smallest_group=sections.smallest_group,
        consent=_long_text(sections.consent, ("consent",), reading)
        or ready.in_languages(
            ready.consent_text(
                flows,
                partners,
                release=sections.release,
                retention_days=sections.retention_days,
                contact=sections.contact,
                models_argue=sections.item_debates is not None and sections.item_debates.panel is not None,
            ),
            reading.languages,
        ),
        instructions=_long_text(sections.instructions, ("instructions",), reading)
        or ready.in_languages(ready.instructions_text(flows), reading.languages),
        pause=_long_text(sections.pause, ("pause",), reading) or ready.in_languages(ready.PAUSE, reading.languages),
        completion=_completion(sections.completion, reading),
        pay=Pay(sections.pay.per_person, sections.pay.currency) if sections.pay else None,
        contact=sections.contact,
        release=sections.release,
        ask_rationale=sections.ask_rationale,
        attention_allowed=sections.attention_allowed,
        lease_minutes=sections.lease_minutes,
        retention_days=sections.retention_days,
        seed=sections.seed,
        models=panels,
        debates=debates_of(sections.debates, reading),
        suggestions=suggestions,
        open_to=sections.open_to,
        item_debates=item_debates(sections.item_debates, panels, conditions, reading),
    )


# Words


def _plain(words: str, reading: Reading) -> Text:
    return Text({reading.languages[0]: words})


def _as_words(name: str) -> str:
    words = name.replace("_", " ").replace("-", " ")
    return words[:1].upper() + words[1:]


def _text(words: Mapping[str, str] | None, path: KeyPath, reading: Reading, *, default: Text | None = None) -> Text:
    """`words` by language, in the order of the study's languages."""
    if words is None:
        return default or Text({})
    for language in words:
        if language and language not in reading.languages:
            wanted = one_of(language, reading.languages) + ", or add it to `languages`"
            reading.complain((*path, language), "the study has no such language", language, wanted)
    by_language = {Language(language or reading.languages[0]): text for language, text in words.items()}
    return Text({language: by_language[language] for language in reading.languages if language in by_language})


def _long_text(words: Mapping[str, str] | None, path: KeyPath, reading: Reading) -> Text | None:
    """Like `_text`, for words that may stand in files of their own."""
    if words is None:
        return None
    written: dict[str, str] = {}
    for language, text in words.items():
        at = (*path, language) if language else path
        written[language] = _text_file(text, at, reading) if _is_file_name(text) else text
    return _text(written, path, reading)


def _is_file_name(text: str) -> bool:
    return "\n" not in text and PurePosixPath(text).suffix.lower() in (".md", ".txt")


def _text_file(name: str, path: KeyPath, reading: Reading) -> str:
    data = reading.content(name, path)
    if data is None:
        return ""
    try:
        text = decode(data, file=name).strip()
    except InvalidInput as problem:
        reading.add(path, problem)
        return ""
    if not text:
        reading.complain(path, "this file is empty", name, "write the text into it")
    return text


# Labels, options, steps


def _names(
    sections: Sequence[LabelSection | OptionSection | ConfidenceSection], path: KeyPath, reading: Reading
) -> list[tuple[str, Text]]:
    """Name and wording of each entry; a name is made from the words where none is given."""
    named: list[tuple[str, Text]] = []
    first: dict[str, int] = {}
    for place, section in enumerate(sections):
        at = (*path, place)
        text = _text(section.text, (*at, "text"), reading, default=_plain(section.name or "", reading))
        name = section.name or name_from(next(iter(text.by_language.values()), ""))
        if not name:
            reading.complain(at, "no name can be made from these words", wanted="write {name: …, text: …}")
        elif name in first:
            reading.complain(at, f"this name stands here twice, first as number {first[name] + 1}", name, "use another")
        first.setdefault(name, place)
        named.append((name, text))
    return named


def _labels(sections: Sequence[LabelSection], path: KeyPath, reading: Reading) -> tuple[Label, ...]:
    named = _names(sections, path, reading)
    for place, (name, _) in enumerate(named):
        if name in STATES:
            wanted = "choose another name; people get *Not sure* in the second labelling by itself"
            reading.complain((*path, place), "this name is kept for a state that is no label", name, wanted)
    described = (
        _text(section.description, (*path, place, "description"), reading) for place, section in enumerate(sections)
    )
    return tuple(Label(name, text, description) for (name, text), description in zip(named, described, strict=True))


def _options(sections: Sequence[OptionSection], path: KeyPath, reading: Reading) -> tuple[Option, ...]:
    if len(sections) < 2:
        reading.complain(path, "a choice needs at least two options", len(sections))
    return tuple(Option(name, text) for name, text in _names(sections, path, reading))


def _confidence(sections: Sequence[ConfidenceSection] | None, reading: Reading) -> tuple[ConfidenceStep, ...]:
    if sections is None:
        return ready.in_languages(ready.CONFIDENCE, reading.languages)
    named = _names(sections, ("confidence",), reading)
    values = [section.value for section in sections]
    without = [place for place, value in enumerate(values) if value is None]
    if without and len(without) < len(values):
        wanted = "give all steps a value from 0 to 1, or none"
        reading.complain(("confidence", without[0]), "this step has no value, and others have", wanted=wanted)
    even = [1 - place / (len(values) - 1) for place in range(len(values))]
    return tuple(
        ConfidenceStep(name, text, float(spread if value is None else value))
        for (name, text), value, spread in zip(named, values, even, strict=True)
    )


# Tasks


def _task(section: TaskSection, path: KeyPath, reading: Reading) -> Task:
    labels = _labels(section.labels, (*path, "labels"), reading)
    items = _items(section.items, labels, (*path, "items"), reading)
    if items and section.items_per_person > len(items):
        reading.complain(
            (*path, "items_per_person"), f"there are only {len(items)} items", section.items_per_person,
            "ask for fewer, or add items",
        )  # fmt: skip
    columns = section.items.context
    return Task(
        name=TaskName(section.name),
        title=_text(section.title, (*path, "title"), reading, default=_plain(_as_words(section.name), reading)),
        question=_text(section.question, (*path, "question"), reading),
        labels=labels,
        guideline=_long_text(section.guideline, (*path, "guideline"), reading) or Text({}),
        items=items,
        context_fields=tuple(
            columns if columns is not None else dict.fromkeys(name for i in items for name in i.context)
        ),
        items_per_person=section.items_per_person,
        annotators_per_item=section.annotators_per_item,
        explicit_only=section.explicit_only,
        prompts={
            name: _prompt(name, file, (*path, "prompts", name), reading) for name, file in section.prompts.items()
        },
    )


PROMPT_BLANKS: Mapping[str, frozenset[str]] = {
    "label": frozenset({"question", "guideline", "labels", "examples", "persona", "trigger"}),
    "review": frozenset({"draft"}),
    "refine": frozenset({"draft", "review"}),
    "discuss": frozenset({"history"}),
    "again": frozenset({"reply", "came", "labels"}),
}
"""The blanks that each prompt of a model that labels may have."""

PROMPT_NEEDS: Mapping[str, frozenset[str]] = {
    "label": frozenset({"labels"}), "refine": frozenset({"review"}), "discuss": frozenset({"history"}),
    "review": frozenset({"draft"}),
}  # fmt: skip
"""The blanks without which a prompt cannot do its work."""


def _prompt(name: str, file: str, path: KeyPath, reading: Reading) -> str:
    """The text of a prompt file of the owner's own."""
    text = _text_file(file, path, reading)
    template = Template(text)
    if not template.is_valid():
        reading.complain(path, "a `$` stands alone in this prompt", file, "write `$$` for a dollar sign")
        return text
    blanks = set(template.get_identifiers())
    if unknown := sorted(blanks - PROMPT_BLANKS[name]):
        wanted = f"use {', '.join(f'${blank}' for blank in sorted(PROMPT_BLANKS[name]))}"
        reading.complain(path, "this prompt has a blank that nothing fills", f"${unknown[0]}", wanted)
    elif missing := sorted(PROMPT_NEEDS.get(name, frozenset()) - blanks) if text else []:
        reading.complain(path, "this prompt lacks a blank", file, f"put ${missing[0]} where it belongs")
    return text


def _items(section: ItemsSection, labels: Sequence[Label], path: KeyPath, reading: Reading) -> tuple[Item, ...]:
    at = (*path, "file") if (*path, "file") in reading.yaml.lines else path
    data = reading.content(section.file, at)
    if data is None:
        return ()
    gold_names = {text: label.name for label in labels for text in label.text.by_language.values()}
    gold_names |= {label.name: label.name for label in labels}
    columns = Columns(section.id, section.text, section.context, section.gold, section.where or {})
    items, problems = read_items(data, file=section.file, columns=columns, gold_names=gold_names)
    for problem in problems:
        reading.add(path, problem)
    return items


def _check_tasks(tasks: Sequence[Task], places: Sequence[int], reading: Reading) -> None:
    """One name for one task, and one id for one item in the whole study."""
    first: dict[str, Item] = {}
    names: set[str] = set()
    for task, place in zip(tasks, places, strict=True):
        if task.name in names:
            reading.complain(("tasks", place, "name"), "two tasks have one name", task.name, "use another")
        names.add(task.name)
        clash = next((item for item in task.items if first.setdefault(item.id, item).text != item.text), None)
        if clash:
            wanted = "an id names one item in the whole study: put the task's name before it, as in `sarcasm-1`"
            problem = "an item of another task has this id and another text"
            reading.complain(("tasks", place, "items"), problem, clash.id, wanted)


# Questions


def _questions(
    sections: Sequence[QuestionSection] | None, part: str, default: Sequence[Question], reading: Reading
) -> tuple[Question, ...]:
    if sections is None:
        return ready.in_languages(tuple(default), reading.languages)
    questions: dict[str, Question] = {}
    for place, section in enumerate(sections):
        path = (part, place)
        for question in _named(section, path, reading):
            if question.key in questions or question.key in FORM_FIELDS:
                problem = "a question with this key stands here already"
                reading.complain(path, problem, question.key, "give it another key")
            _check_branch(question, path, questions, reading)
            questions.setdefault(question.key, question)
    return tuple(questions.values())


def _about_you(sections: Sequence[QuestionSection], reading: Reading) -> tuple[Question, ...]:
    """Questions about the person: choices, and never required."""
    questions = _questions(sections, "about_you", (), reading)
    for place, question in enumerate(questions):
        if question.kind != "choice":
            problem = "a question about the person needs `options`, so that people can be grouped"
            reading.complain(("about_you", place), problem, question.key, "give it options, broad ones")
    return tuple(replace(question, required=False, only_with=None) for question in questions)


def _usual(conditions: Sequence[Condition]) -> tuple[Question, ...]:
    """What is asked with the second label unless the file says otherwise."""
    reads = any(condition.has("debate") for condition in conditions)
    return (*ready.RECONSIDERATIONS, *(ready.ABOUT_DEBATES if reads else ()))


def _named(section: QuestionSection, path: KeyPath, reading: Reading) -> Iterator[Question]:
    """The questions that one entry stands for."""
    if section.key in ready.BLOCKS and section.model_fields_set == {"key"}:
        yield from ready.in_languages(ready.BLOCKS[section.key], reading.languages)
        return
    base = ready.in_languages(READY_QUESTIONS.get(section.key), reading.languages)
    if base is None and section.text is None:
        wanted = one_of(section.key, [*ready.BLOCKS, *READY_QUESTIONS])
        reading.complain(
            path, "there is no ready-made question of this name", section.key, f"give it a `text`, or {wanted}"
        )
        return
    yield _question(section, base or Question(section.key, Text({}), "text", required=False), path, reading)


def _question(section: QuestionSection, base: Question, path: KeyPath, reading: Reading) -> Question:
    """`base` with what `section` says."""
    if section.options is not None and section.steps is not None:
        reading.complain(path, "a question has `options` or `steps`, not both", wanted="take one of them out")
    question = replace(
        base,
        text=_text(section.text, (*path, "text"), reading, default=base.text),
        low=_text(section.low, (*path, "low"), reading, default=base.low),
        high=_text(section.high, (*path, "high"), reading, default=base.high),
    )
    if section.options is not None:
        options = _options(section.options, (*path, "options"), reading)
        question = replace(question, kind="choice", options=options, steps=0)
    elif section.steps is not None:
        question = replace(question, kind="scale", options=(), steps=section.steps)
    if question.kind != "scale" and (section.low or section.high):
        reading.complain(
            path, "only a scale has words at its ends", wanted="give `steps`, or take `low` and `high` out"
        )
    required = question.required if base.text.by_language else question.kind != "text"
    return replace(
        question,
        required=required if section.required is None else section.required,
        only_if=base.only_if if section.only_if is None else _branch(section.only_if, path, reading),
        only_with=section.only_with or base.only_with,
    )


def _branch(
    only_if: Mapping[str, Sequence[str]], path: KeyPath, reading: Reading
) -> tuple[str, tuple[str, ...]] | None:
    if len(only_if) != 1:
        problem = "`only_if` names one earlier question"
        reading.complain(
            (*path, "only_if"), problem, len(only_if), "write {question: answer} or {question: [answer, answer]}"
        )
        return None
    return next((key, tuple(answers)) for key, answers in only_if.items())


def _check_branch(question: Question, path: KeyPath, earlier: Mapping[str, Question], reading: Reading) -> None:
    if question.only_if is None:
        return
    key, answers = question.only_if
    at = (*path, "only_if")
    before = earlier.get(key)
    if before is None:
        reading.complain(at, "no question of this key stands before this one", key, one_of(key, list(earlier)))
        return
    options = [option.name for option in before.options]
    for answer in answers:
        if answer not in options:
            reading.complain(at, f"question {key!r} has no such option", answer, one_of(answer, options))


def _attention_checks(sections: Sequence[AttentionSection] | None, reading: Reading) -> tuple[AttentionCheck, ...]:
    if sections is None:
        return ready.in_languages(ready.ATTENTION_CHECKS, reading.languages)
    return tuple(
        check
        for place, section in enumerate(sections)
        if (check := _attention_check(section, ("attention_checks", place), reading))
    )


def _attention_check(section: AttentionSection, path: KeyPath, reading: Reading) -> AttentionCheck | None:
    base = ready.in_languages(READY_CHECKS.get(section.key), reading.languages)
    if base is None and not (section.text and section.options and section.expected):
        wanted = "give it `text`, `options` and `expected`, or " + one_of(section.key, list(READY_CHECKS))
        reading.complain(path, "there is no ready-made attention check of this name", section.key, wanted)
        return None
    question = base.question if base else Question(section.key, Text({}), "choice")
    text = _text(section.text, (*path, "text"), reading, default=question.text)
    options = question.options
    if section.options is not None:
        options = _options(section.options, (*path, "options"), reading)
    expected = section.expected or (base.expected if base else "")
    names = [option.name for option in options]
    if expected not in names:
        reading.complain((*path, "expected"), "this is none of the options", expected, one_of(expected, names))
    return AttentionCheck(replace(question, text=text, options=options), expected)


def _check_first_form(expectations: Sequence[Question], checks: Sequence[AttentionCheck], reading: Reading) -> None:
    """Expectations and attention checks stand on one form: no two may share a key."""
    taken = {question.key for question in expectations} | FORM_FIELDS
    for place, check in enumerate(checks):
        if check.question.key in taken:
            problem = "another question of the first labelling has this key"
            reading.complain(("attention_checks", place), problem, check.question.key, "give it another key")
        taken.add(check.question.key)


# Conditions


def _conditions(sections: StudyFile, reading: Reading) -> tuple[Condition, ...]:
    flow = _flow(sections.flow, ("flow",), reading)
    partner = _partner(sections.partner, ("partner",), reading)
    if sections.conditions is None:
        name = "socratic" if "discuss" in flow else "debate" if "debate" in flow else "solo"
        return (Condition(name, flow, partner),)
    own = sections.conditions.__pydantic_extra__
    if not own:
        reading.complain(("conditions",), "no condition is named", wanted="write `NAME: {}` for each condition")
    conditions = []
    for name, section in own.items():
        path = ("conditions", name)
        over = section.partner
        conditions.append(
            Condition(
                name,
                flow if section.flow is None else _flow(section.flow, (*path, "flow"), reading),
                _partner(_over(sections.partner, over), (*path, "partner"), reading) if over else partner,
                float(section.weight),
            )
        )
    if sections.conditions.assign == "item":
        _check_person_steps(conditions, reading)
    return tuple(conditions)


def _over(partner: PartnerSection, own: PartnerSection) -> PartnerSection:
    """`partner` with the keys that a condition sets itself."""
    return partner.model_copy(update={key: getattr(own, key) for key in own.model_fields_set})


def _flow(steps: Sequence[Step], path: KeyPath, reading: Reading) -> tuple[Step, ...]:
    if "annotate" not in steps:
        reading.complain(path, "every flow has the step `annotate`", wanted="add it")
    if "discuss" in steps and "debate" in steps:
        wanted = "keep one; to compare them, give each a condition of its own"
        reading.complain(path, "a flow has `discuss` or `debate`, not both", ", ".join(steps), wanted)
    if list(steps) != [step for step in STEPS if step in steps]:
        reading.complain(
            path, "the steps come in one order, each once", ", ".join(steps), f"keep to {', '.join(STEPS)}"
        )
    return tuple(steps)


def _check_person_steps(conditions: Sequence[Condition], reading: Reading) -> None:
    """Where conditions are drawn per item, consent and survey belong to the person and cannot differ."""
    for step in ("consent", "survey"):
        having = [condition.has(step) for condition in conditions]
        if any(having) and not all(having):
            name = conditions[having.index(False)].name
            problem = f"conditions drawn per item must all have `{step}`, or none"
            wanted = "use `assign: person`, or the same in all conditions"
            reading.complain(("conditions", name), problem, wanted=wanted)


def _partner(section: PartnerSection, path: KeyPath, reading: Reading) -> Partner:
    wait_s = section.first_sentence_s
    if "first_sentence_s" not in section.model_fields_set and section.model.startswith("local:"):
        wait_s = LOCAL_FIRST_SENTENCE_S
    return Partner(
        model=section.model,
        persona=_persona(section.persona, (*path, "persona"), reading),
        min_messages=section.min_messages,
        first_sentence_s=float(wait_s),
        rules_off=frozenset(section.rules_off),
        only_on_disagreement=section.only_on_disagreement,
        messages_per_minute=section.messages_per_minute,
    )


def _persona(words: str, path: KeyPath, reading: Reading) -> str:
    if " " not in words and words and words not in ready.PERSONAS:
        reading.complain(
            path, "there is no ready-made persona of this name", words, one_of(words, list(ready.PERSONAS))
        )
    return ready.PERSONAS.get(words, words)


# Models that label


def _panels(sections: Sequence[PanelSection], reading: Reading) -> tuple[Panel, ...]:
    panels: dict[str, Panel] = {}
    for place, section in enumerate(sections):
        path = ("models", place)
        if section.name in panels:
            reading.complain((*path, "name"), "two panels have one name", section.name, "use another")
        if section.method not in GROUP_METHODS and len(section.panel) != 1:
            problem = f"with the method {section.method!r} one model labels alone, and here are {len(section.panel)}"
            groups = " or ".join(sorted(GROUP_METHODS))
            reading.complain((*path, "panel"), problem, wanted=f"name one, or use {groups}")
        if section.method == "debate" and len(section.panel) < DEBATE_AT_LEAST:
            wanted = "name two models that argue, and after them those that judge"
            reading.complain((*path, "panel"), "a debate needs two agents and a judge", len(section.panel), wanted)
        agents = tuple(
            Agent(agent.model, _hat(agent.persona, (*path, "panel", number, "persona"), reading), agent.reasoning)
            for number, agent in enumerate(section.panel)
        )
        panels.setdefault(
            section.name,
            Panel(
                name=section.name,
                method=section.method,
                agents=agents,
                max_rounds=section.max_rounds,
                samples=section.samples,
                ties=section.ties,
                trigger=section.trigger,
                max_tokens=section.max_tokens,
                only_disputed=section.only_disputed,
                examples=section.examples,
                probabilities=section.probabilities,
            ),
        )
    return tuple(panels.values())


def _hat(words: str, path: KeyPath, reading: Reading) -> str:
    if words and " " not in words and words not in HATS:
        reading.complain(path, "there is no ready-made persona of this name", words, one_of(words, HATS))
    return words


# Endings


def _completion(section: CompletionSection, reading: Reading) -> Completion:
    codes: dict[Ending, str] = {ending: code for ending, code in section.codes.items()}  # noqa: C416 - other types
    if section.code is not None:
        if codes.get("done", section.code) != section.code:
            reading.complain(("completion", "code"), "`codes` has another code for `done`", section.code, "keep one")
        codes = {"done": section.code, **codes}
    if section.provider != "none" and "done" not in codes:
        reading.complain(
            ("completion",), f"people from {section.provider} need a code when they are done", wanted="add `code: …`"
        )
    url = section.return_url or (PROLIFIC_RETURN if section.provider == "prolific" else "")
    if url and ("{code}" not in url or not url.startswith(("https://", "http://"))):
        wanted = "write a web address with {code} where the code goes"
        reading.complain(("completion", "return_url"), "this address cannot take a code", url, wanted)
    return Completion(section.provider, codes, url)
