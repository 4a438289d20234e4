"""The vote rules: what several labels for one item come to, and what happens at a tie."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

TieRule = Literal["escalate", "priority", "history", "seeded"]
TIE_RULES: tuple[TieRule, ...] = get_args(TieRule)
"""`escalate`: no label, the item goes to a person. `priority`: the label of the first agent, in a declared order, among
the tied. `history`: most votes over all rounds, then `priority`. `seeded`: drawn by a hash of seed and item."""

VoteStatus = Literal["consensus", "majority", "no_majority", "missing"]


@dataclass(frozen=True, slots=True)
class Vote:
    """What several labels come to.

    Attributes:
        label: the aggregate label; None when there is no majority or no label at all.
        status: `consensus` when everybody asked gave the same label, `majority` when one label has most votes or the
            rule broke a tie, `no_majority`, or `missing` when nobody gave a label.
        tied: the labels with most votes, sorted; one label unless there was a tie.
        share: share of the given labels that each of `tied` has; 0 when there are none.
        n: labels given.
        broken_by: the rule that decided a tie; None when none was needed.
    """

    label: str | None
    status: VoteStatus
    tied: tuple[str, ...]
    share: float
    n: int
    broken_by: TieRule | None = None

    def credit(self, reference: str) -> float:
        """Fractional credit for evaluation: 1/k if the reference is among the k labels with most votes, otherwise 0."""
        return 1 / len(self.tied) if reference in self.tied else 0.0


def most_votes(labels: Iterable[str | None]) -> Vote:
    """The label with most votes, with or without more than half of them; a tie has no label.

    None is a label that did not come. Also the rule of self-consistency, over samples instead of agents.

    Source: `experts`, section 3; STATISTICS 3.2.
    """
    asked = list(labels)
    given = Counter(label for label in asked if label is not None)
    if not given:
        return Vote(None, "missing", (), 0.0, 0)
    top = max(given.values())
    n = given.total()
    tied = tuple(sorted(label for label, votes in given.items() if votes == top))
    if len(tied) > 1:
        return Vote(None, "no_majority", tied, top / n, n)
    return Vote(tied[0], "consensus" if top == len(asked) else "majority", tied, top / n, n)


def majority(
    labels: Mapping[str, str | None],
    *,
    rule: TieRule = "escalate",
    order: Sequence[str] = (),
    earlier: Sequence[Mapping[str, str | None]] = (),
    seed: int = 0,
    item: str = "",
) -> Vote:
    """What the agents' labels come to, with a rule for ties; never decided by the order in which labels stand.

    Args:
        labels: by agent; None where none came.
        rule: for ties.
        order: all agents, the one that counts first first; for `priority` and `history`.
        earlier: the labels of earlier rounds, for `history`.
        seed, item: for `seeded`.

    Raises:
        ValueError: the rule needs `order`, and an agent is not in it.

    Source: `experts`, Algorithm 1; STATISTICS 3.2.
    """
    vote = most_votes(labels.values())
    if vote.status != "no_majority" or rule == "escalate":
        return vote
    tied = vote.tied
    if rule == "seeded":
        digest = hashlib.sha256(f"{seed}\x1f{item}".encode()).digest()
        chosen = tied[int.from_bytes(digest[:8], "big") % len(tied)]
    else:
        if rule == "history":
            over_all = Counter(label for voted in (*earlier, labels) for label in voted.values() if label in tied)
            tied = tuple(label for label in tied if over_all[label] == max(over_all.values()))
        chosen = tied[0] if len(tied) == 1 else _first_in_order(labels, order, tied)
    return Vote(chosen, "majority", vote.tied, vote.share, vote.n, broken_by=rule)


def _first_in_order(labels: Mapping[str, str | None], order: Sequence[str], tied: tuple[str, ...]) -> str:
    unknown = sorted(set(labels) - set(order))
    if unknown:
        raise ValueError(f"majority: `order` must name every agent, but {unknown[0]!r} is not in {list(order)!r}")
    return next(label for agent in order if (label := labels.get(agent)) in tied and label is not None)
