"""What asking models cost: calls, tokens and money by model and by what they were asked for."""

from collections.abc import Sequence
from dataclasses import dataclass

from crito.services.ledger import DIALOGUE, CallSum


@dataclass(frozen=True, slots=True)
class CostReport:
    """Calls in sums, and what they come to.

    Attributes:
        sums: by model, method and status.
        cost_usd: of all calls with a known price.
        unpriced: calls without one.
        per_dialogue_usd: of dialogues with models, over `dialogues`; None where a price is unknown or there are none.
    """

    sums: tuple[CallSum, ...]
    cost_usd: float
    unpriced: int
    dialogues: int
    per_dialogue_usd: float | None


def cost_report(sums: Sequence[CallSum], dialogues: int) -> CostReport:
    """The costs of a study; `dialogues` is how many were held with a model."""
    of_dialogues = [row for row in sums if row.method == DIALOGUE]
    known = bool(of_dialogues) and not any(row.unpriced for row in of_dialogues) and dialogues > 0
    spent = sum(row.cost_usd for row in of_dialogues)
    return CostReport(
        tuple(sums), sum(row.cost_usd for row in sums), sum(row.unpriced for row in sums),
        dialogues, spent / dialogues if known else None,
    )  # fmt: skip
