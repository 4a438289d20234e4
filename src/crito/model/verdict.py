"""What judges decide when a debate is over: scores topic by topic in one or both orders of speaking, and a winner each."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from crito.model.crit import CritReport
from crito.model.debate import Side

Order = Literal["A first", "B first"]
ORDERS: tuple[Order, ...] = get_args(Order)
"""Whose words a judge reads first."""

Winner = Literal["A", "B", "tie"]


@dataclass(frozen=True, slots=True)
class TopicScore:
    """What a judge gives each side on one topic, from 0 to 10; None where no such number could be read."""

    a: float | None
    b: float | None


@dataclass(frozen=True, slots=True)
class Ballot:
    """One judge's decision in one order of speaking.

    Attributes:
        scores: in the order of the debate's topics.
        winner: the side that the judge names, whatever its scores add up to; None where it names none.
        problem: why there is no decision; empty where there is one.
    """

    judge: str
    order: Order
    scores: tuple[TopicScore, ...]
    winner: Winner | None
    justification: str = ""
    problem: str = ""

    @property
    def totals(self) -> tuple[float | None, float | None]:
        """The sums of A and of B; None when a topic was not scored, which voids the sum."""
        return _total([score.a for score in self.scores]), _total([score.b for score in self.scores])

    @property
    def computed_winner(self) -> Winner | None:
        """The side with the higher total; kept beside the one that the judge names."""
        total_a, total_b = self.totals
        if total_a is None or total_b is None:
            return None
        return "A" if total_a > total_b else "B" if total_b > total_a else "tie"

    @property
    def contradicts_itself(self) -> bool:
        """Whether the judge names another winner than its own scores do."""
        return None not in (self.winner, self.computed_winner) and self.winner != self.computed_winner


@dataclass(frozen=True, slots=True)
class SideReading:
    """A judge's critical reading of one side's closing, with the other side's as what is held against it."""

    judge: str
    side: Side
    report: CritReport


@dataclass(frozen=True, slots=True)
class Verdict:
    """Everything that judges decided about a debate.

    Attributes:
        topics: titles, as they stand with A first.
        judges: the model of each judge by its name.
        debaters_judging: the models that argued and judge as well.
        read: what the judges were given.
        debate_swapped: whether B first is a debate of its own, and not the same one read in the other order.
    """

    subject: str
    topics: tuple[str, ...]
    judges: Mapping[str, str]
    ballots: tuple[Ballot, ...]
    readings: tuple[SideReading, ...] = ()
    debaters_judging: tuple[str, ...] = ()
    read: Literal["closings", "transcript"] = "closings"
    debate_swapped: bool = False

    @property
    def orders(self) -> tuple[Order, ...]:
        return tuple(order for order in ORDERS if any(ballot.order == order for ballot in self.ballots))

    def in_order(self, order: Order) -> tuple[Ballot, ...]:
        """The ballots of one order, in the order of the judges."""
        by_judge = {ballot.judge: ballot for ballot in self.ballots if ballot.order == order}
        return tuple(by_judge[judge] for judge in self.judges if judge in by_judge)


def _total(scores: list[float | None]) -> float | None:
    known = [score for score in scores if score is not None]
    return sum(known) if known and len(known) == len(scores) else None
