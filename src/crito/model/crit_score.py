"""Γ, the score that CRIT gives a claim from the ratings of its reasons and of what speaks against it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

GammaMode = Literal["reflected", "literal", "literal10", "weighted", "signed", "ratio"]
GAMMA_MODES: tuple[GammaMode, ...] = get_args(GammaMode)

LOWEST, HIGHEST = 1, 10


@dataclass(frozen=True, slots=True)
class Rating:
    """A judge's rating of one reason or rival, both on 1 to 10.

    Attributes:
        validity: how well it supports the claim; for a rival, how strongly it speaks against the claim (except in mode
            `weighted`, where it is asked as support). None when the judge gave none.
        credibility: how far its source is to be believed; None when unknown.
    """

    validity: float | None
    credibility: float | None = None

    def __post_init__(self) -> None:
        for name, number in (("validity", self.validity), ("credibility", self.credibility)):
            if number is not None and not LOWEST <= number <= HIGHEST:
                raise ValueError(f"Rating: {name} must be from {LOWEST} to {HIGHEST}, but got {number!r}")


@dataclass(frozen=True, slots=True)
class CritScore:
    """Γ of one claim, or why it has none.

    Attributes:
        value: None when the claim has no rated reason.
        mode: which formula.
        n_reasons, n_rivals: how many counted.
        n_dropped: ratings without validity, left out.
        credibility_fill: what stood in for an unknown credibility; None when all were known.
        reason: why there is no value, or what to know about the value there is.
    """

    value: float | None
    mode: GammaMode
    n_reasons: int
    n_rivals: int
    n_dropped: int = 0
    credibility_fill: float | None = None
    reason: str = ""


def crit_score(reasons: Sequence[Rating], rivals: Sequence[Rating], mode: GammaMode = "reflected") -> CritScore:
    """Γ from the ratings of reasons and rivals.

    An unknown credibility counts as the mean of the known ones; with none known all weigh 1.

    Args:
        reasons, rivals: as a judge rated them; their order does not matter.
        mode: `reflected` (1 to 10): mean of validity, of 11 - validity for rivals, weighted by credibility.
            `literal` (1 to 100): the source's sum of validity x credibility over the count; `literal10`: a tenth of it.
            `weighted` (1 to 10): as `reflected` without reflecting, for rivals rated by their support.
            `signed` (-100 to 100): rivals with a minus. `ratio` (0 to 1): the reasons' part of the sum.

    Departs: the default is `reflected`, since the source's formula leaves its own scale and rises when a rival
        gets stronger.

    Source: `socrasynth`, CRIT; STATISTICS 4.1.
    """
    rated, against = _with_validity(reasons), _with_validity(rivals)
    n_dropped = len(reasons) + len(rivals) - len(rated) - len(against)
    if not rated:
        why = "no reason was rated" if reasons else "the claim has no reasons"
        return CritScore(None, mode, 0, len(against), n_dropped, reason=why)
    known = [credibility for _, credibility in (*rated, *against) if credibility is not None]
    complete = len(known) == len(rated) + len(against)
    fill = math.fsum(known) / len(known) if known else 1.0
    pro = [(validity, fill if credibility is None else credibility) for validity, credibility in rated]
    con = [(validity, fill if credibility is None else credibility) for validity, credibility in against]
    return CritScore(
        _gamma(pro, con, mode), mode, len(pro), len(con), n_dropped,
        credibility_fill=None if complete else fill,
        reason="" if known else "no credibility is known, so all weigh 1",
    )  # fmt: skip


def rating_from_source(reasons: Sequence[Rating], rivals: Sequence[Rating]) -> Rating | None:
    """How a reason counts that is itself a claim of another source: Γ of that claim, and the mean credibility there.

    None when the source's claim has no score.

    Source: `socrasynth`, CRIT step 4; STATISTICS 4.1, recursion.
    """
    score = crit_score(reasons, rivals)
    if score.value is None:
        return None
    rated = (*_with_validity(reasons), *_with_validity(rivals))
    known = [credibility for _, credibility in rated if credibility is not None]
    return Rating(score.value, math.fsum(known) / len(known) if known else None)


def _gamma(pro: list[tuple[float, float]], con: list[tuple[float, float]], mode: GammaMode) -> float:
    weight = math.fsum(credibility for _, credibility in (*pro, *con))
    for_claim = math.fsum(validity * credibility for validity, credibility in pro)
    of_rivals = math.fsum(validity * credibility for validity, credibility in con)
    count = len(pro) + len(con)
    match mode:
        case "reflected":
            reflected = math.fsum((LOWEST + HIGHEST - validity) * credibility for validity, credibility in con)
            return (for_claim + reflected) / weight
        case "literal":
            return (for_claim + of_rivals) / count
        case "literal10":
            return (for_claim + of_rivals) / count / 10
        case "weighted":
            return (for_claim + of_rivals) / weight
        case "signed":
            return (for_claim - of_rivals) / count
        case "ratio":
            return for_claim / (for_claim + of_rivals)


def _with_validity(ratings: Sequence[Rating]) -> list[tuple[float, float | None]]:
    return [(rating.validity, rating.credibility) for rating in ratings if rating.validity is not None]
