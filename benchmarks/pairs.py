"""CRIT against the crowd: which of two arguments is the more convincing, by Γ of each and by the votes of people.

    python benchmarks/pairs.py --data DIR --judge local:PATH.gguf --limit 15

DIR holds `items.jsonl` (`id`, `context.a1`, `context.a2`, `gold` in a1, a2, equal) and `arguments.jsonl` (`id`, `text`), as
UKPConvArg1 does after conversion. Pairs that the crowd found equal, or did not decide, are left out; of the others
`--limit` are drawn by `--seed`. Each argument is read by itself, without the other one in view, and without the account
of its score, which no score depends on. Run again, it goes on where it ended.
"""

import argparse
import asyncio
import json
import random
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from crito.bootstrap import Settings, open_parts
from crito.engine.local import LocalEngine
from crito.model.study import Agent
from crito.services.asking import Calling
from crito.services.judging import Document, Manner, judge_document
from crito.services.parts import Parts
from crito.stats.proportions import share

GOLD = ("a1", "a2")


def drawn(folder: Path, limit: int, seed: int) -> list[dict[str, Any]]:
    """Pairs that the crowd decided, `limit` of them, each with the texts of its arguments."""
    texts = {one["id"]: one["text"] for one in rows(folder / "arguments.jsonl")}
    decided = [item for item in rows(folder / "items.jsonl") if item["gold"] in GOLD]
    chosen = random.Random(seed).sample(decided, min(limit, len(decided)))
    return [
        {"id": one["id"], "gold": one["gold"], **{side: texts[one["context"][side]] for side in GOLD}} for one in chosen
    ]


def rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


async def judge(pair: dict[str, Any], judge: Agent, parts: Parts, calling: Calling, manner: Manner) -> dict[str, Any]:
    """A pair with the scores of both its arguments."""
    scores = [await judge_document(parts, Document(pair[side]), [judge], calling, manner) for side in GOLD]
    return {**pair, "scores": [judged.reports[0].score().value for judged in scores]}


async def judge_all(pairs: Sequence[dict[str, Any]], given: argparse.Namespace) -> list[dict[str, Any]]:
    """The pairs that are judged when the work ends, or is stopped; each is told as soon as it is."""
    engine, scored, begun = LocalEngine(given.at_once), list[dict[str, Any]](), time.monotonic()
    calling, manner = Calling(engine.turnstile, lambda spent: None), Manner(account=False, max_tokens=given.max_tokens)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, engine.stop)

    def done(pair: dict[str, Any]) -> None:
        scored.append(pair)
        print(f"{time.monotonic() - begun:6.0f} s  {told(pair)}", flush=True)

    async with open_parts(Settings(given.db)) as parts:
        await engine.drive(pairs, lambda pair: judge(pair, Agent(given.judge), parts, calling, manner), done)
    return scored


def winner(pair: dict[str, Any]) -> str | None:
    """The argument with the higher score; None at a tie, or where one has no score."""
    first, second = pair["scores"]
    if first is None or second is None or first == second:
        return None
    return "a1" if first > second else "a2"


def told(pair: dict[str, Any]) -> str:
    shown = " : ".join("none" if score is None else f"{score:.2f}" for score in pair["scores"])
    return f"{pair['id']}: crowd {pair['gold']}, CRIT {winner(pair) or 'no winner'} ({shown})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--judge", required=True, help="PROVIDER:NAME or local:PATH.gguf")
    parser.add_argument("--limit", type=int, default=15)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at-once", type=int, default=1, help="calls at a time")
    parser.add_argument("--max-tokens", type=int, default=400)
    parser.add_argument("--db", default="sqlite:///pairs.db")
    given = parser.parse_args()
    scored = asyncio.run(judge_all(drawn(given.data, given.limit, given.seed), given))
    decided = [pair for pair in scored if winner(pair)]
    right = sum(winner(pair) == pair["gold"] for pair in decided)
    found = share("crowd_agreement", right, len(decided), empty="no pair has a winner")
    interval = found.interval
    print(
        f"{given.judge}: the crowd's winner in {right} of the {len(decided)} pairs that have one"
        + (
            f" ({found.value:.2f}, 95 % {interval.low:.2f} to {interval.high:.2f}, {interval.method})"
            if interval
            else ""
        )
        + f"; {len(scored) - len(decided)} of {len(scored)} judged pairs have none"
    )


if __name__ == "__main__":
    main()
