"""What two sides argue about an item: where it comes from, which side comes first, and what was shown of it to whom."""

import hashlib
import json
import random
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from crito.model.ids import RunId
from crito.model.record import Assignment, Draw, Exposure, Participant
from crito.model.study import Panel, PreparedDebate, Study
from crito.model.talk import Answer, Answers, Asks, Turn
from crito.protocols.contest import ARGUE, ARGUING
from crito.protocols.driving import Recorded
from crito.protocols.methods import PROTOCOLS
from crito.services.agent_runs import recorded_answers
from crito.services.ports.record import Seen
from crito.services.ports.store import Tx

ROUTE = "debate"
"""How arguments are shown."""


@dataclass(frozen=True, slots=True)
class Argued:
    """One argument for a label; `source` names the turn (`run/step/index`) or the place among those that were prepared."""

    topic: str
    label: str
    text: str
    source: str


@dataclass(frozen=True, slots=True)
class BothSides:
    """A debate on an item that is there to be read; `author` says whose words they are."""

    labels: tuple[str, str]
    arguments: tuple[Argued, ...]
    author: str


def find_sides(tx: Tx, study: Study, mine: Assignment, label: str) -> BothSides | None:
    """What two sides argue about an item: as prepared, else as the panel argued; None where there is nothing yet.

    Of several prepared debates it is the first in which `label`, the person's own, is a side.
    """
    prepared = _prepared(study, mine, label)
    if prepared is not None or study.item_debates is None or not study.item_debates.panel:
        return prepared
    return _by_panel(tx, study, mine)


def arguing_panel(study: Study) -> Panel:
    """The panel whose agents argue about this study's items."""
    assert study.item_debates is not None, "only a study with debates on its items has one"
    name = study.item_debates.panel
    return next(panel for panel in study.models if panel.name == name)


def fingerprint(debate: PreparedDebate) -> str:
    """Tells a prepared debate from any other wording of it."""
    return hashlib.sha256(json.dumps(asdict(debate), ensure_ascii=False).encode()).hexdigest()[:16]


def sides_of_run(
    run: RunId,
    protocol: Generator[Asks, Answers, object],
    recorded: Mapping[tuple[int, int], Recorded],
    panel: Panel,
) -> BothSides | None:
    """What was argued in a run that is over; None where a side said nothing."""
    arguments = tuple(
        Argued(phase, label, answer.text.strip(), f"{run}/{step}/{index}")
        for step, index, phase, label, answer in _spoken(protocol, recorded)
        if isinstance(answer, Turn) and answer.text.strip()
    )
    labels = tuple(dict.fromkeys(one.label for one in arguments))
    if len(labels) != ARGUING:
        return None
    author = " / ".join(dict.fromkeys(agent.model for agent in panel.agents[:ARGUING]))
    return BothSides((labels[0], labels[1]), arguments, author)


def show(tx: Tx, study: Study, person: Participant, mine: Assignment, sides: BothSides, now: datetime) -> None:
    """Draw which side comes first, and record each argument as about to be shown."""
    first = random.Random(f"{person.seed}/sides/{mine.id}").choice(sides.labels)
    chances = dict.fromkeys(sides.labels, 1 / ARGUING)
    tx.add_draw(Draw(study.name, person.id, f"sides:{mine.id}", chances, person.seed, first, now))
    arguments = in_order(sides.arguments, first)
    contents = tx.keep_all_words(person.id, [_as_words(one, sides.author) for one in arguments])
    for one, content in zip(arguments, contents, strict=True):
        tx.add_exposure(
            study.name,
            Exposure(
                annotator=person.id,
                item=mine.item,
                task=mine.task,
                kind="argument",
                source=one.source,
                part=-1,
                content=content,
                route=ROUTE,
                seq=tx.next_seq(person.id, mine.item),
                at=now,
            ),
        )


def in_order(arguments: Sequence[Argued], first: str) -> list[Argued]:
    """Topic by topic, in each the side that comes first before the other."""
    topics = list(dict.fromkeys(one.topic for one in arguments))
    return sorted(arguments, key=lambda one: (topics.index(one.topic), one.label != first))


def was_shown(seen: Seen, mine: Assignment) -> bool:
    """Whether the debate is on record as shown in this task."""
    return any(one.kind == "argument" and one.task == mine.task for one in seen.exposures)


def shown_sides(tx: Tx, seen: Seen, mine: Assignment) -> BothSides | None:
    """The debate as it was shown, the side that came first as the first of its labels; a page shows none that is not on
    record. None, too, where its words were erased."""
    exposures = [one for one in seen.exposures if one.kind == "argument" and one.task == mine.task]
    words = tx.words([one.content for one in exposures])
    read = [(json.loads(text), one.source) for one in exposures if (text := words[one.content]) is not None]
    arguments = tuple(Argued(told["topic"], told["label"], told["text"], source) for told, source in read)
    labels = tuple(dict.fromkeys(one.label for one in arguments))
    if len(labels) != ARGUING:
        return None
    return BothSides((labels[0], labels[1]), arguments, read[0][0]["author"])


def _as_words(one: Argued, author: str) -> str:
    return json.dumps({"topic": one.topic, "label": one.label, "text": one.text, "author": author}, ensure_ascii=False)


def _prepared(study: Study, mine: Assignment, label: str) -> BothSides | None:
    item = next((one for one in study.task(mine.task).items if one.id == mine.item), None)
    if item is None or not item.debates or item.hash != mine.item_hash:
        return None
    place, chosen = min(enumerate(item.debates), key=lambda numbered: (label not in numbered[1].labels, numbered[0]))
    source = f"prepared/{fingerprint(chosen)}/{mine.task}/{mine.item}/{place}"
    arguments = tuple(
        Argued(one.topic, one.label, one.text, f"{source}/{number}") for number, one in enumerate(chosen.arguments)
    )
    return BothSides(chosen.labels, arguments, chosen.author)


def _by_panel(tx: Tx, study: Study, mine: Assignment) -> BothSides | None:
    """What the panel argued when it labelled this text."""
    panel, labels = arguing_panel(study), study.task(mine.task).label_names
    labellings = [one for one in tx.labellings(study.name) if (one.task, one.panel.name) == (mine.task, panel.name)]
    for labelling in reversed(labellings):
        outcome = tx.outcome_on(labelling.id, mine.item, mine.item_hash)
        if outcome is None:
            continue
        protocol = PROTOCOLS["debate"].begin(labelling.panel, mine.item, labelling.seed, labels)
        found = sides_of_run(outcome.run, protocol, recorded_answers(tx, outcome.run), labelling.panel)
        if found is not None:
            return found
    return None


def _spoken(
    protocol: Generator[Asks, Answers, object], recorded: Mapping[tuple[int, int], Recorded]
) -> Iterator[tuple[int, int, str, str, Answer]]:
    """Every argument of a run that is over: step, index, phase, label and what was said."""
    step, asks = 0, next(protocol)
    while True:
        answers = [recorded[step, index].answer for index in range(len(asks))]
        for index, (ask, answer) in enumerate(zip(asks, answers, strict=True)):
            if ask.prompt == ARGUE:
                yield step, index, ask.values["phase"], ask.values["stance"], answer
        try:
            asks = protocol.send(answers)
        except StopIteration:
            return
        step += 1
