"""What a discussion did to the labels: agreement and accuracy by round, what was recoverable, who revised well."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from crito.model.phrase import Phrase
from crito.model.votes import Vote, most_votes
from crito.stats.agreement import fleiss_kappa, krippendorff_alpha, percent_agreement
from crito.stats.means import mean
from crito.stats.proportions import share
from crito.stats.ratings import LabelName, Ratings, ratings_from
from crito.stats.statistic import Statistic, left_out
from crito.stats.tables import Moves, moves_from_counts

Round = Mapping[str, str | None]
"""Label by agent; None where none came."""

Talks = Mapping[Any, Sequence[Round]]
"""For each item its rounds, the independent labels first. An item that settled early has fewer rounds."""

Gold = Mapping[Any, str]


@dataclass(frozen=True, slots=True)
class RoundMeasures:
    """One round over all items; items that stopped earlier carry their last labels forward.

    Attributes:
        round: from 0, the independent labels.
        accuracy: of each agent, over items with a reference.
        consensus: share of items on which every agent gives the same label.
        strict, fractional: accuracy of the majority label, over items with a reference; a tie counts as wrong, or
            shares its credit among the tied labels.
        active_fleiss_kappa: over the items still in discussion only; it falls because easy items leave.
    """

    round: int
    percent_agreement: Statistic
    fleiss_kappa: Statistic
    krippendorff_alpha: Statistic
    accuracy: Mapping[str, Statistic]
    consensus: Statistic
    strict: Statistic
    fractional: Statistic
    active_fleiss_kappa: Statistic


@dataclass(frozen=True, slots=True)
class Recoverable:
    """What a discussion that only chooses among the initial labels could reach at best.

    Attributes:
        upper_bound: share of items whose reference is among the initial labels.
        irrecoverable: the other items.
        outside_bound: irrecoverable items that ended right all the same, so that accuracy may exceed the bound.
        final_accuracy: of the final majority label, ties wrong.
        gap: upper bound minus final accuracy.
    """

    upper_bound: Statistic
    irrecoverable: tuple[Hashable, ...]
    outside_bound: tuple[Hashable, ...]
    final_accuracy: Statistic
    gap: Statistic


@dataclass(frozen=True, slots=True)
class Revisions:
    """What happened between one round and the next, against the reference; nothing carried forward counts.

    Attributes:
        corrected, corrupted: from wrong to right, from right to wrong.
        switched_wrong: from wrong to another wrong label.
        n_missing: steps without a label on either side.
        correction_rate: corrected / all that were wrong.
        corruption_rate: corrupted / all that were right.
    """

    kept_right: int
    kept_wrong: int
    corrected: int
    corrupted: int
    switched_wrong: int
    n_missing: int
    correction_rate: Statistic
    corruption_rate: Statistic


def by_round(
    talks: Talks, gold: Gold | None = None, *, label_set: Sequence[LabelName] | None = None
) -> list[RoundMeasures]:
    """Agreement and accuracy in each round.

    Args:
        talks: rounds of each item; every item needs at least the independent labels.
        gold: reference label by item; items without one count for agreement only.
        label_set: the declared labels; without it, those that occur.

    Raises:
        ValueError: an item has no round, or a label is not in `label_set`.

    Source: `experts`, agreement by round; STATISTICS 3.3.
    """
    _refuse_empty("by_round", talks)
    gold = gold or {}
    last = max((len(rounds) for rounds in talks.values()), default=0)
    return [_measures(talks, gold, place, label_set) for place in range(last)]


def recoverable(talks: Talks, gold: Gold) -> Recoverable:
    """What a discussion could reach at best, and what it reached; over items with a reference.

    Returns:
        Statistics are `undefined` when no item has a reference.

    Raises:
        ValueError: an item has no round.

    Source: `experts`, upper bound; STATISTICS 3.3.
    """
    _refuse_empty("recoverable", talks)
    known = {item: rounds for item, rounds in talks.items() if item in gold}
    lost = tuple(item for item, rounds in known.items() if gold[item] not in rounds[0].values())
    right = {item for item, rounds in known.items() if most_votes(rounds[-1].values()).label == gold[item]}
    dropped = left_out({"no_gold": len(talks) - len(known)})
    empty = Phrase("no item has a reference label")
    bound = share("upper_bound", len(known) - len(lost), len(known), dropped=dropped, empty=empty)
    accuracy = share("final_accuracy", len(right), len(known), dropped=dropped, empty=empty)
    if bound.value is None or accuracy.value is None:
        gap = Statistic.absent("gap", "undefined", empty, n=0, method="difference of shares", dropped=dropped)
    else:
        gap = Statistic("gap", bound.value - accuracy.value, len(known), "difference of shares", dropped=dropped)
    return Recoverable(bound, lost, tuple(item for item in lost if item in right), accuracy, gap)


def revisions(talks: Talks, gold: Gold, *, agent: str | None = None) -> Revisions:
    """How labels changed from round to round, of one agent or of all; over items with a reference.

    Returns:
        Rates are `undefined` when no label was wrong, or right, before a step.

    Source: `experts`, revision behaviour; STATISTICS 3.3.
    """
    count = dict.fromkeys(("kept_right", "kept_wrong", "corrected", "corrupted", "switched_wrong", "missing"), 0)
    for item, rounds in talks.items():
        if item not in gold:
            continue
        for before, after in pairwise(rounds):
            for name in sorted(before.keys() | after.keys()):
                if agent in (None, name):
                    count[_revision(before.get(name), after.get(name), gold[item])] += 1
    was_wrong = count["corrected"] + count["kept_wrong"] + count["switched_wrong"]
    was_right = count["corrupted"] + count["kept_right"]
    dropped = left_out({"missing": count["missing"]})
    return Revisions(
        kept_right=count["kept_right"], kept_wrong=count["kept_wrong"], corrected=count["corrected"],
        corrupted=count["corrupted"], switched_wrong=count["switched_wrong"], n_missing=count["missing"],
        correction_rate=share(
            "correction_rate", count["corrected"], was_wrong, dropped=dropped, empty=Phrase("no label was wrong before a step")
        ),
        corruption_rate=share(
            "corruption_rate", count["corrupted"], was_right, dropped=dropped, empty=Phrase("no label was right before a step")
        ),
    )  # fmt: skip


def moved(talks: Talks, *, agent: str | None = None) -> Statistic:
    """Share of steps from one round to the next in which a label changed, of one agent or of all; gold is not needed.

    Returns:
        A share with detail `count`; 0 of at least one step: an agent that never moved. `undefined` without a step
        that has a label on both sides.

    Source: `experts`, section 4.4.
    """
    n_steps = n_moved = n_missing = 0
    for rounds in talks.values():
        for before, after in pairwise(rounds):
            for name in before.keys() | after.keys():
                if agent not in (None, name):
                    continue
                given = before.get(name), after.get(name)
                n_missing += None in given
                n_steps += None not in given
                n_moved += None not in given and given[0] != given[1]
    return share("moved", n_moved, n_steps, dropped=left_out({"missing": n_missing}), empty=Phrase("no step was taken"))


RIGHT, WRONG, NO_LABEL = "right", "wrong", "no_label"


def right_and_wrong(talks: Talks, gold: Gold, *, agent: str) -> list[Moves]:
    """How many of an agent's labels were right, wrong or missing before and after each step that took place.

    Returns:
        One table per step, from round 0 on; over items with a reference that went on to another round.

    Source: `experts`, Figure 4; STATISTICS 3.3.
    """
    names = (RIGHT, WRONG, NO_LABEL)
    steps: list[list[list[int]]] = []
    for item, rounds in talks.items():
        if item not in gold:
            continue
        for place, pair in enumerate(pairwise(rounds)):
            if place == len(steps):
                steps.append([[0] * len(names) for _ in names])
            before, after = (names.index(_judged(labels.get(agent), gold[item])) for labels in pair)
            steps[place][before][after] += 1
    return [moves_from_counts(names, counts) for counts in steps]


def _judged(label: str | None, reference: str) -> str:
    if label is None:
        return NO_LABEL
    return RIGHT if label == reference else WRONG


def _measures(talks: Talks, gold: Gold, place: int, label_set: Sequence[LabelName] | None) -> RoundMeasures:
    now = {item: rounds[min(place, len(rounds) - 1)] for item, rounds in talks.items()}
    active = {item: rounds[place] for item, rounds in talks.items() if place < len(rounds)}
    everyone, still_active = _ratings(now, label_set), _ratings(active, label_set)
    votes = {item: most_votes(labels.values()) for item, labels in now.items()}
    agents = sorted({agent for labels in now.values() for agent in labels})
    unanimous = sum(vote.status == "consensus" for vote in votes.values())
    return RoundMeasures(
        round=place,
        percent_agreement=percent_agreement(everyone),
        fleiss_kappa=fleiss_kappa(everyone),
        krippendorff_alpha=krippendorff_alpha(everyone),
        accuracy={agent: _agent_accuracy(now, gold, agent) for agent in agents},
        consensus=share("consensus", unanimous, len(votes), empty=Phrase("no items")),
        strict=_vote_accuracy(votes, gold),
        fractional=mean(
            "fractional_accuracy", [vote.credit(gold[item]) for item, vote in votes.items() if item in gold],
            within=(0.0, 1.0), dropped=left_out({"no_gold": sum(item not in gold for item in votes)}),
        ),
        active_fleiss_kappa=fleiss_kappa(still_active).renamed("active_fleiss_kappa"),
    )  # fmt: skip


def _ratings(labels: Mapping[Hashable, Round], label_set: Sequence[LabelName] | None) -> Ratings:
    rows = [(item, agent, label) for item, by_agent in labels.items() for agent, label in by_agent.items()]
    return ratings_from(
        [row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows], label_set=label_set, states={}
    )


def _agent_accuracy(labels: Mapping[Hashable, Round], gold: Gold, agent: str) -> Statistic:
    given = [(by_agent.get(agent), gold[item]) for item, by_agent in labels.items() if item in gold]
    present = [label == reference for label, reference in given if label is not None]
    dropped = left_out({"missing": len(given) - len(present), "no_gold": len(labels) - len(given)})
    return share(
        "accuracy", sum(present), len(present), dropped=dropped, empty=Phrase("no label meets a reference label")
    )


def _vote_accuracy(votes: Mapping[Hashable, Vote], gold: Gold) -> Statistic:
    known = [vote.label == gold[item] for item, vote in votes.items() if item in gold]
    return share(
        "strict_accuracy", sum(known), len(known), dropped=left_out({"no_gold": len(votes) - len(known)}),
        empty=Phrase("no item has a reference label"),
    )  # fmt: skip


def _revision(before: str | None, after: str | None, reference: str) -> str:
    if before is None or after is None:
        return "missing"
    if before == reference:
        return "kept_right" if after == reference else "corrupted"
    if after == reference:
        return "corrected"
    return "kept_wrong" if after == before else "switched_wrong"


def _refuse_empty(caller: str, talks: Talks) -> None:
    for item, rounds in talks.items():
        if not rounds:
            raise ValueError(f"{caller}: every item needs its independent labels, but {item!r} has no round")
