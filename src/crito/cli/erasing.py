"""`crito erase` and `crito retention`: taking back what people left."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

from crito.bootstrap import Settings, open_parts
from crito.cli import screen
from crito.cli.places import existing_study
from crito.cli.recruiting import BY, find
from crito.model.erasure import Erasure
from crito.model.errors import InvalidInput
from crito.model.ids import StudyName
from crito.services.erasing import Retention, carry_out_retention, certificate, erase, retention


def erase_person(
    study: str,
    db: str | None,
    who: str,
    out: Path | None,
    *,
    words_only: bool,
    forget: bool,
    confirmed: bool,
    as_json: bool,
) -> None:
    """Erase what one person left, and write the certificate.

    Raises:
        InvalidInput: nobody confirmed it.
        NotFound: the study, its database or the person is not there.
        Conflict: words alone are to go, and the person is still taking part.
    """
    name, url = existing_study(study, db)
    what = "the words" if words_only else "everything"
    if not confirmed:
        raise InvalidInput(f"this erases for good {what} that {who} left in {name}", wanted="run it again with --yes")

    async def do() -> Erasure:
        async with open_parts(Settings(url)) as parts:
            person = await find(parts, name, who)
            return await erase(parts, name, person, "words" if words_only else "whole", BY, forget=forget)

    erasure = asyncio.run(do())
    file = out or Path(f"{erasure.annotator}-erasure.json")
    _write(name, [erasure], file)
    if as_json:
        screen.facts({**certificate(name, erasure), "file": str(file)})
        return
    for kind, told in erasure.erased.items():
        screen.say(f"erased   {kind} {told['n']:,}")
    for kind, n in erasure.remains.items():
        screen.say(f"remains  {kind} {len(n) if isinstance(n, list) else n:,}")
    screen.next_command(
        f"The certificate is in {file}; files written before still hold what was erased.", f"crito export {name}"
    )


def keep_no_longer(study: str, db: str | None, out: Path | None, *, confirmed: bool, as_json: bool) -> None:
    """Say whose time of keeping is over, and erase it once that is confirmed.

    Raises:
        NotFound: the study or its database is not there.
    """
    name, url = existing_study(study, db)

    async def do() -> tuple[Retention, Sequence[Erasure]]:
        async with open_parts(Settings(url)) as parts:
            return await retention(parts, name), await carry_out_retention(parts, name, BY) if confirmed else ()

    found, done = asyncio.run(do())
    file = out or Path(f"{name}-retention.json")
    if done:
        _write(name, done, file)
    if as_json:
        screen.facts(
            {
                "study": name, "retention_days": found.days, "kept": found.kept, "due": list(found.due),
                "next_due": found.next_due, "erased": len(done), "file": str(file) if done else None,
            }
        )  # fmt: skip
        return
    screen.say(reminder(found))
    if done:
        screen.say(
            f"{len(done):,} people's words, and who they are, are erased; their labels stay and are nobody's any more."
        )
        screen.say(f"The certificates are in {file}.")
    elif found.due:
        screen.say(
            "With --yes their words, their answers about themselves and who they are at their platform are erased for good; "
            "labels, choices and times stay and are nobody's any more."
        )
        screen.next_command("Nothing was changed.", f"crito retention {study} --yes")


def reminder(found: Retention) -> str:
    """How long people's data are still kept, in one line."""
    if found.due:
        return (
            f"Retention: the {found.days:,} days that people's data are kept are over for {len(found.due):,} of "
            f"{found.kept:,} people."
        )
    if found.next_due:
        return f"Retention: data of {found.kept:,} people are kept; the first are to be erased on {found.next_due:%Y-%m-%d}."
    return f"Retention: {found.days:,} days; there is nothing of anybody to erase."


def _write(study: StudyName, erasures: Sequence[Erasure], file: Path) -> None:
    told = [certificate(study, erasure) for erasure in erasures]
    file.write_text(
        json.dumps(told if len(told) > 1 else told[0], ensure_ascii=False, indent=2) + "\n", encoding="utf-8"
    )
