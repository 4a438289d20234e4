"""The methods by which models label, by their names: which protocol a panel runs on an item."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from crito.model.study import Method, Panel
from crito.protocols import discussion, ensemble, solo
from crito.protocols.labelling import Protocol


class Procedure(NamedTuple):
    """A protocol of one version, ready to be begun for a panel and an item's id; `seed` is the study's."""

    version: int
    begin: Callable[[Panel, str, int], Protocol]


def agents_of(panel: Panel) -> tuple[str, ...]:
    """What the agents of a panel are called in their runs, in the panel's order."""
    return tuple(f"agent_{number}" for number, _ in enumerate(panel.agents, start=1))


def _alone(panel: Panel) -> str:
    (agent,) = agents_of(panel)
    return agent


PROTOCOLS: Mapping[Method, Procedure] = {
    "vanilla": Procedure(solo.VERSION, lambda panel, item, seed: solo.vanilla(_alone(panel))),
    "cot": Procedure(solo.VERSION, lambda panel, item, seed: solo.cot(_alone(panel))),
    "self_consistency": Procedure(
        solo.VERSION, lambda panel, item, seed: solo.self_consistency(_alone(panel), panel.samples)
    ),
    "self_refine": Procedure(solo.VERSION, lambda panel, item, seed: solo.self_refine(_alone(panel))),
    "discussion": Procedure(
        discussion.VERSION,
        lambda panel, item, seed: discussion.discussion(
            agents_of(panel), max_rounds=panel.max_rounds, ties=panel.ties, seed=seed, item=item
        ),
    ),
    "ensemble": Procedure(
        ensemble.VERSION,
        lambda panel, item, seed: ensemble.ensemble(agents_of(panel), ties=panel.ties, seed=seed, item=item),
    ),
}
