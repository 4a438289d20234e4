"""A dialogue as its recorded turns say it stands, and how a turn is added to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from crito.model.ids import RunId
from crito.model.record import Assignment, Exposure, PersonRecord, RecordedTurn, Run
from crito.model.study import Partner, Study
from crito.model.talk import Answer, Ask, NoAnswer, Turn
from crito.protocols.case import Case
from crito.protocols.driving import Finished, Pending, Recorded, advance
from crito.protocols.socratic import NAME, VERSION, Dialogue, socratic
from crito.services.ports.store import Tx
from crito.services.rendering import Said, render_opening, shown_labels


@dataclass(frozen=True, slots=True)
class Standing:
    """A dialogue at the point it has come to."""

    study: Study
    run: Run
    case: Case
    assignment: Assignment
    recorded: Mapping[tuple[int, int], Recorded]
    state: Pending | Finished[Dialogue]

    @property
    def partner(self) -> Partner:
        """Who talks with the person, and under which rules."""
        return self.study.condition(self.assignment.condition).partner

    @property
    def ask(self) -> Ask | None:
        """What is asked now; None when the dialogue is over."""
        return self.state.asks[0] if isinstance(self.state, Pending) else None

    @property
    def waits_for_partner(self) -> bool:
        return self.ask is not None and self.ask.speaker == "partner"

    @property
    def lines(self) -> Sequence[Mapping[str, Any]]:
        """What is on the screen, in order: speaker, text and kind of each message."""
        if self.ask is not None:
            return list(self.ask.values["transcript"])
        assert isinstance(self.state, Finished)
        return [{"speaker": t.speaker, "text": t.text, "kind": t.kind} for t in self.state.result.transcript]

    @property
    def messages(self) -> int:
        """How many messages the person has sent."""
        return sum(line["kind"] == "person" for line in self.lines)

    @property
    def messages_left(self) -> int:
        """How many more messages the person sends before the second labelling opens."""
        return max(0, self.partner.min_messages - self.messages)


def case_of(tx: Tx, study: Study, record: PersonRecord, assignment: Assignment) -> Case:
    """What a dialogue on this assignment is about."""
    language = record.participant.language
    task = study.task(assignment.task)
    partner = study.condition(assignment.condition).partner
    first = record.annotation(assignment.id, 0)
    assert first is not None, "a dialogue follows a first label"
    item = tx.item(study.name, assignment.item, assignment.item_hash)
    return Case(
        language=language,
        question=task.question.in_language(language),
        labels=shown_labels(task, language),
        guideline=task.guideline.in_language(language),
        text=item.text,
        label=task.label(record.first_label(assignment.id)).text.in_language(language),
        confidence=next(s.text.in_language(language) for s in study.confidence if s.name == first.confidence),
        context=tuple(item.context.items()),
        explicit_only=task.explicit_only,
        min_messages=partner.min_messages,
        rules_off=partner.rules_off,
        persona=partner.persona,
    )


def begin(tx: Tx, study: Study, record: PersonRecord, assignment: Assignment, now: datetime) -> Standing:
    """The dialogue on this assignment; a new one starts with its opening."""
    run = tx.run_of(assignment.id)
    if run is None:
        run = Run(RunId(f"r-{assignment.id.removeprefix('a-')}"), assignment.id, NAME, VERSION)
        tx.add_run(study.name, run)
    standing = stand(tx, study, record, assignment, run)
    if standing.ask is not None and standing.ask.prompt == "socratic/opening":
        return keep(tx, standing, render_opening(standing.case), now)
    return standing


def stand(tx: Tx, study: Study, record: PersonRecord, assignment: Assignment, run: Run) -> Standing:
    """Rebuild a dialogue from its recorded turns."""
    case = case_of(tx, study, record, assignment)
    recorded = {
        (turn.step, turn.index): Recorded(turn.fingerprint, answer_of(turn)) for turn in tx.turns([run.id])[run.id]
    }
    return Standing(study, run, case, assignment, recorded, advance(socratic(case), recorded))


def keep(tx: Tx, standing: Standing, said: Said, now: datetime) -> Standing:
    """Record the answer to what the dialogue asks now; what it brings to the person's screen is an exposure.

    Raises:
        Conflict: another answer to this ask was recorded first.
    """
    pending, annotator = standing.state, standing.assignment.annotator
    assert isinstance(pending, Pending)
    ask = pending.asks[0]
    tx.add_turn(standing.study.name, annotator, _recorded(standing.run.id, pending.step, ask, said, now))
    recorded = {**standing.recorded, (pending.step, 0): Recorded(ask.fingerprint, said.answer)}
    after = replace(standing, recorded=recorded, state=advance(socratic(standing.case), recorded))
    if ask.speaker == "partner" and not after.waits_for_partner:
        expose(tx, after, source_of(standing.run.id, pending.step), -1, after.lines[-1]["text"], now)
    return after


def expose(tx: Tx, standing: Standing, source: str, part: int, text: str, now: datetime) -> None:
    """Record that words of the partner are about to be shown."""
    mine = standing.assignment
    tx.add_exposure(
        standing.study.name,
        Exposure(
            annotator=mine.annotator,
            item=mine.item,
            task=mine.task,
            kind="partner_turn",
            source=source,
            part=part,
            content=tx.keep_words(mine.annotator, text),
            route="dialogue",
            seq=tx.next_seq(mine.annotator, mine.item),
            at=now,
        ),
    )


def source_of(run: RunId, step: int) -> str:
    """The name of a turn as the source of an exposure."""
    return f"{run}/{step}/0"


def answer_of(turn: RecordedTurn) -> Answer:
    """A recorded turn as the protocol takes it."""
    if turn.no_answer:
        return NoAnswer(turn.speaker, turn.no_answer)
    return Turn(turn.speaker, turn.text, turn.kind, turn.violations, turn.mended, turn.streamed, labelled=turn.labelled)


def _recorded(run: RunId, step: int, ask: Ask, said: Said, now: datetime) -> RecordedTurn:
    turn = said.answer if isinstance(said.answer, Turn) else Turn(said.answer.speaker, "", "fixed")
    return RecordedTurn(
        run=run,
        step=step,
        index=0,
        fingerprint=ask.fingerprint,
        speaker=turn.speaker,
        kind=turn.kind,
        text=turn.text,
        mended=turn.mended,
        streamed=turn.streamed,
        violations=turn.violations,
        no_answer=said.answer.reason if isinstance(said.answer, NoAnswer) else "",
        model=said.model,
        prompt=said.prompt,
        prompt_hash=said.prompt_hash,
        call=said.call,
        at=now,
        latency_ms=said.latency_ms,
    )
