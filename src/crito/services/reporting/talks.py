"""The dialogues under each condition: the partner's turns and the rules they broke, how much was said, and who leads."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from crito.model.phrase import Phrase
from crito.model.record import RecordedTurn
from crito.model.study import Condition, Rule
from crito.model.talk import PARTNER_KINDS, TurnKind
from crito.services.shares import Share
from crito.stats.engagement import Engagement, Side, engagement
from crito.stats.means import compare_means, mean
from crito.stats.proportions import share
from crito.stats.statistic import Statistic


class Broken(NamedTuple):
    """How many turns of one kind broke one rule."""

    rule: Rule
    kind: TurnKind
    rate: Statistic


class Routing(NamedTuple):
    """A condition that holds dialogues on disagreement only, and on how many items it did."""

    condition: str
    dialogues: int
    items: int


@dataclass(frozen=True, slots=True)
class PartnerReport:
    """The partner's side of the dialogues under one condition.

    Attributes:
        model: as the study file names it, of each edition.
        dialogues: how many began, each with its fixed opening, which is in none of the counts of turns.
        made, shown: turns by kind as they were made, and as they were shown.
        unanswered: reasons why a partner's turn never came, with how often.
        broken_made, broken_shown: rules broken by turns as made, and as shown.
    """

    condition: str
    model: str
    dialogues: int
    made: Mapping[TurnKind, int]
    shown: Mapping[TurnKind, int]
    unanswered: Mapping[str, int]
    broken_made: tuple[Broken, ...]
    broken_shown: tuple[Broken, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TalkReport:
    """How much was said in the dialogues of one condition, and by whom.

    Attributes:
        engagement: messages and characters by side.
        by_length: dialogues by how many messages the person sent.
        person_share: mean over dialogues of the person's share of all characters.
        person_leads: share of dialogues in which the person wrote more than the partner.
        questions_person, questions_partner: share of a side's messages that hold a question mark.
    """

    condition: str
    engagement: Engagement
    by_length: Mapping[int, int]
    person_share: Statistic
    person_leads: Statistic
    questions_person: Statistic
    questions_partner: Statistic


class TalkComparison(NamedTuple):
    """Messages of the person, or characters of their messages, in two conditions."""

    what: str
    first: str
    second: str
    difference: Statistic


@dataclass
class Talks:
    """Turns under one condition."""

    made: Counter[TurnKind] = field(default_factory=Counter)
    shown: Counter[TurnKind] = field(default_factory=Counter)
    broken_made: Counter[tuple[Rule, TurnKind]] = field(default_factory=Counter)
    broken_shown: Counter[tuple[Rule, TurnKind]] = field(default_factory=Counter)
    unanswered: Counter[str] = field(default_factory=Counter)
    dialogues: int = 0
    said: list[tuple[int, Side, str]] = field(default_factory=list)
    """Of each message shown its dialogue, its side and, in place of words, as many marks: a question mark is kept."""

    def add(self, person: Share, turns: Sequence[RecordedTurn]) -> None:
        for turn in turns:
            if turn.step == 0:
                continue
            if turn.kind == "person":
                self._say("person", turn.text)
            else:
                self._add_turn(person, turn)
        self.dialogues += 1

    def _add_turn(self, person: Share, turn: RecordedTurn) -> None:
        if turn.no_answer:
            self.unanswered[turn.no_answer] += 1
            return
        if turn.kind not in PARTNER_KINDS:
            return
        self._say("agent", person.shown_words(turn) or "")
        rules = {violation.rule for violation in turn.violations}
        self.made[turn.kind] += 1
        self.broken_made.update((rule, turn.kind) for rule in rules)
        if shown_as := person.shown_kind(turn):
            self.shown[shown_as] += 1
            if shown_as == turn.kind:
                self.broken_shown.update((rule, shown_as) for rule in rules)

    def _say(self, side: Side, text: str) -> None:
        if text:
            # Other scripts have question marks of their own.
            asks = any(mark in text for mark in "?？؟")
            self.said.append((self.dialogues, side, ("?" if asks else ".") * len(text)))

    def report(self, condition: Condition) -> PartnerReport:
        """What the partner did."""
        return PartnerReport(
            condition.name, condition.partner.model, self.dialogues,
            self.made, self.shown, self.unanswered,
            _broken(self.broken_made, self.made), _broken(self.broken_shown, self.shown),
        )  # fmt: skip

    def talk_report(self, condition: str) -> TalkReport:
        """How much was said."""
        dialogues, sides, texts = (
            [row[0] for row in self.said],
            [row[1] for row in self.said],
            [row[2] for row in self.said],
        )
        found = engagement(dialogues, sides, texts, silent=range(self.dialogues))
        person, both = self._characters()
        spoken = both > 0
        shares = person[spoken] / both[spoken]
        return TalkReport(
            condition, found, dict(sorted(Counter(found.by_person.tolist()).items())),
            mean("person_share", shares, within=(0.0, 1.0)),
            share("person_leads", int((shares > 0.5).sum()), int(spoken.sum()), empty=Phrase("no dialogue")),
            self._questions("person"), self._questions("agent"),
        )  # fmt: skip

    def _characters(self) -> tuple[np.ndarray, np.ndarray]:
        person, both = np.zeros(self.dialogues), np.zeros(self.dialogues)
        for dialogue, side, text in self.said:
            both[dialogue] += len(text)
            person[dialogue] += len(text) * (side == "person")
        return person, both

    def _questions(self, side: Side) -> Statistic:
        asked = [text[0] == "?" for _, by, text in self.said if by == side]
        return share(f"questions_{side}", sum(asked), len(asked), empty=Phrase("no message"))


def compare_talks(reports: Sequence[TalkReport], talks: Mapping[str, Talks]) -> tuple[TalkComparison, ...]:
    """The first condition against each other one: messages by the person per dialogue, and characters per message."""
    found = []
    for other in reports[1:]:
        first = reports[0]
        lengths = [
            [len(text) for _, side, text in talks[report.condition].said if side == "person"]
            for report in (first, other)
        ]
        for what, values in (
            ("messages by the person, per dialogue", (first.engagement.by_person, other.engagement.by_person)),
            ("characters per message of the person", (lengths[0], lengths[1])),
        ):
            difference = compare_means(*values, name="engagement_difference", equal_variances=False)
            found.append(TalkComparison(what, first.condition, other.condition, difference))
    return tuple(found)


def _broken(broken: Counter[tuple[Rule, TurnKind]], turns: Counter[TurnKind]) -> tuple[Broken, ...]:
    rules = sorted({rule for rule, _ in broken})
    return tuple(
        Broken(rule, kind, share(f"broken_{rule}", broken[rule, kind], turns[kind])) for rule in rules for kind in turns
    )
