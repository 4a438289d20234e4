"""`crito verify`: whether a study's record adds up, and whether the files written from it are still what they were."""

from collections.abc import Sequence

from crito.cli import screen
from crito.cli.places import existing_study, shown_database
from crito.store.verify import STATUSES, Check, verify


def show_verification(study: str, db: str | None, *, as_json: bool) -> bool:
    """Print what was looked at; whether all of it holds.

    Raises:
        CritoError: there is no such study or database.
    """
    name, url = existing_study(study, db)
    checks = verify(url, name)
    holds = all(check.passed for check in checks)
    if as_json:
        screen.facts({"study": name, "holds": holds, "checks": checks})
        return holds
    accounts, *others = checks
    _show_accounts(accounts)
    screen.table(
        ("check", "holds", "what was claimed", "what was counted"),
        [(c.name, c.passed, c.claim, _counted(c)) for c in others],
    )
    for check in checks:
        for problem in check.problems:
            screen.note(f"  {check.name}: {problem}")
        if check.n_problems > len(check.problems):
            screen.note(f"  {check.name}: and {check.n_problems - len(check.problems):,} more")
    screen.say()
    if holds:
        screen.next_command(f"The record of {name} adds up.", f"crito report {name} --db {shown_database(url)}")
    else:
        screen.say(f"The record of {name} does not add up; the lines above say where.")
    return holds


def _show_accounts(check: Check) -> None:
    """The figures of the first check, which come as `TASK, CONDITION: STATUS`, as a table."""
    groups = dict.fromkeys(figure.rpartition(": ")[0] for figure in check.figures)
    columns = ("assigned", *STATUSES)
    screen.table(
        ("task, condition", *columns, "adds up"),
        [(group, *(check.figures[f"{group}: {c}"] for c in columns), check.passed) for group in groups],
    )
    screen.say()


def _counted(check: Check) -> str:
    counted: Sequence[tuple[str, int]] = [(name, n) for name, n in check.figures.items() if n] or [("rows", 0)]
    return ", ".join(f"{name} {n:,}" for name, n in counted)
