"""A hundred whole studies of each kind through the real services and store: how often gate, certificates and audits err."""

import asyncio
import statistics
from typing import Any

import pytest

from benchmarks.blind import ALLOWED, KINDS, Run, audit_run, gate_run, walked

N = 100


def runs_of(kind: str, run: Run | None = None) -> list[Any]:
    return asyncio.run(walked(kind, run or KINDS[kind], range(N)))


@pytest.mark.slow
def test_at_the_threshold_the_anytime_gate_seldom_opens_and_the_guides_rule_mostly_does() -> None:
    # Shorter than the 400 labels of the benchmark, for the time it takes.
    runs = runs_of("at-threshold", lambda parts, name, rng: gate_run(parts, name, 0.90, rng, at_most=200))

    assert sum(one.anytime is not None for one in runs) <= 0.05 * N
    assert sum(one.point is not None for one in runs) > 0.5 * N


@pytest.mark.slow
def test_well_above_the_threshold_the_gate_opens_within_400_blind_items() -> None:
    runs = runs_of("above")

    assert sum(one.anytime is not None for one in runs) >= 0.9 * N


@pytest.mark.slow
def test_what_may_be_labelled_automatically_errs_as_seldom_as_certified_and_by_the_plain_rate_often() -> None:
    runs = runs_of("certificates")

    assert sum(one.error is not None for one in runs) > 0.2 * N
    assert sum(one.error is not None and one.error > ALLOWED for one in runs) <= 0.10 * N
    assert sum(one.naive is not None and one.naive > ALLOWED for one in runs) > 0.3 * N


@pytest.mark.slow
def test_audits_find_a_fall_soon() -> None:
    # After 60 audits the median is known to be found or not.
    runs = runs_of("falls", lambda parts, name, rng: audit_run(parts, name, rng, bad=60))

    assert statistics.median(one.audits_to_find or 1000 for one in runs) <= 60
