"""Who people are: taken in from a platform, and told of groups that are large enough to hide each of their members."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from crito.model.errors import InvalidInput
from crito.model.ids import AnnotatorId, StudyName
from crito.model.phrase import Phrase
from crito.model.record import Identity
from crito.model.recruitment import Provider
from crito.model.study import Study
from crito.model.traits import PREFER_NOT, Trait
from crito.services.parts import Parts
from crito.services.ports.store import Tx
from crito.services.suppression import shown_groups


class PlatformTraits(NamedTuple):
    """What a platform says of one of its people, by name."""

    provider: Provider
    person: str
    traits: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class TraitGroups:
    """People by one trait; groups of fewer than the study's `smallest_group` people are left out, and so is who would make
    them known by what is missing to the sum.

    Attributes:
        words: what is asked, or the name.
        answers: the words of each value, of groups that are shown, in the order of the options.
        of_person: whose value is which, of people in those groups only.
        hidden: how many groups are left out.
    """

    name: str
    words: str
    answers: Mapping[str, str]
    of_person: Mapping[AnnotatorId, str]
    hidden: int


async def take_in_traits(parts: Parts, study: StudyName, told: Sequence[PlatformTraits]) -> int:
    """Keep what a platform says of people in this study; returns of how many. What is known already is not kept again.

    Raises:
        InvalidInput: none of these people is in this study.
    """
    await parts.latest(study)
    now = parts.now()

    def work(tx: Tx) -> int:
        known = {(trait.annotator, trait.name): trait.value for trait in tx.traits(study)}
        people = 0
        new: list[Trait] = []
        for one in told:
            who = tx.find_person(study, Identity(one.provider, one.person))
            if who is None or tx.participant(who).ending == "withdrawn":
                continue
            people += 1
            new += [
                Trait(who, name, value, "platform", now)
                for name, value in one.traits.items()
                if known.get((who, name)) is None
            ]
        tx.add_traits(study, new)
        return people

    n_people = await parts.store.write(work)
    if told and not n_people:
        raise InvalidInput(Phrase("none of these people is in this study"), came=len(told))
    return n_people


async def trait_groups(parts: Parts, name: StudyName, trait: str) -> TraitGroups:
    """People by one trait.

    Raises:
        InvalidInput: nobody said anything of this name, or fewer than two groups are large enough.
    """
    _, study = await parts.latest(name)
    said = said_of_themselves(await parts.store.survey(lambda tx: tx.traits(name)))
    if trait not in said:
        wanted = (
            f"use condition or one of {', '.join(said)}"
            if said
            else "use condition: nobody said anything of themselves"
        )
        raise InvalidInput("nobody said anything of this name", trait, wanted, key="--by")
    groups = large_enough(study, trait, said[trait])
    if len(groups.answers) < 2:
        raise InvalidInput(
            f"fewer than two groups have {study.smallest_group} people or more, and smaller ones are not told about",
            trait, "wait for more people", key="--by",
        )  # fmt: skip
    return groups


def said_of_themselves(traits: Sequence[Trait]) -> Mapping[str, Mapping[AnnotatorId, str]]:
    """The value that counts of each person, by name; who prefers not to say is in no group."""
    said: dict[str, dict[AnnotatorId, str]] = {}
    for trait in traits:
        said.setdefault(trait.name, {})[trait.annotator] = trait.value
    return {
        name: {who: value for who, value in values.items() if value != PREFER_NOT}
        for name, values in sorted(said.items())
    }


def large_enough(study: Study, name: str, of_person: Mapping[AnnotatorId, str]) -> TraitGroups:
    """The groups of one trait that are told about."""
    question = next((question for question in study.about_you if question.key == name), None)
    language = study.languages[0]
    listed = {option.name: option.text.in_language(language) for option in question.options} if question else {}
    counted = Counter(of_person.values())
    sizes = {value: counted[value] for value in (*listed, *sorted(counted.keys() - listed.keys())) if counted[value]}
    shown = shown_groups(sizes, study.smallest_group)
    return TraitGroups(
        name,
        question.text.in_language(language) if question else name.replace("_", " ").capitalize(),
        {value: listed.get(value, value.replace("_", " ").capitalize()) for value in shown},
        {who: value for who, value in of_person.items() if value in shown},
        len(sizes) - len(shown),
    )
