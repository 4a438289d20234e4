"""Every mistake in a study file is told with its line, its key, what came and what would do."""

from typing import NamedTuple

import pytest

from crito.model.errors import InvalidStudy
from tests.studies.folder import SMALL, parse, problems


class Case(NamedTuple):
    """A study file with one mistake; `words` must stand in the message."""

    name: str
    text: str
    line: int
    key: str
    words: tuple[str, ...]


def task(*lines: str, labels: str = "[yes, no]", items: str = "items.jsonl") -> str:
    """A study whose only task ends in `lines`, from line 7 on."""
    head = SMALL.replace("[yes, no]", labels).replace("items.jsonl", items)
    return head + "".join(f"    {line}\n" for line in lines)


def top(*lines: str) -> str:
    """The smallest study followed by `lines`, from line 7 on."""
    return SMALL + "".join(f"{line}\n" for line in lines)


CASES = [
    Case("no study", "just words", 1, "", ("no study file", "study: NAME")),
    Case("empty", "", 1, "", ("no study file",)),
    Case("no YAML", "study: [a\ntasks: b", 2, "", ("not YAML",)),
    Case("tab", "study: a\n\ttasks: []", 2, "", ("not YAML",)),
    Case("two documents", SMALL + "---\nstudy: b\n", 7, "", ("not YAML", "document")),
    Case("key twice", top("seed: 1", "seed: 2"), 8, "seed", ("twice", "line 7")),
    Case("alias of itself", top("survey: &a [*a]"), 7, "survey[0]", ("contains itself",)),
    Case("no name", SMALL.replace("study: small\n", "seed: 1\n"), 1, "study", ("missing", "small letters")),
    Case("name", SMALL.replace("small", "My study"), 1, "study", ("'My study'", "small letters")),
    Case("no tasks", "study: a\n", 1, "tasks", ("missing", "list of tasks")),
    Case("tasks of nothing", "study: a\ntasks: []\n", 2, "tasks", ("at least 1", "0")),
    Case("typo at top", top("langages: [en]"), 7, "langages", ("no such key", "`languages`")),
    Case("key of a task at top", top("items_per_person: 2"), 7, "items_per_person", ("belongs in a task",)),
    Case("key of the study in a task", task("seed: 2"), 7, "tasks[0].seed", ("belongs at the top",)),
    Case("unknown key", top("wobble: 1"), 7, "wobble", ("the keys here are", "tasks")),
    Case("nothing written", top("title:"), 7, "title", ("is empty",)),
    Case("blank", top('title: "  "'), 7, "title", ("is blank",)),
    Case("truth value", top("contact: true"), 7, "contact", ("truth value", '"true"')),
    Case("list for text", top("title: [a]"), 7, "title", ("not a list",)),
    Case("text for list", top("languages: en"), 7, "languages", ("must be a list", "'en'")),
    Case("text for number", top('seed: "3"'), 7, "seed", ("whole number", "'3'")),
    Case("fraction for count", task("annotators_per_item: 2.5"), 7, "tasks[0].annotators_per_item", ("whole", "2.5")),
    Case("too small", task("annotators_per_item: 0"), 7, "tasks[0].annotators_per_item", ("1 or more", "0")),
    Case("text for truth", task("explicit_only: yes"), 7, "tasks[0].explicit_only", ("true or false", "'yes'")),
    Case("one label", task(labels="[yes]"), 5, "tasks[0].labels", ("at least 2", "1")),
    Case("label twice", task(labels="[Yes, yes]"), 5, "tasks[0].labels[1]", ("twice", "'yes'")),
    Case("label of a state", task(labels="[Yes, Not sure]"), 5, "tasks[0].labels[1]", ("kept for a state", "not_sure")),
    Case("label of a picture", task(labels="[Yes, 🙂]"), 5, "tasks[0].labels[1]", ("no name can be made", "name:")),
    Case("label with a typo", task(labels="[Yes, {nam: no}]"), 5, "tasks[0].labels[1].nam", ("`name`",)),
    Case("two tasks", top("  - {name: irony, question: Q, labels: [yes, no], items: items.jsonl}"), 7, "tasks[1].name", ("two tasks",)),
    Case("no guideline", task("guideline: guid.md"), 7, "tasks[0].guideline", ("no such file", "'guid.md'")),
    Case("empty guideline", task("guideline: empty.md"), 7, "tasks[0].guideline", ("empty", "'empty.md'")),
    Case("no items", task(items="itmes.jsonl"), 6, "tasks[0].items", ("no such file", "'itmes.jsonl'")),
    Case("no such format", task(items="guide.md"), 0, "", ("this kind of file", "'guide.md'", ".csv")),
    Case("no column", task(items="{file: items.jsonl, text: txt}"), 0, "", ("no column 'txt'", "'text'")),
    Case("nothing left", task(items="{file: items.jsonl, where: {id: six}}"), 0, "", ("no row has `id` is six",)),
    Case("items twice", task(items="twice.jsonl"), 3, "id", ("one id", "line 1", "'one'")),
    Case("gold", task(labels="[a, b]"), 1, "gold", ("none of the labels", "'yes'", "a, b")),
    Case("too many each", task("items_per_person: 3"), 7, "tasks[0].items_per_person", ("only 2 items", "3")),
    Case("other words, same id",
         top("  - {name: b, question: Q, labels: [yes, no], items: other.jsonl}"), 7, "tasks[1].items", ("another text", "'one'")),
    Case("language", top("title: {it: Ciao}"), 7, "title.it", ("no such language", "'it'", "languages")),
    Case("language tag", top("languages: [english]"), 7, "languages[0]", ("'english'", "language tag")),
    Case("step", top("flow: [consent, anotate]"), 7, "flow[1]", ("'anotate'", "did you mean 'annotate'?")),
    Case("order of steps", top("flow: [annotate, consent]"), 7, "flow", ("one order", "consent, annotate")),
    Case("step twice", top("flow: [annotate, annotate]"), 7, "flow", ("once",)),
    Case("no labelling", top("flow: [consent, survey]"), 7, "flow", ("`annotate`",)),
    Case("model", top("partner: {model: claude}"), 7, "partner.model", ("'claude'", "`provider:name`")),
    Case("rule", top("partner: {rules_off: [lenght]}"), 7, "partner.rules_off[0]", ("'lenght'", "'length'")),
    Case("persona", top("partner: {persona: blu_hat}"), 7, "partner.persona", ("'blu_hat'", "'blue_hat'")),
    Case("wait", top("partner: {first_sentence_s: 0}"), 7, "partner.first_sentence_s", ("above 0", "0")),
    Case("no condition", top("conditions: {assign: person}"), 7, "conditions", ("no condition is named",)),
    Case("condition's typo", top("conditions:", "  a: {}", "  b: {flwo: [annotate]}"), 9, "conditions.b.flwo", ("`flow`",)),
    Case("weight", top("conditions: {a: {weight: -1}}"), 7, "conditions.a.weight", ("above 0", "-1")),
    Case("steps per item", top("conditions: {assign: item, a: {}, b: {flow: [annotate, survey]}}"), 7, "conditions.b", ("`consent`",)),
    Case("assign", top("conditions: {assign: people, a: {}}"), 7, "conditions.assign", ("'people'", "person")),
    Case("block", top("survey: [nasa_tlxx]"), 7, "survey[0]", ("'nasa_tlxx'", "'nasa_tlx'")),
    Case("question twice", top("survey: [feedback, feedback]"), 7, "survey[1]", ("already", "'feedback'")),
    Case("form field", top("expectations: [{key: confidence, text: Sure?}]"), 7, "expectations[0]", ("already", "'confidence'")),
    Case("both kinds", top("survey: [{key: a, text: A, steps: 5, options: [x, y]}]"), 7, "survey[0]", ("not both",)),
    Case("one option", top("survey: [{key: a, text: A, options: [x]}]"), 7, "survey[0].options", ("at least two", "1")),
    Case("ends of no scale", top("survey: [{key: a, text: A, low: few}]"), 7, "survey[0]", ("only a scale",)),
    Case("branch to nothing", top("survey: [talks_helped]"), 7, "survey[0].only_if", ("no question", "'talked_before'")),
    Case("branch to no option",
         top("survey: [talked_before, {key: a, text: A, only_if: {talked_before: maybe}}]"), 7, "survey[1].only_if",
         ("no such option", "'maybe'", "yes, no")),
    Case("branch on two", top("survey: [{key: a, text: A, only_if: {b: x, c: y}}]"), 7, "survey[0].only_if", ("one earlier",)),
    Case("attention", top("attention_checks: [longest_wrod]"), 7, "attention_checks[0]", ("'longest_wrod'", "'longest_word'")),
    Case("right answer",
         top("attention_checks: [{key: a, text: A, options: [x, y], expected: z}]"), 7, "attention_checks[0].expected",
         ("'z'", "x, y")),
    Case("key on one form",
         top("attention_checks: [{key: talk_helps, text: A, options: [x, y], expected: x}]"), 7, "attention_checks[0]",
         ("'talk_helps'",)),
    Case("confidence", top("confidence: [{text: Low, value: 2}, High]"), 7, "confidence[0].value", ("1 or less", "2")),
    Case("some values", top("confidence: [{text: Low, value: 0}, High]"), 7, "confidence[1]", ("no value",)),
    Case("ending", top("completion: {codes: {don: X}}"), 7, "completion.codes.don", ("'don'", "'done'")),
    Case("no code", top("completion: {provider: prolific}"), 7, "completion", ("code", "`code: …`")),
    Case("two codes", top("completion: {code: A, codes: {done: B}}"), 7, "completion.code", ("'A'",)),
    Case("address", top("completion: {code: A, return_url: example.org}"), 7, "completion.return_url", ("{code}", "example.org")),
    Case("release", top("release: everything"), 7, "release", ("'everything'", "transcripts")),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_mistake_is_told_with_place_and_remedy(case: Case) -> None:
    (problem,) = problems(case.text)

    assert (problem.line, problem.key) == (case.line, case.key), str(problem)
    for words in case.words:
        assert words in str(problem), str(problem)


def test_all_mistakes_of_a_file_are_told_in_its_order() -> None:
    text = top("langages: [en]", "flow: [anotate]", "survey: [nasa]", "seed: -1").replace("items.jsonl", "gone.csv")

    found = problems(text)

    assert [problem.key for problem in found] == ["tasks[0].items", "langages", "flow[0]", "survey[0]", "seed"]


def test_what_follows_from_a_mistake_is_no_second_mistake() -> None:
    text = top("survey: [{key: a, text: A, options: [x, y], stepps: 3}, {key: b, text: B, only_if: {a: x}}]")

    assert [problem.key for problem in problems(text)] == ["survey[0].stepps"]


def test_a_problem_in_a_file_names_that_file() -> None:
    (items,) = problems(task(items="twice.jsonl"))[:1]
    (guideline,) = problems(task("guideline: latin.md"))

    assert str(items).startswith("twice.jsonl, line 3: `id`: ")
    assert str(guideline).startswith("latin.md, line 1: this is not UTF-8 text")


def test_the_message_has_a_line_for_each_problem() -> None:
    with pytest.raises(InvalidStudy) as raised:
        parse(top("seed: x", "sead: 1"))

    assert str(raised.value).splitlines() == [
        "study.yaml, line 7: `seed`: must be a whole number, but got 'x'; write a whole number from 0",
        "study.yaml, line 8: `sead`: there is no such key; did you mean `seed`?",
    ]


def test_a_choice_that_there_is_not_is_named_and_a_list_in_its_place_too() -> None:
    (wrong,) = problems(top("completion: {provider: prolifik}"))
    (many,) = problems(top("completion: {provider: [prolific]}"))

    assert str(wrong).startswith(
        "study.yaml, line 7: `completion.provider`: there is no such choice as 'prolifik'; did you mean 'prolific'? use one of "
    )
    assert "must be one choice, not a list; did you mean" in str(many)


@pytest.mark.parametrize(
    "text", ["[" * 2000, "a: " * 2000, "&a [*a, *a]", "? [x]\n: y", "!!python/name:os.system x", "\x00"]
)
def test_hostile_yaml_is_refused_politely(text: str) -> None:
    assert problems(text)


def test_aliases_that_multiply_are_stopped() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]

    (problem,) = problems("\n".join(lines))

    assert "too many values" in str(problem)


def test_words_for_a_field_that_is_not_shown_are_refused() -> None:
    named = "    items:\n      file: items.jsonl\n      context: [gold]\n      context_names: {Gold: Reference}\n"

    (problem,) = problems(SMALL.replace("    items: items.jsonl\n", named))

    assert (problem.key, problem.came, problem.wanted) == ("tasks[0].items.context_names.Gold", "Gold", "one of gold")
