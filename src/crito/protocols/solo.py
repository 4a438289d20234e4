"""One model labels alone (`experts`, section 3.1): directly, by a chain of thought, by several samples, by refining."""

from crito.model.talk import Ask, NoAnswer, ReadLabel, Turn
from crito.model.votes import most_votes
from crito.protocols.labelling import (
    Outcome,
    Protocol,
    ask_label,
    by_agent,
    label_of,
    labels_for,
    labels_in_waves,
    labels_of,
    read_of,
)

VERSION = 1

SAMPLES = 5
SAMPLING_TEMPERATURE = 0.7

TIED = "no label has most of the samples"
"""Why self-consistency gives no label although samples did."""


def vanilla(agent: str) -> Protocol:
    """Ask for the label directly."""
    return _one_label(ask_label(agent, reasoned=False))


def cot(agent: str) -> Protocol:
    """Ask for the reasoning first and the label after it."""
    return _one_label(ask_label(agent, reasoned=True))


def self_consistency(agent: str, samples: int = SAMPLES) -> Protocol:
    """Draw several chains of thought and take the label most of them end in; a tie has none."""
    asks = [ask_label(agent, reasoned=True, sample=sample) for sample in range(samples)]
    answers = yield from labels_in_waves(asks)
    vote = most_votes(label_of(answer) for answer in answers)
    drawn = tuple(read_of(answer) for answer in answers)
    if vote.tied and vote.label is None:
        return Outcome(({agent: NoAnswer(agent, TIED)},), vote, drawn)
    # The first sample that ended in the label speaks for it; without any label, the first one says why there is none.
    first = next(
        read for read in drawn if vote.label is None or (isinstance(read, ReadLabel) and read.label == vote.label)
    )
    return Outcome(({agent: first},), vote, drawn)


def self_refine(agent: str) -> Protocol:
    """Draft, review the draft, answer again; without a draft that can be read there is nothing to refine."""
    ask = ask_label(agent, reasoned=False)
    (draft,) = yield from labels_for([ask])
    rounds = [{agent: read_of(draft)}]
    if isinstance(draft, Turn) and label_of(draft) is not None:
        (review,) = yield [ask_review(agent, draft)]
        if isinstance(review, NoAnswer):
            rounds.append({agent: review})
        else:
            (final,) = yield from labels_for([ask_refined(agent, draft, review)])
            rounds.append({agent: read_of(final)})
    return Outcome(tuple(rounds), most_votes(labels_of(rounds[-1]).values()))


def ask_review(agent: str, draft: Turn) -> Ask:
    return Ask(agent, "labelling/review", {"draft": draft.text})


def ask_refined(agent: str, draft: Turn, review: Turn) -> Ask:
    return Ask(agent, "labelling/refine", {"draft": draft.text, "review": review.text})


def _one_label(ask: Ask) -> Protocol:
    answers = yield from labels_for([ask])
    return Outcome((by_agent([ask], answers),), most_votes(map(label_of, answers)))
