"""The bundled study is complete, balanced and of the announced size."""

from dataclasses import fields, is_dataclass, replace

import pytest

from crito import bootstrap
from crito.model.errors import NotFound
from crito.model.ids import Language
from crito.model.study import CODED_ENDINGS, Text
from crito.studies.bundled import STUDY_FILE, TEMPLATES, template_folder
from crito.studies.study_file import parse_study
from tests.bundled import demo_study


def in_english(words: object) -> object:
    """`words` with each text reduced to what it says in English."""
    if isinstance(words, Text):
        return words.in_language(Language("en"))
    if isinstance(words, tuple):
        return tuple(in_english(one) for one in words)
    return {f.name: in_english(getattr(words, f.name)) for f in fields(words)} if is_dataclass(words) else words


def test_the_demo_is_the_template_in_three_languages() -> None:
    demo = bootstrap.demo_study()

    english = replace(demo, languages=demo_study().languages, tasks=())
    assert demo.languages == ("en", "it", "ja")
    assert in_english(english) == in_english(replace(demo_study(), tasks=()))
    for one, other in zip(demo.tasks, demo_study().tasks, strict=True):
        titled = replace(other, title=one.title)  # the template names one task by its name alone
        assert in_english(replace(one, context_names={})) == in_english(titled)
        assert {name: words.in_language(Language("en")) for name, words in one.context_names.items()} == {
            name: name for name in other.context_fields
        }


@pytest.mark.parametrize("language", ["it", "ja"])
def test_the_demo_leaves_nothing_but_its_items_in_english(language: str) -> None:
    study = bootstrap.demo_study()
    texts = [study.title, study.consent, study.instructions, study.pause]
    texts += [words for task in study.tasks for words in (task.title, task.question, task.guideline)]
    texts += [words for task in study.tasks for words in task.context_names.values()]
    texts += [words for task in study.tasks for label in task.labels for words in (label.text, label.description)]

    assert [words for words in texts if words.by_language and Language(language) not in words.by_language] == []


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_template_is_a_valid_study_with_a_readme(name: str) -> None:
    folder = template_folder(name)
    text = (folder / STUDY_FILE).read_text(encoding="utf-8")

    study = parse_study(text, file=STUDY_FILE, read=lambda file: (folder / file).read_bytes())

    assert study.tasks
    assert (folder / "README.md").is_file()


def test_an_unknown_template_is_answered_with_the_known_ones() -> None:
    with pytest.raises(NotFound, match="socratic"):
        template_folder("sokratic")


def test_the_demo_has_two_tasks_of_at_least_twelve_items() -> None:
    assert [task.name for task in demo_study().tasks] == ["sarcasm", "relation"]
    assert all(len(task.items) >= 12 for task in demo_study().tasks)


def test_reviews_are_short_and_stand_under_product_and_title() -> None:
    for item in demo_study().task("sarcasm").items:
        assert 25 <= len(item.text.split()) <= 80, item.id
        assert list(item.context) == ["Product", "Title"], item.id


def test_reference_labels_of_the_relation_task_are_balanced_in_both_relations() -> None:
    items = demo_study().task("relation").items

    for relation in ("lived in", "died in"):
        gold = [item.gold for item in items if item.context["Relation"] == relation]
        assert gold.count("expressed") == gold.count("not_expressed") == len(gold) / 2 == 4


def test_person_and_place_of_a_relation_stand_in_its_text() -> None:
    for item in demo_study().task("relation").items:
        assert item.context["Person"] in item.text, item.id
        assert item.context["Place"] in item.text, item.id


def test_the_demo_has_a_code_for_every_ending() -> None:
    assert set(demo_study().completion.codes) == set(CODED_ENDINGS)


def test_the_relation_guideline_accepts_what_is_implied() -> None:
    task = demo_study().task("relation")

    assert not task.explicit_only
    assert "imply" in next(iter(task.guideline.by_language.values()))
