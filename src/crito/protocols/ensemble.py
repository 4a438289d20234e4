"""Independent votes of several models: the plain baseline that every discussion is shown beside."""

from collections.abc import Sequence

from crito.model.votes import TieRule, majority
from crito.protocols.labelling import Outcome, Protocol, ask_label, by_agent, labels_in_waves, labels_of

VERSION = 1


def ensemble(panel: Sequence[str], *, ties: TieRule = "escalate", seed: int = 0, item: str = "") -> Protocol:
    """Ask in the order of the panel until the winner cannot change, each by chain of thought; then vote."""
    asks = [ask_label(agent, reasoned=True) for agent in panel]
    answers = yield from labels_in_waves(asks)
    votes = by_agent(asks[: len(answers)], answers)
    return Outcome((votes,), majority(labels_of(votes), rule=ties, order=panel, seed=seed, item=item))
