"""Compare levels of contentiousness: the same claims argued at each, read by judges (`socrasynth`, Tables 7 and 8)."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import mean

from crito.model.debate import Debate
from crito.model.errors import InvalidInput
from crito.model.ids import RunId
from crito.model.record import AgentRun, HeldDebate
from crito.model.study import Study
from crito.model.talk import Answer, Ask, NoAnswer, Turn
from crito.prompts.debaters import sweep_judge_request
from crito.protocols.debate.sweep import LEVELS, NAME, VERSION, SweptArgument, sweep
from crito.services.agent_runs import ask_agent, carry
from crito.services.asking import Calling, Place, Said
from crito.services.debate_words import REFUSALS, TIMEOUT_S, DebateDesk
from crito.services.debating import debate_id
from crito.services.label_words import Asked
from crito.services.parts import Parts
from crito.services.ports.models import ChatMessage, ChatRequest, Reply
from crito.services.ports.store import Tx
from crito.services.publishing import publish
from crito.studies.definition import dump_debate

JUDGE_TOKENS = 400

_TEXT = {"type": "string"}
_FORM = {
    "tone": _TEXT, "emphasis": _TEXT, "language": _TEXT, "key_phrases": {"type": "array", "items": _TEXT},
    "attitude": _TEXT, "agreeableness": {"type": "integer"},
}  # fmt: skip
SCHEMA = {"type": "object", "properties": _FORM, "required": list(_FORM), "additionalProperties": False}


@dataclass(frozen=True, slots=True)
class Sweep:
    """What came of a sweep."""

    debate: Debate
    levels: tuple[float, ...]
    arguments: tuple[SweptArgument, ...]

    @property
    def judges(self) -> dict[str, str]:
        """The model behind each judge."""
        return _judges(self.debate)


def _judges(debate: Debate) -> dict[str, str]:
    return {f"judge_{number}": model for number, model in enumerate(debate.judges, 1)}


async def sweep_levels(
    parts: Parts, study: Study, wanted: Debate, calling: Calling, levels: Sequence[float] = LEVELS
) -> Sweep:
    """Have both sides argue at each level and the judges read it; the same again asks only for what is missing.

    Raises:
        InvalidInput: there is no level or no judge.
        Stopped: before it was over.
        CritoError: a model cannot be asked at all, or a limit was reached.
    """
    if not levels:
        raise InvalidInput("no level is named", wanted="name some, such as 0.9,0.5,0.0", key="--sweep")
    if not wanted.judges:
        raise InvalidInput("nobody reads the arguments", wanted="name a judge with --judge", key="--judge")
    edition = await publish(parts, study)
    held = HeldDebate(
        debate_id(study.name, wanted), study.name, edition.number, wanted.name, dump_debate(wanted), parts.now()
    )
    judges = _judges(wanted)
    asked = json.dumps([list(levels), judges, VERSION])
    digest = hashlib.sha256(asked.encode()).hexdigest()[:8]
    run = AgentRun(RunId(f"{held.id}-sweep-{digest}"), held.id, NAME, VERSION)

    def open_run(tx: Tx) -> None:
        tx.add_debate(held)
        tx.add_agent_run(study.name, run)

    await parts.store.write(open_run)
    desk = DebateDesk(wanted)

    async def answer(place: Place) -> Said:
        if place.ask.speaker in judges:
            asked = _judging(wanted.subject, place.ask)
            return await ask_agent(parts, study.name, place, judges[place.ask.speaker], asked, _read, calling)
        model = desk.debater(place.ask.speaker).model
        return await ask_agent(parts, study.name, place, model, desk.request(place.ask), desk.answer, calling)

    arguments = await carry(parts, study.name, run, lambda: sweep(wanted.debaters, levels, list(judges)), answer)
    return Sweep(wanted, tuple(levels), arguments)


def table_rows(found: Sweep) -> list[dict[str, object]]:
    """One row per level, side and judge."""
    return [
        {"level": one.level, "side": one.side, **asdict(reading)} for one in found.arguments for reading in one.readings
    ]


def agreeableness(found: Sweep) -> dict[float, float | None]:
    """Mean agreeableness at each level over sides and judges; None where nothing could be read."""
    known = {
        level: [
            reading.agreeableness
            for one in found.arguments
            if one.level == level
            for reading in one.readings
            if reading.agreeableness is not None
        ]
        for level in found.levels
    }
    return {level: mean(numbers) if numbers else None for level, numbers in known.items()}


def sweep_as_json(found: Sweep) -> str:
    plain = {
        "crito": "sweep", "subject": found.debate.subject, "levels": list(found.levels), "judges": found.judges,
        "rows": table_rows(found),
        "agreeableness": {f"{level:g}": value for level, value in agreeableness(found).items()},
        "arguments": [{"level": one.level, "side": one.side, "text": one.text} for one in found.arguments],
    }  # fmt: skip
    return json.dumps(plain, ensure_ascii=False, indent=1) + "\n"


def sweep_as_markdown(found: Sweep) -> str:
    """The tables in the shape of the source's, and the arguments they are about."""
    lines = [
        f"# {found.debate.subject}",
        "",
        "How each argument was found to argue. Judges were not told the level.",
        "",
    ]
    heads = (
        "Level",
        "Side",
        "Judge",
        "Tone",
        "Emphasis",
        "Language",
        "Key phrases",
        "Attitude",
        "Agreeableness (1 to 10)",
    )
    lines += [_cells(heads), _cells(["---"] * len(heads))]
    for one in found.arguments:
        for reading in one.readings:
            phrases = "; ".join(f"“{phrase}”" for phrase in reading.key_phrases)
            figure = "" if reading.agreeableness is None else str(reading.agreeableness)
            lines.append(
                _cells([f"{one.level:g}", one.side, found.judges[reading.judge], reading.tone, reading.emphasis, reading.language,
                        phrases, reading.attitude, figure])
            )  # fmt: skip
    lines += ["", "## Arguments", ""]
    for one in found.arguments:
        lines += [f"### {one.level:g}, side {one.side}", "", one.text or "(none was given)", ""]
    return "\n".join(lines).rstrip() + "\n"


def _cells(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _judging(subject: str, ask: Ask) -> Asked:
    instructions, data = sweep_judge_request(subject, ask.values["argument"])
    request = ChatRequest(
        instructions.text, (ChatMessage("user", data),), max_tokens=JUDGE_TOKENS, timeout_s=TIMEOUT_S, schema=SCHEMA
    )
    return Asked(request, instructions.prompt.id, instructions.prompt.hash)


def _read(ask: Ask, reply: Reply) -> Answer:
    if reply.completion.finish_reason in REFUSALS:
        return NoAnswer(ask.speaker, "the model refused to answer")
    return Turn(ask.speaker, reply.text, "model")
