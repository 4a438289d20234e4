"""Two agents argue for the two most voted labels of an item, and judges decide (`socrasynth`, applied to a label)."""

from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from typing import Any, Literal

from crito.model.talk import Answer, Answers, Ask, Asks, NoAnswer, Turn
from crito.model.votes import TieRule, majority
from crito.protocols.labelling import Outcome, Protocol, ask_label, by_agent, labels_for, labels_of

VERSION = 1

ARGUING = 2
"""How many of a panel's agents argue; those that follow judge."""

ARGUE = "labelling/argue"
"""The prompt by which an agent is asked to argue."""

ArguedPhase = Literal["opening", "refutation", "closing"]
PHASES: tuple[ArguedPhase, ...] = ("opening", "refutation", "closing")

CONTENTIOUSNESS = 0.9
"""How adversarial both argue, as in the source through the closings."""

Said = Mapping[str, Any]


def contest(
    panel: Sequence[str],
    labels: Sequence[str],
    *,
    only_disputed: bool = False,
    ties: TieRule = "escalate",
    seed: int = 0,
    item: str = "",
) -> Protocol:
    """Everybody labels alone; the first two argue for the labels with most votes; the others judge, and their vote decides.

    Where the first votes leave one label only, the other side takes the next label of the task, unless only disputed
    items are argued. Round 0 are the votes, round 1 what the judges decide; no label at all ends it after round 0.
    """
    asks = [ask_label(agent, reasoned=True) for agent in panel]
    votes = by_agent(asks, (yield from labels_for(asks)))
    given = labels_of(votes)
    vote = majority(given, rule=ties, order=panel, seed=seed, item=item)
    stances = stances_of(panel[:ARGUING], given, labels)
    if len(stances) < ARGUING or (only_disputed and vote.status == "consensus"):
        return Outcome((votes,), vote)
    said = yield from argued(stances)
    judges = [ask_decision(judge, place, stances, said) for place, judge in enumerate(panel[ARGUING:])]
    decided = by_agent(judges, (yield from labels_for(judges)))
    return Outcome((votes, decided), majority(labels_of(decided), rule=ties, order=panel, seed=seed, item=item))


def argued(stances: Mapping[str, str]) -> Generator[Asks, Answers, tuple[Said, ...]]:
    """Both agents argue for their labels, phase by phase, each with what was said before in view."""
    said: tuple[Said, ...] = ()
    for phase in PHASES:
        answers = yield [ask_argument(agent, phase, stances, said) for agent in stances]
        said += tuple(_said(phase, agent, stances[agent], one) for agent, one in zip(stances, answers, strict=True))
    return said


def stances_of(agents: Sequence[str], given: Mapping[str, str | None], labels: Sequence[str]) -> dict[str, str]:
    """Which label each agent argues for: the two with most votes, its own where it voted for one; none without any vote."""
    votes = Counter(label for label in given.values() if label is not None)
    if not votes:
        return {}
    ranked = sorted(labels, key=lambda label: (-votes[label], labels.index(label)))[:ARGUING]
    first, second = agents
    if given[first] == ranked[-1] or (given[second] == ranked[0] and given[first] != ranked[0]):
        ranked.reverse()
    return dict(zip((first, second), ranked, strict=False))


def ask_argument(agent: str, phase: ArguedPhase, stances: Mapping[str, str], said: Sequence[Said]) -> Ask:
    """The ask to argue for one's label; what was said before is shown, one's own marked."""
    (opposing,) = (label for other, label in stances.items() if other != agent)
    return Ask(
        agent,
        ARGUE,
        {
            "phase": phase, "stance": stances[agent], "opposing": opposing, "contentiousness": CONTENTIOUSNESS,
            "arguments": [{**one, "own": one["agent"] == agent} for one in said],
        },
    )  # fmt: skip


def ask_decision(judge: str, place: int, stances: Mapping[str, str], said: Sequence[Said]) -> Ask:
    """The ask to decide; every other judge reads the two sides in the other order, so that the order weighs on neither."""
    sides = list(stances.values())[:: -1 if place % 2 else 1]
    ordered = sorted(said, key=lambda one: (PHASES.index(one["phase"]), sides.index(one["stance"])))
    return Ask(judge, "labelling/decide", {"stances": sides, "arguments": [{**one, "own": False} for one in ordered]})


def _said(phase: ArguedPhase, agent: str, stance: str, answer: Answer) -> Said:
    text = answer.text if isinstance(answer, Turn) else ""
    missing = answer.reason if isinstance(answer, NoAnswer) else ""
    return {"phase": phase, "agent": agent, "stance": stance, "text": text, "missing": missing}
