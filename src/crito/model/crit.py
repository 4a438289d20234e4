"""CRIT, a judge's reading of a text: its claim, what speaks for and against it, how strongly, and one score."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from crito.model.crit_score import GAMMA_MODES, CritScore, GammaMode, Rating, crit_score

EvidenceType = Literal["theory", "opinion", "statistics", "claim"]
EVIDENCE_TYPES: tuple[EvidenceType, ...] = get_args(EvidenceType)
"""What a reason rests on; a `claim` is one taken from another source, which can be examined in its turn."""

Inference = Literal["inductive", "deductive", "abductive"]
INFERENCES: tuple[Inference, ...] = get_args(Inference)
"""How a reason leads to the claim. An abductive one is a guess at the best explanation and should carry no argument."""

RatingReading = Literal["ok", "unreadable", "out_of_range", "missing"]
"""What stood where a rating was asked for; only `ok` is a number that counts."""

Stopped = Literal["cycle", "depth", "not_found", "budget", "no_score"]
"""Why a source was not examined, or did not count: it leads back to itself, it lies too deep, nobody gave its text, too
few calls are left, or it came out without a score. Its reason is then rated like any other."""

RivalsFrom = Literal["judge", "opponent"]


@dataclass(frozen=True, slots=True)
class Argument:
    """A reason for a claim, or a rival reason against it, as a judge found it in a text.

    Attributes:
        text: the reason in a sentence.
        evidence: what is offered for it.
        type, inference: None where the judge gave none that is known.
        source: the other source that the claim is taken from; empty where it names none.
    """

    text: str
    evidence: str = ""
    type: EvidenceType | None = None
    inference: Inference | None = None
    source: str = ""


@dataclass(frozen=True, slots=True)
class RatedArgument:
    """An argument with its rating.

    Attributes:
        id: `r1`, `r2`… for reasons, `v1`, `v2`… for rivals.
        rating: validity and credibility, None where none could be read.
        validity, credibility: what stood in their places.
        justification: the judge's words for the rating.
        child: the reading of the source whose score counts as this argument's rating.
        recursion_stopped: why the source it is taken from was not examined; None where it was, or where it has none.
    """

    id: str
    argument: Argument
    rating: Rating
    validity: RatingReading
    credibility: RatingReading
    justification: str = ""
    child: "CritReport | None" = None
    recursion_stopped: Stopped | None = None

    @property
    def speculative(self) -> bool:
        """Whether it rests on abduction, which should not justify anything."""
        return self.argument.inference == "abductive"


@dataclass(frozen=True, slots=True)
class CritReport:
    """What one judge makes of one text.

    Attributes:
        document: what the text is called.
        judge: the judge's name in its run.
        claim: empty where the judge found none.
        rivals_from: whether the judge thought of the rivals or an opponent raised them.
        justification: the judge's account of the score in words.
        reflection: how the argument would fare in other contexts.
        problems: what went wrong on the way, in words.
    """

    document: str
    judge: str
    claim: str
    reasons: tuple[RatedArgument, ...]
    rivals: tuple[RatedArgument, ...]
    rivals_from: RivalsFrom = "judge"
    justification: str = ""
    reflection: str = ""
    problems: tuple[str, ...] = ()

    @property
    def arguments(self) -> tuple[RatedArgument, ...]:
        return (*self.reasons, *self.rivals)

    def score(self, mode: GammaMode = "reflected") -> CritScore:
        """Γ by one formula, worked out from the ratings each time."""
        return crit_score([r.rating for r in self.reasons], [r.rating for r in self.rivals], mode)

    def scores(self) -> Mapping[GammaMode, CritScore]:
        """Γ by every formula."""
        return {mode: self.score(mode) for mode in GAMMA_MODES}

    @property
    def n_unreadable(self) -> int:
        """Ratings that came and are no number from 1 to 10."""
        readings = [reading for one in self.arguments for reading in (one.validity, one.credibility)]
        return sum(reading in ("unreadable", "out_of_range") for reading in readings)

    @property
    def n_missing(self) -> int:
        """Ratings that did not come at all."""
        readings = [reading for one in self.arguments for reading in (one.validity, one.credibility)]
        return sum(reading == "missing" for reading in readings)

    def readings(self) -> "Iterator[CritReport]":
        """This reading and those of the sources below it, each once."""
        seen = {self.document}
        yield self
        for one in self.arguments:
            for child in one.child.readings() if one.child else ():
                if child.document not in seen:
                    seen.add(child.document)
                    yield child
