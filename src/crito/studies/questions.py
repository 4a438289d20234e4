"""Questions and attention checks of a study file: those that come ready, and those of the study's own."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from crito.model.study import AttentionCheck, Condition, ConfidenceStep, Option, Question, Text
from crito.studies import ready
from crito.studies.reading import Reading
from crito.studies.sections import AttentionSection, ConfidenceSection, OptionSection, QuestionSection
from crito.studies.shape import one_of
from crito.studies.texts import names_once, words_of
from crito.studies.yaml_text import KeyPath

FORM_FIELDS = frozenset({"label", "confidence", "rationale"})
"""Names of what every labelling page asks itself."""


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


def options_of(sections: Sequence[OptionSection], path: KeyPath, reading: Reading) -> tuple[Option, ...]:
    """The options of a question."""
    if len(sections) < 2:
        reading.complain(path, "a choice needs at least two options", len(sections))
    return tuple(Option(name, text) for name, text in names_once(sections, path, reading))


def confidence_of(sections: Sequence[ConfidenceSection] | None, reading: Reading) -> tuple[ConfidenceStep, ...]:
    """The steps of confidence, spread evenly where they have no values."""
    if sections is None:
        return ready.in_languages(ready.CONFIDENCE, reading.languages)
    named = names_once(sections, ("confidence",), reading)
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


def questions_of(
    sections: Sequence[QuestionSection] | None, part: str, default: Sequence[Question], reading: Reading
) -> tuple[Question, ...]:
    """The questions of one part of the study; `default` where the file has none."""
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


def about_you_of(sections: Sequence[QuestionSection], reading: Reading) -> tuple[Question, ...]:
    """Questions about the person: choices, and never required."""
    questions = questions_of(sections, "about_you", (), reading)
    for place, question in enumerate(questions):
        if question.kind != "choice":
            problem = "a question about the person needs `options`, so that people can be grouped"
            reading.complain(("about_you", place), problem, question.key, "give it options, broad ones")
    return tuple(replace(question, required=False, only_with=None) for question in questions)


def usual_questions(conditions: Sequence[Condition]) -> tuple[Question, ...]:
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
        text=words_of(section.text, (*path, "text"), reading, default=base.text),
        low=words_of(section.low, (*path, "low"), reading, default=base.low),
        high=words_of(section.high, (*path, "high"), reading, default=base.high),
    )
    if section.options is not None:
        options = options_of(section.options, (*path, "options"), reading)
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


def attention_checks_of(sections: Sequence[AttentionSection] | None, reading: Reading) -> tuple[AttentionCheck, ...]:
    """The attention checks; the ready ones where the file says nothing."""
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
    text = words_of(section.text, (*path, "text"), reading, default=question.text)
    options = question.options
    if section.options is not None:
        options = options_of(section.options, (*path, "options"), reading)
    expected = section.expected or (base.expected if base else "")
    names = [option.name for option in options]
    if expected not in names:
        reading.complain((*path, "expected"), "this is none of the options", expected, one_of(expected, names))
    return AttentionCheck(replace(question, text=text, options=options), expected)


def check_first_form(expectations: Sequence[Question], checks: Sequence[AttentionCheck], reading: Reading) -> None:
    """Expectations and attention checks stand on one form: no two may share a key."""
    taken = {question.key for question in expectations} | FORM_FIELDS
    for place, check in enumerate(checks):
        if check.question.key in taken:
            problem = "another question of the first labelling has this key"
            reading.complain(("attention_checks", place), problem, check.question.key, "give it another key")
        taken.add(check.question.key)
