"""What a debate will be about: the subject checked, topics proposed, matched, reconciled and described (section 2.2)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, zip_longest
from typing import Any

from crito.model.debate import Debater, DebateTurn, Flag, FlagKind, Phase, Side, Topic
from crito.model.talk import Answer, NoAnswer
from crito.protocols.debate.checks import about_the_draft, alike, own_words, stems_from
from crito.protocols.debate.floor import Floor, Speaking, topic_values
from crito.protocols.debate.reading import (
    choice_in,
    distinct,
    key_of,
    numbers_in,
    pairs_in,
    prose,
    sections_in,
    text_in,
    topics_in,
)
from crito.protocols.side_by_side import side_by_side

Proposed = Mapping[Side, tuple[Topic, ...]]
Pairs = Sequence[tuple[int, int]]

WHOLE_SUBJECT = "no topic could be found; the subject is debated as a whole"


def check_subject(floor: Floor) -> Speaking[Floor]:
    """Ask both whether the subject can be debated from either side; what they think of it is recorded, not acted upon."""
    asks = [floor.ask(debater, "subject") for debater in floor.debaters]
    answers = yield asks
    for debater, answer in zip(floor.debaters, answers, strict=True):
        said, balanced = _said(answer), _choice(answer, "balanced")
        flags = () if said else (_flag("no_answer", answer, debater, "subject"),)
        floor = floor.and_turns(floor.turn(debater, "subject", text_in(said, "reason") or prose(said), flags=flags))
        if said and balanced is not True:
            kind: FlagKind = "unreadable" if balanced is None else "unbalanced_subject"
            detail = "the subject's balance was not judged" if balanced is None else "the subject leans to one side"
            floor = floor.and_flag(kind, detail, phase="subject", speaker=debater.name)
    return floor


def form_topics(floor: Floor) -> Speaking[Floor]:
    """From the subject to described topics; topics that are given are taken as they are."""
    if floor.settings.given_topics:
        return replace(floor, topics=distinct(floor.settings.given_topics))
    floor, proposed = yield from propose_topics(floor)
    if not any(proposed.values()):
        return whole_subject(floor)
    floor, kept = yield from choose_topics(floor, proposed)
    pairs = yield from find_overlaps(floor, kept)
    floor = yield from reconcile(floor, kept, pairs)
    return (yield from describe(floor))


def whole_subject(floor: Floor) -> Floor:
    """The floor with its subject as the only topic, which is said of the debate."""
    only = Topic(floor.subject)
    return replace(floor, topics=(only,)).and_flag("no_topics", WHOLE_SUBJECT, phase="proposal_of_topics")


def propose_topics(floor: Floor) -> Speaking[tuple[Floor, Proposed]]:
    """Step 1: each proposes topics by itself; whoever gives none is asked again, and in the end has none."""
    given = yield from side_by_side([_proposal(floor, debater) for debater in floor.debaters])
    proposed: dict[Side, tuple[Topic, ...]] = {}
    for debater, (turn, topics) in zip(floor.debaters, given, strict=True):
        floor, proposed[debater.side] = floor.and_turns(turn), topics
    silent = [debater for debater in floor.debaters if not proposed[debater.side]]
    if len(silent) == 1:
        detail = "only the other side proposed topics"
        floor = floor.and_flag("one_sided_topics", detail, phase="proposal_of_topics", speaker=silent[0].name)
    return floor, proposed


def _proposal(floor: Floor, debater: Debater) -> Speaking[tuple[DebateTurn, tuple[Topic, ...]]]:
    phase: Phase = "proposal_of_topics"
    n_wanted = floor.settings.topics_proposed
    for attempt in range(floor.settings.attempts):
        (answer,) = yield [floor.ask(debater, phase, {"n": n_wanted, "again": attempt > 0}, attempt)]
        topics = themes_in(_said(answer), floor.subject)[:n_wanted]
        if topics or isinstance(answer, NoAnswer):
            break
    flags = () if topics else (_flag("no_topics", answer, debater, phase),)
    return floor.turn(debater, phase, as_list(topics) or prose(_said(answer)), flags=flags), topics


def choose_topics(floor: Floor, proposed: Proposed) -> Speaking[tuple[Floor, Proposed]]:
    """Each keeps the topics of its own that matter most, having read the other's; the first ones where it does not say."""
    given = yield from side_by_side([_choice_of_topics(floor, debater, proposed) for debater in floor.debaters])
    kept: dict[Side, tuple[Topic, ...]] = {}
    for debater, (turn, topics) in zip(floor.debaters, given, strict=True):
        floor, kept[debater.side] = floor.and_turns(*turn), topics
    return floor, kept


def _choice_of_topics(
    floor: Floor, debater: Debater, proposed: Proposed
) -> Speaking[tuple[tuple[DebateTurn, ...], tuple[Topic, ...]]]:
    phase: Phase = "choice_of_topics"
    own, wanted = proposed[debater.side], floor.settings.topics
    if len(own) <= wanted:
        return (), own
    values = {"own": _values(own), "other": _values(proposed[floor.opponent_of(debater).side]), "n": wanted}
    (answer,) = yield [floor.ask(debater, phase, values)]
    said = _said(answer)
    chosen = [own[number - 1] for number in numbers_in(said, len(own))] or [
        topic for topic in own if key_of(topic.title) in {key_of(named.title) for named in topics_in(said)}
    ]
    flags = () if chosen else (_flag("unreadable", answer, debater, phase),)
    topics = distinct((*chosen, *own))[:wanted]
    return (floor.turn(debater, phase, as_list(topics), flags=flags),), topics


def find_overlaps(floor: Floor, kept: Proposed) -> Speaking[Pairs]:
    """Step 2: pairs of topics, one of each side, that overlap: those both see, or else those that either sees."""
    if not all(kept.values()):
        return ()
    values: dict[str, Any] = {side: _values(topics) for side, topics in kept.items()}
    answers = yield [floor.ask(debater, "overlaps", values) for debater in floor.debaters]
    n_most = max(map(len, kept.values()))
    seen = [pairs_in(_said(answer), n_most) for answer in answers]
    fitting = [[(a, b) for a, b in pairs if a <= len(kept["A"]) and b <= len(kept["B"])] for pairs in seen]
    both = [pair for pair in fitting[0] if pair in fitting[1]]
    return _each_once(both or list(chain.from_iterable(fitting)))


def reconcile(floor: Floor, kept: Proposed, pairs: Pairs) -> Speaking[Floor]:
    """Step 3: one proposes a list made of both, the other agrees or amends it, and so on; without agreement,
    overlapping topics first and then each side's in turn."""
    phase: Phase = "reconciliation"
    values = {side: _values(topics) for side, topics in kept.items()} | {
        "overlaps": [list(pair) for pair in pairs], "n": floor.settings.topics,
    }  # fmt: skip
    listed: tuple[Topic, ...] = ()
    speaker = floor.debaters[0]
    for attempt in range(2 * floor.settings.attempts):
        (answer,) = yield [floor.ask(speaker, phase, {**values, "draft": _values(listed)}, attempt)]
        said = _said(answer)
        amended = unlike(topics_in(said), floor.subject)[: floor.settings.topics]
        flags = () if said else (_flag("no_answer", answer, speaker, phase),)
        agreed = bool(listed) and (_choice(answer, "agree") is True or _same(amended, listed))
        text = "It agrees to the list." if agreed else as_list(amended) or prose(said)
        floor = floor.and_turns(floor.turn(speaker, phase, text, flags=flags))
        if agreed:
            break
        listed = amended or listed
        speaker = floor.opponent_of(speaker)
    else:
        listed = alternating(kept, pairs, floor.subject)[: floor.settings.topics]
        detail = "no list was agreed on; each side's own topics stand in turn"
        floor = floor.and_flag("topics_not_agreed", detail, phase=phase)
    short = floor.settings.topics - len(listed)
    added = unlike((*listed, *alternating(kept, pairs, floor.subject)), floor.subject)[len(listed) :][:short]
    if added:
        titles = ", ".join(repr(topic.title) for topic in added)
        floor = floor.and_flag("topics_added", f"the list was short; added of the sides' own: {titles}", phase=phase)
        listed = (*listed, *added)
    proposed = [topic.title for topics in kept.values() for topic in topics]
    for topic in listed:
        if not stems_from(topic.title, proposed):
            floor = floor.and_flag("new_topic", f"neither side proposed {topic.title!r}", phase=phase)
    return replace(floor, topics=listed)


def alternating(kept: Proposed, pairs: Pairs, subject: str) -> tuple[Topic, ...]:
    """Topics of both sides without their agreement: A's of each pair that overlaps, then one of each side in turn."""
    first = [kept["A"][a - 1] for a, _ in pairs]
    of_a = [topic for place, topic in enumerate(kept["A"], 1) if place not in {a for a, _ in pairs}]
    of_b = [topic for place, topic in enumerate(kept["B"], 1) if place not in {b for _, b in pairs}]
    turns = chain.from_iterable(zip_longest(of_a, of_b))
    return unlike(distinct((*first, *(topic for topic in turns if topic))), subject)


def describe(floor: Floor) -> Speaking[Floor]:
    """Step 4: a description of each topic that is fair to both sides, drafted by one and agreed to by the other."""
    described = yield from side_by_side([_description(floor, topic) for topic in floor.topics])
    for topic, turns in described:
        floor = floor.and_turns(*turns)
        flags = [flag for turn in turns for flag in turn.flags if flag.kind == "description_not_agreed"]
        floor = replace(floor, flags=(*floor.flags, *flags))
        floor = replace(floor, topics=tuple(topic if t.title == topic.title else t for t in floor.topics))
    return floor


def _description(floor: Floor, topic: Topic) -> Speaking[tuple[Topic, list[DebateTurn]]]:
    phase: Phase = "description"
    turns: list[DebateTurn] = []
    draft, speaker = "", floor.debaters[0]
    for attempt in range(2 * floor.settings.attempts):
        values = {"topic": topic_values(topic), "draft": draft}
        (answer,) = yield [floor.ask(speaker, phase, values, attempt)]
        said = _said(answer)
        amended = text_in(said, "description") or ("" if "{" in said else _spoken_description(said, topic))
        amended = "" if about_the_draft(amended) else amended
        agreed = bool(draft) and (_choice(answer, "agree") is True or key_of(amended) == key_of(draft))
        text = "It agrees to the description." if agreed else amended or prose(said)
        turns.append(floor.turn(speaker, phase, text, topic=topic.title))
        if agreed:
            return replace(topic, description=draft), turns
        draft = amended or draft
        speaker = floor.opponent_of(speaker)
    detail = f"no description of {topic.title!r} was agreed on; the last one stands"
    flag = Flag("description_not_agreed", detail, "", phase)
    turns[-1] = replace(turns[-1], flags=(flag,))
    return replace(topic, description=draft or topic.description), turns


def as_list(topics: Sequence[Topic]) -> str:
    """Topics as lines of a numbered list."""
    return "\n".join(
        f"{number}. {topic.title}{': ' + topic.description if topic.description else ''}"
        for number, topic in enumerate(topics, 1)
    )


def _spoken_description(said: str, topic: Topic) -> str:
    words = next(iter(sections_in(said, [topic]).values()), "")
    return "" if choice_in(said, "agree") is not None else " ".join(words.split())


def _said(answer: Answer) -> str:
    return "" if isinstance(answer, NoAnswer) else answer.text


def _choice(answer: Answer, key: str) -> bool | None:
    return None if isinstance(answer, NoAnswer) else choice_in(answer.text, key)


def _flag(kind: FlagKind, answer: Answer, debater: Debater, phase: Phase) -> Flag:
    """`kind`, or that there was no answer at all."""
    if isinstance(answer, NoAnswer):
        return Flag("no_answer", answer.reason, debater.name, phase)
    details = {"no_topics": "it named no topic", "unreadable": "its choice could not be read"}
    return Flag(kind, details.get(kind, "it said nothing"), debater.name, phase)


def _values(topics: Sequence[Topic]) -> list[dict[str, str]]:
    return [topic_values(topic) for topic in topics]


def themes_in(said: str, subject: str) -> tuple[Topic, ...]:
    """The topics that a reply lists and that differ; one that only repeats the subject is none, unless all do."""
    topics = topics_in(said)
    themes = [topic for topic in topics if own_words(topic.title, subject)]
    return unlike(themes or topics, subject)


def unlike(topics: Sequence[Topic], subject: str) -> tuple[Topic, ...]:
    """The topics without those whose titles say nearly the same as an earlier one's."""
    kept: list[Topic] = []
    for topic in distinct(topics):
        if not any(alike(topic.title, other.title, subject) for other in kept):
            kept.append(topic)
    return tuple(kept)


def _same(left: Sequence[Topic], right: Sequence[Topic]) -> bool:
    return bool(left) and {key_of(topic.title) for topic in left} == {key_of(topic.title) for topic in right}


def _each_once(pairs: Pairs) -> tuple[tuple[int, int], ...]:
    """The pairs in which no topic comes a second time."""
    kept: list[tuple[int, int]] = []
    for a, b in pairs:
        if all(a != other_a and b != other_b for other_a, other_b in kept):
            kept.append((a, b))
    return tuple(kept)
