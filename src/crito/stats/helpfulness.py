"""Did people expect the talk to help, and did they find that it had?"""

from collections.abc import Sequence
from dataclasses import dataclass

from crito.model.phrase import Phrase
from crito.stats.paired import mcnemar
from crito.stats.proportions import share
from crito.stats.statistic import Statistic, left_out


@dataclass(frozen=True, slots=True)
class Helpfulness:
    """Expected and perceived helpfulness over annotations with both answers.

    Attributes:
        expected, perceived: share of yes before and after.
        improved, worsened: share that went from no to yes, from yes to no.
        change: perceived minus expected, with McNemar's exact test.
    """

    expected: Statistic
    perceived: Statistic
    improved: Statistic
    worsened: Statistic
    change: Statistic


def helpfulness(expected: Sequence[bool | None], perceived: Sequence[bool | None]) -> Helpfulness:
    """Compare what people expected of the talk with how they found it.

    Args:
        expected, perceived: per annotation yes, no or None for no answer, shape (n,).

    Returns:
        Annotations without both answers are dropped and counted; without any the shares are `undefined`.

    Raises:
        ValueError: columns differ in length.

    Source: `socratic`, helpfulness; STATISTICS 2.9.
    """
    if len(expected) != len(perceived):
        raise ValueError(f"helpfulness: one answer each per annotation, but got {len(expected)} and {len(perceived)}")
    both = [(a, b) for a, b in zip(expected, perceived, strict=True) if a is not None and b is not None]
    yes_yes, yes_no = both.count((True, True)), both.count((True, False))
    no_yes, no_no = both.count((False, True)), both.count((False, False))
    return helpfulness_from_counts(yes_yes, yes_no, no_yes, no_no, missing=len(expected) - len(both))


def helpfulness_from_counts(yes_yes: int, yes_no: int, no_yes: int, no_no: int, *, missing: int = 0) -> Helpfulness:
    """The same from counts, expected first."""
    n = yes_yes + yes_no + no_yes + no_no
    dropped = left_out({"missing": missing})

    def part(name: str, count: int) -> Statistic:
        return share(name, count, n, dropped=dropped, empty=Phrase("no annotation has both answers"))

    return Helpfulness(
        expected=part("expected_helpful", yes_yes + yes_no),
        perceived=part("perceived_helpful", yes_yes + no_yes),
        improved=part("improved", no_yes),
        worsened=part("worsened", yes_no),
        change=mcnemar(yes_no, no_yes, n=n).renamed("helpfulness_change"),
    )
