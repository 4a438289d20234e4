"""What models that label are told: the standing instructions, the item, and what is asked about it."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from crito.prompts.files import Prompt, Rendered, fenced, load, marked, own_prompt, render

LANGUAGE = "en"
"""The language of the instructions; guideline, labels and items stay in theirs."""

Own = Mapping[str, str]
"""Texts of a study's owner, by the name of the prompt they stand in for."""

NONE_OWN: Own = MappingProxyType({})


def labeller_instructions(
    *,
    question: str,
    labels: Sequence[tuple[str, str]],
    guideline: str,
    reasoned: bool,
    trigger: str = "",
    persona: str = "",
    examples: Sequence[tuple[str, str]] = (),
    own: Own = NONE_OWN,
) -> Rendered:
    """The system prompt of a model that labels: the same for every item, so that it can be cached.

    Args:
        labels: words and description of each.
        reasoned: whether the reasoning comes before the label; `trigger` asks for it.
        examples: items as a model gets them, each with the words of its label.
        persona: a preset of `labeller_personas` or free words.
    """
    point_of_view = labeller_personas().get(persona, persona).strip()
    marks = {"reasoned" if reasoned else "direct"}
    given = {"persona": point_of_view, "guideline": guideline, "examples": examples}
    marks |= {name for name, present in given.items() if present}
    values = {
        "question": fenced(question),
        "guideline": fenced(guideline),
        "labels": "\n".join(f"<label>{fenced(name)}</label>{_described(words)}" for name, words in labels),
        "persona": fenced(point_of_view),
        "trigger": trigger,
        "examples": "\n".join(f"{item}\n<label>{fenced(label)}</label>" for item, label in examples),
    }
    return render(_prompt("label", own), values, keep=marks)


def item_message(text: str, context: Mapping[str, str]) -> str:
    """The item as a model gets it: as data between tags."""
    fields = [f"<context>{fenced(name)}: {fenced(value)}</context>" for name, value in context.items()]
    return "\n".join(["<item>", *fields, f"<text>{fenced(text)}</text>", "</item>"])


def review_request(draft: str, own: Own = NONE_OWN) -> Rendered:
    return render(_prompt("review", own), {"draft": fenced(draft)})


def refine_request(draft: str, review: str, own: Own = NONE_OWN) -> Rendered:
    return render(_prompt("refine", own), {"draft": fenced(draft), "review": fenced(review)})


def discussion_request(
    history: Sequence[Sequence[Mapping[str, Any]]], words: Mapping[str, str], own: Own = NONE_OWN
) -> Rendered:
    """The ask to label again after reading the `history`; `words` gives the words of each label by its name."""
    rounds = (_round(place, answers, words) for place, answers in enumerate(history))
    return render(_prompt("discuss", own), {"history": "\n".join(rounds)})


def argue_request(
    phase: str, stance: str, opposing: str, arguments: Sequence[Mapping[str, Any]], words: Mapping[str, str]
) -> Rendered:
    """The ask to argue for a label in a phase of the debate about it; `words` gives the words of each label by its name."""
    values = {"stance": fenced(stance), "opposing": fenced(opposing), "arguments": _argued(arguments, words)}
    return render(load("labelling/argue", LANGUAGE), values, keep={phase})


def decide_request(
    first: str, second: str, arguments: Sequence[Mapping[str, Any]], words: Mapping[str, str]
) -> Rendered:
    """The ask to decide a debate about a label; `first` is the side that is shown first."""
    values = {"first": fenced(first), "second": fenced(second), "arguments": _argued(arguments, words)}
    return render(load("labelling/decide", LANGUAGE), values)


def repair_request(reply: str, came: str, labels: Sequence[str], own: Own = NONE_OWN) -> Rendered:
    """The ask for the same label once more, with what came first; `came` is the label that is none of the set."""
    values = {"reply": fenced(reply), "came": fenced(came), "labels": "; ".join(fenced(label) for label in labels)}
    return render(_prompt("again", own), values, keep={"outside" if came else "unreadable"})


def labeller_personas() -> dict[str, str]:
    """The presets by name."""
    return {name: lines[0] for name, lines in marked(load("labelling/personas", LANGUAGE)).items()}


def _prompt(name: str, own: Own) -> Prompt:
    return own_prompt(f"labelling/{name}", own[name]) if name in own else load(f"labelling/{name}", LANGUAGE)


def _described(words: str) -> str:
    return f" {fenced(words)}" if words else ""


def _argued(arguments: Sequence[Mapping[str, Any]], words: Mapping[str, str]) -> str:
    return "\n".join(_argument(one, words[one["stance"]]) for one in arguments)


def _argument(one: Mapping[str, Any], stance: str) -> str:
    own = ' own="yes"' if one["own"] else ""
    said = fenced(one["text"]) or "(nothing was said)"
    return f'<argument phase="{one["phase"]}"{own}>For "{fenced(stance)}": {said}</argument>'


def _round(place: int, answers: Sequence[Mapping[str, Any]], words: Mapping[str, str]) -> str:
    said = "\n".join(_said(answer, words) for answer in answers)
    return f'<round number="{place}">\n{said}\n</round>'


def _said(answer: Mapping[str, Any], words: Mapping[str, str]) -> str:
    own = ' own="yes"' if answer["own"] else ""
    label = words[answer["label"]] if answer["label"] else "(no answer)"
    return f'<expert number="{answer["number"]}"{own}>{fenced(label)}: {fenced(answer["reason"])}</expert>'
