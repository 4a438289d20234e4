"""Conditions of a study file: what people do in which order, and with which partner."""

from collections.abc import Sequence

from crito.model.study import STEPS, Condition, Partner, Step
from crito.studies import ready
from crito.studies.reading import Reading
from crito.studies.sections import PartnerSection, StudyFile
from crito.studies.shape import one_of
from crito.studies.yaml_text import KeyPath

LOCAL_FIRST_SENTENCE_S = 30.0
"""How long a person waits for a local model's first words unless the file says otherwise."""


def conditions_of(sections: StudyFile, reading: Reading) -> tuple[Condition, ...]:
    """The conditions of a study; one that is named for its flow where the file has none."""
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
        check_person_steps(conditions, reading)
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


def check_person_steps(conditions: Sequence[Condition], reading: Reading) -> None:
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
