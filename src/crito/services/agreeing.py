"""The Blind Agreement card of every task of a study, for whoever looks at the study as a whole."""

import asyncio
from typing import NamedTuple

from crito.evidence.card import AgreementCard
from crito.model.errors import InvalidInput
from crito.model.ids import StudyName, TaskName
from crito.model.phrase import Phrase
from crito.services.parts import Parts
from crito.services.ports.store import Tx
from crito.services.standing import in_force
from crito.services.study_evidence import TaskEvidence, evidence_of


class TaskCard(NamedTuple):
    """The card of one task, or why there is none yet; `version` is the machine, `n_items` what it labels.

    `rest` is how many items a handoff would leave to it; `warning` says why the blind sample cannot become large enough.
    """

    task: TaskName
    version: str
    n_items: int
    card: AgreementCard | None
    reason: str = ""
    rest: int = 0
    warning: str = ""


async def agreement_cards(parts: Parts, name: StudyName) -> tuple[TaskCard, ...]:
    """The card of each task of a study that suggests labels; empty for one that does not."""
    _, study = await parts.latest(name)
    if study.suggestions is None:
        return ()
    now = parts.now()

    def work(tx: Tx) -> list[TaskEvidence | TaskCard]:
        found: list[TaskEvidence | TaskCard] = []
        for task in study.tasks:
            try:
                found.append(evidence_of(parts, tx, name, task.name, now))
            except InvalidInput as problem:
                found.append(TaskCard(task.name, "", 0, None, problem.problem))
        return found

    # The numeric libraries take seconds to load and to work: not on the loop that serves people.
    return tuple(
        [
            one if isinstance(one, TaskCard) else await asyncio.to_thread(_card, one)
            for one in await parts.store.survey(work)
        ]
    )


async def ready_tasks(parts: Parts, name: StudyName) -> tuple[TaskName, ...]:
    """The tasks whose rest may be handed over to the machine, and is not."""
    cards = await agreement_cards(parts, name)
    allowed = [one.task for one in cards if one.card and one.card.gate.decision == "hand_over" and not one.warning]
    return await parts.store.read(lambda tx: tuple(task for task in allowed if in_force(tx, name, task) is None))


def _card(evidence: TaskEvidence) -> TaskCard:
    subject = evidence.rows.subject
    machine = subject.machine
    card = evidence.card()
    warning = evidence.out_of_reach() if card.gate.decision == "wait" else ""
    if evidence.uncompared:
        warning = Phrase.counted(
            "%(num)s label on a drawn item waits for the machine's; nothing is handed over before",
            "%(num)s labels on drawn items wait for the machine's; nothing is handed over before",
            evidence.uncompared,
        )
    return TaskCard(
        subject.task,
        Phrase("%(machine)s, version %(number)s", machine=machine.name, number=machine.number),
        subject.n_items,
        card,
        "",
        evidence.n_rest,
        warning,
    )
