"""`crito label` against a provider on this machine that remembers what it is asked."""

import json
import signal
from collections import Counter
from pathlib import Path

import pytest

from tests.cli.commands import Command, ended, kill, started_and_waiting
from tests.provider import Provider, completion, said

LABEL = ("label", "--items", "items.jsonl", "--task", "irony.yaml", "--model", "lab:m", "--json")
TASK = "question: Is it ironic?\nlabels: [Ironic, Plain]\nguideline: Judge the tone.\n"
ITEMS = "".join(
    json.dumps({"id": f"i{n}", "text": f"Text number {n}.", "gold": "Ironic" if n % 2 else "Plain"}) + "\n"
    for n in range(6)
)


@pytest.fixture
def folder(folder: Path) -> Path:
    (folder / "irony.yaml").write_text(TASK)
    (folder / "items.jsonl").write_text(ITEMS)
    return folder


def times_asked(provider: Provider) -> list[int]:
    """How often each text was asked about."""
    return sorted(Counter(provider.asked).values())


def test_items_are_labelled_and_running_it_again_asks_only_for_the_rest(
    folder: Path, provider: Provider, command: Command
) -> None:
    first = command(*LABEL, "--limit", "4", "--out", "rounds.jsonl")
    again = command(*LABEL)

    facts = first.facts
    assert (first.status, facts["done"], facts["calls"], facts["right"], facts["with_gold"]) == (0, 4, 4, 2, 4)
    assert (again.status, again.facts["done"], again.facts["calls"]) == (0, 6, 2)
    assert times_asked(provider) == [1] * 6
    rows = [json.loads(line) for line in (folder / "rounds.jsonl").read_text().splitlines()]
    assert [(row["item"], row["label"], row["reading"]) for row in rows] == [
        (f"i{n}", "ironic", "ok") for n in range(4)
    ]


def test_what_was_labelled_replays_exports_and_verifies(folder: Path, provider: Provider, command: Command) -> None:
    group = ("--method", "discussion", "--persona", "red_hat", "--persona", "black_hat")
    facts = command(*LABEL, *group).facts
    database = ("--db", facts["database"])

    again = command("replay", facts["labelling"], *database, "--json")
    exported = command("export", "irony", *database, "--format", "jsonl", "--out", "out")
    verified = command("verify", "irony", *database)

    assert (again.status, again.facts["rows"], again.facts["same"]) == (0, 12, True)
    assert (exported.status, verified.status) == (0, 0)
    rows = [json.loads(line) for line in (folder / "out" / "annotations.jsonl").read_text().splitlines()]
    assert {(row["annotator_kind"], row["label"], row["blind"]) for row in rows} == {("model", "ironic", True)}
    assert len({row["annotator"] for row in rows}) == 2
    assert len(provider.asked) == 12


def test_the_database_of_labelled_items_is_enough_for_a_report(
    folder: Path, provider: Provider, command: Command
) -> None:
    command(*LABEL)

    reported = command("report", "items.db", "--out", "report.html")

    assert reported.status == 0
    page = (folder / "report.html").read_text()
    assert "Models on Irony" in page
    assert "unknown price" in page
    assert "Who came" not in page


@pytest.mark.parametrize("signals", [[signal.SIGTERM], [signal.SIGINT, signal.SIGINT]])
def test_a_signal_lets_the_calls_in_flight_end_and_keeps_them(
    folder: Path, provider: Provider, command: Command, signals: list[signal.Signals]
) -> None:
    provider.open_for = 1
    process = started_and_waiting(provider, *LABEL, "--at-once", "2")
    for number in signals:
        process.send_signal(number)
    assert process.stderr is not None
    assert "12 calls" in process.stderr.readline()
    assert "in flight" in process.stderr.readline()
    provider.open_gate()

    stopped = ended(process)
    again = command(*LABEL)

    assert (stopped.status, again.status) == (1, 0)
    n_done = stopped.facts["done"]
    assert 0 < n_done < 6
    assert (again.facts["done"], again.facts["calls"]) == (6, 6 - n_done)
    assert times_asked(provider) == [1] * 6


def test_calls_in_flight_at_a_kill_are_held_and_everything_else_goes_on(
    folder: Path, provider: Provider, command: Command
) -> None:
    provider.open_for = 2
    kill(started_and_waiting(provider, *LABEL, "--at-once", "1"))
    provider.open_gate()

    held = command(*LABEL)
    resent = command(*LABEL, "--in-flight", "resend")

    assert (held.status, held.facts["done"], held.facts["held"], held.facts["calls"]) == (1, 5, 1, 3)
    assert "--in-flight resend" in held.err
    assert (resent.status, resent.facts["done"], resent.facts["calls"]) == (0, 6, 1)
    assert times_asked(provider) == [1, 1, 1, 1, 1, 2]


def test_a_budget_stops_before_the_call_that_would_cross_it_and_keeps_the_work(
    folder: Path, provider: Provider, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "prices.yaml").write_text("lab:m: {input: 10, cached: 10, output: 10}\n")
    monkeypatch.setenv("CRITO_PRICES", "prices.yaml")
    provider.answer = lambda body: completion("m", said("Ironic"), tokens=(1000, 500))

    stopped = command(*LABEL, "--budget", "0.05", "--at-once", "1")
    again = command(*LABEL, "--budget", "0.05", "--at-once", "1")

    assert (stopped.status, again.status, again.facts["calls"]) == (3, 3, 0)
    assert 0 < stopped.facts["done"] < 6
    assert stopped.facts["cost_usd"] == pytest.approx(0.015 * stopped.facts["done"])
    assert "budget of 0.05 USD" in stopped.err


def test_a_model_that_cannot_be_reached_ends_it_with_one_line_and_leaves_no_label(
    folder: Path, provider: Provider, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRITO_ENDPOINT_LAB", "http://127.0.0.1:9/v1")
    away = command(*LABEL, "--limit", "1")
    monkeypatch.setenv("CRITO_ENDPOINT_LAB", provider.url)
    again = command(*LABEL, "--limit", "1")

    assert (away.status, away.facts["done"]) == (1, 0)
    assert "Traceback" not in away.err
    assert (again.status, again.facts["done"]) == (0, 1)


def test_a_second_process_on_the_same_labelling_is_refused(folder: Path, provider: Provider, command: Command) -> None:
    provider.open_for = 1
    first = started_and_waiting(provider, *LABEL)

    second = command(*LABEL)
    provider.open_gate()

    assert (second.status, ended(first).status) == (1, 0)
    assert "another process is at work" in second.err
    assert times_asked(provider) == [1] * 6


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--items", "items.jsonl"], "--task"),
        (["--items", "items.jsonl", "--task", "irony.yaml"], "no model is named"),
        (["--items", "items.jsonl", "--task", "irony.yaml", "--model", "gpt"], "PROVIDER:NAME"),
        (["--items", "items.jsonl", "--task", "irony.yaml", "--model", "a:b", "--method", "magic"], "vanilla, cot"),
        (["--items", "items.jsonl", "--task", "irony.yaml", "--model", "a:b", "--model", "a:c"], "one model"),
        (["--items", "items.jsonl", "--task", "irony.yaml", "--model", "a:b", "--out", "x.pdf"], ".csv"),
        (["--items", "none.jsonl", "--task", "irony.yaml", "--model", "a:b"], "no such file"),
        ([], "name a study"),
    ],
)
def test_wrong_usage_is_told_with_what_would_do(folder: Path, command: Command, options: list[str], words: str) -> None:
    refused = command("label", *options)

    assert refused.status == 2
    assert words in refused.err
