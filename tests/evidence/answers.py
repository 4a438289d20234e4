"""Answers of one person beside a machine's, as the tests of evidence need them."""

from collections.abc import Iterable
from dataclasses import replace

from crito.evidence.comparisons import Comparison


def make_comparison(*, agrees: bool = True, item: str = "i-1", order: int = 0, **changes: object) -> Comparison:
    """A blind answer on a drawn item; `changes` are fields of the comparison."""
    plain = Comparison(
        item=item,
        annotator="ana",
        answer="yes" if agrees else "no",
        machine="yes",
        blind=True,
        order=order,
        inclusion=0.2,
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def blind_answers(agreed: Iterable[bool], **changes: object) -> list[Comparison]:
    """One blind answer an item, in order."""
    return [
        make_comparison(agrees=agrees, item=f"i-{place:04}", order=place, **changes)
        for place, agrees in enumerate(agreed)
    ]
