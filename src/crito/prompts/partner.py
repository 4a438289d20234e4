"""What the Socratic partner is told and says by itself: opening, instructions, second askings, fixed questions."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from crito.model.study import RULES, Rule
from crito.prompts.files import Rendered, fenced, languages, load, marked, render

LANGUAGE_NAMES = {"en": "English", "it": "Italian", "ja": "Japanese"}


def opening(language: str, *, label: str, confidence: str) -> Rendered:
    """The partner's first turn, with this person's label and confidence."""
    return render(load("socratic/opening", language), {"label": label, "confidence": confidence})


def fixed(language: str, said: Iterable[str]) -> Rendered:
    """The first fixed question that does not stand in `said` (the turns so far); when all do, the closing words."""
    prompt = load("socratic/fixed", language)
    lines = marked(prompt)
    spoken = "\n".join(said)
    fresh = (question for question in lines[""] if question not in spoken)
    return Rendered(next(fresh, lines["closing"][0]), prompt)


def instructions(
    language: str,
    *,
    question: str,
    labels: Sequence[tuple[str, str]],
    guideline: str,
    context: Sequence[tuple[str, str]],
    item: str,
    label: str,
    confidence: str,
    min_messages: int,
    explicit_only: bool = False,
    rules_off: Collection[Rule] = (),
    persona: str = "",
    small: bool = False,
) -> Rendered:
    """The system prompt of a model that plays the partner; the item stands last, so that what comes before can be cached.

    Args:
        labels: shown words and description of each.
        persona: words for the point of view that the partner takes; empty for none.
        small: the short prompt with examples, for small local models.
    """
    keep = {rule for rule in RULES if rule not in rules_off}
    strictness = "explicit" if explicit_only else "implied"
    marks = keep | ({strictness} if "no_false_strictness" in keep else set())
    marks |= ({"persona"} if persona else set()) | ({"guideline"} if guideline else set())
    values = {
        "language": LANGUAGE_NAMES.get(language.split("-")[0], language),
        "question": fenced(question),
        "labels": "\n".join(_tagged("label", *parts) for parts in labels),
        "guideline": fenced(guideline),
        "context": "\n".join(f'<field name="{_attribute(name)}">{fenced(value)}</field>' for name, value in context),
        "item": fenced(item),
        "label": fenced(label),
        "confidence": fenced(confidence),
        "min_messages": str(min_messages),
        "persona": fenced(persona),
    }
    return render(load("socratic/partner_small" if small else "socratic/partner", language), values, keep=marks)


def again(language: str, violations: Sequence[Mapping[str, str]]) -> Rendered:
    """What a model is told when its turn broke rules: each violation in words."""
    found = "\n".join(dict.fromkeys(f"- {violation['detail']}" for violation in violations))
    return render(load("socratic/again", language), {"violations": fenced(found)})


def person_message(text: str) -> str:
    """A person's message as a model gets it: as data between tags."""
    return f"<person>{fenced(text)}</person>"


def partner_languages() -> tuple[str, ...]:
    """The languages in which everything that a person reads is written."""
    return tuple(sorted(set(languages("socratic/opening")) & set(languages("socratic/fixed"))))


def _tagged(tag: str, text: str, description: str) -> str:
    return f"<{tag}>{fenced(text)}{fenced(': ' + description) if description else ''}</{tag}>"


def _attribute(text: str) -> str:
    return fenced(text).replace('"', "&quot;")
