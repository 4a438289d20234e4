"""The Blind Agreement card as a part of a study's report."""

from crito.evidence.card import AgreementCard
from crito.report.blocks import Block, Column, Fact, Facts, Prose, Section, Stack, Table
from crito.report.wording import counted
from crito.services.agreeing import TaskCard
from crito.services.reporting.study import ReportData

READS = {"hand_over": "may be handed over", "wait": "wait", "refuse": "refused"}


def blind_section(data: ReportData) -> Section | None:
    """What blind and visible labels say of the machine, task by task; None where no labels are suggested."""
    if not data.agreement:
        return None
    titles = {task.name: task.title for task in data.tasks}
    blocks: list[Block] = [Stack(_task(one), titles.get(one.task, one.task)) for one in data.agreement]
    words = (
        "How often people give the machine's label, without and with it in view, as the server recorded what was shown. "
        "Only blind labels on items drawn at random decide about a handoff."
    )
    return Section("blind", "Blind agreement", blocks, words, "blind")


def _task(one: TaskCard) -> list[Block]:
    if one.card is None:
        return [Prose(f"There is no card yet: {one.reason}.")]
    card = one.card
    table = Table(
        f"{one.version}, on {counted(one.n_items, 'item', 'items')}",
        [Column("Measure"), Column("Share, with 95 % interval", "share")],
        [
            ("Agreement, suggestion hidden", card.blind), ("Agreement, suggestion in view", card.visible),
            ("Taken by the button", card.by_button), ("Agreed by hand", card.by_hand),
            ("Kept in verification", card.kept), ("Agreement among people", card.ceiling.human),
            ("The best machine reaches at least", card.ceiling.band_low),
            ("The best machine reaches at most", card.ceiling.band_high),
        ],
    )  # fmt: skip
    facts = Facts(
        [Fact("Anchoring gap: in view minus hidden", card.gap, "points", "anchoring"),
         Fact("Agreement on the rest, lower bound", card.gate.bound, "share", "handoff")]
    )  # fmt: skip
    words = [card.meaning, card.advice, _gate(card), f"{one.warning}." if one.warning else ""]
    return [*(Prose(said, soft=place > 0) for place, said in enumerate(words) if said), table, facts]


def _gate(card: AgreementCard) -> str:
    needed = card.gate.still_needed
    more = f"; at least {counted(needed, 'more blind item', 'more blind items')} if all agree" if needed else ""
    proof = (
        "; the rule proves nothing about the rest"
        if card.gate.decision == "hand_over" and not card.gate.certified
        else ""
    )
    return f"The gate reads: {READS[card.gate.decision]} ({card.gate.reason}{more}{proof})."
