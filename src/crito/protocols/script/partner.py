"""The scripted partner: a router, question moves with slots, and the guard as the judge of what may be said.

Same case and transcript, same turn. Whatever is said, a candidate is taken only if it passes every rule, switched off or not.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, zip_longest
from re import Pattern
from typing import TypeVar

from crito.model.talk import PARTNER_KINDS, Turn, TurnKind
from crito.protocols.case import Case
from crito.protocols.guard import Guard, Talk, is_curt, sentences, talk_of, violations
from crito.protocols.guard.labels import labels_named
from crito.protocols.guard.talk import is_question
from crito.protocols.guard.text import content_words, quotations, stands_in, tokens
from crito.protocols.script.bank import Move, Route, bank
from crito.protocols.script.contacts import holds_contact
from crito.protocols.script.spans import own_clause, own_word, shared_span

Text = TypeVar("Text", bound=str)

SPEAKER = "partner"
ENOUGH = 4
"""From this message of the person on, a partner who has asked and been answered hands over."""

_READ = 4_000
"""How many characters of a message the router reads."""
_OPENING: tuple[Move, ...] = ("warrant", "evidence")
_MIDDLE: tuple[Move, ...] = ("counter_evidence", "change_mind", "boundary", "other_reader", "definition")


def reply(case: Case, transcript: Sequence[Turn]) -> Turn:
    """The scripted partner's next turn: routed where the message asks for that, else a question or a hand-over."""
    return route(case, transcript) or _spoken(_candidates(case, transcript), case, transcript, "script")


def route(case: Case, transcript: Sequence[Turn]) -> Turn | None:
    """The answer to a message that is none to the question: it asks for the answer, for facts, gives orders, …"""
    talk = talk_of(case, transcript)
    kind = _route_of(talk.last, talk)
    if kind is None:
        return None
    said = bank(case.language)
    statements = _fresh(said.routed[kind], talk)
    questions = list(chain(_fresh(said.led_back[kind], talk), _questions(talk)))
    whole = (_joined(talk, statement, question) for question in questions for statement in statements)
    led_back = chain(whole, questions, _hand_overs(talk))
    candidates = chain(_hand_overs(talk), led_back) if kind == "finish" and talk.may_hand_over else led_back
    return _spoken(candidates, case, transcript, "routed")


def acknowledgement(case: Case, transcript: Sequence[Turn]) -> str:
    """A statement that takes up the last message without judging it; put before a small model's question."""
    talk = talk_of(case, transcript)
    statements = _acknowledgements(talk)
    return next((statement for statement in statements if not Guard(talk).next(statement)), statements[-1])


def _candidates(case: Case, transcript: Sequence[Turn]) -> Iterator[str]:
    """What could be said, best first: the guard takes the first that keeps every rule."""
    talk = talk_of(case, transcript)
    if _should_hand_over(talk):
        yield from _hand_overs(talk)
    statements = _acknowledgements(talk)
    for question in _questions(talk):
        quoted = quotations(question)
        fitting = [statement for statement in statements if not (quoted and quotations(statement))]
        yield from (_joined(talk, statement, question) for statement in fitting)
        yield question
    yield from _hand_overs(talk)


def _spoken(candidates: Iterable[str], case: Case, transcript: Sequence[Turn], kind: TurnKind) -> Turn:
    """The first candidate that keeps every rule; the last one of all when none does."""
    talk = talk_of(replace(case, rules_off=frozenset()), transcript)
    text = ""
    for text in candidates:
        if not violations(text, talk):
            break
    return Turn(SPEAKER, text, kind)


def _route_of(message: str, talk: Talk) -> Route | None:
    table, message = talk.table, _without_item_words(message[:_READ], talk)
    if not table.distress.search(message) and holds_contact(message, talk):
        return "contact"
    patterns: dict[Route, Pattern[str]] = {
        "distress": table.distress,
        "orders": table.orders,
        "abuse": table.abuse,
        "clarification": table.asks_clarification,
        "who": table.asks_who,
        "answer": table.asks_answer,
        "finish": table.impatient,
        "off_topic": table.off_topic,
        "facts": table.asks_facts,
    }
    found = ((kind, pattern.search(message)) for kind, pattern in patterns.items())
    return next((kind for kind, match in found if match and not _is_about_the_item(kind, match[0], talk)), None)


def _is_about_the_item(kind: Route, matched: str, talk: Talk) -> bool:
    """Whether words that would lead away from the item are words of the item: nobody who takes them up leads away."""
    return kind == "off_topic" and bool(
        content_words(matched, talk.table) & content_words(talk.case.text[:_READ], talk.table)
    )


def _without_item_words(message: str, talk: Talk) -> str:
    """A message without what it quotes from the item."""
    for quotation in quotations(message):
        if stands_in(quotation, talk.of_item):
            message = message.replace(quotation, " ")
    return message


def _should_hand_over(talk: Talk) -> bool:
    if not talk.may_hand_over or talk.curt or talk.table.revises.search(talk.last):
        return False
    partner = [turn.text for turn in talk.transcript if turn.kind in PARTNER_KINDS]
    just_asked = bool(partner) and any(is_question(s, talk.table) for s in sentences(partner[-1], talk.case.language))
    return len(talk.person) >= ENOUGH and just_asked


def _moves(talk: Talk) -> list[list[Move]]:
    """The moves in the order of this talk, in groups of which each is used up before the next."""
    middle = _turned(_MIDDLE, _number(talk.case.text + talk.case.label))
    every: list[Move] = [*_OPENING, *middle, "wrap_up", "reason"]
    turn = len(talk.person)
    if talk.curt:
        return [["reason"], every]
    if talk.table.revises.search(talk.last) or _names_only_others(talk):
        return [["restate"], every]
    if talk.wants_rephrasing:
        return [[_last_move(talk)], every]
    if turn <= 1:
        return [list(_OPENING), every]
    if turn >= ENOUGH + 2:
        return [["wrap_up", *middle, *_OPENING, "reason"]]
    return [[*_turned(middle, turn - 2), "wrap_up", *_OPENING, "reason"]]


def _names_only_others(talk: Talk) -> bool:
    """Whether the last message names labels, and this person's own is not among them."""
    named = labels_named(talk.last, talk.case)
    return bool(named) and talk.case.label not in named


def _last_move(talk: Talk) -> Move:
    """The move of the question asked last; the first one where that was not of the bank."""
    asked = talk.asked[-1] if talk.asked else ""
    for move, questions in bank(talk.case.language).moves.items():
        if any(_front(question) in asked for question in questions):
            return move
    return _OPENING[1]


def _questions(talk: Talk) -> Iterator[str]:
    """The questions that can be asked: of each group a first of every move, then the others."""
    slots = _slots(talk)
    for group in _moves(talk):
        for rank in zip_longest(*(_variants(move, slots, talk) for move in group)):
            yield from filter(None, rank)


def _variants(move: Move, slots: Mapping[str, str], talk: Talk) -> list[str]:
    """The filled questions of a move, in this item's order: new ones first, and of these the ones that quote."""
    questions = [filled for q in bank(talk.case.language).moves[move] if (filled := _filled(q, slots))]
    ordered = _turned(questions, _number(f"{talk.case.text}|{move}"))
    return sorted(ordered, key=lambda question: (question in talk.asked, not quotations(question)))


def _slots(talk: Talk) -> dict[str, str]:
    """What fills the blanks of this turn; empty where there is nothing to fill one with."""
    others = talk.case.other_labels
    return {
        "label": talk.case.label,
        "other": others[_number(talk.case.text) % len(others)] if others else "",
        "span": shared_span(talk.case, talk.last),
    }


def _filled(template: str, slots: Mapping[str, str]) -> str:
    """A template with its blanks filled; empty when one has nothing to fill it."""
    needed = [name for name in slots if f"{{{name}}}" in template]
    return template.format(**slots) if all(slots[name] for name in needed) else ""


def _acknowledgements(talk: Talk) -> list[str]:
    said = bank(talk.case.language)
    if is_curt(talk.last, talk.case):
        return _fresh(said.short, talk)
    slots = _slots(talk)
    heard = [filled for template in _fresh(said.heard, talk) if (filled := _filled(template, slots))]
    return [*heard, *_fresh(said.plain, talk)]


def _hand_overs(talk: Talk) -> Iterator[str]:
    """Whole turns that sum up the person's reasons: by the words they took from the item, else by their own."""
    said = bank(talk.case.language)
    reasons = [message for message in talk.person if not is_curt(message, talk.case)]
    answers = [message for message in reasons if _route_of(message, talk) is None]
    spans = dict.fromkeys(filter(None, (shared_span(talk.case, message) for message in answers)))
    long = [span for span in spans if len(tokens(span)) > 1 or not talk.table.spaced]
    if long:
        yield from _summed_up(said.hand_over, long[-2:], talk)
        yield from _summed_up(said.hand_over, long[-1:], talk)
    if clause := own_clause(talk.case, answers):
        yield from _summed_up(said.hand_over_in_own_words, [clause], talk)
    if word := own_word(talk.case, answers):
        yield from _summed_up(said.hand_over, [word], talk)
    yield from _fresh(said.farewell, talk)


def _summed_up(templates: Sequence[str], words: Sequence[str], talk: Talk) -> Iterator[str]:
    said = bank(talk.case.language)
    quoted = said.join.join(said.quote.format(part) for part in words)
    return (template.format(words=quoted) for template in _fresh(templates, talk))


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
