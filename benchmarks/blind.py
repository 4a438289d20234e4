"""How often the gate, the certificates and the audits are wrong, over whole studies walked through the real services.

Run `python -m benchmarks.blind --studies 2000`. Every study is published, drawn, labelled by an expert through the queue
and read from its own record, in the same store that a server uses, kept on a file system in memory where there is one.
Studies are walked side by side, as a server would serve them: what they write at the same moment shares one commit.
The tests walk a hundred studies of each kind by the same functions.
"""

import argparse
import asyncio
import platform
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import astuple, dataclass, replace
from datetime import UTC, datetime
from functools import cache
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import Any, NoReturn

from crito.evidence.comparisons import Comparison, evidence
from crito.evidence.handoff import HandoffRule, handoff
from crito.model.ids import AnnotatorId, ItemId, Language, StudyName, TaskName
from crito.model.study import (
    Completion,
    Condition,
    HandoffRuleName,
    Item,
    Label,
    Partner,
    RecordedLabel,
    Study,
    Suggestions,
    Task,
    Text,
)
from crito.services import handing, queue, requesting
from crito.services.certifying import certify
from crito.services.parts import Parts
from crito.services.publishing import publish
from crito.services.standing import standings
from crito.services.study_evidence import TaskEvidence, study_evidence
from crito.stats.anytime import anytime_corpus_lower
from crito.store.opening import open_store
from crito.store.schema import upgrade

TASK = TaskName("task")
YES, NO = "yes", "no"
AT_ONCE = 50
"""Studies that share a store and go on side by side."""
Run = Callable[[Parts, str, random.Random], Awaitable[Any]]
"""Walks one study of a name, all its chances from the generator."""
IN_MEMORY = Path("/dev/shm")
LOOKED_AT: tuple[HandoffRuleName, ...] = ("anytime", "point")
FIRST = HandoffRule()
"""What a study declares that says nothing about it, for its first machine."""
ALLOWED = 0.10
ERRS = {0.55: 0.2225, 0.75: 0.1325, 0.95: 0.0425, 0.99: 0.0245}
"""How often the machine to be certified is wrong, by how sure it is; all are equally frequent."""


def text(words: str) -> Text:
    return Text({Language("en"): words})


def study_of(name: str, sure: Mapping[str, float], *, rule: HandoffRuleName = "anytime") -> Study:
    """A study whose machine says yes of every item, as sure as `sure` says by item."""
    items = tuple(
        Item(ItemId(id_), f"Text {id_}.", {}, recorded=RecordedLabel(YES, confidence, ""))
        for id_, confidence in sure.items()
    )
    task = Task(
        TASK, text("Task"), text("Is it?"), (Label(YES, text("Yes"), text("")), Label(NO, text("No"), text(""))),
        text(""), items=items, annotators_per_item=1,
    )  # fmt: skip
    return Study(
        name=StudyName(name), title=text("Study"), tasks=(task,),
        conditions=(Condition("solo", ("annotate",), Partner()),), assign="person", languages=(Language("en"),),
        confidence=(), expectations=(), reconsiderations=(), attention_checks=(), survey=(), consent=text(""),
        instructions=text(""), pause=text(""), completion=Completion("none", {}, ""),
        # One drawn item beside those that are asked for, so that all of them have one probability.
        suggestions=Suggestions("machine", recorded=True, blind_rate=1e-6, handoff=rule, fingerprint="1"),
    )  # fmt: skip


@dataclass
class Walk:
    """One study under way: its expert says of each item what `truth` says."""

    parts: Parts
    name: StudyName
    expert: AnnotatorId
    truth: dict[str, str]

    async def answer(self) -> str:
        """Label the next item of the queue; what was said."""
        (mine,) = await self.parts.store.read(lambda tx: tx.assignments_of(self.expert, ["open"]))
        label = self.truth[mine.item]
        await queue.answer(self.parts, self.expert, f"{queue.FORM}:{mine.id}", {"label": label}, {})
        return label

    async def answer_all(self, n: int) -> None:
        for _ in range(n):
            await self.answer()


async def begun(parts: Parts, study: Study, truth: dict[str, str], n_blind: int) -> Walk:
    """Published, with `n_blind` labels asked for blind, and an expert who has the first item."""
    await publish(parts, study)
    await requesting.request_labels(parts, study.name, "certification", n=n_blind)
    expert, _ = await queue.invite(parts, study.name, "Ana")
    await queue.begin(parts, expert)
    return Walk(parts, study.name, expert, truth)


def agreeing_with(n_items: int, n_agreeing: int, rng: random.Random) -> dict[str, str]:
    """What people say of items of which the machine is right on exactly so many."""
    right = set(rng.sample(range(n_items), n_agreeing))
    return {f"i{n}": YES if n in right else NO for n in range(n_items)}


@dataclass(frozen=True)
class GateRun:
    """After how many blind labels each rule handed over; None where it did not."""

    anytime: int | None
    point: int | None


async def gate_run(
    parts: Parts, name: str, agreement: float, rng: random.Random, *, n_items: int = 500, at_most: int = 400
) -> GateRun:
    """Label blind items until both rules have handed over or never can within so many; what was known after each label is
    the beginning of what is known at the end.
    """
    truth = agreeing_with(n_items, round(agreement * n_items), rng)
    walk = await begun(parts, study_of(name, dict.fromkeys(truth, 0.9)), truth, at_most)
    n = agreeing = 0
    settled: set[HandoffRuleName] = set()
    while n < at_most and len(settled) < len(LOOKED_AT):
        agreeing += await walk.answer() == YES
        n += 1
        settled |= {
            one
            for one in LOOKED_AT
            if may_fire(one, agreeing, n, n_items) or hopeless(one, n - agreeing, at_most, n_items)
        }
    found = await study_evidence(parts, walk.name, TASK)
    answers = evidence(found.rows.comparisons).counted
    assert len(answers) == n, "every label asked for is evidence"
    fired = {rule: first_fired(answers, found, rule) for rule in LOOKED_AT}
    return GateRun(fired["anytime"], fired["point"])


def first_fired(answers: Sequence[Comparison], found: TaskEvidence, rule: HandoffRuleName) -> int | None:
    """After how many answers a rule handed over first."""
    declared, n_items, agreeing = replace(found.rule, rule=rule), found.rows.subject.n_items, 0
    for n, one in enumerate(answers, start=1):
        agreeing += one.agrees
        if may_fire(rule, agreeing, n, n_items) and handoff(answers[:n], n_items, declared).decision == "hand_over":
            return n
    return None


@cache
def may_fire(rule: HandoffRuleName, agreeing: int, n: int, n_items: int) -> bool:
    """Whether it is worth asking the gate, which says a good deal more than this and takes its time for it."""
    if n < FIRST.minimum_blind_sample or agreeing <= FIRST.threshold * n:
        return False
    if rule == "point":
        return True
    bound = anytime_corpus_lower(agreeing, n, n_items, alpha=FIRST.level).rest.value
    return bound is not None and bound > FIRST.threshold


@cache
def hopeless(rule: HandoffRuleName, disagreeing: int, at_most: int, n_items: int) -> bool:
    """Whether as many disagreements are too many for a rule, if all others up to `at_most` agree."""
    return not any(may_fire(rule, n - disagreeing, n, n_items) for n in range(at_most, disagreeing, -1))


@dataclass(frozen=True)
class CertificateRun:
    """The true error of what may be labelled automatically by the certificate, and of what the lowest confidence with few
    enough errors in the sample would let through; None where nothing may.
    """

    error: float | None
    naive: float | None


async def certificate_run(parts: Parts, name: str, rng: random.Random) -> CertificateRun:
    """Certify automatic labelling, at 10 % errors, of a machine whose errors become rarer the surer it is."""
    sure = {f"i{n}": rng.choice(list(ERRS)) for n in range(120)}
    truth = {id_: NO if rng.random() < ERRS[confidence] else YES for id_, confidence in sure.items()}
    walk = await begun(parts, study_of(name, sure), truth, 80)
    await walk.answer_all(80)
    rows = (await study_evidence(parts, walk.name, TASK)).rows
    (certificate,) = certify(rows, {"automatic_labelling": {"error_rate": ALLOWED}})

    def error_from(threshold: float | None) -> float | None:
        return None if threshold is None else fmean(ERRS[one] for one in sure.values() if one >= threshold)

    errors = {one: [not each.agrees for each in rows.comparisons if (each.confidence or 0) >= one] for one in ERRS}
    naive = min((one for one, wrong in errors.items() if wrong and fmean(wrong) <= ALLOWED), default=None)
    return CertificateRun(error_from(certificate.results["all"]["threshold"]["value"]), error_from(naive))


@dataclass(frozen=True)
class AuditRun:
    """How many audits after the fall it took to revoke (None: not within those that were asked for), and whether it was
    revoked before.
    """

    audits_to_find: int | None
    accused_before: bool


async def audit_run(
    parts: Parts,
    name: str,
    rng: random.Random,
    *,
    before: float = 0.03,
    after: float = 0.15,
    good: int = 0,
    bad: int = 200,
) -> AuditRun:
    """Hand over, audit a machine that is still well for so many audits, then one that is not, until its certificate falls."""
    n_items = 20 + good + bad + 5
    truth = {f"i{n}": YES for n in range(n_items)}
    walk = await begun(parts, study_of(name, dict.fromkeys(truth, 0.9), rule="point"), truth, 20)
    await walk.answer_all(20)
    done = await handing.hand_over(parts, walk.name, TASK, by="simulation", audits=good)
    await _free(walk)
    walk.truth = {id_: NO if rng.random() < before else YES for id_ in truth}
    await walk.answer_all(good)
    if (await parts.store.read(lambda tx: standings(tx, walk.name)))[0].revocation:
        return AuditRun(None, True)
    walk.truth = {id_: NO if rng.random() < after else YES for id_ in truth}
    await handing.ask_audits(parts, done.handoff, good + bad)
    await queue.begin(parts, walk.expert)
    for n in range(1, bad + 1):
        await walk.answer()
        if (await parts.store.read(lambda tx: standings(tx, walk.name)))[0].revocation:
            return AuditRun(n, False)
    return AuditRun(None, False)


async def _free(walk: Walk) -> None:
    """Answer the item that the expert held when everything else was handed over."""
    (mine,) = await walk.parts.store.read(lambda tx: tx.assignments_of(walk.expert, ["open"]))
    purpose = await walk.parts.store.read(lambda tx: tx.request_of(mine.id))
    if purpose is None:
        await walk.answer()


def no_models(name: str) -> NoReturn:
    raise AssertionError(f"nothing here may ask {name}")


def no_seed() -> NoReturn:
    raise AssertionError("every study brings its own chance")


@asynccontextmanager
async def opened() -> AsyncIterator[Parts]:
    """A store like a server's, in memory where the system offers it."""
    folder = Path(tempfile.mkdtemp(prefix="crito-blind-", dir=IN_MEMORY))
    url = f"sqlite:///{folder / 'studies.db'}"
    try:
        upgrade(url)
        store = open_store(url)
        try:
            yield Parts(store, no_models, lambda: datetime.now(UTC), no_seed, "rehearsal")
        finally:
            await store.close()
    finally:
        shutil.rmtree(folder)


async def walked(kind: str, run: Run, seeds: range) -> list[Any]:
    """One run for each seed, some studies at a time to a store; what chance does to each follows from its seed alone."""
    runs: list[Any] = []
    for start in range(seeds.start, seeds.stop, AT_ONCE):
        async with opened() as parts:
            runs += await asyncio.gather(
                *(one_of(kind, run, parts, seed) for seed in range(start, min(start + AT_ONCE, seeds.stop)))
            )
    return runs


async def one_of(kind: str, run: Run, parts: Parts, seed: int) -> Any:
    rng = random.Random(f"{kind}/{seed}")
    own = random.Random(f"{kind}/{seed}/draws")
    return await run(replace(parts, new_seed=lambda: own.getrandbits(63)), f"{kind}-{seed}", rng)


KINDS: Mapping[str, Run] = {
    "at-threshold": lambda parts, name, rng: gate_run(parts, name, 0.90, rng),
    "above": lambda parts, name, rng: gate_run(parts, name, 0.97, rng),
    "certificates": certificate_run,
    "falls": audit_run,
    "late-falls": lambda parts, name, rng: audit_run(parts, name, rng, good=40, bad=160),
}


def share(n: int, of: int) -> str:
    """A share with its standard error, for figures of a simulation."""
    rate = n / of
    return f"{rate:.3f} ± {sqrt(rate * (1 - rate) / of):.3f}"


def said_of(kind: str, runs: Sequence[Any]) -> str:
    """What the runs of a kind come to, in words."""
    n = len(runs)
    if kind in ("at-threshold", "above"):
        fired = [one.anytime for one in runs if one.anytime]
        point = [one.point for one in runs if one.point]
        return (
            f"anytime hands over in {share(len(fired), n)} of {n} studies within 400 blind labels"
            f"{f' (median {statistics.median(fired):g})' if fired else ''}; the point estimate in {share(len(point), n)}"
            f"{f' (median {statistics.median(point):g})' if point else ''}"
        )
    if kind == "certificates":
        granted = sum(one.error is not None for one in runs)
        over, naive = (
            sum((error or 0) > ALLOWED for error in errors) for errors in zip(*map(astuple, runs), strict=True)
        )
        return (
            f"automatic labelling granted in {share(granted, n)} of {n}; error above {ALLOWED:g} in {share(over, n)}, "
            f"by the plain rate in {share(naive, n)}"
        )
    found = [one.audits_to_find for one in runs if not one.accused_before]
    waits = sorted(len(found) * 1000 if one is None else one for one in found)
    accused = sum(one.accused_before for one in runs)
    return (
        f"a fall from 0.03 to 0.15 is found after {statistics.median(waits):g} audits (median of {len(found)}); "
        f"revoked before it in {share(accused, n)}"
    )


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--studies", type=int, default=2000, help="of each kind")
    asked.add_argument("--kind", choices=list(KINDS), action="append", help="these kinds only")
    asked.add_argument("--within-s", type=float, default=600, help="of each kind as many as fit into this time")
    wanted = asked.parse_args()
    print(f"{platform.python_implementation()} {platform.python_version()} on {platform.machine()}, SQLite in memory")
    for kind in wanted.kind or KINDS:
        begun_at, cpu, runs = time.monotonic(), time.process_time(), list[Any]()
        while len(runs) < wanted.studies and time.monotonic() - begun_at < wanted.within_s:
            runs += asyncio.run(walked(kind, KINDS[kind], range(len(runs), min(len(runs) + AT_ONCE, wanted.studies))))
        print(f"{kind}: {said_of(kind, runs)}; {(time.process_time() - cpu) / len(runs):.2f} s CPU a study", flush=True)


if __name__ == "__main__":
    main()
