"""What protocols are made of: asks, the turns that answer them, and what a guard found in a turn.

A protocol is a `Generator[Asks, Answers, Result]`: it yields asks that do not wait for one another, is sent their
answers in the same order, and returns its result.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from crito.model.study import Rule

TurnKind = Literal["person", "label", "script", "model", "routed", "trimmed", "fixed"]
"""Who or what made a turn: a person's words, a person's closing label, the scripted partner, a model as it came,
the router in front of a small model, a model's turn cut to what passed the guard, a fixed text of the prompt file."""

ATTEMPTS = 3
"""How often a partner is asked for one turn before the turn is mended or replaced."""

PARTNER_KINDS: frozenset[TurnKind] = frozenset({"script", "model", "routed", "trimmed", "fixed"})


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule that a sentence of a partner's turn breaks. `sentence` counts from 0; -1 is the turn as a whole."""

    rule: Rule
    sentence: int
    detail: str


Reading = Literal["ok", "unreadable", "outside_label_set", "refused", "truncated"]
"""What an agent's reply to a labelling ask turned out to be; only `ok` has a label, and only that one votes."""


@dataclass(frozen=True, slots=True)
class ReadLabel:
    """An agent's label as it was read from its reply.

    `label` is the name of a label, and None unless `reading` is `ok`. `confidence` is the agent's own word, in [0, 1].
    `came` is what stood in the label's place when it was none of the labels.
    `probabilities` are those of all labels by name, where they were asked for; `unweighed` says why they are missing.
    """

    reading: Reading
    label: str | None = None
    confidence: float | None = None
    reason: str = ""
    came: str = ""
    probabilities: Mapping[str, float] = field(default_factory=dict)
    unweighed: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """One message by one speaker, as the answer to an ask.

    `violations` are what the guard found when the turn came, so that a run replays the same under a later guard.
    `mended` is what is left when the failing sentences are cut; empty when nothing usable is.
    `streamed` are the sentences that were already on the person's screen when the turn was stopped.
    `labelled` is the label that an agent's reply gives, as it was read when the turn came, where one was asked for.
    """

    speaker: str
    text: str
    kind: TurnKind
    violations: tuple[Violation, ...] = ()
    mended: str = ""
    streamed: str = ""
    labelled: ReadLabel | None = None


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """A speaker did not answer: refused, unreachable, out of time."""

    speaker: str
    reason: str


Answer = Turn | NoAnswer


@dataclass(frozen=True, slots=True)
class Ask:
    """One question to one speaker.

    The words are not here: `prompt` names a text and `values` (JSON types only) fill its blanks.
    `accepts` lists what may come back; `attempt` counts the askings of the same question, from 0.
    """

    speaker: str
    prompt: str
    values: Mapping[str, Any] = field(default_factory=dict)
    accepts: tuple[Literal["text", "label"], ...] = ("text",)
    attempt: int = 0

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the ask, to tell whether a recorded turn answers this ask or another."""
        canonical = json.dumps(
            [self.speaker, self.prompt, self.values, self.accepts, self.attempt],
            sort_keys=True, ensure_ascii=False, separators=(",", ":"),
        )  # fmt: skip
        return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


Asks = Sequence[Ask]
Answers = Sequence[Answer]
