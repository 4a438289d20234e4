"""The command line. Commands are declared in `commands` and at work in the modules beside it: `crito --help` imports none
of those."""

import gc
import sys
from collections.abc import Sequence

from crito.cli import commands
from crito.cli.app import FAILED, LIMIT_REACHED, WRONG_USAGE, cli
from crito.model.errors import BudgetReached, CritoError, InvalidInput, InvalidStudy, TooMany

__all__ = ["cli", "commands", "main", "run"]

NEW_OBJECTS_PER_COLLECTION = 50_000


def run(arguments: Sequence[str]) -> int:
    """Run one command; the exit status: 0 done, 1 failed, 2 wrong usage or invalid input, 3 a limit was reached."""
    try:
        cli(args=_with_swaps_named(arguments), prog_name="crito", standalone_mode=True)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else FAILED
    except CritoError as error:
        sys.stderr.write(f"{_headline(error)}\n{error}\n")
        return _status(error)
    return 0


def main() -> None:
    # A command begins with imports, which leave nothing to collect: looking for it as often as usual is a seventh of a start.
    gc.set_threshold(NEW_OBJECTS_PER_COLLECTION)
    sys.exit(run(sys.argv[1:]))


def _with_swaps_named(arguments: Sequence[str]) -> list[str]:
    """The same arguments; where `crito debate` is given `--swap` alone, the judging is what it swaps.

    An option that may stand with a value and without one is something the parser of commands does not know.
    """
    named = list(arguments)
    if named[:1] == ["debate"] and "--swap" in named:
        behind = named.index("--swap") + 1
        if behind == len(named) or named[behind].startswith("-"):
            named.insert(behind, "judging")
    return named


def _headline(error: CritoError) -> str:
    if isinstance(error, InvalidStudy):
        n = len(error.problems)
        return f"crito: the study cannot be used, for {n} reason{'s' if n > 1 else ''}:"
    return "crito: this did not work:"


def _status(error: CritoError) -> int:
    if isinstance(error, InvalidInput | InvalidStudy):
        return WRONG_USAGE
    return LIMIT_REACHED if isinstance(error, TooMany | BudgetReached) else FAILED
