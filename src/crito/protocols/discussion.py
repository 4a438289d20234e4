"""Several models label, read each other's reasons, and label again (`experts`, section 4.1, Algorithm 1)."""

from collections.abc import Mapping, Sequence
from typing import Any

from crito.model.talk import Ask, NoAnswer, ReadLabel
from crito.model.votes import TieRule, majority
from crito.protocols.labelling import Outcome, Protocol, ask_label, by_agent, labels_for, labels_of

VERSION = 1

MAX_ROUNDS = 2

Round = Mapping[str, ReadLabel | NoAnswer]


def discussion(
    panel: Sequence[str], *, max_rounds: int = MAX_ROUNDS, ties: TieRule = "escalate", seed: int = 0, item: str = ""
) -> Protocol:
    """Label by chain of thought; without consensus show everybody all labels and reasons, and label again; then vote.

    Departs: consensus is looked for after the last round too, which changes the status and never the label.
    An agent without a label in a round has no vote in it and stands in the way of consensus; it is asked again in the
    next round like everybody else, and a round in which nobody has a label is the last one.
    """
    asks = [ask_label(agent, reasoned=True) for agent in panel]
    rounds: list[Round] = [by_agent(asks, (yield from labels_for(asks)))]
    while len(rounds) <= max_rounds and is_open(rounds[-1]):
        asks = [ask_revision(agent, panel, rounds) for agent in panel]
        rounds.append(by_agent(asks, (yield from labels_for(asks))))
    *earlier, last = map(labels_of, rounds)
    return Outcome(tuple(rounds), majority(last, rule=ties, order=panel, earlier=earlier, seed=seed, item=item))


def is_open(answers: Round) -> bool:
    """Whether there is something to discuss: somebody has a label, and not everybody has the same."""
    labels = set(labels_of(answers).values())
    return labels != {None} and len(labels) > 1


def ask_revision(agent: str, panel: Sequence[str], rounds: Sequence[Round]) -> Ask:
    """The ask for a label after reading what everybody said in all rounds so far.

    Agents are known to each other by their place in the panel: a model's name would lend its reasons weight.
    """
    history = [[_said(agent, other, place, answers[other]) for place, other in enumerate(panel)] for answers in rounds]
    return Ask(agent, "labelling/discuss", {"history": history, "round": len(rounds)})


def _said(agent: str, other: str, place: int, answer: ReadLabel | NoAnswer) -> dict[str, Any]:
    said = answer if isinstance(answer, ReadLabel) and answer.label is not None else ReadLabel("unreadable")
    return {"number": place + 1, "own": other == agent, "label": said.label, "reason": said.reason}
