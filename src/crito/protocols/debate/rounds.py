"""Opening, refutation in rounds, and closings (`socrasynth`, section 3)."""

from crito.model.debate import Debater, DebateTurn, Topic
from crito.model.talk import NoAnswer
from crito.protocols.debate.floor import Floor, Speaking, topic_values
from crito.protocols.debate.moderation import moderation
from crito.protocols.debate.reading import choice_in, text_in
from crito.protocols.debate.speaking import argument, statement
from crito.protocols.side_by_side import side_by_side


def open_debate(floor: Floor) -> Speaking[Floor]:
    """Round 1: A argues on every topic, then B, having read it."""
    for debater in floor.debaters:
        floor = floor.and_turns(*(yield from statement(floor, debater, "opening", in_round=1)))
    return floor


def refute(floor: Floor) -> Speaking[Floor]:
    """Rounds of refutation until both are ready to close, or none is left; a moderator is heard before each topic."""
    settings = floor.settings
    for number in range(2, settings.max_rounds + 1):
        if number > settings.rounds:
            floor, ready = yield from both_ready(floor, number - 1)
            if ready:
                return floor
        floor = yield from refutation_round(floor, number)
        if floor.closed:
            return floor
    if settings.max_rounds > settings.rounds:
        floor, ready = yield from both_ready(floor, settings.max_rounds)
        if not ready:
            detail = f"not both were ready to close after {settings.max_rounds} rounds"
            floor = floor.and_flag("rounds_used_up", detail, phase="readiness")
    return floor


def refutation_round(floor: Floor, number: int) -> Speaking[Floor]:
    """Both refute each other on one topic after another; topics that come in between have their turn."""
    done: set[str] = set()
    while True:
        floor = yield from moderation(floor, phase="refutation", in_round=number, topic=_next(floor, done))
        topic = _next(floor, done)
        if floor.closed or topic is None:
            return floor
        for debater in floor.debaters:
            floor = floor.and_turns((yield from refutation(floor, debater, topic, number)))
        done.add(topic.title)
        if _next(floor, done) is None:
            return floor


def refutation(floor: Floor, debater: Debater, topic: Topic, number: int) -> Speaking[DebateTurn]:
    """What one side has to say against the other's last argument on a topic."""
    said = [{"side": floor.side_of(turn.speaker), "text": turn.text} for turn in floor.said_on(topic)]
    values = {"topic": topic_values(topic), "round": number, "said": said}
    return (yield from argument(floor, debater, "refutation", values, topic=topic.title, in_round=number))


def both_ready(floor: Floor, number: int) -> Speaking[tuple[Floor, bool]]:
    """Whether nobody has more to say after this round; only a *no* counts as one."""
    answers = yield [floor.ask(debater, "readiness", {"round": number}) for debater in floor.debaters]
    ready = True
    for debater, answer in zip(floor.debaters, answers, strict=True):
        said = "" if isinstance(answer, NoAnswer) else answer.text
        more = bool(said) and choice_in(said, "ready") is False
        ready &= not more
        words = text_in(said, "reason") or ("I have more to say." if more else "I am ready to close.")
        floor = floor.and_turns(floor.turn(debater, "readiness", words, in_round=0))
    return floor, ready


def close(floor: Floor) -> Speaking[Floor]:
    """Both close at the same time, topic by topic, without reading the other's closing."""
    closings = yield from side_by_side([statement(floor, debater, "closing") for debater in floor.debaters])
    return floor.and_turns(*(turn for turns in closings for turn in turns))


def _next(floor: Floor, done: set[str]) -> Topic | None:
    return next((topic for topic in floor.topics if topic.title not in done), None)
