"""Commands about experts: a link of their own, what they are to label blind, what else they are asked."""

import asyncio
from pathlib import Path
from typing import Any

from crito.bootstrap import Settings, open_parts
from crito.cli import screen
from crito.cli.places import existing_study
from crito.model.ids import TaskName
from crito.model.record import BlindDraw
from crito.services import drawing, queue
from crito.services.requesting import note_tuning, request_labels


def add(study: str, db: str | None, name: str, address: str, *, as_json: bool) -> None:
    """Print a personal link.

    Raises:
        NotFound: the study or its database is not there.
        InvalidInput: there is no name.
    """
    study_name, url = existing_study(study, db)

    async def make() -> tuple[str, str]:
        async with open_parts(Settings(url)) as parts:
            return await queue.invite(parts, study_name, name)

    expert, token = asyncio.run(make())
    link = f"{address.rstrip('/')}/s/{study_name}/expert/enter/{token}"
    if as_json:
        screen.facts({"study": study_name, "expert": expert, "link": link})
        return
    screen.say(link, accent=True)
    screen.say(f"{name.strip()} is {expert} in every table. Whoever has the link works as them; it is good for a year.")


def blind(
    study: str, db: str | None, *, reveal: bool, ask: str, n: int, task: str, tuned: Path | None, as_json: bool
) -> None:
    """Show, ask, note or reveal.

    Raises:
        NotFound: the study or its database is not there.
        Conflict: there is nothing to show or to ask about.
        InvalidInput: a purpose, task or item that is not there.
    """
    name, url = existing_study(study, db)
    chosen = TaskName(task) if task else None

    ids = tuned.read_text(encoding="utf-8").split() if tuned else []

    async def do() -> tuple[list[dict[str, Any]], str]:
        async with open_parts(Settings(url)) as parts:
            done = ""
            if ask:
                asked = await request_labels(parts, name, ask, n=n, task=chosen)
                done = f"{len(asked.requests)} labels are asked for: {ask}."
            if ids:
                done = f"{await note_tuning(parts, name, chosen, ids)} items are no evidence any more."
            seeds = {told.draw.id: told for told in await drawing.reveal(parts, name)} if reveal else {}
            draws = await parts.store.read(lambda tx: tx.blind_draws(name))
            facts = [_facts(draw) for draw in draws]
            for fact in facts:
                if told := seeds.get(fact["draw"]):
                    fact |= {"seed": told.seed, "draws_the_same_again": told.replays}
            return facts, done

    facts, done = asyncio.run(do())
    if as_json:
        screen.facts({"study": name, "draws": facts, "done": done})
        return
    if done:
        screen.say(done)
    for fact in facts:
        screen.say(
            f"{fact['task']}, {fact['purpose']}: {fact['n_drawn']} of {fact['n_items']} items, SHA-256 of the seed "
            f"{fact['seed_hash']}"
        )
        if "seed" in fact:
            same = "the same items again" if fact["draws_the_same_again"] else "OTHER ITEMS"
            screen.say(f"  the seed is {fact['seed']}; it draws {same}")
    if not facts:
        screen.say("Nothing was drawn: the study has no suggestions, or was not served yet.")


def _facts(draw: BlindDraw) -> dict[str, Any]:
    return {
        "draw": draw.id,
        "task": draw.task,
        "purpose": draw.purpose,
        "rule": draw.rule,
        "rate": draw.rate,
        "n_items": draw.n_items,
        "n_drawn": draw.n_drawn,
        "seed_hash": draw.seed_hash,
        "drawn_at": draw.drawn_at.isoformat(),
        "revealed_at": draw.revealed_at.isoformat() if draw.revealed_at else None,
    }
