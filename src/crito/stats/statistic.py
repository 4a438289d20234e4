"""What every statistic comes back as: a value, or the reason why there is none."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import datetime
from typing import Any, Literal, Self, cast

import numpy as np

from crito.model.phrase import Phrase

Status = Literal["ok", "undefined", "insufficient", "not_applicable"]
Detail = float | int | str | bool | None

LEVEL = 0.95
"""Level of an interval unless the caller says otherwise."""


@dataclass(frozen=True, slots=True)
class Interval:
    """Where the true value may lie, and how that was found. `clipped` is true when the range was cut to what can be."""

    low: float
    high: float
    level: float
    method: str
    clipped: bool = False

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low <= self.high):
            raise ValueError(f"Interval: bounds must be finite and in order, but got {self.low!r}, {self.high!r}")

    def __str__(self) -> str:
        return f"[{_rounded(self.low)}, {_rounded(self.high)}]"


@dataclass(frozen=True, slots=True)
class Statistic:
    """A value with what it rests on, or a stated reason why there is no value.

    Attributes:
        name: what is measured, in glossary words, such as `flip_rate`.
        value: a finite number when `status` is `ok`, otherwise None.
        n: observations used.
        method: the exact variant, in words.
        dropped: observations left out, counted by reason.
        interval: for independent observations.
        cluster_interval: from resampling items (or persons), where one of them contributes more than once.
        p_value: of the test that `method` names.
        details: further numbers of the same computation; some may be known although the value is not.
        status: `undefined` when no number of data would give a value here (no variation, nothing eligible),
            `insufficient` when more data would, `not_applicable` when the question does not arise.
        reason: why there is no value, or what to know about the value there is.
    """

    name: str
    value: float | None
    n: int
    method: str
    dropped: Mapping[str, int] = field(default_factory=dict)
    interval: Interval | None = None
    cluster_interval: Interval | None = None
    p_value: float | None = None
    details: Mapping[str, Detail] = field(default_factory=dict)
    status: Status = "ok"
    reason: str = ""

    def __post_init__(self) -> None:
        if (self.status == "ok") != (self.value is not None) or (self.status != "ok" and not self.reason):
            raise ValueError(
                f"Statistic: {self.name} needs either a value with status 'ok', or another status with a reason, "
                f"but got value {self.value!r}, status {self.status!r}, reason {self.reason!r}"
            )
        for key, number in {"value": self.value, "p_value": self.p_value, **self.details}.items():
            if isinstance(number, float) and not math.isfinite(number):
                raise ValueError(f"Statistic: {key} of {self.name} must be finite, but got {number!r}")

    @classmethod
    def absent(
        cls,
        name: str,
        status: Literal["undefined", "insufficient", "not_applicable"],
        reason: str,
        *,
        n: int,
        method: str,
        dropped: Mapping[str, int] | None = None,
        details: Mapping[str, Detail] | None = None,
    ) -> Self:
        """A statistic without a value, and why."""
        return cls(name, None, n, method, dropped=dropped or {}, details=details or {}, status=status, reason=reason)

    @property
    def n_dropped(self) -> int:
        """Observations left out, for whatever reason."""
        return sum(self.dropped.values())

    def detail(self, key: str) -> float:
        """One number of `details`.

        Raises:
            KeyError: there is no such detail, or it is not a number here.
        """
        number = self.details[key]
        if number is None or isinstance(number, str):
            raise KeyError(f"{key} of {self.name} is not a number, but {number!r}")
        return float(number)

    def withheld_below(self, fewest: int, n: int | None = None) -> Self:
        """The same result, or `insufficient` where it rests on fewer than `fewest`: `n`, or the observations used."""
        counted = self.n if n is None else n
        if self.value is None or counted >= fewest:
            return self
        reason = (
            Phrase("fewer than %(n)s to count", n=fewest)
            if n is None
            else Phrase("fewer than %(n)s to count on a side", n=fewest)
        )
        return type(self).absent(self.name, "insufficient", reason, n=self.n, method=self.method, dropped=self.dropped)

    def renamed(self, name: str) -> Self:
        """The same result under another name."""
        return replace(self, name=name)

    def __str__(self) -> str:
        """One line, fit for a terminal: `flip_rate = 0.4 [0.17, 0.69] (95 % Wilson), n = 10; left out: 3 not_sure`."""
        if self.value is None:
            head = f"{self.name}: {self.status} ({self.reason})"
        else:
            head = f"{self.name} = {_rounded(self.value)}"
            if self.interval:
                head += f" {self.interval} ({self.interval.level * 100:g} % {self.interval.method})"
            if self.p_value is not None:
                head += f", p = {self.p_value:.4g}"
        parts = [head, f"n = {self.n}"]
        if self.n_dropped:
            parts.append("left out: " + ", ".join(f"{count} {why}" for why, count in self.dropped.items() if count))
        if self.value is not None and self.reason:
            parts.append(self.reason)
        return "; ".join([", ".join(parts[:2]), *parts[2:]])


def left_out(counts: Mapping[str, int]) -> dict[str, int]:
    """The reasons for leaving something out that occurred, as `Statistic.dropped` wants them."""
    return {why: int(count) for why, count in counts.items() if count}


def as_json(result: object) -> Any:
    """`result` as what `json.dumps` takes: a statistic, a table, or anything built of them.

    Dataclasses become objects (without fields marked `json: False`, which are tables), arrays and tuples become lists,
    times are in ISO 8601;
    keys that are not text are written as text.

    Raises:
        TypeError: something in `result` has no JSON form.
        ValueError: a number in `result` is not finite.
    """
    if isinstance(result, np.generic | np.ndarray):
        return as_json(result.tolist())
    if result is None or isinstance(result, str | bool | int):
        return result
    if isinstance(result, float):
        if not math.isfinite(result):
            raise ValueError(f"as_json: numbers must be finite, but got {result!r}")
        return result
    if isinstance(result, datetime):
        return result.isoformat()
    if is_dataclass(result) and not isinstance(result, type):
        return {
            part.name: as_json(getattr(result, part.name)) for part in fields(result) if part.metadata.get("json", True)
        }
    if isinstance(result, Mapping):
        pairs = cast(Mapping[object, object], result)
        return {str(key): as_json(value) for key, value in pairs.items()}
    if isinstance(result, list | tuple | set | frozenset):
        return [as_json(part) for part in result]
    raise TypeError(f"as_json: no JSON form for a {type(result).__name__}: {result!r}")


def _rounded(number: float) -> str:
    return f"{number:.4g}"
