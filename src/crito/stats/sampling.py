"""Whom to ask next: inclusion probabilities that lean towards what the machine is unsure of."""

import numpy as np
import numpy.typing as npt

from crito.stats.ratings import FloatArray


def inclusion_probabilities(
    uncertainty: npt.ArrayLike, budget: float, *, evenness: float = 0.5, floor: float = 0.1
) -> FloatArray:
    """The probability with which each item is to be drawn, independently of the others, shape (n_items,).

    The expected number asked is the sum; it may exceed the budget a little, by the floor, or fall short, by the cap.

    Args:
        uncertainty: of the machine, in [0, 1], shape (n_items,); only earlier batches may have shaped it.
        budget: items to be asked, above 0 and at most n_items.
        evenness: the part of the budget that is spread evenly, in [0, 1].
        floor: least probability, as a part of the even one, in (0, 1]: every item can be drawn.

    Returns:
        In (0, 1]. Without any uncertainty the budget is spread evenly.

    Raises:
        ValueError: an argument is out of its range.

    Source: active and confidence-driven inference; STATISTICS 6.4.
    """
    u = np.asarray(uncertainty, np.float64)
    if not ((u >= 0) & (u <= 1)).all():
        raise ValueError("inclusion_probabilities: uncertainty must be in [0, 1]")
    if not (0 < budget <= len(u) and 0 <= evenness <= 1 and 0 < floor <= 1):
        raise ValueError(
            f"inclusion_probabilities: budget above 0 and at most {len(u)}, evenness in [0, 1], floor in (0, 1], "
            f"but got {budget!r}, {evenness!r}, {floor!r}"
        )
    even = budget / len(u)
    leaning = budget * u / u.sum() if u.sum() > 0 else np.full(len(u), even)
    return np.clip((1 - evenness) * leaning + evenness * even, floor * even, 1.0)
