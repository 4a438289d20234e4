"""A panel of models from what a command or a notebook says of it."""

from collections.abc import Sequence
from typing import Literal

from crito.model.errors import InvalidInput
from crito.model.study import DEBATE_AT_LEAST, GROUP_METHODS, METHODS, Agent, Method, Panel
from crito.services.ports.models import Reasoning

LEVELS: tuple[Literal["off", "low", "medium", "high"], ...] = ("off", "low", "medium", "high")


def panel_of(
    method: str,
    models: Sequence[str],
    *,
    personas: Sequence[str] = (),
    reasonings: Sequence[str | int] = (),
    name: str = "",
    rounds: int = 2,
    samples: int = 5,
    only_disputed: bool = False,
    examples: int = 0,
    probabilities: bool = False,
) -> Panel:
    """Models and points of view side by side, or one model with several points of view.

    Args:
        reasonings: how much each may think, or one for all.
        name: what to call the panel; by its method if empty.

    Raises:
        InvalidInput: there is no such method or amount, or the lists do not fit.
    """
    known = method_of(method)
    members = list(models)
    if len(members) == 1 and len(personas) > 1:
        members *= len(personas)
    if personas and len(personas) != len(members):
        came = f"{len(members)} models and {len(personas)} personas"
        raise InvalidInput("models and personas do not fit", came, "as many of each", key="persona")
    for member in members:
        require_model_name(member)
    if known not in GROUP_METHODS and len(members) != 1:
        groups = " or ".join(sorted(GROUP_METHODS))
        raise InvalidInput(f"with {known} one model labels alone", len(members), f"name one, or use {groups}")
    if known == "debate" and len(members) < DEBATE_AT_LEAST:
        wanted = "name two models that argue, and after them those that judge"
        raise InvalidInput("a debate needs two agents and a judge", len(members), wanted, key="model")
    levels = [reasoning_of(given) for given in reasonings or ("off",)]
    if len(levels) == 1:
        levels *= len(members)
    if len(levels) != len(members):
        came = f"{len(members)} models and {len(levels)} amounts of reasoning"
        raise InvalidInput("models and reasoning do not fit", came, "one for all, or one for each", key="reasoning")
    agents = tuple(
        Agent(member, persona, level)
        for member, persona, level in zip(members, personas or [""] * len(members), levels, strict=True)
    )
    return Panel(
        name or known, known, agents, max_rounds=rounds, samples=samples,
        only_disputed=only_disputed, examples=examples, probabilities=probabilities,
    )  # fmt: skip


def method_of(name: str) -> Method:
    """The method of this name.

    Raises:
        InvalidInput: there is none.
    """
    method: Method | None = next((known for known in METHODS if known == name), None)
    if method is None:
        raise InvalidInput("there is no such method", name, f"one of {', '.join(METHODS)}", key="method")
    return method


def require_model_name(name: str) -> None:
    """Refuse what cannot be the name of a model.

    Raises:
        InvalidInput: it names no provider.
    """
    if ":" not in name:
        raise InvalidInput("this names no model", name, "write PROVIDER:NAME or local:PATH.gguf", key="model")


def reasoning_of(given: str | int) -> Reasoning:
    """How much a model may think: a level, or a number of tokens.

    Raises:
        InvalidInput: it is neither.
    """
    level: Reasoning | None = next((known for known in LEVELS if known == given), None)
    if level is None and str(given).isdecimal() and int(given):
        level = int(given)
    if level is None:
        wanted = f"{', '.join(LEVELS)}, or a number of tokens"
        raise InvalidInput("this is no amount of reasoning", given, wanted, key="reasoning")
    return level
