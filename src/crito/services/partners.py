"""Three kinds of partner behind one port: a script, a hosted model watched sentence by sentence, a small local model."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Protocol

from crito.model.ids import AnnotatorId, RunId, StudyName
from crito.model.study import Partner as PartnerSettings
from crito.model.talk import ATTEMPTS, Ask, Turn, Violation
from crito.protocols.case import Case
from crito.protocols.guard import Guard, check, finished, mend, only_question
from crito.protocols.script import acknowledgement, reply, route
from crito.services.ports.models import CallContext, ChatModel, ChatModels, Completion
from crito.services.rendering import Said, partner_request, small_partner_request

Transcript = tuple[Turn, ...]

NO_COMPLETION = Completion(finish_reason="", served_model="")


@dataclass(frozen=True, slots=True)
class Scene:
    """One turn to be made: the case, what was said so far, which asking of it this is."""

    case: Case
    transcript: Transcript
    attempt: int
    violations: tuple[Violation, ...]
    context: CallContext

    @classmethod
    def of(cls, case: Case, ask: Ask, *, study: StudyName, run: RunId, step: int, annotator: AnnotatorId) -> "Scene":
        said = tuple(Turn(line["speaker"], line["text"], line["kind"]) for line in ask.values["transcript"])
        found = tuple(Violation(v["rule"], -1, v["detail"]) for v in ask.values["violations"])
        return cls(case, said, ask.attempt, found, CallContext(study, run, step, ask.attempt, annotator))


class Partner(Protocol):
    """Whoever makes the partner's turns."""

    def speak(self, scene: Scene) -> AsyncGenerator[str | Said]:
        """Sentences that may be shown at once, as they pass the guard, and what was said as a whole last.

        Raises:
            ModelUnavailable: the model behind it did not answer.
        """


def partner_for(settings: PartnerSettings, models: ChatModels) -> Partner:
    """The partner that a study file names."""
    if settings.model == "script":
        return ScriptedPartner()
    model = models(settings.model)
    return LocalPartner(model) if model.local else HostedPartner(model)


@dataclass(frozen=True, slots=True)
class ScriptedPartner:
    """The embedded dialogue script; it keeps the rules by construction, and the guard still looks."""

    async def speak(self, scene: Scene) -> AsyncGenerator[str | Said]:
        yield Said(guarded(reply(scene.case, scene.transcript), scene))


@dataclass(frozen=True, slots=True)
class HostedPartner:
    """A capable model; each sentence is shown as soon as it has passed, until the first one that fails.

    The reply is heard to its end even then, so that the record holds all that the model said.
    """

    model: ChatModel

    async def speak(self, scene: Scene) -> AsyncGenerator[str | Said]:
        prompt, request = partner_request(scene.case, scene.transcript, scene.violations)
        guard, passed, failed, text = Guard.of(scene.case, scene.transcript), list[str](), False, ""
        end = NO_COMPLETION
        async with aclosing(self.model.stream(request, scene.context)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Completion):
                    end = piece
                    break
                text += piece
                complete = finished(text, scene.case.language).sentences
                for sentence in () if failed else complete[len(passed) :]:
                    failed = bool(guard.next(sentence))
                    if failed:
                        break
                    passed.append(sentence)
                    yield sentence
        turn = _streamed_turn(text.strip(), passed, scene)
        yield Said(turn, self.model.name, prompt.id, prompt.hash, end.call, end.latency_ms)


@dataclass(frozen=True, slots=True)
class LocalPartner:
    """A small model that is trusted with one thing, the question; routing, acknowledgement and net are the script's."""

    model: ChatModel

    async def speak(self, scene: Scene) -> AsyncGenerator[str | Said]:
        routed = route(scene.case, scene.transcript)
        if routed is not None:
            yield Said(guarded(routed, scene))
            return
        prompt, request = small_partner_request(scene.case, scene.transcript, scene.attempt)
        text, end = "", NO_COMPLETION
        async with aclosing(self.model.stream(request, scene.context)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Completion):
                    end = piece
                else:
                    text += piece
        turn = self._with_its_question_only(text, scene)
        yield Said(turn, self.model.name, prompt.id, prompt.hash, end.call, end.latency_ms)

    def _with_its_question_only(self, text: str, scene: Scene) -> Turn:
        question = only_question(text, scene.case, scene.transcript)
        if question:
            kept = join_sentences([acknowledgement(scene.case, scene.transcript), question], scene.case.language)
            turn = guarded(Turn("partner", kept, "trimmed"), scene)
        else:
            nothing = Violation("one_question", -1, "it asks nothing about the item or the person's words")
            turn = Turn("partner", text.strip(), "trimmed", (nothing,))
        if turn.violations and scene.attempt == ATTEMPTS - 1:
            return guarded(reply(scene.case, scene.transcript), scene)
        return replace(turn, mended="")


def guarded(turn: Turn, scene: Scene) -> Turn:
    """The turn with what the guard finds in it."""
    return replace(turn, violations=check(turn.text, scene.case, scene.transcript))


def cut_off(passed: Sequence[str], scene: Scene) -> Turn:
    """A turn that ended after these sentences, all of them on the screen."""
    shown = join_sentences(passed, scene.case.language)
    found = check(shown, scene.case, scene.transcript)
    return Turn("partner", shown, "model", found, mended="" if found else shown, streamed=shown if found else "")


def _streamed_turn(text: str, passed: Sequence[str], scene: Scene) -> Turn:
    turn = guarded(Turn("partner", text, "model"), scene)
    if not turn.violations:
        return turn
    shown = join_sentences(passed, scene.case.language)
    if not shown:
        return replace(turn, mended=mend(text, scene.case, scene.transcript))
    return replace(turn, streamed=shown, mended=cut_off(passed, scene).mended)


def join_sentences(parts: Sequence[str], language: str) -> str:
    return ("" if language == "ja" else " ").join(part.strip() for part in parts)
