"""The section `models` of a study file, and task files for models alone."""

import pytest

from crito.model.errors import InvalidInput, InvalidStudy
from crito.model.study import HATS, Agent, Panel, Study
from crito.prompts.labellers import labeller_personas
from crito.studies.definition import dump, load
from crito.studies.study_file import parse_task
from tests.studies.folder import FILES, SMALL, parse, problems

TASK = "question: Is it ironic?\nlabels: [yes, no]\n"


def task(text: str, items: str = "items.jsonl") -> Study:
    return parse_task(text, file="tasks/Irony 2.yaml", items=items, read=lambda name: FILES[name])


def mistakes(text: str, items: str = "items.jsonl") -> tuple[InvalidInput, ...]:
    with pytest.raises(InvalidStudy) as refused:
        task(text, items)
    return refused.value.problems


def models(*lines: str) -> str:
    return SMALL + "models:\n" + "".join(f"  - {line}\n" for line in lines)


def test_a_study_has_no_panels_unless_it_names_some() -> None:
    assert parse(SMALL).models == ()


def test_one_model_is_a_panel_of_one_that_is_asked_directly() -> None:
    (panel,) = parse(models("{name: plain, panel: openai:gpt-4o}")).models

    assert panel == Panel("plain", "vanilla", (Agent("openai:gpt-4o"),))


def test_a_model_may_stand_in_a_panel_several_times_with_personas() -> None:
    text = models("{name: trio, method: discussion, panel: [a:b, {model: a:b, persona: red_hat, reasoning: 2048}]}")

    (panel,) = parse(text).models

    assert panel.agents == (Agent("a:b"), Agent("a:b", "red_hat", 2048))
    assert (panel.max_rounds, panel.ties) == (2, "escalate")


def test_an_edition_with_panels_reads_back_as_the_same_study() -> None:
    study = parse(models("{name: plain, panel: openai:gpt-4o}"))

    assert load(dump(study)) == study


@pytest.mark.parametrize(
    ("line", "key", "words"),
    [
        ("{name: a, panel: [a:b, a:c]}", "models[0].panel", "one model labels alone"),
        ("{name: a, method: cot, panel: []}", "models[0].panel", "at least 1"),
        ("{name: a, method: talk, panel: a:b}", "models[0].method", "discussion"),
        ("{name: a, panel: gpt}", "models[0].panel[0].model", "provider:name"),
        ("{name: a, panel: {model: a:b, persona: red_hut}}", "models[0].panel[0].persona", "red_hat"),
        ("{name: a, panel: {model: a:b, reasoning: hard}}", "models[0].panel[0].reasoning", "reasoning"),
        ("{name: a, panel: a:b, rounds: 3}", "models[0].rounds", "max_rounds"),
    ],
)
def test_a_mistake_in_a_panel_is_told_with_its_key(line: str, key: str, words: str) -> None:
    (problem, *_) = problems(models(line))

    assert problem.line == 8
    assert problem.key.startswith(key)
    assert words in str(problem)


def test_two_panels_of_one_name_are_refused() -> None:
    (problem,) = problems(models("{name: a, panel: a:b}", "{name: a, panel: a:c}"))

    assert (problem.line, problem.key) == (9, "models[1].name")


def test_every_hat_has_its_words() -> None:
    assert tuple(labeller_personas()) == HATS


def test_a_task_file_makes_a_study_without_people_named_after_the_file() -> None:
    study = task(TASK)

    assert (study.name, study.tasks[0].name, study.conditions, study.survey) == ("irony_2", "irony_2", (), ())
    assert [item.id for item in study.tasks[0].items] == ["one", "two"]


def test_a_task_file_may_say_which_columns_hold_what() -> None:
    files = {"rows.csv": b"key,sentence,answer\n1,Nice queue,no\n"}
    text = TASK + "name: queue\nitems: {id: key, text: sentence, gold: answer}\n"

    study = parse_task(text, file="t.yaml", items="rows.csv", read=lambda name: files[name])

    (item,) = study.tasks[0].items
    assert (study.name, item.id, item.text, item.gold) == ("t", "1", "Nice queue", "no")


@pytest.mark.parametrize(
    ("text", "line", "key", "words"),
    [
        ("just words", 1, "", "question"),
        ("question: Q?\nlabels: [yes]\n", 2, "labels", "at least 2"),
        ("question: Q?\nlabels: [yes, yes]\n", 2, "labels[1]", "twice"),
        ("question: Q?\nlables: [yes, no]\n", 2, "lables", "`labels`"),
        ("question: Q?\nlabels: [yes, no]\nguideline: none.md\n", 3, "guideline", "no such file"),
    ],
)
def test_a_mistake_in_a_task_file_is_told_with_its_line_and_key(text: str, line: int, key: str, words: str) -> None:
    def read(name: str) -> bytes:
        if name not in FILES:
            raise FileNotFoundError(name)
        return FILES[name]

    with pytest.raises(InvalidStudy) as refused:
        parse_task(text, file="task.yaml", items="items.jsonl", read=read)

    found = [(problem.line, problem.key) for problem in refused.value.problems]
    assert (line, key) in found
    assert words in str(refused.value)


def test_items_with_one_id_are_refused_with_their_line() -> None:
    (problem,) = mistakes(TASK, "twice.jsonl")

    assert (problem.file, problem.line) == ("twice.jsonl", 3)


def test_a_task_may_bring_prompts_and_a_panel_examples_and_probabilities(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FILES, "label.txt", b"version: 2\n---\nPick one:\n$labels\n")

    study = task(TASK + "prompts: {label: label.txt}\n")
    (panel,) = parse(models("{name: plain, panel: a:b, examples: 3, probabilities: true}")).models

    assert study.tasks[0].prompts == {"label": "version: 2\n---\nPick one:\n$labels"}
    assert (panel.examples, panel.probabilities) == (3, True)
    assert load(dump(study)) == study


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Pick $labels of $item", "a blank that nothing fills"),
        ("Pick one.", "lacks a blank"),
        ("Pick $labels for $ 5", "stands alone"),
    ],
)
def test_a_prompt_that_cannot_work_is_refused(monkeypatch: pytest.MonkeyPatch, text: str, problem: str) -> None:
    monkeypatch.setitem(FILES, "label.txt", text.encode())

    (found,) = mistakes(TASK + "prompts: {label: label.txt}\n")

    assert problem in found.problem
    assert "prompts" in found.key
