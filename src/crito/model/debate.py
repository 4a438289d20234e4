"""A debate between two agents on a subject: who argues what, how it is run, what is said and what it comes to."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

Side = Literal["A", "B"]
"""A argues for the claim of the subject and speaks first, B against it."""

SIDES: tuple[Side, ...] = get_args(Side)

Phase = Literal[
    "subject", "proposal_of_topics", "choice_of_topics", "overlaps", "reconciliation", "description", "opening",
    "refutation", "follow_up", "readiness", "closing", "concession", "joint_proposal",
]  # fmt: skip
PHASES: tuple[Phase, ...] = get_args(Phase)
"""In the order in which a debate passes them."""

AFTER_CLOSINGS: frozenset[Phase] = frozenset({"concession", "joint_proposal"})

FlagKind = Literal[
    "unbalanced_subject", "no_answer", "refused", "unreadable", "no_topics", "one_sided_topics", "topics_not_agreed", "topics_added",
    "new_topic", "description_not_agreed", "proposal_not_agreed", "missing_topic", "changed_stance",
    "repeated_argument", "cut_off", "rounds_used_up", "closed_early", "injection",
]  # fmt: skip
FLAG_KINDS: tuple[FlagKind, ...] = get_args(FlagKind)

_VERSUS = re.compile(r"\s+(vs\.?|versus)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Stance:
    """The side an agent argues, and the claim it stands for in words."""

    side: Side
    claim: str


@dataclass(frozen=True, slots=True)
class Debater:
    """One agent of a debate. Both may be the same model. A `temperature` of None leaves it to the provider."""

    stance: Stance
    model: str = ""
    temperature: float | None = 0.7

    @property
    def side(self) -> Side:
        return self.stance.side

    @property
    def name(self) -> str:
        """What this agent is called in its run."""
        return f"agent_{self.side.lower()}"


Debaters = tuple[Debater, Debater]
"""Side A and side B."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A theme that a debate goes through, with the description both sides agreed on."""

    title: str
    description: str = ""

    @property
    def mirrored_title(self) -> str:
        """The title with its two halves exchanged, for the order in which side B comes first; as it is where it has none."""
        halves = _VERSUS.split(self.title, maxsplit=1)
        if len(halves) != 3:
            return self.title
        first, between, second = halves
        return f"{second} {between} {first}"


@dataclass(frozen=True, slots=True)
class Schedule:
    """How contentious the agents are told to be: 1 most adversarial, 0 conciliatory.

    `by_phase` goes before `debate` (everything through the closings) and `after` (concessions and joint proposal).
    """

    debate: float = 0.9
    after: float = 0.3
    by_phase: Mapping[Phase, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for level in (self.debate, self.after, *self.by_phase.values()):
            if not 0 <= level <= 1:
                raise ValueError(f"Schedule: contentiousness must be from 0 to 1, but got {level!r}")

    def at(self, phase: Phase) -> float:
        return self.by_phase.get(phase, self.after if phase in AFTER_CLOSINGS else self.debate)


@dataclass(frozen=True, slots=True)
class DebateSettings:
    """How a debate is run; the defaults are those of `socrasynth`.

    `rounds` counts the rounds before the agents are asked whether they are ready to close; the opening is the first.
    A *no* adds a round, up to `max_rounds`. Each agent proposes `topics_proposed` topics and keeps `topics` of them.
    With `given_topics` the agents propose none. `attempts` bounds how often the agents are asked to agree on something.
    `max_tokens` is the most that one argument on one topic may take.
    """

    rounds: int = 3
    max_rounds: int = 5
    schedule: Schedule = Schedule()
    topics_proposed: int = 10
    topics: int = 5
    given_topics: tuple[Topic, ...] = ()
    attempts: int = 3
    max_tokens: int = 300
    concessions: bool = True
    joint_proposal: bool = True

    def __post_init__(self) -> None:
        for name, least in (("rounds", 1), ("topics", 1), ("attempts", 1), ("topics_proposed", self.topics)):
            if getattr(self, name) < least:
                raise ValueError(f"DebateSettings: {name} must be at least {least}, but got {getattr(self, name)!r}")
        if self.max_rounds < self.rounds:
            raise ValueError(f"DebateSettings: max_rounds must be at least {self.rounds}, but got {self.max_rounds!r}")


@dataclass(frozen=True, slots=True)
class Flag:
    """Something in a debate that a reader should know of. `speaker` is empty where it is nobody's doing."""

    kind: FlagKind
    detail: str
    speaker: str = ""
    phase: Phase | None = None


@dataclass(frozen=True, slots=True)
class DebateTurn:
    """What one speaker said in a phase.

    `round` counts from 1 (the opening) and is 0 where no round is on; `topic` is a title, empty where the turn is about
    all of them. `speaker` is an agent's name or `moderator`. `contentiousness` is None for a moderator.
    """

    phase: Phase
    round: int
    topic: str
    speaker: str
    contentiousness: float | None
    text: str
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True, slots=True)
class Transcript:
    """All turns of a debate in order, with its subject and the topics it went through."""

    subject: str
    topics: tuple[Topic, ...]
    turns: tuple[DebateTurn, ...]


@dataclass(frozen=True, slots=True)
class Closing:
    """The closing statement of a side: `text` as a whole, `by_topic` what it says on each topic it names, by title."""

    side: Side
    text: str
    by_topic: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Concession:
    """What a side grants the other after its closing."""

    side: Side
    text: str


@dataclass(frozen=True, slots=True)
class DebateOutcome:
    """What a debate came to.

    A side that gave no closing has none in `closings`. `proposal` is empty where none was written or asked for.
    `moderated` says that a person added content. `flags` are those of all turns, and those of the debate as a whole.
    """

    subject: str
    debaters: Debaters
    topics: tuple[Topic, ...]
    transcript: Transcript
    closings: tuple[Closing, ...]
    concessions: tuple[Concession, ...]
    proposal: str
    moderated: bool
    flags: tuple[Flag, ...]

    def debater(self, side: Side) -> Debater:
        return next(debater for debater in self.debaters if debater.side == side)

    def closing(self, side: Side) -> Closing | None:
        return next((closing for closing in self.closings if closing.side == side), None)


InterventionKind = Literal["contentiousness", "question", "add_topic", "strike_topic", "close"]
INTERVENTIONS: tuple[InterventionKind, ...] = get_args(InterventionKind)
ADDS_CONTENT: frozenset[InterventionKind] = frozenset({"question", "add_topic"})
"""After one of these a debate's result is `moderated`: somebody besides the agents has said what it is about."""


@dataclass(frozen=True, slots=True)
class Intervention:
    """What a moderator does between turns: a new contentiousness, a question, a topic by its title, or the end."""

    kind: InterventionKind
    value: str = ""

    @property
    def adds_content(self) -> bool:
        return self.kind in ADDS_CONTENT


Swap = Literal["none", "judging", "debate"]
"""What is done in both orders, so that the order's own effect can be seen: nothing, the judging, the whole debate."""

SWAPS: tuple[Swap, ...] = get_args(Swap)


@dataclass(frozen=True, slots=True)
class Debate:
    """One debate as its owner defined it.

    `material` is a text that the subject is about, such as an item; the agents get it as data.
    `judges` are models; with `judges_may_debate` a debater may be among them, which is said in the result.
    """

    name: str
    subject: str
    debaters: Debaters
    settings: DebateSettings = DebateSettings()
    judges: tuple[str, ...] = ()
    judges_may_debate: bool = False
    swap: Swap = "none"
    material: str = ""
    language: str = "en"


def claims_on(subject: str) -> tuple[str, str]:
    """The claims of side A and side B on a subject for which nobody has worded them."""
    if subject.rstrip().endswith("?"):
        return f"The answer to “{subject.strip()}” is yes.", f"The answer to “{subject.strip()}” is no."
    return "The subject as it is worded is right.", "The subject as it is worded is wrong."
