"""The page of blind evidence with made-up content: nothing yet, cards, what is handed over, a fall."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from crito.evidence.card import agreement_card
from crito.evidence.comparisons import Comparison
from crito.evidence.handoff import HandoffRule, audits
from crito.model.errors import Conflict
from crito.model.ids import DrawId, HandoffId, StudyName, TaskName
from crito.model.phrase import Phrase
from crito.model.record import BlindDraw, Handoff, Revocation
from crito.model.study import Suggestions
from crito.services.agreeing import TaskCard
from crito.services.handing import Watched
from crito.services.standing import Standing
from crito.services.study_evidence import Audited

NOW = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)
EVIDENCE: dict[str, object] = {
    "settings": None, "notes": [], "cards": [], "handoffs": (), "in_force": set[str](), "audits": 60, "refusal": None,
    "called": {"acc-1": "Ada"},
    "draws": [], "timing": [],
}  # fmt: skip


def compared(n: int, *, blind: bool, wrong: int = 0) -> list[Comparison]:
    """Labels of one person beside the machine's, `wrong` of them different."""
    return [
        Comparison(
            f"{'b' if blind else 'v'}-{place}", "x-1", "Sarcastic" if place >= wrong else "Not sarcastic", "Sarcastic",
            blind=blind, order=place, inclusion=0.4 if blind else None, confidence=0.8,
            taken="button" if not blind and place >= wrong else None,
        )
        for place in range(n)
    ]  # fmt: skip


GATE = HandoffRule()
SURE = agreement_card(
    [*compared(60, blind=True), *compared(90, blind=False, wrong=4)], ("Sarcastic", "Not sarcastic"), 150, GATE
)
EARLY = agreement_card(compared(12, blind=True, wrong=2), ("Sarcastic", "Not sarcastic"), 150, GATE)
HANDED = Handoff(
    HandoffId("h-1"), StudyName("sample"), 1, TaskName("sarcasm"), "l-9c1b7e5d2f40a683", 1, "anytime", 0.9, 0.0304, True,
    150, 60, 60, 0.922, {}, {}, "5e3f" * 16, NOW - timedelta(hours=6), "acc-1", NOW - timedelta(hours=6),
)  # fmt: skip
AUDITED = audits(
    [replace(one, purpose="audit") for one in compared(30, blind=True, wrong=1)], GATE
)  # fmt: skip
FALL = Revocation(
    HANDED.id, "audits", "more than 0.05 of audited answers disagree", {}, "77aa" * 16, "", NOW - timedelta(hours=1)
)
UNCERTIFIED = replace(HANDED, rule="point", certified=False, task=TaskName("relation"), bound=None)
CARDS = (
    TaskCard(
        TaskName("sarcasm"), Phrase("%(machine)s, version %(number)s", machine="reader", number=1), 150, SURE, "", 90
    ),
    TaskCard(
        TaskName("relation"),
        Phrase("%(machine)s, version %(number)s", machine="reader", number=1),
        150,
        EARLY,
        "",
        138,
        Phrase(
            "%(drawn)s items are drawn to be labelled blind, and a handoff needs at least %(least)s", drawn=12, least=20
        ),
    ),
    TaskCard(TaskName("tone"), "", 0, None, Phrase("no machine has labelled task %(task)s yet", task="'tone'")),
)
DRAWS = [
    BlindDraw(
        DrawId("d-1"), StudyName("sample"), TaskName("sarcasm"), "label", "simple", 0.4, 150, 60, "9c4d" * 16, NOW
    )
]
EVIDENCE_FULL = EVIDENCE | {"settings": Suggestions("reader"), "cards": CARDS, "draws": DRAWS}
EVIDENCE_HANDED = EVIDENCE_FULL | {
    "handoffs": (
        Watched(Standing(HANDED, None, 90), Audited(AUDITED, "", 30)),
        Watched(Standing(HANDED, FALL, 90), None),
        Watched(
            Standing(UNCERTIFIED, replace(FALL, reason="taken_back", words="a better guideline", by="acc-1"), 3), None
        ),
    ),
    "in_force": {"sarcasm"},
    "refusal": Conflict(
        Phrase(
            "task %(task)s may not be handed over: %(reason)s",
            task="'relation'",
            reason=Phrase("%(n)s of at least %(least)s blind comparisons", n=12, least=20),
        )
    ),
    "fallen": ("relation",),
}
