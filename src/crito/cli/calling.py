"""`crito calls`: what was asked of models, what it cost, and what is to become of calls whose outcome nobody knows."""

import asyncio
from dataclasses import replace

from crito.bootstrap import Settings, most_usd, open_parts
from crito.cli import screen
from crito.cli.places import existing_study
from crito.model.errors import InvalidInput
from crito.services.ledger import CallFilter, Ledger, allow_resending, ledger

LISTED = 50
"""How many calls are shown one by one."""


def calls(study: str, db: str | None, which: CallFilter, *, one_by_one: bool, resend: bool, as_json: bool) -> None:
    """List and sum calls; with `resend`, let the uncertain ones be asked again.

    Raises:
        NotFound: the study or its database is not there.
        InvalidInput: only uncertain calls can be asked again.
    """
    if resend and which.status not in ("", "uncertain"):
        raise InvalidInput("only uncertain calls can be asked again", which.status, "leave --status out")
    name, url = existing_study(study, db)
    listing = one_by_one or which.status == "uncertain"

    async def work() -> tuple[Ledger, int]:
        async with open_parts(Settings(url)) as parts:
            # Judges of documents call models under a name of which no study was published.
            if not await parts.store.read(lambda tx: tx.calls(name, limit=1)):
                await parts.latest(name)
            allowed = await allow_resending(parts, name, replace(which, status="uncertain")) if resend else 0
            return await ledger(parts, name, which, most_usd(), limit=LISTED if listing else 0), allowed

    found, allowed = asyncio.run(work())
    if as_json:
        facts = {"sums": [row._asdict() for row in found.sums], "calls": [row._asdict() for row in found.rows]}
        screen.facts(facts | ({"resend": allowed} if resend else {}))
        return
    if listing and found.rows:
        screen.table(
            ("at", "model", "method", "status", "cost USD", "error"),
            [
                (f"{row.at:%Y-%m-%d %H:%M:%S}", row.model, row.method, row.status, _usd(row.cost_usd), row.error)
                for row in found.rows
            ],
        )
    if found.sums:
        screen.table(
            ("model", "method", "status", "calls", "input", "cached", "output", "cost USD", "without a price"),
            [(*row[:7], _usd(row.cost_usd if row.unpriced < row.calls else None), row.unpriced) for row in found.sums],
            title="Calls",
        )
    else:
        screen.say("No such calls.")
    if resend:
        screen.next_command(f"{allowed:,} uncertain calls may be asked again.", "crito label STUDY")


def _usd(cost_usd: float | None) -> str:
    return "unknown" if cost_usd is None else f"{cost_usd:.4f}"
