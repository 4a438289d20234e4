"""Asks to judges turned into requests to models, and their replies into turns."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from crito.model.crit import EVIDENCE_TYPES, INFERENCES
from crito.model.study import Agent
from crito.model.talk import Answer, Ask, NoAnswer, Turn
from crito.prompts import judges as prompts
from crito.prompts.files import Rendered
from crito.services.label_words import CUT_OFF, TIMEOUT_S, Asked
from crito.services.ports.models import ChatMessage, ChatRequest, Reply

MAX_TOKENS = 1600
"""Room for six reasons with all that is said about each."""


@dataclass(frozen=True, slots=True)
class Bench:
    """The judges by name, and the texts that they may be asked about, by name too."""

    judges: Mapping[str, Agent]
    texts: Mapping[str, str]
    max_tokens: int = MAX_TOKENS

    def request(self, ask: Ask) -> Asked:
        """What is sent for an ask. Every request stands by itself: a judge remembers nothing, not even its own words."""
        judge = self.judges[ask.speaker]
        asked = _asked(ask)
        opponent = self.texts[ask.values["opponent"]] if "opponent" in ask.values else ""
        words = [prompts.document_message(self.texts[ask.values["document"]], opponent), asked.text]
        request = ChatRequest(
            prompts.judge_instructions().text,
            (ChatMessage("user", "\n\n".join(words)),),
            max_tokens=self.max_tokens,
            timeout_s=TIMEOUT_S,
            schema=_schema(ask),
            reasoning=judge.reasoning,
        )
        return Asked(request, asked.prompt.id, asked.prompt.hash)


def turn_of(ask: Ask, reply: Reply) -> Answer:
    """A reply as the answer to its ask; one that the model declined to give is none."""
    if CUT_OFF.get(reply.completion.finish_reason) == "refused":
        return NoAnswer(ask.speaker, "the model refused")
    return Turn(ask.speaker, reply.text, "model")


def _asked(ask: Ask) -> Rendered:
    given = ask.values
    match ask.prompt:
        case "judging/claim":
            return prompts.claim_request(given["sources"])
        case "judging/rivals":
            return prompts.rivals_request(given["claim"], given["reasons"], from_opponent="opponent" in given)
        case "judging/rate":
            return prompts.rate_request(given["claim"], given["arguments"])
        case "judging/account":
            return prompts.account_request(given["claim"], given["arguments"], given["score"])
        case "judging/score":
            return prompts.score_request(given["topics"], given["first"])
    raise AssertionError(f"judges are not asked {ask.prompt!r}")


def _schema(ask: Ask) -> Mapping[str, Any]:
    """The form of the answer to an ask, as a JSON schema without what some providers do not know."""
    text: Mapping[str, Any] = {"type": "string"}
    argument: Mapping[str, Mapping[str, Any]] = {
        "evidence": text,
        "type": {"type": "string", "enum": list(EVIDENCE_TYPES)},
        "inference": {"type": "string", "enum": list(INFERENCES)},
    }
    match ask.prompt:
        case "judging/claim":
            return _object(claim=text, reasons=_list(_object(reason=text, **argument, source=text)))
        case "judging/rivals":
            return _object(rivals=_list(_object(rival=text, **argument)))
        case "judging/rate":
            ids = {"type": "string", "enum": [one["id"] for one in ask.values["arguments"]]}
            scale = {"type": "integer"}
            known = {"anyOf": [scale, {"type": "null"}]}
            return _object(ratings=_list(_object(id=ids, justification=text, validity=scale, credibility=known)))
        case "judging/score":
            score, first = {"type": "integer"}, ask.values["first"]
            sides = {first: score, ("B" if first == "A" else "A"): score}
            winner = {"type": "string", "enum": ["A", "B", "tie"]}
            topic = _object(topic={"type": "integer"}, why=text, **sides)
            return _object(topics=_list(topic), justification=text, winner=winner)
    return _object(justification=text, reflection=text)


def _object(**properties: Mapping[str, Any]) -> Mapping[str, Any]:
    return {
        "type": "object", "properties": properties, "required": list(properties), "additionalProperties": False,
    }  # fmt: skip


def _list(items: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"type": "array", "items": items}
