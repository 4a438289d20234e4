"""A study file's text as a `Study`, or everything that is wrong with it."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from crito.model.errors import InvalidInput, InvalidStudy
from crito.model.ids import Language, StudyName
from crito.model.study import Completion, Ending, Pay, Study, Text
from crito.studies import ready
from crito.studies.debates import debates_of
from crito.studies.flows import conditions_of
from crito.studies.labelling_tasks import check_tasks, task_of
from crito.studies.panels import panels_of
from crito.studies.prepared_debates import item_debates, with_prepared_debates
from crito.studies.questions import (
    about_you_of,
    attention_checks_of,
    check_first_form,
    confidence_of,
    questions_of,
    usual_questions,
)
from crito.studies.reading import Read, Reading
from crito.studies.recorded_labels import fingerprint, suggesting, with_recorded_labels, without_labels
from crito.studies.sections import CompletionSection, StudyFile
from crito.studies.shape import shape_of
from crito.studies.texts import as_words, long_words_of, plain_words, words_of
from crito.studies.yaml_text import YamlText, parse_yaml

_NOT_IN_NAMES = re.compile(r"[^a-z0-9_-]+")
PROLIFIC_RETURN = "https://app.prolific.com/submissions/complete?cc={code}"


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
    conditions = conditions_of(sections, reading)
    tasks = [task_of(task, ("tasks", place), reading) for task, place in zip(sections.tasks, places, strict=True)]
    check_tasks(tasks, places, reading)
    panels = panels_of(sections.models, reading)
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
    expectations = questions_of(sections.expectations, "expectations", ready.EXPECTATIONS, reading)
    checks = attention_checks_of(sections.attention_checks, reading)
    check_first_form(expectations, checks, reading)
    flows = [condition.flow for condition in conditions]
    partners = [condition.partner for condition in conditions if condition.has("discuss")]
    return Study(
        name=StudyName(sections.study),
        title=words_of(sections.title, ("title",), reading, default=plain_words(as_words(sections.study), reading)),
        tasks=tuple(tasks),
        conditions=conditions,
        assign=sections.conditions.assign if sections.conditions else "person",
        languages=reading.languages,
        confidence=confidence_of(sections.confidence, reading),
        expectations=expectations,
        reconsiderations=questions_of(
            sections.reconsiderations, "reconsiderations", usual_questions(conditions), reading
        ),
        attention_checks=checks,
        survey=questions_of(sections.survey, "survey", (*ready.NASA_TLX, *ready.EXPERIENCE), reading),
        about_you=about_you_of(sections.about_you, reading),
        smallest_group=sections.smallest_group,
        consent=long_words_of(sections.consent, ("consent",), reading)
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
        instructions=long_words_of(sections.instructions, ("instructions",), reading)
        or ready.in_languages(ready.instructions_text(flows), reading.languages),
        pause=long_words_of(sections.pause, ("pause",), reading) or ready.in_languages(ready.PAUSE, reading.languages),
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
