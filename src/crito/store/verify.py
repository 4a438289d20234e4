"""Proof from raw rows that the accounting of a study holds, by queries of its own that share nothing with the store's."""

# ruff: noqa: S608 - what is put together here are constants of this file; every value is a parameter

import hashlib
import hmac
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, TextClause, bindparam, text

from crito.model.errors import NotFound
from crito.model.ids import StudyName
from crito.model.study import Study
from crito.store.engines import one_moment, open_engine
from crito.store.schema import check_schema
from crito.store.tables.columns import UtcTime
from crito.studies.definition import load

CLOCKS_DIFFER_BY = timedelta(seconds=5)
"""Two requests of one person may be stamped by two machines, or wait for each other after they were stamped."""

PROBLEMS_SHOWN = 20

ENDED: Mapping[str, str] = {
    "attention_failed": "ended (attention)",
    "no_consent": "ended (consent)",
    "technical": "ended (technical)",
    "submission_closed": "ended (submission)",
}
"""Endings of people that end their assignments, and how the accounts name what they ended."""

STATUSES = ("done", "open", "expired", "withdrawn", *ENDED.values())


@dataclass(frozen=True, slots=True)
class Check:
    """One claim about the rows of a study.

    `figures` are what was counted; `problems` are the first of `n_problems` rows that contradict the claim.
    """

    name: str
    claim: str
    figures: Mapping[str, int]
    problems: tuple[str, ...] = ()
    n_problems: int = 0

    @property
    def passed(self) -> bool:
        return self.n_problems == 0


def verify(database: Engine | str, study: StudyName) -> tuple[Check, ...]:
    """Every check of one study, over one consistent view of the database.

    Raises:
        NotFound: no study of this name was published here.
        DatabaseMismatch: the database is of another schema.
    """
    engine = open_engine(database) if isinstance(database, str) else database
    try:
        check_schema(engine)
        with one_moment(engine) as connection:
            rows = _Rows(connection, study)
            editions = {r.number: load(r.definition) for r in rows(_EDITIONS)}
            if not editions:
                raise NotFound(f"there is no study {study!r} in this database")
            return tuple(check(rows, editions) for check in CHECKS)
    finally:
        if isinstance(database, str):
            engine.dispose()


@dataclass(frozen=True, slots=True)
class _Rows:
    """Rows of one study."""

    connection: Connection
    study: StudyName

    def __call__(self, query: str | TextClause, **values: Any) -> Sequence[Any]:
        statement = text(query) if isinstance(query, str) else query
        return self.connection.execute(statement, {"study": self.study} | values).all()

    def number(self, query: str, **values: Any) -> int:
        (row,) = self(query, **values)
        return int(row[0] or 0)


@dataclass(slots=True)
class _Findings:
    problems: list[str] = field(default_factory=list)
    n: int = 0

    def add(self, problem: str) -> None:
        self.n += 1
        if self.n <= PROBLEMS_SHOWN:
            self.problems.append(problem)

    def as_check(self, name: str, claim: str, figures: Mapping[str, int]) -> Check:
        return Check(name, claim, figures, tuple(self.problems), self.n)


def _timed(query: str, *times: str) -> Any:
    """A query whose columns `times` come back as times on every database."""
    return text(query).columns(**{name: UtcTime() for name in times})


_Editions = Mapping[int, Study]
_Count = Callable[[_Rows, _Editions, datetime], int]

_EDITIONS = "SELECT number, definition FROM study_versions WHERE study = :study"


_SUBMISSION_CLOSED = (
    "(EXISTS (SELECT 1 FROM submissions s WHERE s.annotator = a.annotator AND s.status IN ('returned', 'timed_out', 'rejected'))"
    " OR EXISTS (SELECT 1 FROM reviews r WHERE r.annotator = a.annotator AND r.decision = 'reject'))"
)
"""The platform counts nobody for it, or its owner rejected it: that ends what was done before, too."""

_BY_STATUS = (
    "SELECT task, condition, status, ending, COUNT(*) AS n FROM (SELECT a.task, a.condition, a.status,"
    " CASE WHEN a.status <> 'ended' THEN NULL"
    f" WHEN p.ending IN ('done', 'timed_out', 'withdrawn') AND {_SUBMISSION_CLOSED} THEN 'submission_closed'"
    " ELSE COALESCE((SELECT e.about FROM events e WHERE e.annotator = a.annotator"
    "  AND e.kind = 'ended' ORDER BY e.ordinal LIMIT 1), 'no ending') END AS ending"
    " FROM assignments a LEFT JOIN participants p ON p.id = a.annotator WHERE a.study = :study) AS counted"
    " GROUP BY task, condition, status, ending ORDER BY task, condition, status, ending"
)
"""What ended an assignment is the person's first ending: whoever has ended may still withdraw, and that ends nothing twice."""


def _assignments_add_up(rows: _Rows, _: _Editions) -> Check:
    findings = _Findings()
    figures: dict[str, int] = {}
    by_status = rows(_BY_STATUS)
    assigned = rows(
        "SELECT task, condition, COUNT(*) AS n FROM assignments WHERE study = :study"
        " GROUP BY task, condition ORDER BY task, condition"
    )
    for group in assigned:
        of_group = [r for r in by_status if (r.task, r.condition) == (group.task, group.condition)]
        counts = {ENDED.get(r.ending, f"ended ({r.ending})") if r.ending else r.status: r.n for r in of_group}
        figures[f"{group.task}, {group.condition}: assigned"] = group.n
        figures |= {f"{group.task}, {group.condition}: {status}": counts.get(status, 0) for status in STATUSES}
        if group.n != sum(counts.get(status, 0) for status in STATUSES):
            findings.add(f"{group.task}, {group.condition}: {group.n} assigned, but by status {counts}")
    for lost in rows(
        "SELECT a.id, a.annotator FROM assignments a LEFT JOIN participants p ON p.id = a.annotator"
        " WHERE a.study = :study AND (p.id IS NULL OR p.study <> a.study)"
    ):
        findings.add(f"assignment {lost.id} belongs to {lost.annotator}, who is not in the study")
    for odd in rows(
        "SELECT p.id, p.ending, e.about FROM participants p LEFT JOIN events e ON e.annotator = p.id AND e.kind = 'ended'"
        " AND e.about = p.ending WHERE p.study = :study AND p.ending IN ('attention_failed', 'no_consent', 'technical',"
        " 'submission_closed')"
        " AND e.about IS NULL ORDER BY p.id"
    ):
        findings.add(f"{odd.id} ended as {odd.ending!r}, but the record does not say when")
    return findings.as_check(
        "assignments add up",
        "assigned = done + open + expired + withdrawn + ended (attention, consent, technical, submission), for each task and "
        "condition, and each has its person",
        figures,
    )


_REQUESTED = (
    "EXISTS (SELECT 1 FROM label_requests q WHERE q.assignment = a.id AND q.study = a.study AND q.task = a.task"
    " AND q.condition = a.condition AND q.item = a.item AND q.number = a.slot)"
)


def _places_are_kept(rows: _Rows, _: _Editions) -> Check:
    findings = _Findings()
    held = (
        "SELECT task, condition, item, COUNT(*) AS n FROM assignments a WHERE study = :study"
        f" AND status IN ('open', 'done') AND NOT {_REQUESTED}"
    )
    for over in rows(
        f"SELECT h.task, h.condition, h.item, h.n, COALESCE(s.n, 0) AS places FROM ({held} GROUP BY task, condition, item) h"
        " LEFT JOIN (SELECT task, condition, item, COUNT(*) AS n FROM slots WHERE study = :study"
        " GROUP BY task, condition, item) s ON s.task = h.task AND s.condition = h.condition AND s.item = h.item"
        " WHERE h.n > COALESCE(s.n, 0) ORDER BY h.task, h.condition, h.item"
    ):
        findings.add(f"{over.task}, {over.condition}, item {over.item}: {over.n} done or open on {over.places} places")
    for apart in rows(
        "SELECT a.id, a.status FROM assignments a LEFT JOIN slots s ON s.assignment = a.id AND s.study = a.study"
        " AND s.task = a.task AND s.condition = a.condition AND s.item = a.item AND s.number = a.slot"
        f" WHERE a.study = :study AND a.status IN ('open', 'done') AND s.assignment IS NULL AND NOT {_REQUESTED} ORDER BY a.id"
    ):
        findings.add(f"assignment {apart.id} is {apart.status}, but does not hold its slot")
    for stray in rows(
        "SELECT s.task, s.condition, s.item, s.number, s.assignment, a.status FROM slots s"
        " LEFT JOIN assignments a ON a.id = s.assignment WHERE s.study = :study AND s.assignment IS NOT NULL"
        " AND (a.id IS NULL OR a.status NOT IN ('open', 'done')) ORDER BY s.assignment"
    ):
        findings.add(
            f"slot {stray.number} of {stray.task}, {stray.condition}, item {stray.item} is held by assignment "
            f"{stray.assignment}, which is {stray.status or 'not there'}"
        )
    figures = {
        "places": rows.number("SELECT COUNT(*) FROM slots WHERE study = :study"),
        "held": rows.number("SELECT COUNT(*) FROM slots WHERE study = :study AND assignment IS NOT NULL"),
        "done or open": rows.number(
            "SELECT COUNT(*) FROM assignments WHERE study = :study AND status IN ('open', 'done')"
        ),
        "requests": rows.number("SELECT COUNT(*) FROM label_requests WHERE study = :study"),
    }
    for stray in rows(
        "SELECT q.id, q.assignment, a.status FROM label_requests q LEFT JOIN assignments a ON a.id = q.assignment"
        " AND a.study = q.study AND a.task = q.task AND a.item = q.item AND a.slot = q.number"
        " WHERE q.study = :study AND q.assignment IS NOT NULL"
        " AND (a.id IS NULL OR a.status NOT IN ('open', 'done')) ORDER BY q.id"
    ):
        findings.add(
            f"request {stray.id} is held by assignment {stray.assignment}, which is {stray.status or 'of another item'}"
        )
    return findings.as_check(
        "places are kept",
        "no item has more done and open assignments than places, and slots and assignments name each other",
        figures,
    )


def _done_is_labelled(rows: _Rows, editions: _Editions) -> Check:
    findings = _Findings()
    n_done = 0
    for done in rows(
        "SELECT a.id, a.condition, p.study_version, p.role,"
        " SUM(CASE WHEN n.round = 0 THEN 1 ELSE 0 END) AS initial, SUM(CASE WHEN n.round = 1 THEN 1 ELSE 0 END) AS second"
        " FROM assignments a JOIN participants p ON p.id = a.annotator LEFT JOIN annotations n ON n.assignment = a.id"
        " WHERE a.study = :study AND a.status = 'done' GROUP BY a.id, a.condition, p.study_version, p.role ORDER BY a.id"
    ):
        n_done += 1
        condition = editions[done.study_version].condition(done.condition)
        for step, n_given in (("annotate", done.initial), ("reannotate", done.second)):
            # Experts have a queue in the place of the flow: one label, and a second one only after a difference.
            asked = step in condition.flow if done.role == "participant" else step == "annotate"
            if asked and not n_given:
                findings.add(
                    f"assignment {done.id} is done under condition {done.condition!r} without its {step!r} label"
                )
    return findings.as_check(
        "done is labelled", "every done assignment has the labels that its condition's flow asks for", {"done": n_done}
    )


def _labels_have_assignments(rows: _Rows, _: _Editions) -> Check:
    findings = _Findings()
    for stray in rows(
        "SELECT n.annotator, n.task, n.item, n.round, n.revision, n.assignment FROM annotations n"
        " LEFT JOIN assignments a ON a.id = n.assignment AND a.study = n.study AND a.annotator = n.annotator"
        " AND a.task = n.task AND a.item = n.item AND a.item_hash = n.item_hash AND a.condition = n.condition"
        " LEFT JOIN annotators m ON m.id = n.annotator AND m.study = n.study AND n.assignment IS NULL"
        " WHERE n.study = :study AND a.id IS NULL AND m.id IS NULL ORDER BY n.ordinal"
    ):
        findings.add(
            f"the label of {stray.annotator} for item {stray.item} of {stray.task}, round {stray.round}, revision "
            f"{stray.revision}, does not match its assignment {stray.assignment}"
        )
    for gap in rows(
        "SELECT annotator, task, item, round, COUNT(*) AS n, MAX(revision) AS last FROM annotations WHERE study = :study"
        " GROUP BY annotator, task, item, round HAVING COUNT(*) <> MAX(revision) + 1 ORDER BY annotator, task, item, round"
    ):
        findings.add(
            f"{gap.annotator} has {gap.n} revisions for item {gap.item} of {gap.task}, round {gap.round}, "
            f"but the last is number {gap.last}"
        )
    for odd in rows(
        "SELECT annotator, item, round FROM annotations WHERE study = :study"
        " AND (CASE WHEN label IS NULL THEN 0 ELSE 1 END) + (CASE WHEN state IS NULL THEN 0 ELSE 1 END) <> 1"
    ):
        findings.add(f"round {odd.round} of {odd.annotator} for item {odd.item} has not exactly one of label and state")
    for stray in rows(
        "SELECT n.annotator, n.task, n.item, n.round FROM annotations n LEFT JOIN outcomes o ON o.study = n.study"
        " AND o.item = n.item LEFT JOIN runs r ON r.id = o.run AND r.item_hash = n.item_hash"
        " WHERE n.study = :study AND n.assignment IS NULL GROUP BY n.ordinal, n.annotator, n.task, n.item, n.round"
        " HAVING COUNT(r.id) = 0 ORDER BY n.ordinal"
    ):
        findings.add(
            f"the model's label {stray.annotator} for item {stray.item} of {stray.task}, round {stray.round}, comes from no run"
        )
    return findings.as_check(
        "labels have assignments",
        "every label belongs to an assignment of the same person, item and condition, or to a finished run of models; "
        "no revision is missing",
        {"labels": rows.number("SELECT COUNT(*) FROM annotations WHERE study = :study")},
    )


def _dialogues_are_whole(rows: _Rows, _: _Editions) -> Check:
    findings = _Findings()
    for lost in rows(
        "SELECT t.run, t.step FROM turns t LEFT JOIN runs r ON r.id = t.run LEFT JOIN assignments a ON a.id = r.assignment"
        " WHERE t.study = :study AND r.labelling IS NULL AND r.about IS NULL AND (a.id IS NULL OR a.annotator <> t.annotator)"
        " ORDER BY t.run, t.step"
    ):
        findings.add(f"step {lost.step} of run {lost.run} belongs to no run of this person's assignments")
    for gap in rows(
        "SELECT run, COUNT(DISTINCT step) AS steps, MIN(step) AS first_step, MAX(step) AS last_step FROM turns"
        " WHERE study = :study GROUP BY run HAVING MIN(step) <> 0 OR COUNT(DISTINCT step) <> MAX(step) + 1 ORDER BY run"
    ):
        findings.add(f"run {gap.run} has {gap.steps} steps, numbered {gap.first_step} to {gap.last_step}")
    for gap in rows(
        'SELECT run, step, COUNT(*) AS n, MAX("index") AS last FROM turns WHERE study = :study'
        ' GROUP BY run, step HAVING COUNT(*) <> MAX("index") + 1 ORDER BY run, step'
    ):
        findings.add(f"step {gap.step} of run {gap.run} has {gap.n} turns, but the last is number {gap.last}")
    figures = {
        "runs": rows.number("SELECT COUNT(*) FROM runs WHERE study = :study"),
        "turns": rows.number("SELECT COUNT(*) FROM turns WHERE study = :study"),
    }
    return findings.as_check("dialogues are whole", "every turn has its run, and no step of a run is missing", figures)


_BLIND = " NOT EXISTS (SELECT 1 FROM exposures x WHERE x.annotator = n.annotator AND x.item = n.item AND x.seq < n.seq)"


def _blind_labels_are_blind(rows: _Rows, _: _Editions) -> Check:
    findings = _Findings()
    for early in rows(
        _timed(
            "SELECT n.annotator, n.item, n.round, n.submitted_at, e.at, e.source FROM annotations n JOIN exposures e"
            " ON e.annotator = n.annotator AND e.item = n.item AND e.at < n.submitted_at"
            f" WHERE n.study = :study AND {_BLIND} ORDER BY n.ordinal, e.ordinal",
            "submitted_at",
            "at",
        )
    ):
        if early.submitted_at - early.at > CLOCKS_DIFFER_BY:
            findings.add(
                f"{early.annotator} saw {early.source} on item {early.item} at {early.at}, before the label of round "
                f"{early.round} at {early.submitted_at}, which is numbered before it"
            )
    for unseen in rows(
        "SELECT n.annotator, n.item, n.round, r.id AS run FROM annotations n JOIN runs r ON r.assignment = n.assignment"
        " JOIN turns t ON t.run = r.id AND t.kind = 'person'"
        f" WHERE n.study = :study AND n.round > 0 AND {_BLIND} GROUP BY n.annotator, n.item, n.round, r.id"
    ):
        findings.add(
            f"{unseen.annotator} answered the partner in run {unseen.run}, yet round {unseen.round} on item {unseen.item} "
            "has no exposure before it"
        )
    figures = {
        "labels": rows.number("SELECT COUNT(*) FROM annotations WHERE study = :study"),
        "blind": rows.number(f"SELECT COUNT(*) FROM annotations n WHERE n.study = :study AND {_BLIND}"),
        "exposures": rows.number("SELECT COUNT(*) FROM exposures WHERE study = :study"),
    }
    return findings.as_check(
        "blind labels are blind",
        "no label that counts as blind was given after something was shown on its item",
        figures,
    )


def _blind_items_stay_blind(rows: _Rows, editions: _Editions) -> Check:
    findings = _Findings()
    draws = rows(
        "SELECT id, task, purpose, rule, rate, seed, seed_hash FROM blind_draws WHERE study = :study ORDER BY ordinal"
    )
    n_drawn = 0
    sample: set[str] = set()
    for draw in draws:
        among = rows("SELECT item, probability, drawn FROM drawn_items WHERE draw = :draw", draw=draw.id)
        drawn = {r.item for r in among if r.drawn}
        n_drawn += len(drawn)
        sample |= drawn if draw.purpose == "label" else set()
        if hashlib.sha256(draw.seed.encode()).hexdigest() != draw.seed_hash:
            findings.add(f"the seed of draw {draw.id} does not have the hash that was published")
        keys = {
            r.item: int(
                hmac.new(draw.seed.encode(), f"{draw.task}\x1f{r.item}".encode(), "sha256").hexdigest()[:16], 16
            )
            for r in among
        }
        again = (
            set(sorted(keys, key=lambda item: (keys[item], item))[: len(drawn)])
            if draw.rule == "simple"
            else {item for item, key in keys.items() if key / 2**64 < draw.rate}
        )
        if again != drawn:
            findings.add(f"the seed of draw {draw.id} draws other items than those on record")
        for odd in among:
            if odd.drawn and not 0 < odd.probability <= 1:
                findings.add(f"item {odd.item} was drawn by {draw.id} with the probability {odd.probability}")
    blind = {
        number
        for number, study in editions.items()
        if study.suggestions and study.suggestions.display == "blind_sample"
    }
    for shown in rows(
        "SELECT n.annotator, n.item, n.study_version, e.source, e.route FROM annotations n JOIN exposures e"
        " ON e.annotator = n.annotator AND e.item = n.item JOIN participants p ON p.id = n.annotator"
        " WHERE n.study = :study AND n.round = 0 ORDER BY n.ordinal"
    ):
        if shown.item in sample and shown.study_version in blind:
            findings.add(
                f"{shown.annotator} was shown {shown.source} ({shown.route}) on item {shown.item} of the blind sample"
            )
    for shown in rows(
        "SELECT a.annotator, a.item, q.purpose, e.source FROM label_requests q JOIN assignments a ON a.id = q.assignment"
        " JOIN exposures e ON e.annotator = a.annotator AND e.item = a.item WHERE q.study = :study"
        " AND q.purpose IN ('calibration', 'certification', 'audit') ORDER BY q.ordinal"
    ):
        findings.add(f"{shown.annotator} was shown {shown.source} on item {shown.item}, asked for {shown.purpose}")
    return findings.as_check(
        "blind items stay blind",
        "the secret seeds have their published hashes and draw the recorded items, and nobody was shown anything on an item "
        "that they label blind, before or after",
        {"draws": len(draws), "drawn items": n_drawn},
    )


def _handoffs_hold(rows: _Rows, _: _Editions) -> Check:
    findings = _Findings()
    handoffs = rows(
        _timed(
            "SELECT h.id, h.task, h.version, h.certified, h.rule, h.threshold, h.n_items, h.n_blind, h.agreeing, h.bound,"
            " h.at, r.reason, r.at AS ended_at FROM handoffs h LEFT JOIN revocations r ON r.handoff = h.id"
            " WHERE h.study = :study ORDER BY h.ordinal",
            "at",
            "ended_at",
        )
    )
    for one in handoffs:
        if not 0 <= one.agreeing <= one.n_blind <= one.n_items:
            findings.add(f"handoff {one.id}: {one.agreeing} of {one.n_blind} labels on {one.n_items} items agree")
        if one.certified and (one.rule == "point" or one.bound is None or one.bound <= one.threshold):
            findings.add(f"handoff {one.id} is certified by the rule {one.rule!r} with the bound {one.bound}")
        for other in handoffs:
            if other.task == one.task and other.at > one.at and (one.ended_at is None or one.ended_at > other.at):
                findings.add(f"handoff {other.id} was decided while {one.id} was in force")
    for odd in rows(
        _timed(
            "SELECT a.handoff, a.item, a.at, a.label, r.at AS ended_at, h.task AS of_task, a.task FROM accepted_labels a"
            " LEFT JOIN handoffs h ON h.id = a.handoff AND h.study = a.study LEFT JOIN revocations r ON r.handoff = a.handoff"
            " WHERE a.study = :study ORDER BY a.handoff, a.item",
            "at",
            "ended_at",
        )
    ):
        if odd.of_task != odd.task:
            findings.add(f"item {odd.item} of {odd.task} was accepted under {odd.handoff}, which is of {odd.of_task}")
        if odd.ended_at is not None and odd.at > odd.ended_at:
            findings.add(f"item {odd.item} was accepted at {odd.at}, after handoff {odd.handoff} had ended")
    for odd in rows(_ACCEPTED_OTHERWISE):
        findings.add(f"item {odd.item} was accepted as {odd.label!r}, but run {odd.source} did not come to that")
    for early in rows(_LABELLED_BEFORE):
        findings.add(f"item {early.item} was accepted under {early.handoff}, though a person had labelled it before")
    for audit in rows(
        "SELECT q.id, q.item FROM label_requests q LEFT JOIN drawn_items i ON i.draw = q.draw AND i.item = q.item AND i.drawn"
        " WHERE q.study = :study AND q.purpose = 'audit' AND i.item IS NULL ORDER BY q.ordinal"
    ):
        findings.add(f"audit {audit.id} is of item {audit.item}, which was not drawn")
    for fall in rows(
        "SELECT r.handoff, COUNT(n.ordinal) AS n FROM revocations r JOIN handoffs h ON h.id = r.handoff"
        " LEFT JOIN label_requests q ON q.study = h.study AND q.task = h.task AND q.purpose = 'audit'"
        " AND q.requested_at >= h.at LEFT JOIN annotations n ON n.assignment = q.assignment AND n.round = 0"
        " WHERE r.study = :study AND r.reason = 'audits' GROUP BY r.handoff"
    ):
        if not fall.n:
            findings.add(f"handoff {fall.handoff} was revoked by audits, but none was answered")
    figures = {
        "handoffs": len(handoffs),
        "in force": sum(one.reason is None for one in handoffs),
        "accepted labels": rows.number("SELECT COUNT(*) FROM accepted_labels WHERE study = :study"),
        "audits": rows.number("SELECT COUNT(*) FROM label_requests WHERE study = :study AND purpose = 'audit'"),
    }
    return findings.as_check(
        "handoffs hold",
        "what was certified had its bound above the threshold, one handoff of a task was in force at a time, labels were "
        "accepted under it, as the machine gave them, on items that nobody had labelled, and audits were drawn",
        figures,
    )


_ACCEPTED_OTHERWISE = (
    "SELECT a.item, a.label, a.source FROM accepted_labels a JOIN runs r ON r.id = a.source WHERE a.study = :study"
    " AND NOT EXISTS (SELECT 1 FROM outcomes o WHERE o.run = a.source AND o.item = a.item"
    " AND CAST(o.vote AS TEXT) LIKE '%' || a.label || '%') ORDER BY a.item"
)
_LABELLED_BEFORE = (
    "SELECT DISTINCT a.handoff, a.item FROM accepted_labels a JOIN annotations n ON n.study = a.study AND n.task = a.task"
    " AND n.item = a.item AND n.assignment IS NOT NULL AND n.submitted_at < a.at JOIN participants p ON p.id = n.annotator"
    " WHERE a.study = :study AND COALESCE(p.ending, '') <> 'withdrawn' ORDER BY a.handoff, a.item"
)


def _numbers_follow_time(rows: _Rows, _: _Editions) -> Check:
    findings = _Findings()
    for odd in rows(
        _timed(
            "SELECT annotator, item, seq, seq_before, at, at_before FROM ("
            " SELECT annotator, item, seq, at, LAG(seq) OVER w AS seq_before, LAG(at) OVER w AS at_before FROM ("
            "  SELECT annotator, item, seq, submitted_at AS at FROM annotations WHERE study = :study"
            "  UNION ALL SELECT annotator, item, seq, at FROM exposures WHERE study = :study) AS entries"
            " WINDOW w AS (PARTITION BY annotator, item ORDER BY seq)) AS ordered"
            " WHERE seq = seq_before OR at < at_before ORDER BY annotator, item, seq",
            "at",
            "at_before",
        )
    ):
        if odd.seq == odd.seq_before:
            findings.add(f"number {odd.seq} of {odd.annotator} on item {odd.item} was given twice")
        elif odd.at_before - odd.at > CLOCKS_DIFFER_BY:
            findings.add(
                f"number {odd.seq} of {odd.annotator} on item {odd.item} is of {odd.at}, number {odd.seq_before} "
                f"of {odd.at_before}"
            )
    return findings.as_check(
        "numbers follow time",
        "labels and exposures of one person on one item are numbered once each, in the order they happened",
        {"numbered": rows.number(_COUNT_NUMBERED)},
    )


_COUNT_NUMBERED = "SELECT (SELECT COUNT(*) FROM annotations WHERE study = :study) + (SELECT COUNT(*) FROM exposures WHERE study = :study)"

_WORDS_OF = {
    "reasons": ("annotations", "rationale"),
    "answers": ("answers", "words"),
    "exposures": ("exposures", "content"),
    "turns": ("turns", "text"),
    "mended turns": ("turns", "mended"),
    "streamed turns": ("turns", "streamed"),
    "requests": ("calls", "request"),
    "replies": ("calls", "reply"),
    "tokens of replies": ("calls", "tokens"),
}


def _words_are_there(rows: _Rows, _: _Editions) -> Check:
    findings = _Findings()
    figures: dict[str, int] = {}
    for name, (table, referring) in _WORDS_OF.items():
        joined = f"FROM {table} t LEFT JOIN words w ON w.id = t.{referring} WHERE t.study = :study AND t.{referring} IS NOT NULL"
        figures[name] = rows.number(f"SELECT COUNT(*) {joined}")
        figures[f"{name} erased"] = rows.number(f"SELECT COUNT(*) {joined} AND w.id IS NOT NULL AND w.body IS NULL")
        for lost in rows(f"SELECT t.{referring} AS id {joined} AND w.id IS NULL ORDER BY t.{referring}"):
            findings.add(f"the words {lost.id}, referred to by {table}.{referring}, are not kept")
    for remains in rows(
        "SELECT p.id, COUNT(*) AS n FROM participants p JOIN words w ON w.owner = p.id AND w.body IS NOT NULL"
        " WHERE p.study = :study AND p.ending = 'withdrawn' GROUP BY p.id ORDER BY p.id"
    ):
        findings.add(f"{remains.id} withdrew, but {remains.n} of their words are still there")
    return findings.as_check(
        "words are there", "whatever refers to words finds them, kept or erased; who withdrew has none left", figures
    )


def _exports_match(rows: _Rows, editions: _Editions) -> Check:
    findings = _Findings()
    figures = {"files": 0, "unchanged": 0, "moved or deleted": 0}
    latest: dict[str, Any] = {}
    for written in rows(
        _timed(
            'SELECT path, "table" AS of_table, rows, sha256, at FROM exports WHERE study = :study ORDER BY ordinal',
            "at",
        )
    ):
        latest[written.path] = written
    for path, written in latest.items():
        figures["files"] += 1
        file = Path(path)
        if not file.is_file():
            figures["moved or deleted"] += 1
        elif _sha256(file) != written.sha256:
            findings.add(f"{path} is not the file that was written at {written.at}")
        else:
            figures["unchanged"] += 1
        if written.of_table in _EXPORTED:
            count = _EXPORTED[written.of_table]
            least, most = (count(rows, editions, written.at + slack) for slack in (-CLOCKS_DIFFER_BY, CLOCKS_DIFFER_BY))
            if not least <= written.rows <= most:
                expected = str(most) if least == most else f"{least} to {most}"
                findings.add(f"{path} was written with {written.rows} rows at {written.at}; the record has {expected}")
    return findings.as_check(
        "exports match",
        "every file written last to its path has as many rows as the record had, and is unchanged",
        figures,
    )


def _sha256(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


_KEPT = (
    " {person} NOT IN (SELECT id FROM participants WHERE study = :study AND ending = 'withdrawn' AND ended_at <= :at)"
    " AND {person} NOT IN (SELECT annotator FROM events WHERE study = :study AND kind = 'withdrew' AND at <= :at)"
)
"""People whose data an export of the moment `:at` still held."""


def _at(query: str) -> TextClause:
    return text(query).bindparams(bindparam("at", type_=UtcTime()))


def _recorded(table: str, time: str, person: str = "") -> _Count:
    """Counts the rows of a table up to a moment, without those of people who had withdrawn."""
    kept = f" AND {_KEPT.format(person=person)}" if person else ""
    query = _at(f"SELECT COUNT(*) FROM {table} WHERE study = :study AND {time} <= :at{kept}")
    return lambda rows, _, at: int(rows(query, at=at)[0][0])


_ROUNDS = _at(
    "SELECT a.id, a.condition, p.study_version,"
    " (SELECT COUNT(*) FROM annotations n WHERE n.assignment = a.id AND n.round = 0 AND n.submitted_at <= :at) AS initial,"
    " (SELECT COUNT(*) FROM annotations n WHERE n.assignment = a.id AND n.round = 1 AND n.submitted_at <= :at) AS second,"
    " (SELECT COUNT(DISTINCT n.round) FROM annotations n WHERE n.assignment = a.id AND n.round > 1"
    "  AND n.submitted_at <= :at) AS further"
    " FROM assignments a JOIN participants p ON p.id = a.annotator"
    f" WHERE a.study = :study AND p.arrived_at <= :at AND {_KEPT.format(person='p.id')}"
)
_BY_MODELS = _at(
    "SELECT COUNT(DISTINCT annotator || '\u001f' || task || '\u001f' || item || '\u001f' || round)"
    " FROM annotations WHERE study = :study AND assignment IS NULL AND submitted_at <= :at"
)
_TURNS_ON_ITEMS = _at(
    "SELECT COUNT(*) FROM turns t JOIN runs r ON r.id = t.run WHERE t.study = :study AND t.at <= :at AND r.about IS NULL"
    f" AND {_KEPT.format(person='t.annotator')}"
)
"""Debates and judgements are written to files of their own."""

_ARGUMENTS = _at(
    "SELECT COUNT(*) FROM exposures WHERE study = :study AND kind = 'argument' AND at <= :at"
    f" AND {_KEPT.format(person='annotator')}"
)
_DRAWN_ITEMS = _at(
    "SELECT COUNT(*) FROM drawn_items i JOIN blind_draws d ON d.id = i.draw WHERE d.study = :study AND d.drawn_at <= :at"
    " AND i.drawn"
)
_REPLACED = _at(
    "SELECT COUNT(*) - COUNT(DISTINCT annotator || '\u001f' || task || '\u001f' || item || '\u001f' || round)"
    f" FROM annotations WHERE study = :study AND submitted_at <= :at AND {_KEPT.format(person='annotator')}"
)


def _annotation_rows(rows: _Rows, editions: _Editions, at: datetime) -> int:
    """One for each round of an assignment that was asked for or answered, and one for each label of a model."""
    n = 0
    for assigned in rows(_ROUNDS, at=at):
        flow = editions[assigned.study_version].condition(assigned.condition).flow
        n += (
            ("annotate" in flow or assigned.initial > 0)
            + ("reannotate" in flow or assigned.second > 0)
            + assigned.further
        )
    return n + int(rows(_BY_MODELS, at=at)[0][0])


_EXPORTED: Mapping[str, _Count] = {
    "annotations": _annotation_rows,
    "revisions": lambda rows, _, at: int(rows(_REPLACED, at=at)[0][0]),
    "turns": lambda rows, _, at: int(rows(_TURNS_ON_ITEMS, at=at)[0][0]),
    "arguments": lambda rows, _, at: int(rows(_ARGUMENTS, at=at)[0][0]),
    "answers": _recorded("answers", "at", "annotator"),
    "people": _recorded("participants", "arrived_at", "id"),
    "events": _recorded("events", "at", "annotator"),
    "draws": _recorded("draws", "at", "annotator"),
    "calls": _recorded("calls", "intended_at"),
    "outcomes": _recorded("outcomes", "at"),
    "blind_draws": lambda rows, _, at: int(rows(_DRAWN_ITEMS, at=at)[0][0]),
    "requests": _recorded("label_requests", "requested_at"),
    "handoffs": _recorded("handoffs", "at"),
    "accepted_labels": _recorded("accepted_labels", "at"),
}
"""How many rows a file of each table should have had at a moment."""

CHECKS: tuple[Callable[[_Rows, _Editions], Check], ...] = (
    _assignments_add_up,
    _places_are_kept,
    _done_is_labelled,
    _labels_have_assignments,
    _dialogues_are_whole,
    _blind_labels_are_blind,
    _blind_items_stay_blind,
    _handoffs_hold,
    _numbers_follow_time,
    _words_are_there,
    _exports_match,
)
