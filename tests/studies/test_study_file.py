"""A study file becomes a study; what it leaves out is the instrument of the source."""

import re
from dataclasses import replace

import pytest

from crito.model.ids import Language
from crito.model.study import STEPS, Completion, Item, Study
from crito.studies import ready
from tests.studies.folder import FILES, SMALL, parse

EN, IT = Language("en"), Language("it")


def small(*lines: str) -> Study:
    return parse(SMALL + "".join(f"{line}\n" for line in lines))


def names(options: tuple) -> list[str]:
    return [option.name for option in options]


# What is left out: appendix B of the source, in substance


def test_confidence_has_three_steps_from_sure_to_unsure() -> None:
    steps = small().confidence

    assert [(step.name, step.value) for step in steps] == [
        ("very_sure", 1.0),
        ("somewhat_sure", 0.5),
        ("not_sure", 0.0),
    ]


def test_two_expectations_go_with_the_first_label() -> None:
    helps, agree = small().expectations

    assert (helps.key, names(helps.options)) == ("talk_helps", ["yes", "no"])
    assert (agree.key, names(agree.options)) == ("others_agree", ["agree_most", "agree_half", "disagree_most"])


def test_reconsideration_asks_three_choices_and_two_texts() -> None:
    questions = small().reconsiderations

    assert [(q.key, q.kind) for q in questions] == [
        ("talk_helped", "choice"), ("made_doubt", "choice"), ("made_change", "choice"),
        ("about_process", "text"), ("about_outcome", "text"),
    ]  # fmt: skip
    assert all(names(q.options) == ["yes", "no"] for q in questions[:3])


def test_two_attention_checks_of_three_options_and_one_may_fail() -> None:
    study = small()

    assert [len(check.question.options) for check in study.attention_checks] == [3, 3]
    assert study.attention_allowed == 1


def test_the_second_attention_check_wants_its_longest_word() -> None:
    check = small().attention_checks[1]

    assert check.expected == max(names(check.question.options), key=len)


def test_the_survey_opens_with_five_task_load_scales_of_21_worded_steps() -> None:
    scales = small().survey[:5]

    assert [q.key for q in scales] == ["tlx_mental", "tlx_temporal", "tlx_performance", "tlx_effort", "tlx_frustration"]
    assert all(q.kind == "scale" and q.steps == 21 and q.low.by_language and q.high.by_language for q in scales)


def test_eight_experience_questions_follow_and_two_of_them_branch() -> None:
    experience = small().survey[5:]

    assert [(q.kind, len(q.options)) for q in experience] == [
        ("choice", 4), ("text", 0), ("choice", 2), ("choice", 4), ("choice", 4), ("choice", 3), ("text", 0), ("text", 0),
    ]  # fmt: skip
    assert [q.only_if for q in experience if q.only_if] == [("talked_before", ("yes",))] * 2


def test_the_flow_is_the_source_s_and_the_only_condition_is_socratic() -> None:
    (condition,) = small().conditions

    steps = tuple(step for step in STEPS if step != "debate")
    assert (condition.name, condition.flow) == ("socratic", steps)
    assert (condition.partner.model, condition.partner.min_messages) == ("script", 2)


def test_three_people_label_each_item_and_each_gets_one() -> None:
    (task,) = small().tasks

    assert (task.annotators_per_item, task.items_per_person) == (3, 1)


def test_every_ready_made_key_and_option_is_a_stable_name() -> None:
    questions = [*ready.EXPECTATIONS, *ready.RECONSIDERATIONS, *ready.NASA_TLX, *ready.EXPERIENCE]
    questions += [check.question for check in ready.ATTENTION_CHECKS]

    for question in questions:
        for name in [question.key, *names(question.options)]:
            assert re.fullmatch("[a-z][a-z0-9_]*", name), name


def test_questions_about_the_talk_are_only_for_those_who_talked() -> None:
    study = small()

    assert all(question.only_with == "discuss" for question in study.reconsiderations)
    assert [question.key for question in study.survey if question.only_with] == [
        "partner_or_people", "use_again", "use_again_why",
    ]  # fmt: skip


def test_a_study_without_a_talk_has_one_condition_called_solo() -> None:
    assert [condition.name for condition in small("flow: [annotate, reannotate, survey]").conditions] == ["solo"]


# Consent


def consent(*lines: str) -> str:
    return small(*lines).consent.in_language(EN)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("script", "not a language model"),
        ("openai:gpt-x", "run by a company (openai)"),
        ("local:weights/small.gguf", "runs on the computers of this study"),
    ],
)
def test_consent_says_which_kind_of_software_the_partner_is(model: str, words: str) -> None:
    text = consent(f"partner: {{model: '{model}'}}")

    assert words in text
    assert "not a person" in text


@pytest.mark.parametrize(
    ("release", "words"),
    [
        ("labels", "Nothing you write in your own words is published"),
        ("reasons", "What you write in the talk is not published"),
        ("transcripts", "the talk included"),
    ],
)
def test_consent_says_at_which_tier_words_are_released(release: str, words: str) -> None:
    assert words in consent(f"release: {release}")


def test_consent_says_how_long_data_are_kept_whom_to_ask_and_that_one_may_leave() -> None:
    text = consent("retention_days: 90", "contact: ana@example.org")

    assert "90 days" in text
    assert "ana@example.org" in text
    assert "leave the study" in text
    assert "withdraw your data" in text


def test_consent_without_a_talk_names_no_partner() -> None:
    assert "partner" not in consent("flow: [consent, annotate]")


def test_consent_names_every_kind_of_partner_one_may_meet() -> None:
    text = consent("conditions:", "  script: {}", "  model: {partner: {model: 'openai:gpt-x'}}")

    assert "prepared questions" in text
    assert "(openai)" in text


# What is said


def test_yes_no_on_and_off_are_labels_like_any_other() -> None:
    study = parse(SMALL.replace("[yes, no]", "[yes, no, on, off, y, N, 2020-01-01, 1.50, 007]"))

    assert study.tasks[0].label_names == ("yes", "no", "on", "off", "y", "n", "2020_01_01", "1_50", "007")
    assert study.tasks[0].label("1_50").text.in_language(EN) == "1.50"


def test_yaml_1_1_does_not_come_in_by_a_directive() -> None:
    assert parse("%YAML 1.1\n---\n" + SMALL).tasks[0].label_names == ("yes", "no")


def test_a_code_of_digits_keeps_its_zeros() -> None:
    assert small("completion: {code: 0123}").completion.codes == {"done": "0123"}


def test_labels_may_have_names_texts_and_descriptions_per_language() -> None:
    study = parse(
        "languages: [it, en]\n"
        + SMALL.replace("[yes, no]", "[{name: yes, text: {en: Yes, it: Sì}, description: Ironico}, {name: no}]")
    )
    yes, no = study.tasks[0].labels

    assert (yes.text.in_language(IT), yes.text.in_language(EN)) == ("Sì", "Yes")
    assert yes.description.by_language == {"it": "Ironico"}
    assert no.text.in_language(EN) == "no"


def test_texts_may_stand_in_files_one_per_language() -> None:
    files = {**FILES, "guida.md": "# Guida".encode("utf-8-sig")}

    study = parse("languages: [en, it]\n" + SMALL + "    guideline: {en: guide.md, it: guida.md}\n", files)

    assert study.tasks[0].guideline.in_language(EN) == "# Guide\n\nRead – then decide."
    assert study.tasks[0].guideline.in_language(IT) == "# Guida"


def test_a_text_of_several_lines_is_no_file_name() -> None:
    assert small("pause: |", "  Read", "  notes.md").pause.in_language(EN) == "Read\nnotes.md\n"


def test_items_come_with_context_and_reference_labels() -> None:
    rows = b'{"id": 7, "text": "t", "context": {"who": "Ana", "when": 1.50}, "gold": "YES!"}\n{"id": "b", "text": "u"}'

    study = parse(SMALL.replace("[yes, no]", "[YES!, No]"), {"items.jsonl": rows})

    assert study.tasks[0].items == (Item("7", "t", {"who": "Ana", "when": "1.50"}, "yes"), Item("b", "u"))
    assert study.tasks[0].context_fields == ("who", "when")


def test_conditions_differ_only_in_what_they_say() -> None:
    study = small(
        "partner: {model: 'openai:gpt-x', min_messages: 3}",
        "conditions:",
        "  assign: item",
        "  plain:",
        "  kind: {partner: {persona: community_member}, weight: 2}",
        "  free: {partner: {rules_off: [length], min_messages: 1}}",
    )
    plain, kind, free = study.conditions

    assert study.assign == "item"
    assert (plain.partner.model, plain.partner.min_messages, plain.weight) == ("openai:gpt-x", 3, 1.0)
    assert kind == replace(plain, name="kind", weight=2.0, partner=replace(plain.partner, persona=kind.partner.persona))
    assert "community" in kind.partner.persona
    assert free.partner == replace(plain.partner, rules_off=frozenset({"length"}), min_messages=1)


def test_a_control_condition_leaves_the_talk_out() -> None:
    study = small("conditions: {socratic: {}, control: {flow: [consent, annotate, reannotate, survey]}}")

    assert [condition.has("discuss") for condition in study.conditions] == [True, False]


@pytest.mark.parametrize(
    ("partner", "wait_s"),
    [
        ("{}", 10),
        ("{model: 'openai:x'}", 10),
        ("{model: 'local:x.gguf'}", 30),
        ("{model: 'local:x', first_sentence_s: 5}", 5),
    ],
)
def test_people_wait_longer_for_a_local_model(partner: str, wait_s: float) -> None:
    (condition,) = small(f"partner: {partner}").conditions

    assert condition.partner.first_sentence_s == wait_s


def test_six_hats_and_the_community_member_are_ready_made() -> None:
    assert sum(name.endswith("_hat") for name in ready.PERSONAS) == 6
    assert "community_member" in ready.PERSONAS


def test_a_persona_may_be_free_text() -> None:
    (condition,) = small("partner: {persona: You are a patient librarian.}").conditions

    assert condition.partner.persona == "You are a patient librarian."


def test_a_confidence_scale_without_values_is_spread_evenly() -> None:
    steps = small("confidence: [Certain, Rather sure, Rather unsure, Guessing]").confidence

    assert [step.value for step in steps] == pytest.approx([1, 2 / 3, 1 / 3, 0])


def test_blocks_ready_made_and_own_questions_mix_in_one_survey() -> None:
    study = small(
        "survey:",
        "  - nasa_tlx",
        "  - talked_before",
        "  - {key: with_whom, text: With whom?, only_if: {talked_before: yes}}",
        "  - {key: again, text: Again?, options: [Yes, 'No, never']}",
        "  - {key: pace, text: How fast?, steps: 7, low: slow, high: fast}",
    )
    *scales, before, whom, again, pace = study.survey

    assert len(scales) == 5
    assert before.options == ready.in_languages(ready.EXPERIENCE[2].options, [EN])
    assert (whom.kind, whom.required, whom.only_if) == ("text", False, ("talked_before", ("yes",)))
    assert (again.kind, again.required, names(again.options)) == ("choice", True, ["yes", "no_never"])
    assert (pace.steps, pace.low.in_language(EN), pace.high.in_language(EN)) == (7, "slow", "fast")


def test_a_ready_made_question_can_be_changed_key_by_key() -> None:
    study = small("reconsiderations: [{key: about_process, required: true}, {key: made_doubt, text: Any doubts?}]")
    process, doubt = study.reconsiderations

    assert process == replace(ready.in_languages(ready.RECONSIDERATIONS[3], [EN]), required=True)
    assert (doubt.text.in_language(EN), names(doubt.options)) == ("Any doubts?", ["yes", "no"])


def test_an_empty_list_asks_nothing() -> None:
    study = small("expectations: []", "attention_checks: []", "survey: []", "reconsiderations: []")

    assert (study.expectations, study.attention_checks, study.survey, study.reconsiderations) == ((), (), (), ())


def test_prolific_takes_its_codes_at_its_own_address() -> None:
    completion = small("completion: {provider: prolific, code: C1A2B3, codes: {no_consent: NO}}").completion

    assert completion == Completion(
        "prolific", {"done": "C1A2B3", "no_consent": "NO"}, "https://app.prolific.com/submissions/complete?cc={code}"
    )


def test_the_title_is_made_from_the_name() -> None:
    assert parse(SMALL.replace("small", "lived-in_or_not")).title.in_language(EN) == "Lived in or not"


def test_names_of_fields_are_worded_per_language_and_stand_as_they_are_where_they_are_not() -> None:
    named = "    items: {file: fields.jsonl, context: [Product, Stars], context_names: {Product: {it: Prodotto}}}\n"
    files = {**FILES, "fields.jsonl": b'{"id": "1", "text": "t", "Product": "Lamp", "Stars": 5}\n'}

    task = parse("languages: [en, it]\n" + SMALL.replace("    items: items.jsonl\n", named), files).tasks[0]

    assert [(name, text.by_language) for name, text in task.context_names.items()] == [
        ("Product", {"en": "Product", "it": "Prodotto"})
    ]
    assert task.items[0].context == {"Product": "Lamp", "Stars": "5"}
