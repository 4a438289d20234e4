"""How people get into a study and out of it again, looked over before anyone is invited."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from crito.model.study import ENDINGS, CodedEnding, Completion, Ending, Study

Doubt = Literal[
    "no_code", "code_of_done", "code_with_spaces", "example_code", "return_elsewhere", "return_for_mturk",
    "codes_without_platform", "only_experts", "not_reachable", "not_encrypted", "no_contact", "no_consent_step",
]  # fmt: skip
"""What may be wrong with a study file, or with the server's address, for people who come from outside."""

PROLIFIC_HOSTS = ("app.prolific.com", "app.prolific.co")
EXAMPLE_CODE = "C1A2B3"
WITHOUT_CODE: frozenset[Ending] = frozenset({"submission_closed"})


class Caution(NamedTuple):
    """One doubt, and the endings or the value that it is about."""

    doubt: Doubt
    about: str = ""


class EndingSeen(NamedTuple):
    """What someone takes back from one ending: both are empty where they are told to close the page."""

    ending: Ending
    code: str
    return_url: str


@dataclass(frozen=True, slots=True)
class Invitation:
    """The ways in and out: the study's own address, what to paste at its platform, and what every ending gives."""

    provider: Literal["prolific", "mturk", "none"]
    address: str
    paste: Mapping[str, str]
    endings: tuple[EndingSeen, ...]
    warnings: tuple[Caution, ...]


def invitation(study: Study, server: str) -> Invitation:
    """What a worker meets at the edges of a study that is served at `server`."""
    address = f"{server.rstrip('/')}/s/{study.name}/"
    return Invitation(
        study.completion.provider,
        address,
        {"prolific": prolific_link(address), "mturk": mturk_snippet(address), "none": address},
        tuple(EndingSeen(ending, *way_back(study.completion, ending)) for ending in ENDINGS),
        tuple(_warnings(study, address)),
    )


def way_back(completion: Completion, ending: Ending) -> tuple[str, str]:
    """The code of an ending and the address that takes it."""
    code = completion.codes.get(ending, "")
    return code, completion.return_url.replace("{code}", code) if code else ""


def prolific_link(address: str) -> str:
    """The link with the blanks that Prolific fills in."""
    return f"{address}?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}&STUDY_ID={{{{%STUDY_ID%}}}}&SESSION_ID={{{{%SESSION_ID%}}}}"


def mturk_snippet(address: str) -> str:
    """What a task of Mechanical Turk shows: a link that carries on who the worker is, and a field for the code.

    The pages of a study open in a window of their own, never inside the frame of the task.
    """
    return (
        f'<p><a id="study" target="_blank" rel="noopener" href="{address}">Open the study</a></p>\n'
        '<p><label>Completion code: <input name="surveycode" required></label></p>\n'
        f'<script>document.getElementById("study").href = "{address}" + location.search;</script>'
    )


def _warnings(study: Study, address: str) -> Iterator[Caution]:
    completion, codes = study.completion, study.completion.codes
    if study.open_to == "experts":
        yield Caution("only_experts")
        return
    if completion.provider == "none":
        if codes:
            yield Caution("codes_without_platform")
    else:
        lacking = [ending for ending in _worth_a_code(study) if ending not in codes]
        if lacking:
            yield Caution("no_code", ", ".join(lacking))
    same = [ending for ending, code in codes.items() if ending != "done" and code == codes.get("done")]
    if same:
        yield Caution("code_of_done", ", ".join(same))
    for code in dict.fromkeys(codes.values()):
        if code != code.strip() or " " in code:
            yield Caution("code_with_spaces", code)
    if codes.get("done") == EXAMPLE_CODE:
        yield Caution("example_code", EXAMPLE_CODE)
    yield from _warnings_about_addresses(completion, address)
    if not study.contact:
        yield Caution("no_contact")
    without = [condition.name for condition in study.conditions if not condition.has("consent")]
    if without:
        yield Caution("no_consent_step", ", ".join(without))


def _worth_a_code(study: Study) -> Iterator[CodedEnding]:
    """The endings that people of this study can come to."""
    yield from ("done", "no_consent", "withdrawn")
    if study.attention_checks:
        yield "attention_failed"
    yield from ("over_quota", "timed_out", "technical")


def _warnings_about_addresses(completion: Completion, address: str) -> Iterator[Caution]:
    back = urlsplit(completion.return_url).hostname or ""
    if completion.provider == "prolific" and back and back not in PROLIFIC_HOSTS:
        yield Caution("return_elsewhere", back)
    if completion.provider == "mturk" and completion.return_url:
        yield Caution("return_for_mturk", back)
    host = urlsplit(address).hostname or ""
    if host in ("localhost", "::1", "0.0.0.0") or host.startswith("127.") or host.endswith(".local"):  # noqa: S104
        yield Caution("not_reachable", host)
    elif urlsplit(address).scheme != "https":
        yield Caution("not_encrypted", address)
