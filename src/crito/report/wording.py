"""Numbers and names of the record in words that a reader knows."""

from collections.abc import Mapping
from datetime import UTC, datetime

from crito.stats.statistic import Interval, Statistic

NBSP = "\u00a0"
MINUS = "−"


def percent(share: float) -> str:
    """`9.3 %`, with one decimal unless there is none to show."""
    return f"{share * 100:.1f}".removesuffix(".0") + f"{NBSP}%"


def signed(number: float, *, digits: int = 2) -> str:
    """`+0.21`, with a real minus sign."""
    return f"{number:+.{digits}f}".replace("-", MINUS)


def points(difference: float, *, bare: bool = False) -> str:
    """A difference of two shares in percentage points; `bare` leaves the unit out."""
    return signed(difference * 100, digits=1) + ("" if bare else f"{NBSP}points")


def whole(number: int) -> str:
    """`12,345`."""
    return f"{number:,}"


def counted(number: int, one: str, many: str) -> str:
    """`1 person`, `12 people`."""
    return f"{whole(number)} {one if number == 1 else many}"


def p_value(p: float, *, bare: bool = False) -> str:
    """`p = 0.042`, or `p < 0.001`; `bare` leaves out the sign of equality with the p."""
    if bare:
        return "< 0.001" if p < 0.001 else f"{p:.3f}"
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def utc(time: datetime) -> str:
    """`1 March 2026, 12:30 UTC`."""
    moment = time.astimezone(UTC)
    return f"{moment.day} {moment:%B %Y, %H:%M} UTC"


def interval_of(statistic: Statistic) -> Interval | None:
    """The interval to show: the one that resamples clusters where observations are not independent."""
    return statistic.cluster_interval or statistic.interval


def shown(value: object, unit: str) -> str:
    """A bare number in the words of its unit: `9.3 %`, `−2.1 points`, `+0.21`, `3.4`."""
    if value is None:
        return "–"
    if unit == "count":
        return whole(int(str(value)))
    number = float(str(value))
    return {
        "share": lambda: percent(number), "points": lambda: points(number), "signed": lambda: signed(number),
        "number": lambda: f"{number:.2f}".replace("-", MINUS), "minutes": lambda: f"{number:.1f}", "p": lambda: p_value(number, bare=True),
    }[unit]()  # fmt: skip


def shown_interval(interval: Interval, unit: str) -> str:
    """`[4.1 %, 17 %]`; of points the unit is left out."""
    ends = (points(end, bare=True) if unit == "points" else shown(end, unit) for end in (interval.low, interval.high))
    return f"[{', '.join(ends)}]"


def left_out(statistic: Statistic) -> str:
    """`3 not sure, 1 missing`; empty when nothing was left out."""
    return ", ".join(_counted(count, DROPPED.get(why, named(why))) for why, count in statistic.dropped.items() if count)


def _counted(count: int, words: str) -> str:
    """`2 items with one label`, where the words begin with what is counted: `item with one label`."""
    noun, _, rest = words.partition(" ")
    if noun not in PLURALS:
        return f"{whole(count)} {words}"
    return f"{whole(count)} {noun if count == 1 else PLURALS[noun]} {rest}".rstrip()


def named(key: str) -> str:
    """A stored key as words."""
    return WORDS.get(key, key.replace("_", " "))


DROPPED: Mapping[str, str] = {
    "not_sure": "not sure",
    "missing": "missing",
    "no_gold": "without a reference label",
    "item_without_eligible": "item without such a label",
    "item_only_in_a": "item only in the first",
    "item_only_in_b": "item only in the second",
    "no_target": "with nothing to move to",
    "no_majority": "without a majority of others",
    "in_no_group": "by others",
    "fewer_than_4_answers": "person with fewer than 4 answers",
}

PLURALS: Mapping[str, str] = {
    "item": "items",
    "person": "people",
    "judge": "judges",
    "cell": "cells",
    "thing": "things",
}

WORDS: Mapping[str, str] = {
    "came": "Came",
    "consented": "Consented",
    "instructed": "Read the instructions",
    "labelled": "Labelled an item",
    "confirmed": "Closed the first part",
    "talked": "Sent the partner a message",
    "read": "Read both sides of a debate",
    "relabelled": "Labelled an item again",
    "surveyed": "Answered the survey",
    "done": "Finished",
    "active": "Still under way, or gone without a word",
    "no_consent": "Declined to take part",
    "withdrawn": "Took their data back",
    "attention_failed": "Failed the attention checks",
    "by_decision": "Left out by a decision of the study's owner",
    "over_quota": "Came when every place was taken",
    "timed_out": "Did not come back in time",
    "technical": "Technical trouble",
    "submission_closed": "Submission closed by the platform",
    "submission_returned": "Returned their submission",
    "submission_timed_out": "Submission timed out at the platform",
    "submission_rejected": "Submission rejected",
    "instructions": "Reading the instructions",
    "first_label": "First label, per item",
    "talk_and_second_label": "Talk and second label, per item",
    "survey": "Survey",
    "whole_study": "Whole study, for those who finished",
    "minutes_instructions": "Instructions",
    "minutes_first_label": "First label",
    "minutes_talk_and_second_label": "Talk, second label",
    "minutes_survey": "Survey",
    "minutes_whole_study": "Whole study",
    "script": "scripted",
    "model": "model, as it came",
    "routed": "routed",
    "trimmed": "model, cut to what passed",
    "fixed": "fixed question in place of a turn",
    "mental": "Mental demand",
    "effort": "Effort",
    "temporal": "Time pressure",
    "performance": "Poor performance",
    "frustration": "Frustration",
    "length": "Too long",
    "one_question": "Not exactly one question",
    "no_verdict": "Says which label is right",
    "no_push": "Pushes to a label",
    "no_outside_fact": "Brings in an outside fact",
    "no_false_strictness": "Asks for more than the guideline does",
    "honest_quotes": "Quotes what nobody wrote",
    "no_formatting": "Formatting or links",
    "no_repetition": "Repeats a question",
    "no_personal_data": "Asks for personal data",
    "language": "Another language",
    "own_label_only": "Names a label that is not the person's",
    "no_early_hand_over": "Hands over too early",
    "ask_for_reason": "Does not ask for a reason",
}
