"""The blind sample of a study: drawn when its items are published, continued when there are more, told at the end."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from crito.evidence.draws import Drawn, hash_of_seed, independent_draw, simple_draw
from crito.model.errors import Conflict
from crito.model.ids import DrawId, ItemId, StudyName
from crito.model.record import BlindDraw, DrawnItem, DrawRule, Purpose
from crito.model.study import Item, Study, Task
from crito.services.parts import Parts
from crito.services.ports.store import Tx

SEEDS_OF_A_SECRET = 4
"""63 bits each: a secret that nobody can guess from its hash."""


RULES: Mapping[DrawRule, Callable[..., Drawn]] = {"simple": simple_draw, "independent": independent_draw}


def new_secret(parts: Parts) -> str:
    """A fresh secret seed for a draw."""
    return "".join(f"{parts.new_seed():016x}" for _ in range(SEEDS_OF_A_SECRET))


def draw_blind_samples(tx: Tx, study: Study, secrets: Sequence[str], now: datetime) -> None:
    """Draw what is not drawn yet of each task's items; `secrets` has a fresh seed for each task.

    The first time `ceil(rate · N)` of the items are drawn together. Items that come later are decided on one by one with
    the same seed, so that nothing drawn before changes. Items that somebody has labelled by now are never drawn.
    """
    assert study.suggestions is not None, "only suggestions have a blind sample"
    earlier = [draw for draw in tx.blind_draws(study.name) if draw.purpose == "label"]
    for task, secret in zip(study.tasks, secrets, strict=True):
        own = [draw for draw in earlier if draw.task == task.name]
        known = {one.item for one in tx.drawn_items(study.name, [draw.id for draw in own])}
        labelled = tx.labelled_items(study.name, task.name)
        fresh = [item for item in task.items if item.id not in known and item.id not in labelled]
        if not fresh:
            continue
        secrecy = next((draw for draw in own if draw.revealed_at is None), None)
        rule: DrawRule = "independent" if secrecy else "simple"
        seed = tx.blind_seed(secrecy.id) if secrecy else secret
        keep_draw(
            tx, study.name, task, fresh, "label", seed=seed, rule=rule, rate=study.suggestions.blind_rate, now=now
        )


def keep_draw(
    tx: Tx,
    study: StudyName,
    task: Task,
    items: Sequence[Item],
    purpose: Purpose,
    *,
    seed: str,
    rule: DrawRule,
    rate: float,
    now: datetime,
) -> tuple[BlindDraw, Sequence[DrawnItem]]:
    """Draw among `items` and keep what came of it."""
    drawn = RULES[rule](seed, task.name, [item.id for item in items], rate=rate)
    digest = hash_of_seed(seed)
    place = len(tx.blind_draws(study))
    id_ = DrawId(f"d-{hashlib.sha256(f'{study}/{task.name}/{purpose}/{place}/{digest}'.encode()).hexdigest()[:16]}")
    draw = BlindDraw(
        id=id_,
        study=study,
        task=task.name,
        purpose=purpose,
        rule=rule,
        rate=rate,
        n_items=len(items),
        n_drawn=len(drawn.items),
        seed_hash=digest,
        drawn_at=now,
    )
    chosen = [DrawnItem(id_, item.id, item.hash, drawn.probability, item.id in drawn.items) for item in items]
    tx.add_blind_draw(draw, seed, chosen)
    return draw, chosen


@dataclass(frozen=True, slots=True)
class Revealed:
    """A draw with its secret, and whether the secret draws the same items again."""

    draw: BlindDraw
    seed: str
    replays: bool


async def reveal(parts: Parts, study: StudyName) -> tuple[Revealed, ...]:
    """Tell the secrets of a study's draws and draw again with them. What is labelled from then on is no evidence any more.

    Raises:
        Conflict: there is nothing to tell.
    """
    now = parts.now()

    def work(tx: Tx) -> tuple[Revealed, ...]:
        draws = tx.blind_draws(study)
        if not draws:
            raise Conflict(f"study {study!r} has no blind sample: its file has no `suggestions`")
        told = []
        for draw in draws:
            tx.reveal_draw(draw.id, now)
            told.append(_again(tx, draw))
        return tuple(told)

    return await parts.store.write(work)


def _again(tx: Tx, draw: BlindDraw) -> Revealed:
    seed = tx.blind_seed(draw.id)
    among = tx.drawn_items(draw.study, [draw.id])
    drawn = RULES[draw.rule](seed, draw.task, [one.item for one in among], rate=draw.rate)
    same = drawn.items == {one.item for one in among if one.drawn} and hash_of_seed(seed) == draw.seed_hash
    return Revealed(draw, seed, same)


def blind_sample(tx: Tx, study: StudyName, task: str) -> dict[ItemId, DrawnItem]:
    """The items of a task that its blind sample drew, with their probabilities."""
    draws = [draw.id for draw in tx.blind_draws(study) if draw.task == task and draw.purpose == "label"]
    return {one.item: one for one in tx.drawn_items(study, draws) if one.drawn}
