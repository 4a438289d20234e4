"""`crito debate` against a provider on this machine."""

import json
import re
import signal
from pathlib import Path
from typing import Any

import httpx
import pytest
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from tests.cli.commands import Command, kill, started, started_and_waiting
from tests.debating_model import debate_reply
from tests.provider import Provider, schema_of

SUBJECT = "Should the town close its old bridge to cars?"
DEBATE = ("debate", SUBJECT, "--model", "lab:m", "--json")
SMALL = ("--rounds", "2", "--max-rounds", "2", "--topics", "2", "--topics-proposed", "3")
READING = {
    "tone": "sharp", "emphasis": "harm", "language": "absolute", "key_phrases": ["The reason is", "never said this"],
    "attitude": "sure of itself", "agreeableness": 2,
}  # fmt: skip


def answer(body: dict[str, Any]) -> str:
    """Debates sensibly; whoever is asked how an argument reads gives `READING`."""
    schema = schema_of(body)
    if schema and "tone" in schema["properties"]:
        return json.dumps(READING)
    return debate_reply(str(body["messages"][-1]["content"]), schema)


@pytest.fixture
def provider(provider: Provider) -> Provider:
    provider.answer = answer
    return provider


def test_a_subject_is_debated_and_written_down_and_the_same_command_again_asks_nothing(
    folder: Path, provider: Provider, command: Command
) -> None:
    first = command(*DEBATE, *SMALL)
    n_asked = len(provider.asked)
    again = command(*DEBATE, *SMALL)

    assert (first.status, first.facts["rounds"], first.facts["flags"]) == (0, 2, []), first.err
    made = folder / "debate-should-the-town-close-its-old-bridge-to"
    assert {file.name for file in made.iterdir()} >= {"debate.json", "debate.md", "debate.html", "brief.md"}
    content = json.loads((made / "debate.json").read_text())
    assert [topic["title"] for topic in content["runs"][0]["outcome"]["topics"]] == first.facts["topics"]
    page = (made / "debate.html").read_text()
    assert SUBJECT in page
    assert "http" not in page.replace("http://www.w3.org", "")
    assert (again.status, again.facts["calls"], len(provider.asked)) == (0, 0, n_asked)


def test_a_debate_that_was_killed_goes_on_and_asks_again_only_what_was_open(
    folder: Path, provider: Provider, command: Command
) -> None:
    provider.open_for = 9
    kill(started_and_waiting(provider, *DEBATE, *SMALL, "--at-once", "1"))
    provider.open_gate()

    again = command(*DEBATE, *SMALL, "--in-flight", "resend")

    assert (again.status, again.facts["flags"]) == (0, []), again.err
    assert len(provider.asked) == again.facts["calls"] + 10


def test_the_whole_debate_in_both_orders(folder: Path, provider: Provider, command: Command) -> None:
    held = command(*DEBATE, *SMALL, "--swap", "debate", "--out", "both")

    assert held.status == 0, held.err
    runs = json.loads((folder / "both" / "debate.json").read_text())["runs"]
    assert [run["order"] for run in runs] == ["given", "swapped"]
    assert [closing["side"] for closing in runs[1]["outcome"]["closings"]] == ["B", "A"]


def test_a_sweep_compares_levels_and_keeps_only_phrases_that_were_said(
    folder: Path, provider: Provider, command: Command
) -> None:
    swept = command(*DEBATE, "--judge", "lab:j", "--sweep", "0.9,0.0", "--out", "levels")

    assert (swept.status, swept.facts["agreeableness"]) == (0, {"0.9": 2, "0": 2}), swept.err
    content = json.loads((folder / "levels" / "sweep.json").read_text())
    assert [(row["level"], row["side"], row["key_phrases"]) for row in content["rows"]] == [
        (level, side, ["The reason is"]) for level in (0.9, 0.0) for side in "AB"
    ]
    page = (folder / "levels" / "sweep.html").read_text()
    assert "Agreeableness by contentiousness" in page
    judged = [words for words in provider.asked if "<argument>" in words]
    assert not any("Contentiousness" in words for words in judged)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ((), "two agents"),
        (("--model", "gpt"), "names no model"),
        (("--model", "lab:m", "--judge", "lab:m"), "among the judges"),
        (("--model", "lab:m", "--rounds", "3", "--max-rounds", "2"), "max_rounds"),
        (("--model", "lab:m", "--level", "dinner=0.5"), "no level"),
        (("--model", "lab:m", "--swap", "everything"), "no such swap"),
        (("--swap", "--model", "lab:m", "--judge", "lab:m"), "among the judges"),
        (("--model", "lab:m", "--material", "nowhere.txt"), "nowhere.txt: the file cannot be read"),
        (("--model", "lab:m", "--sweep", "2"), "no levels"),
    ],
)
def test_what_cannot_be_held_is_refused_with_what_would_do(
    folder: Path, provider: Provider, command: Command, options: tuple[str, ...], problem: str
) -> None:
    refused = command("debate", SUBJECT, *options)

    assert (refused.status, problem in refused.err) == (2, True), refused.err
    assert provider.asked == []


def test_a_debate_wants_a_subject(folder: Path, provider: Provider, command: Command) -> None:
    refused = command("debate", " ", "--model", "lab:m")

    assert (refused.status, "no subject" in refused.err) == (2, True), refused.err


def test_the_owner_moderates_a_debate_that_is_served_while_it_is_held(folder: Path, provider: Provider) -> None:
    provider.open_for = 9
    process = started(*DEBATE, *SMALL, "--at-once", "1", "--serve", "0")
    assert process.stderr is not None
    assert process.stdout is not None
    link = next((link for line in process.stderr for link in re.findall(r"http://\S+", line)), None)
    assert link is not None, "it ended before it said where it serves"
    assert provider.waited_at.wait(60)

    with httpx.Client(follow_redirects=True) as browser:
        browser.get(link)
        listed = HTMLParser(browser.get(f"{link.partition('/enter/')[0]}/debates").text)
        address = str(httpx.URL(link).join(listed.css_first("ul.studies a").attributes["href"]))
        page = HTMLParser(browser.get(address).text)
        csrf = page.css_first("input[name=csrf]").attributes["value"]
        sent = browser.post(address, data={"csrf": csrf, "kind": "question", "value": "And in winter?"})
        assert "And in winter?" in sent.text
        provider.open_gate()
        facts = json.loads(process.stdout.readline())
        after = browser.get(address).text

    process.send_signal(signal.SIGINT)
    process.communicate()
    assert (process.returncode, facts["moderated"]) == (0, True)
    assert "asks: And in winter?" in after
