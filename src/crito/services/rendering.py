"""Asks turned into words: the fixed texts of a dialogue, and the requests that are sent to models."""

from collections.abc import Sequence
from dataclasses import dataclass

from crito.model.ids import CallKey, Language
from crito.model.study import Partner, Study, Task
from crito.model.talk import Answer, Ask, Turn, Violation
from crito.prompts import partner as prompts
from crito.prompts.files import Prompt, Rendered
from crito.protocols.case import Case, ShownLabel
from crito.services.ports.models import ChatMessage, ChatRequest

HOSTED_TEMPERATURE = 0.7
TURN_TIMEOUT_S = 600.0
"""Never the first to end a turn: the dialogue itself watches how long a person waits."""
SMALL_TEMPERATURES = (0.6, 0.8, 1.0)
"""For each asking of the same turn: a small model that is asked again the same way says the same again."""


@dataclass(frozen=True, slots=True)
class Said:
    """An answer to an ask, with where it came from."""

    answer: Answer
    model: str = ""
    prompt: str = ""
    prompt_hash: str = ""
    call: CallKey | None = None
    latency_ms: int = 0


def render_opening(case: Case) -> Said:
    """The partner's first turn."""
    return _fixed(prompts.opening(case.language, label=case.label, confidence=case.confidence))


def render_fixed(case: Case, ask: Ask) -> Said:
    """A question of the prompt file that was not asked yet."""
    said = [line["text"] for line in ask.values["transcript"]]
    return _fixed(prompts.fixed(case.language, [*said, ask.values["streamed"]]))


def partner_request(
    case: Case, transcript: Sequence[Turn], violations: Sequence[Violation]
) -> tuple[Prompt, ChatRequest]:
    """What a hosted model is asked for the next turn, and what broke the rules before, if it is asked again."""
    instructions = _instructions(case, small=False)
    system = instructions.text
    if violations:
        found = [{"rule": v.rule, "detail": v.detail} for v in violations]
        system += "\n\n" + prompts.again(case.language, found).text
    return instructions.prompt, ChatRequest(
        system, _messages(transcript), HOSTED_TEMPERATURE, max_tokens=300, timeout_s=TURN_TIMEOUT_S
    )


def small_partner_request(case: Case, transcript: Sequence[Turn], attempt: int) -> tuple[Prompt, ChatRequest]:
    """What a small local model is asked: a short prompt with examples, one line back, warmer at each asking."""
    instructions = _instructions(case, small=True)
    temperature = SMALL_TEMPERATURES[min(attempt, len(SMALL_TEMPERATURES) - 1)]
    request = ChatRequest(
        instructions.text, _messages(transcript), temperature, max_tokens=70, stop=("\n",), timeout_s=TURN_TIMEOUT_S
    )
    return instructions.prompt, request


def warming_request(study: Study, task: Task, partner: Partner) -> ChatRequest:
    """A request that begins as every request of a small model's dialogues on `task` does, for it to be read once."""
    language = study.languages[0]
    case = Case(
        language=language,
        question=task.question.in_language(language),
        labels=shown_labels(task, language),
        guideline=task.guideline.in_language(language),
        text="",
        label="",
        confidence="",
        explicit_only=task.explicit_only,
        min_messages=partner.min_messages,
        rules_off=partner.rules_off,
        persona=partner.persona,
    )
    return small_partner_request(case, (), attempt=0)[1]


def shown_labels(task: Task, language: Language) -> tuple[ShownLabel, ...]:
    """The labels of a task as its annotators and their partner read them."""
    return tuple(
        ShownLabel(label.name, label.text.in_language(language), label.description.in_language(language))
        for label in task.labels
    )


def _instructions(case: Case, *, small: bool) -> Rendered:
    return prompts.instructions(
        case.language,
        question=case.question,
        labels=[(label.text, label.description) for label in case.labels],
        guideline=case.guideline,
        context=case.context,
        item=case.text,
        label=case.label,
        confidence=case.confidence,
        min_messages=case.min_messages,
        explicit_only=case.explicit_only,
        rules_off=case.rules_off,
        persona=case.persona,
        small=small,
    )


def _messages(transcript: Sequence[Turn]) -> tuple[ChatMessage, ...]:
    # Some providers want a user's message first, and the partner speaks first here.
    return (
        ChatMessage("user", "Please begin."),
        *(
            ChatMessage("user", prompts.person_message(turn.text))
            if turn.kind == "person"
            else ChatMessage("assistant", turn.text)
            for turn in transcript
        ),
    )


def _fixed(rendered: Rendered) -> Said:
    turn = Turn("partner", rendered.text, "fixed")
    return Said(turn, prompt=rendered.prompt.id, prompt_hash=rendered.prompt.hash)
