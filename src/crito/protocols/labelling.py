"""What the protocols of model annotators share: asks for a label, one repair of what cannot be read, asking in waves."""

from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field

from crito.model.talk import Answer, Answers, Ask, Asks, NoAnswer, ReadLabel, Turn
from crito.model.votes import Vote

FIRST_WAVE = 3
"""Below three votes nothing can be decided that a later vote would not overturn."""

MENDABLE = ("unreadable", "outside_label_set")
"""Readings after which an agent is asked once more for the same label."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run came to: each agent's answer by round, and what the answers of the last round come to together.

    `samples` are the answers that a label of self-consistency was drawn from.
    """

    rounds: tuple[Mapping[str, ReadLabel | NoAnswer], ...]
    vote: Vote
    samples: tuple[ReadLabel | NoAnswer, ...] = field(default=())


Protocol = Generator[Asks, Answers, Outcome]


def label_of(answer: Answer | ReadLabel) -> str | None:
    """The label that an answer gives; None for one that is no vote."""
    read = answer.labelled if isinstance(answer, Turn) else answer
    return read.label if isinstance(read, ReadLabel) else None


def read_of(answer: Answer) -> ReadLabel | NoAnswer:
    """An answer without its words."""
    if isinstance(answer, NoAnswer):
        return answer
    assert answer.labelled is not None, f"{answer.speaker!r} was asked for a label"
    return answer.labelled


def by_agent(asks: Sequence[Ask], answers: Sequence[Answer]) -> dict[str, ReadLabel | NoAnswer]:
    return {ask.speaker: read_of(answer) for ask, answer in zip(asks, answers, strict=True)}


def labels_of(answers: Mapping[str, ReadLabel | NoAnswer]) -> dict[str, str | None]:
    """The label of each agent."""
    return {agent: read.label if isinstance(read, ReadLabel) else None for agent, read in answers.items()}


def labels_for(asks: Sequence[Ask]) -> Generator[Asks, Answers, list[Answer]]:
    """Ask side by side; whoever gave no label of the set in a readable form is asked once more."""
    answers = list((yield asks))
    unread = [place for place, answer in enumerate(answers) if _mendable(answer)]
    if unread:
        mended = yield [ask_again(asks[place], answers[place]) for place in unread]
        for place, answer in zip(unread, mended, strict=True):
            answers[place] = answer
    return answers


def labels_in_waves(asks: Sequence[Ask]) -> Generator[Asks, Answers, list[Answer]]:
    """Ask three, then as few as may decide it, until no further vote can change the winner."""
    answers: list[Answer] = []
    while n_next := next_wave([label_of(answer) for answer in answers], len(asks) - len(answers)):
        answers += yield from labels_for(asks[len(answers) : len(answers) + n_next])
    return answers


def next_wave(given: Sequence[str | None], n_left: int) -> int:
    """How many of the `n_left` votes to ask for next; 0 once the winner cannot change any more.

    A lead that the votes left could bring to a tie is not decided: a tie has no winner.
    """
    if not given:
        return min(FIRST_WAVE, n_left)
    first, second = (*sorted(Counter(label for label in given if label is not None).values(), reverse=True), 0, 0)[:2]
    lead = first - second
    # After k more votes for the leader the lead is lead + k, and n_left - k votes are left to make up for it.
    return 0 if lead > n_left else min(n_left, (n_left - lead) // 2 + 1)


def ask_label(agent: str, *, reasoned: bool, sample: int = 0) -> Ask:
    """The first ask for a label: an agent's own, before it has seen anybody's."""
    return Ask(agent, "labelling/label", {"reasoned": reasoned, "sample": sample})


def ask_again(ask: Ask, answer: Answer) -> Ask:
    """The same ask after an answer that could not be used, with what came."""
    assert isinstance(answer, Turn)
    assert answer.labelled is not None
    found = {"reply": answer.text[-2000:], "came": answer.labelled.came}
    return Ask(ask.speaker, ask.prompt, {**ask.values, "unread": found}, ask.accepts, attempt=ask.attempt + 1)


def _mendable(answer: Answer) -> bool:
    return isinstance(answer, Turn) and answer.labelled is not None and answer.labelled.reading in MENDABLE
