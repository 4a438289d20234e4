"""Asks of a debate turned into requests to models, and their replies into answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from crito.model.debate import Debate, Debater
from crito.model.talk import Answer, Ask, NoAnswer, Turn
from crito.prompts import debaters as prompts
from crito.services.label_words import Asked
from crito.services.ports.models import ChatMessage, ChatRequest, Reply

TIMEOUT_S = 600.0
"""Longer than a slow model speaks; nobody sits and waits."""

WORDS_PER_TOKEN = 0.55
"""So few of the tokens an argument may have are asked for as words that it seldom runs into the limit."""

REFUSALS = ("content_filter", "refusal")

STATEMENTS = ("debate/opening", "debate/closing")
LISTS_OF_TOPICS = ("debate/proposal_of_topics", "debate/reconciliation")


@dataclass(frozen=True, slots=True)
class DebateDesk:
    """What the agents of a debate are asked about."""

    debate: Debate

    def debater(self, speaker: str) -> Debater:
        return next(debater for debater in self.debate.debaters if debater.name == speaker)

    def request(self, ask: Ask) -> Asked:
        """What is sent for an ask: the agent's standing instructions, then what this phase asks."""
        debater = self.debater(ask.speaker)
        opposing = next(other for other in self.debate.debaters if other is not debater)
        instructions = prompts.debater_instructions(
            subject=self.debate.subject,
            side=debater.side,
            claim=debater.stance.claim,
            opposing=opposing.stance.claim,
            material=self.debate.material,
            language=self.debate.language,
        )
        asked = prompts.debate_request(
            ask.prompt,
            ask.values,
            side=debater.side,
            claim=debater.stance.claim,
            n_words=int(self.debate.settings.max_tokens * WORDS_PER_TOKEN),
        )
        found = ask.values.get("found", ())
        words = [asked.text, *([prompts.again_request(found).text] if found else [])]
        request = ChatRequest(
            instructions.text,
            (ChatMessage("user", "\n\n".join(words)),),
            temperature=debater.temperature,
            max_tokens=self._max_tokens(ask),
            timeout_s=TIMEOUT_S,
            schema=schema_of(ask),
        )
        return Asked(request, asked.prompt.id, asked.prompt.hash)

    def answer(self, ask: Ask, reply: Reply) -> Answer:
        """A reply as the answer to its ask; one that the provider held back is none."""
        if reply.completion.finish_reason in REFUSALS:
            return NoAnswer(ask.speaker, "the model refused to answer")
        return Turn(ask.speaker, reply.text, "model")

    def _max_tokens(self, ask: Ask) -> int:
        """Room for an argument on each topic where one is asked for on each; for what is short, less."""
        most = self.debate.settings.max_tokens
        if ask.prompt in STATEMENTS:
            return most * len(ask.values["topics"]) + 60
        if ask.prompt in LISTS_OF_TOPICS:
            return 60 * int(ask.values["n"]) + 60
        if ask.prompt == "debate/joint_proposal":
            return most * max(2, len(ask.values["topics"]))
        return most


def schema_of(ask: Ask) -> Mapping[str, Any] | None:
    """The form of an answer where it has one; arguments are prose."""
    if ask.prompt in STATEMENTS:
        slots: dict[str, Any] = {f"topic_{number}": _TEXT for number, _ in enumerate(ask.values["topics"], 1)}
        return _object(position={"type": "string", "enum": ["for", "against"]}, **slots)
    amended = {"agree": _BOOLEAN} if ask.values.get("draft") else {}
    if ask.prompt in _AGREED:
        return _object(**amended, **_AGREED[ask.prompt])
    return _SCHEMAS.get(ask.prompt)


def _object(**properties: Any) -> Mapping[str, Any]:
    """All keys are required: providers that hold a model to a schema want it so."""
    return {
        "type": "object", "properties": properties, "required": list(properties), "additionalProperties": False,
    }  # fmt: skip


_TEXT = {"type": "string"}
_BOOLEAN = {"type": "boolean"}
_INTEGER = {"type": "integer"}
_TOPICS = {"type": "array", "items": _object(title=_TEXT, description=_TEXT)}
_AGREED: Mapping[str, Mapping[str, Any]] = {
    "debate/reconciliation": {"topics": _TOPICS},
    "debate/description": {"description": _TEXT},
    "debate/joint_proposal": {"proposal": _TEXT},
}
"""What the agents agree on: the draft of one, which the other agrees to or amends."""
_SCHEMAS = {
    "debate/subject": _object(reason=_TEXT, balanced=_BOOLEAN),
    "debate/proposal_of_topics": _object(topics=_TOPICS),
    "debate/choice_of_topics": _object(keep={"type": "array", "items": _INTEGER}),
    "debate/overlaps": _object(pairs={"type": "array", "items": _object(a=_INTEGER, b=_INTEGER)}),
    "debate/readiness": _object(reason=_TEXT, ready=_BOOLEAN),
}
