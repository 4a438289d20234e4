"""What agents that debate are told: who they are, how contentious to be, and what each phase asks of them."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from crito.prompts.files import Rendered, fenced, load, marked, render
from crito.prompts.partner import LANGUAGE_NAMES

LANGUAGE = "en"
"""The language of the instructions; subject and arguments stay in theirs."""

POSITIONS = {"A": "for", "B": "against"}
OTHER = {"A": "B", "B": "A"}


class Manner(NamedTuple):
    """How an agent of a contentiousness is told to speak."""

    level: float
    tone: str
    emphasis: str
    language: str


@cache
def manners() -> tuple[Manner, ...]:
    """The table that turns contentiousness into words, most contentious first."""
    lines = marked(load("debate/contentiousness", LANGUAGE))
    levels = sorted((int(mark.partition("_")[2]) for mark in lines if mark.startswith("tone_")), reverse=True)
    return tuple(
        Manner(level / 100, *(lines[f"{part}_{level}"][0] for part in ("tone", "emphasis", "language")))
        for level in levels
    )


def manner_of(level: float) -> Manner:
    """The row of the table that is nearest to `level`; of two as near, the more contentious one."""
    return min(manners(), key=lambda manner: (round(abs(manner.level - level), 9), -manner.level))


def manner_words(level: float) -> str:
    """How to speak at a contentiousness, with the number itself."""
    manner = manner_of(level)
    values = {"level": f"{level:g}", "tone": manner.tone, "emphasis": manner.emphasis, "wording": manner.language}
    return render(load("debate/manner", LANGUAGE), values).text


def debater_instructions(
    *, subject: str, side: str, claim: str, opposing: str, material: str = "", language: str = LANGUAGE
) -> Rendered:
    """The system prompt of an agent: the same for the whole debate, so that it can be cached."""
    keep = ({"material"} if material else set()) | ({"language"} if language != LANGUAGE else set())
    values = {
        "side": side,
        "other": OTHER[side],
        "subject": fenced(subject),
        "material": fenced(material),
        "claim": fenced(claim),
        "opposing": fenced(opposing),
        "language": LANGUAGE_NAMES.get(language, language),
    }
    return render(load("debate/agent", LANGUAGE), values, keep=keep)


def debate_request(prompt: str, values: Mapping[str, Any], *, side: str, claim: str, n_words: int) -> Rendered:
    """What an ask of a debate says; `values` are the ask's own, `n_words` is the most that one argument may have."""
    blanks = {
        "side": side, "other": OTHER[side], "claim": fenced(claim), "words": str(n_words),
        "position": POSITIONS[side], "manner": manner_words(values["contentiousness"]),
    }  # fmt: skip
    filled, keep = _BLANKS[prompt.removeprefix("debate/")](values, side) if prompt in _ASKED else ({}, set())
    return render(load(prompt, LANGUAGE), blanks | filled, keep=keep)


def again_request(found: Sequence[str]) -> Rendered:
    """What an agent is told whose reply did not do."""
    return render(load("debate/again", LANGUAGE), {"found": "\n".join(f"- {fenced(detail)}" for detail in found)})


def sweep_judge_request(subject: str, argument: str) -> tuple[Rendered, str]:
    """What a judge is told who describes how an argument argues, and the argument as data."""
    data = f"<subject>{fenced(subject)}</subject>\n<argument>{fenced(argument)}</argument>"
    return render(load("debate/sweep_judge", LANGUAGE), {}), data


Filled = tuple[dict[str, str], set[str]]


def _proposal_of_topics(values: Mapping[str, Any], side: str) -> Filled:
    return {"n": str(values["n"])}, {"again" if values["again"] else "first"}


def _choice_of_topics(values: Mapping[str, Any], side: str) -> Filled:
    listed = {"own": _numbered(values["own"]), "other_topics": _numbered(values["other"])}
    return {**listed, "n": str(values["n"])}, set()


def _overlaps(values: Mapping[str, Any], side: str) -> Filled:
    return _both_lists(values), set()


def _reconciliation(values: Mapping[str, Any], side: str) -> Filled:
    pairs = ", ".join(f"({a}, {b})" for a, b in values["overlaps"]) or "none"
    filled = {**_both_lists(values), "overlaps": pairs, "n": str(values["n"]), "draft": _numbered(values["draft"])}
    return filled, {"draft" if values["draft"] else "first"}


def _description(values: Mapping[str, Any], side: str) -> Filled:
    filled = {"topic": _topic(values["topic"]), "draft": fenced(values["draft"])}
    return filled, {"draft" if values["draft"] else "first"}


def _opening(values: Mapping[str, Any], side: str) -> Filled:
    said = "\n".join(f"{fenced(title)}: {fenced(text)}" for title, text in values["said"].items())
    filled = {"topics": _numbered(values["topics"]), "slots": _slots(values["topics"]), "said": said}
    return filled, {"said" if said else "alone"}


def _closing(values: Mapping[str, Any], side: str) -> Filled:
    pairs = zip(values["topics"], values["said"], strict=True)
    listed = "\n".join(
        f"{number}. {_topic(topic)}\n{_said(said.items())}" for number, (topic, said) in enumerate(pairs, 1)
    )
    return {"topics": listed, "slots": _slots(values["topics"])}, set()


def _refutation(values: Mapping[str, Any], side: str) -> Filled:
    said = _said((turn["side"], turn["text"]) for turn in values["said"])
    filled = {"round": str(values["round"]), "topic": _topic(values["topic"]), "said": said}
    return filled, {"said" if said else "new"}


def _follow_up(values: Mapping[str, Any], side: str) -> Filled:
    topic = _topic(values["topic"]) if values["topic"] else ""
    return {"question": fenced(values["question"]), "topic": topic}, {"topic"} if topic else set()


def _readiness(values: Mapping[str, Any], side: str) -> Filled:
    return {"round": str(values["round"])}, set()


def _concession(values: Mapping[str, Any], side: str) -> Filled:
    return {"closing": fenced(values["closings"][OTHER[side]])}, set()


def _joint_proposal(values: Mapping[str, Any], side: str) -> Filled:
    conceded = _said(values["conceded"].items())
    filled = {
        "topics": _numbered(values["topics"]),
        "closing_a": fenced(values["closings"]["A"]),
        "closing_b": fenced(values["closings"]["B"]),
        "conceded": conceded,
        "draft": fenced(values["draft"]),
    }
    return filled, {"draft" if values["draft"] else "first"} | ({"conceded"} if conceded else set())


_BLANKS = {
    "proposal_of_topics": _proposal_of_topics,
    "choice_of_topics": _choice_of_topics,
    "overlaps": _overlaps,
    "reconciliation": _reconciliation,
    "description": _description,
    "opening": _opening,
    "closing": _closing,
    "refutation": _refutation,
    "follow_up": _follow_up,
    "readiness": _readiness,
    "concession": _concession,
    "joint_proposal": _joint_proposal,
}
_ASKED = frozenset(f"debate/{name}" for name in _BLANKS)


def _both_lists(values: Mapping[str, Any]) -> dict[str, str]:
    return {"topics_a": _numbered(values["A"]), "topics_b": _numbered(values["B"])}


def _numbered(topics: Sequence[Mapping[str, str]]) -> str:
    return "\n".join(f"{number}. {_topic(topic)}" for number, topic in enumerate(topics, 1))


def _topic(topic: Mapping[str, str]) -> str:
    return fenced(topic["title"]) + (f": {fenced(topic['description'])}" if topic["description"] else "")


def _said(said: Any) -> str:
    return "\n".join(f'<agent name="{side}">{fenced(text)}</agent>' for side, text in said if text)


def _slots(topics: Sequence[Mapping[str, str]]) -> str:
    return ", ".join(f'"topic_{number}": "your argument on topic {number}"' for number, _ in enumerate(topics, 1))
