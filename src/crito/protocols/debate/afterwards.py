"""What comes when contentiousness is lowered: concessions and a joint proposal (sections 3 and 5.4)."""

from crito.model.debate import SIDES, DebateTurn, Flag, Phase
from crito.model.talk import NoAnswer
from crito.protocols.debate.checks import finished
from crito.protocols.debate.floor import Floor, Speaking, topic_values
from crito.protocols.debate.reading import choice_in, key_of, prose, text_in
from crito.protocols.debate.speaking import argument
from crito.protocols.side_by_side import side_by_side

AGREED = "It agrees to the proposal."


def concede(floor: Floor) -> Speaking[Floor]:
    """Each reads the other's closing and says which of its points hold."""
    turns = yield from side_by_side(
        [
            argument(floor, debater, "concession", {"closings": closings_of(floor)}, may_yield=True)
            for debater in floor.debaters
        ]
    )
    return floor.and_turns(*turns)


def propose_jointly(floor: Floor) -> Speaking[tuple[Floor, str]]:
    """One drafts a proposal that both could sign, the other agrees or amends it, and so on; the last one stands."""
    phase: Phase = "joint_proposal"
    granted = {floor.side_of(turn.speaker): turn.text for turn in floor.turns if turn.phase == "concession"}
    values = {
        "topics": [topic_values(topic) for topic in floor.topics], "closings": closings_of(floor), "conceded": granted,
    }  # fmt: skip
    draft, speaker = "", floor.debaters[0]
    for attempt in range(2 * floor.settings.attempts):
        (answer,) = yield [floor.ask(speaker, phase, {**values, "draft": draft}, attempt)]
        said = "" if isinstance(answer, NoAnswer) else answer.text
        amended = text_in(said, "proposal") or ("" if "{" in said or _is_choice(said) else prose(said))
        agreed = bool(draft) and (choice_in(said, "agree") is True or key_of(amended) == key_of(draft))
        flags = (Flag("no_answer", answer.reason, speaker.name, phase),) if isinstance(answer, NoAnswer) else ()
        if agreed:
            return floor.and_turns(floor.turn(speaker, phase, AGREED)), draft
        whole, cut_off = finished(amended)
        if cut_off and amended:
            flags = (*flags, Flag("cut_off", "its last sentence is not finished", speaker.name, phase))
        floor = floor.and_turns(floor.turn(speaker, phase, whole, flags=flags))
        draft = whole or draft
        speaker = floor.opponent_of(speaker)
    detail = "the sides did not agree on a proposal; the last draft stands" if draft else "nobody wrote a proposal"
    return floor.and_flag("proposal_not_agreed", detail, phase=phase), draft


def closings_of(floor: Floor) -> dict[str, str]:
    """The closing of each side as one text."""
    closing = [turn for turn in floor.turns if turn.phase == "closing"]
    return {side: whole_text([t for t in closing if t.speaker == floor.debater(side).name]) for side in SIDES}


def whole_text(turns: list[DebateTurn]) -> str:
    """A statement made of its turns, each under its topic."""
    return "\n\n".join(f"{turn.topic}: {turn.text}" if turn.topic else turn.text for turn in turns if turn.text)


def _is_choice(said: str) -> bool:
    return choice_in(said, "agree") is not None and len(said.split()) < 4
