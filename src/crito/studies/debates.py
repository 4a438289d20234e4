"""Debates in a study file."""

from collections.abc import Sequence

from crito.model.debate import Debate, Debater, DebateSettings, Schedule, Stance, Topic, claims_on
from crito.studies.reading import Reading
from crito.studies.sections import DebateSection


def debates_of(sections: Sequence[DebateSection], reading: Reading) -> tuple[Debate, ...]:
    """The debates that are described; what cannot be held is complained of."""
    debates: dict[str, Debate] = {}
    for place, section in enumerate(sections):
        path = ("debates", place)
        if section.name in debates:
            reading.complain((*path, "name"), "two debates have one name", section.name, "use another")
        if section.max_rounds < section.rounds:
            wanted = f"write {section.rounds} or more"
            reading.complain(
                (*path, "max_rounds"), "there are fewer rounds at most than at least", section.max_rounds, wanted
            )
        if section.topics_proposed < section.topics:
            wanted = f"write {section.topics} or more"
            reading.complain((*path, "topics_proposed"), "too few topics are proposed", section.topics_proposed, wanted)
        both = sorted(set(section.models) & set(section.judges))
        if both and not section.judges_may_debate:
            wanted = "name another judge, or write `judges_may_debate: true`"
            reading.complain((*path, "judges"), "a debater is among the judges", ", ".join(both), wanted)
        debates.setdefault(section.name, _debate(section))
    return tuple(debates.values())


def _debate(section: DebateSection) -> Debate:
    claims = section.claims or claims_on(section.subject)
    first, second = section.models[0], section.models[-1]
    settings = DebateSettings(
        rounds=section.rounds,
        max_rounds=max(section.rounds, section.max_rounds),
        schedule=Schedule(float(section.contentiousness), float(section.closing), dict(section.levels)),
        topics=section.topics,
        topics_proposed=max(section.topics, section.topics_proposed),
        given_topics=tuple(Topic(title) for title in section.given_topics),
        max_tokens=section.max_tokens,
        concessions=section.concessions,
        joint_proposal=section.joint_proposal,
    )
    temperature = float(section.temperature)
    return Debate(
        name=section.name,
        subject=section.subject,
        debaters=(
            Debater(Stance("A", claims[0]), first, temperature),
            Debater(Stance("B", claims[1]), second, temperature),
        ),
        settings=settings,
        judges=tuple(section.judges),
        judges_may_debate=section.judges_may_debate,
        swap=section.swap,
        material=section.material,
    )
