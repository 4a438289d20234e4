"""How much was said: messages per dialogue and characters per message, by side."""

import math
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from crito.stats.means import mean
from crito.stats.ratings import IntArray, encode
from crito.stats.statistic import Statistic, left_out

Side = Literal["person", "agent"]


@dataclass(frozen=True, slots=True, eq=False)
class Engagement:
    """What was said in a set of dialogues, the fixed opening message left out.

    Attributes:
        dialogues: their ids, shape (n_dialogues,).
        by_person, by_agent: messages of each side in each dialogue, shape (n_dialogues,).
        messages_person, messages_agent, messages_both: mean messages per dialogue, detail `sd`.
        characters_person, characters_agent, characters_both: mean Unicode code points per message, detail `sd`.
        characters_per_dialogue: mean over dialogues of the dialogue's mean characters per message.
    """

    dialogues: tuple[Hashable, ...]
    by_person: IntArray
    by_agent: IntArray
    messages_person: Statistic
    messages_agent: Statistic
    messages_both: Statistic
    characters_person: Statistic
    characters_agent: Statistic
    characters_both: Statistic
    characters_per_dialogue: Statistic


def engagement(
    dialogues: Sequence[Hashable],
    sides: Sequence[Side],
    texts: Sequence[str],
    *,
    opening: Sequence[bool] | None = None,
    silent: Collection[Hashable] = (),
    seed: int = 0,
) -> Engagement:
    """Messages and characters, from one row per message.

    Args:
        dialogues, sides, texts: per message its dialogue, who spoke, and the stored text, unstripped.
        opening: marks the fixed opening messages, which do not count.
        silent: dialogues that may have no message at all; they count with 0 messages.
        seed: of the bootstrap over dialogues that goes with the character means.

    Raises:
        ValueError: a text is empty (such messages are to be refused at entry), a side is unknown, or columns differ in
            length.

    Source: `socratic`, engagement; STATISTICS 2.7.
    """
    rows = len(dialogues)
    fixed = np.zeros(rows, bool) if opening is None else np.asarray(opening, bool)
    if not len(sides) == len(texts) == len(fixed) == rows:
        raise ValueError(
            f"engagement: columns must be of one length, but got {rows} dialogues, {len(sides)} sides, "
            f"{len(texts)} texts, {len(fixed)} opening marks"
        )
    if "" in texts:
        raise ValueError(f"engagement: a message must not be empty, but row {list(texts).index('')} is")
    unknown = set(sides) - {"person", "agent"}
    if unknown:
        raise ValueError(f"engagement: a side must be 'person' or 'agent', but got {unknown.pop()!r}")
    codes, names = encode([*dialogues, *silent])
    place, count = codes[:rows], len(names)
    person = np.array([side == "person" for side in sides], bool)
    length = np.array([len(text) for text in texts], np.float64)
    spoken = ~fixed
    by_person = np.bincount(place[spoken & person], minlength=count).astype(np.int64)
    by_agent = np.bincount(place[spoken & ~person], minlength=count).astype(np.int64)
    total = by_person + by_agent
    characters = np.bincount(place[spoken], weights=length[spoken], minlength=count)
    dropped = left_out({"opening": int(fixed.sum())})

    def messages(side: str, per_dialogue: IntArray) -> Statistic:
        return mean(f"messages_{side}", per_dialogue, within=(0.0, math.inf))

    def characters_of(side: str, keep: np.ndarray) -> Statistic:
        return mean(
            f"characters_{side}",
            length[keep],
            within=(0.0, math.inf),
            cluster=place[keep],
            what="dialogues",
            dropped=dropped,
            seed=seed,
        )

    return Engagement(
        dialogues=names, by_person=by_person, by_agent=by_agent,
        messages_person=messages("person", by_person),
        messages_agent=messages("agent", by_agent),
        messages_both=messages("both", total),
        characters_person=characters_of("person", spoken & person),
        characters_agent=characters_of("agent", spoken & ~person),
        characters_both=characters_of("both", spoken),
        characters_per_dialogue=mean(
            "characters_per_dialogue", characters[total > 0] / total[total > 0], within=(0.0, math.inf),
            dropped=left_out({"silent": int((total == 0).sum())}),
        ),
    )  # fmt: skip
