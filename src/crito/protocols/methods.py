"""The methods by which models label, by their names: which protocol a panel runs on an item."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from crito.model.study import Method, Panel
from crito.protocols import contest, discussion, ensemble, solo
from crito.protocols.labelling import Protocol


class Procedure(NamedTuple):
    """A protocol of one version, ready to be begun for a panel, an item's id, the study's seed and the names of the labels."""

    version: int
    begin: Callable[[Panel, str, int, Sequence[str]], Protocol]


def agents_of(panel: Panel) -> tuple[str, ...]:
    """What the agents of a panel are called in their runs, in the panel's order."""
    return tuple(f"agent_{number}" for number, _ in enumerate(panel.agents, start=1))


def _alone(panel: Panel) -> str:
    (agent,) = agents_of(panel)
    return agent


PROTOCOLS: Mapping[Method, Procedure] = {
    "vanilla": Procedure(solo.VERSION, lambda panel, item, seed, labels: solo.vanilla(_alone(panel))),
    "cot": Procedure(solo.VERSION, lambda panel, item, seed, labels: solo.cot(_alone(panel))),
    "self_consistency": Procedure(
        solo.VERSION, lambda panel, item, seed, labels: solo.self_consistency(_alone(panel), panel.samples)
    ),
    "self_refine": Procedure(solo.VERSION, lambda panel, item, seed, labels: solo.self_refine(_alone(panel))),
    "discussion": Procedure(
        discussion.VERSION,
        lambda panel, item, seed, labels: discussion.discussion(
            agents_of(panel), max_rounds=panel.max_rounds, ties=panel.ties, seed=seed, item=item
        ),
    ),
    "ensemble": Procedure(
        ensemble.VERSION,
        lambda panel, item, seed, labels: ensemble.ensemble(agents_of(panel), ties=panel.ties, seed=seed, item=item),
    ),
    "debate": Procedure(
        contest.VERSION,
        lambda panel, item, seed, labels: contest.contest(
            agents_of(panel), labels, only_disputed=panel.only_disputed, ties=panel.ties, seed=seed, item=item
        ),
    ),
}
