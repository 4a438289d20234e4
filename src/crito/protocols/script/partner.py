"""The scripted partner: a router, question moves with slots, and the guard as the judge of what may be said.

Same case and transcript, same turn. Whatever is said, a candidate is taken only if it passes every rule, switched off or not.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TypeVar

from crito.model.talk import PARTNER_KINDS, Turn, TurnKind
from crito.protocols.case import Case
from crito.protocols.guard import Talk, check, is_curt, sentences, talk_of
from crito.protocols.guard.talk import is_question
from crito.protocols.guard.text import normal, quotations, stands_in
from crito.protocols.script.bank import Move, Route, bank
from crito.protocols.script.spans import own_words, shared_span

Text = TypeVar("Text", bound=str)

SPEAKER = "partner"
ENOUGH = 4
"""From this message of the person on, a partner who has asked and been answered hands over."""

_OPENING: tuple[Move, ...] = ("warrant", "evidence")
_MIDDLE: tuple[Move, ...] = ("counter_evidence", "change_mind", "boundary", "other_reader", "definition")


def reply(case: Case, transcript: Sequence[Turn]) -> Turn:
    """The scripted partner's next turn: routed where the message asks for that, else a question or a hand-over."""
    return route(case, transcript) or _spoken(case, transcript, _candidates(case, transcript), "script")


def route(case: Case, transcript: Sequence[Turn]) -> Turn | None:
    """The answer to a message that is none to the question: it asks for the answer, for facts, gives orders, …"""
    talk = talk_of(case, transcript)
    kind = _route_of(talk)
    if kind is None:
        return None
    said = bank(case.language)
    statements = _fresh(said.routed[kind], talk)
    questions = list(chain(_fresh(said.led_back[kind], talk), _questions(talk, _moves(talk))))
    whole = (_joined(talk, statement, question) for question in questions for statement in statements)
    return _spoken(case, transcript, chain(whole, questions), "routed")


def acknowledgement(case: Case, transcript: Sequence[Turn]) -> str:
    """A statement that takes up the last message without judging it; put before a small model's question."""
    return next(_acknowledgements(talk_of(case, transcript)))


def _candidates(case: Case, transcript: Sequence[Turn]) -> Iterator[str]:
    talk = talk_of(case, transcript)
    if _should_hand_over(talk):
        yield from _hand_overs(talk)
    for question in _questions(talk, _moves(talk)):
        for statement in _acknowledgements(talk):
            yield _joined(talk, statement, question)
        yield question
    yield from _hand_overs(talk)


def _spoken(case: Case, transcript: Sequence[Turn], candidates: Iterator[str], kind: TurnKind) -> Turn:
    """The first candidate that keeps every rule; the last one of all when none does."""
    strict = replace(case, rules_off=frozenset())
    text = ""
    for text in candidates:
        if not check(text, strict, transcript):
            break
    return Turn(SPEAKER, text, kind)


def _route_of(talk: Talk) -> Route | None:
    table, message = talk.table, _without_item_words(talk)
    patterns: dict[Route, bool] = {
        "distress": bool(table.distress.search(message)),
        "orders": bool(table.orders.search(message)),
        "abuse": bool(table.abuse.search(message)),
        "clarification": bool(table.asks_clarification.search(message)),
        "who": bool(table.asks_who.search(message)),
        "answer": bool(table.asks_answer.search(message)),
        "facts": bool(table.asks_facts.search(message)),
        "off_topic": bool(table.off_topic.search(message)),
    }
    return next((kind for kind, found in patterns.items() if found), None)


def _without_item_words(talk: Talk) -> str:
    """The last message without what it quotes from the item."""
    message = talk.last
    for quotation in quotations(message):
        if stands_in(quotation, (normal(talk.case.text),)):
            message = message.replace(quotation, " ")
    return message


def _should_hand_over(talk: Talk) -> bool:
    if not talk.may_hand_over or talk.curt:
        return False
    partner = [turn.text for turn in talk.transcript if turn.kind in PARTNER_KINDS]
    just_asked = bool(partner) and any(is_question(s, talk.table) for s in sentences(partner[-1], talk.case.language))
    return len(talk.person) >= ENOUGH and just_asked


def _moves(talk: Talk) -> list[Move]:
    """The moves in the order of this talk: reasons first, then the middle in the item's own order, then the end."""
    if talk.curt:
        return ["reason", *_OPENING, *_MIDDLE, "wrap_up"]
    turn = len(talk.person)
    middle = _turned(_MIDDLE, _number(talk.case.text + talk.case.label))
    if turn <= 1:
        return [*_OPENING, *middle, "wrap_up", "reason"]
    if turn >= ENOUGH + 2:
        return ["wrap_up", *middle, *_OPENING, "reason"]
    return [*_turned(middle, turn - 2), "wrap_up", *_OPENING, "reason"]


def _questions(talk: Talk, moves: Sequence[Move]) -> Iterator[str]:
    """The filled questions of `moves`: a first of each, then the others; those that need words nobody gave are left out."""
    said = bank(talk.case.language)
    for rank in range(max(len(questions) for questions in said.moves.values())):
        for move in moves:
            questions = said.moves[move]
            if rank < len(questions) and (question := _filled(questions[rank], talk)):
                yield question


def _filled(template: str, talk: Talk) -> str:
    others = talk.case.other_labels
    values = {
        "label": talk.case.label,
        "other": others[_number(talk.case.text) % len(others)] if others else "",
        "span": shared_span(talk.case, talk.last),
    }
    needed = [name for name in values if f"{{{name}}}" in template]
    return template.format(**values) if all(values[name] for name in needed) else ""


def _acknowledgements(talk: Talk) -> Iterator[str]:
    said = bank(talk.case.language)
    if talk.curt or is_curt(talk.last, talk.table):
        return iter(_fresh(said.short, talk))
    heard = [filled for template in _fresh(said.heard, talk) if (filled := _filled(template, talk))]
    return iter([*heard, *_fresh(said.plain, talk)])


def _hand_overs(talk: Talk) -> Iterator[str]:
    said = bank(talk.case.language)
    spans = list(dict.fromkeys(filter(None, (shared_span(talk.case, message) for message in talk.person))))
    single = own_words(talk.case, talk.person)
    for words in (spans[-2:], spans[-1:], [single] if single else []):
        if words:
            summed_up = said.join.join(said.quote.format(part) for part in words)
            yield from (template.format(words=summed_up) for template in _fresh(said.hand_over, talk))
    yield from _fresh(said.farewell, talk)


def _fresh(templates: Sequence[str], talk: Talk) -> list[str]:
    """The templates in this item's order, those that were used already last."""
    earlier = " ".join(turn.text for turn in talk.transcript if turn.kind in PARTNER_KINDS)
    ordered = _turned(templates, _number(talk.case.text + "|" + talk.case.label))
    return sorted(ordered, key=lambda template: _front(template) in earlier)


def _front(template: str) -> str:
    """The longest fixed part of a template, by which its use is known."""
    return max(template.replace("{words}", "{").replace("{span}", "{").replace("}", "{").split("{"), key=len)


def _joined(talk: Talk, *parts: str) -> str:
    return (" " if talk.table.spaced else "").join(parts)


def _turned(things: Sequence[Text], by: int) -> list[Text]:
    by %= max(len(things), 1)
    return [*things[by:], *things[:by]]


def _number(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:4])
