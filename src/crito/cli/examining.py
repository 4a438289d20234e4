"""`crito doctor`: tries each configured model and says what it can do."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from crito.bootstrap import examine_models, load_study, study_models
from crito.cli import screen
from crito.cli.places import study_file
from crito.llm.examining import Examined
from crito.model.errors import InvalidInput


def doctor(study: Path | None, models: Sequence[str], *, as_json: bool) -> bool:
    """Try the models of a study, or those named; whether all of them answered.

    Raises:
        InvalidInput: no model is named anywhere.
    """
    names = tuple(models) or (study_models(load_study(study_file(study))) if study else ())
    if not names:
        raise InvalidInput("no model is named", wanted="name a study that uses one, or give --model PROVIDER:NAME")
    found = asyncio.run(examine_models(names))
    if as_json:
        screen.facts({"models": [asdict(one) for one in found]})
    else:
        _show(found)
    return not any(one.problem for one in found)


def _show(found: Sequence[Examined]) -> None:
    answered = [one for one in found if not one.problem]
    if answered:
        screen.table(
            ("model", "served", "schema", "log-probabilities", "temperature", "cache seen", "cost USD", "ms"),
            [
                (
                    one.model,
                    one.served_model,
                    one.structured,
                    one.log_probabilities,
                    one.temperature,
                    one.cache,
                    "unknown" if one.cost_usd is None else f"{one.cost_usd:.6f}",
                    one.latency_ms,
                )
                for one in answered
            ],
        )
    for one in found:
        if one.problem:
            screen.say(one.problem)
