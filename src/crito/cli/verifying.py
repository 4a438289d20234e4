"""`crito verify`: whether a study's record adds up, and whether the files written from it are still what they were."""

import hashlib
from pathlib import Path

from crito.cli import screen
from crito.cli.places import existing_study
from crito.store.verification import ExportedFile, Finding, Verification, verify


def show_verification(study: str, db: str | None, *, as_json: bool) -> bool:
    """Print what was looked at; whether all of it holds.

    Raises:
        CritoError: there is no such study or database.
    """
    name, url = existing_study(study, db)
    found = verify(url, name)
    findings = (*found.findings, _files_unchanged(found.files))
    holds = all(finding.holds for finding in findings)
    if as_json:
        screen.facts({"study": name, "holds": holds, "accounts": found.accounts, "findings": findings})
        return holds
    _show_accounts(found)
    screen.table(("what must hold", "looked at", "holds"), [(f.what, f.n, f.holds) for f in findings])
    for finding in findings:
        for fault in finding.faults:
            screen.note(f"  does not hold: {finding.what}: {fault}")
    screen.say()
    if holds:
        screen.next_command(f"The record of {name} adds up.", f"crito report {name} --db {url}")
    else:
        screen.say(f"The record of {name} does not add up; the lines above say where.")
    return holds


def _show_accounts(found: Verification) -> None:
    columns = (
        *("task", "condition", "assigned", "done", "open", "expired", "withdrawn"),
        *("ended: attention", "consent", "technical"),
    )
    rows = [
        (a.task, a.condition, a.assigned, a.done, a.open, a.expired, a.withdrawn, a.attention, a.consent, a.technical)
        for a in found.accounts
    ]
    screen.table(columns, rows)
    screen.say()


def _files_unchanged(files: tuple[ExportedFile, ...]) -> Finding:
    """Files that were moved away are passed over: nobody said they must stay."""
    present = [file for file in files if Path(file.path).is_file()]
    faults = tuple(file.path for file in present if _sha256(Path(file.path)) != file.sha256)
    return Finding("exported files that are still there are as they were written", len(present), faults)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
