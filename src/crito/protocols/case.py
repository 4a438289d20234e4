"""What a Socratic dialogue is about, in the words the person sees."""

from dataclasses import dataclass, field

from crito.model.study import Rule


@dataclass(frozen=True, slots=True)
class ShownLabel:
    """One allowed answer: the name that is stored and the words on the screen."""

    name: str
    text: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """Everything one dialogue depends on; two equal cases with equal answers give equal dialogues.

    `label` and `confidence` are this person's choices as shown; `context` are the item's named fields as shown.
    `min_messages` is how many messages the person sends before relabelling opens and the partner may hand over.
    """

    language: str
    question: str
    labels: tuple[ShownLabel, ...]
    guideline: str
    text: str
    label: str
    confidence: str
    context: tuple[tuple[str, str], ...] = ()
    explicit_only: bool = False
    min_messages: int = 2
    rules_off: frozenset[Rule] = field(default_factory=frozenset)
    persona: str = ""

    @property
    def other_labels(self) -> tuple[str, ...]:
        """The labels this person did not choose, as shown."""
        return tuple(label.text for label in self.labels if label.text != self.label)
