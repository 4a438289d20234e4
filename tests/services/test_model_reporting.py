"""What a report says about models, against counts made by hand."""

from dataclasses import replace

import pytest

from crito.services.model_reporting import ModelReport, PanelReport, report_models
from crito.services.parts import Parts
from tests.services.panels import Script, Scripted, label_all, lettered_panel, lettered_study

# STATISTICS 3.3's eight items: the reference, and each agent's labels round by round.
GOLD = dict(zip("abcdefgh", "xxyzyxzy", strict=True))
TALKS: Script = {
    "lab:1": dict(zip("abcdefgh", ("x", "xx", "xxx", "xyy", "xx", "xxx", "zzx", "xyy"), strict=True)),
    "lab:2": dict(zip("abcdefgh", ("x", "xx", "yyy", "yyy", "xx", "yyy", "zxx", "zzy"), strict=True)),
    "lab:3": dict(zip("abcdefgh", ("x", "yx", "yyy", "zzy", "zx", "zzz", "xxx", "zzz"), strict=True)),
}
TRIO = lettered_panel("discussion", "lab:1", "lab:2", "lab:3", name="trio")


async def reported(parts: Parts, *, cost_usd: float | None = 0.25) -> ModelReport:
    parts = replace(parts, models=Scripted(TALKS, parts, cost_usd))
    study = lettered_study(GOLD)
    await label_all(parts, study, TRIO)
    await label_all(parts, study, lettered_panel("cot", "lab:3"))
    return await report_models(parts, study.name)


def trio_of(report: ModelReport) -> PanelReport:
    return next(panel for panel in report.tasks[0].panels if panel.name == "trio")


async def test_a_discussion_is_reported_as_worked_out_by_hand(parts: Parts) -> None:
    trio = trio_of(await reported(parts))

    assert trio.score is not None
    assert trio.plain_score is not None
    assert (trio.score.accuracy.value, trio.plain_score.accuracy.value) == (0.5, 0.5)
    assert [one.fleiss_kappa.value for one in trio.rounds] == pytest.approx([-0.072626, 0.236994, 0.461538], abs=1e-6)
    assert trio.bound is not None
    assert (trio.bound.upper_bound.value, trio.bound.irrecoverable, trio.bound.outside_bound) == (
        0.75, ("e", "h"), ("h",),
    )  # fmt: skip
    did = [agent.revisions for agent in trio.agents]
    assert [(r.kept_right, r.kept_wrong, r.corrected, r.corrupted, r.switched_wrong) for r in did if r] == [
        (5, 4, 1, 1, 1), (3, 7, 1, 1, 0), (3, 6, 1, 1, 1),
    ]  # fmt: skip
    assert trio.statuses == {"consensus": 5, "majority": 2, "no_majority": 1}


async def test_groups_are_tested_against_the_plain_vote_and_the_best_single_model_with_holm(parts: Parts) -> None:
    report = await reported(parts)

    plain, single = report.comparisons
    # plain vote x x y - x - z z, in the end x x y y x - x y: item g lost, item h won
    assert (plain.kind, plain.difference.details["b"], plain.difference.details["c"]) == ("plain_vote", 1, 1)
    # agents 1 and 2 are right on four items each at first; by name the first one: right on a, b, f and g
    assert single.against == "lab:1, in round 0 of trio"
    assert (single.difference.details["b"], single.difference.details["c"]) == (2, 2)
    assert [row.p_adjusted for row in (plain, single)] == [1.0, 1.0]


async def test_calls_tokens_cost_and_time_are_those_of_the_panel(parts: Parts) -> None:
    report = await reported(parts)

    # rounds by item: 1 2 3 3 2 3 3 3, so 20 rounds of three
    effort = trio_of(report).effort
    assert (effort.calls, effort.input_tokens, effort.cached_tokens, effort.output_tokens) == (60, 6000, 2400, 600)
    assert (effort.cost_usd, effort.unpriced, effort.failed) == (15.0, 0, 0)
    assert effort.seconds.value == pytest.approx(1.5 * 20 / 8)


async def test_a_price_that_is_not_known_is_counted_and_not_taken_for_nothing(parts: Parts) -> None:
    effort = trio_of(await reported(parts, cost_usd=None)).effort

    assert (effort.cost_usd, effort.unpriced) == (0.0, 60)


async def test_an_agent_that_never_moves_is_found_and_missing_answers_are_counted(parts: Parts) -> None:
    script: Script = {
        "lab:1": {"a": "xxx", "b": "xxx"},
        "lab:2": {"a": "y?x", "b": "--y"},
    }
    parts = replace(parts, models=Scripted(script, parts))
    study = lettered_study({"a": "x", "b": ""})
    await label_all(parts, study, lettered_panel("discussion", "lab:1", "lab:2", name="pair"))

    (task,) = (await report_models(parts, study.name)).tasks

    still, other = task.panels[0].agents
    assert still.never_moves
    assert not other.never_moves
    assert still.readings == {"ok": 6}
    # item a: one that could not be read, one repair of it that could not either; item b: two that never came
    assert other.readings == {"ok": 3, "unreadable": 2, "no_answer": 2}
    assert other.revisions is not None
    assert (other.revisions.n_missing, other.missing) == (2, 0)


async def test_without_reference_labels_there_is_agreement_and_no_accuracy(parts: Parts) -> None:
    parts = replace(parts, models=Scripted(TALKS, parts))
    study = lettered_study(dict.fromkeys("abc", ""))
    await label_all(parts, study, TRIO)

    report = await report_models(parts, study.name)

    trio = trio_of(report)
    assert (trio.score, trio.plain_score, trio.bound, report.comparisons) == (None, None, None, ())
    assert trio.rounds[0].fleiss_kappa.value is not None
