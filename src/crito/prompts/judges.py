"""What judges are told: how to judge, the text as data, and what is asked about it."""

from collections.abc import Mapping, Sequence
from typing import Any

from crito.prompts.files import Rendered, fenced, load, render

LANGUAGE = "en"
"""The language of the instructions; the texts stay in theirs."""


def judge_instructions() -> Rendered:
    """The system prompt of a judge: the same for every text and question."""
    return render(load("judging/judge", LANGUAGE), {})


def document_message(text: str, opponent: str = "") -> str:
    """The text to be judged as data between tags, and what an opponent says, if there is one."""
    against = f"\n<opponent>\n{fenced(opponent)}\n</opponent>" if opponent else ""
    return f"<document>\n{fenced(text)}\n</document>{against}"


def claim_request(sources: Sequence[str]) -> Rendered:
    values = {"sources": "; ".join(fenced(name) for name in sources)}
    return render(load("judging/claim", LANGUAGE), values, keep={"sources"} if sources else ())


def rivals_request(claim: str, reasons: Sequence[Mapping[str, Any]], *, from_opponent: bool) -> Rendered:
    values = {"claim": fenced(claim), "reasons": _listed(reasons)}
    return render(load("judging/rivals", LANGUAGE), values, keep={"opponent" if from_opponent else "judge"})


def rate_request(claim: str, arguments: Sequence[Mapping[str, Any]]) -> Rendered:
    kinds = {"reasons" if str(one["id"]).startswith("r") else "rivals" for one in arguments}
    values = {"claim": fenced(claim), "arguments": _listed(arguments)}
    return render(load("judging/rate", LANGUAGE), values, keep=kinds)


def account_request(claim: str, arguments: Sequence[Mapping[str, Any]], score: float | None) -> Rendered:
    values = {"claim": fenced(claim), "arguments": _listed(arguments), "score": str(score)}
    return render(load("judging/account", LANGUAGE), values, keep={"unscored" if score is None else "scored"})


def score_request(topics: Sequence[Mapping[str, str]], first: str) -> Rendered:
    """The ask to score a debate topic by topic; `first` is the side that is shown first."""
    lines = [
        f"{number}. {fenced(topic['title'])}" + (f": {fenced(topic['description'])}" if topic["description"] else "")
        for number, topic in enumerate(topics, start=1)
    ]
    values = {"topics": "\n".join(lines), "first": first, "second": "B" if first == "A" else "A"}
    return render(load("judging/score", LANGUAGE), values, keep={first})


def debate_message(subject: str, speeches: Sequence[tuple[str, str]]) -> str:
    """A debate as the text that judges read: its subject, and who says what in which order."""
    said = [f"{who}:\n{text.strip()}" for who, text in speeches]
    return "\n\n".join([f"Subject of the debate: {subject}", *said])


def _listed(arguments: Sequence[Mapping[str, Any]]) -> str:
    return "\n".join(map(_argument, arguments)) or "(none)"


def _argument(one: Mapping[str, Any]) -> str:
    """An argument on one line, with its ratings where it has any."""
    about = "".join(f' {name}="{one[name]}"' for name in ("validity", "credibility") if one.get(name) is not None)
    evidence = f" Evidence: {fenced(one['evidence'])}" if one.get("evidence") else ""
    return f'<argument id="{one["id"]}"{about}>{fenced(one["text"])}{evidence}</argument>'
