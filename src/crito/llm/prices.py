"""What tokens cost: the user's own list first, then the one that comes with genai-prices; unknown is None, never 0."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, Self

from crito.model.errors import InvalidInput
from crito.studies.yaml_text import parse_yaml

PRICES_VARIABLE = "CRITO_PRICES"
"""Names a file of prices: `PROVIDER:MODEL: {input: USD, cached: USD, output: USD}`, each for a million tokens."""

MILLION = 1_000_000


class Tokens(NamedTuple):
    """How many tokens a call took; those read from a cache are among the input."""

    input: int
    cached: int
    output: int


class Price(NamedTuple):
    """USD for a million tokens."""

    input: float
    cached: float
    output: float

    def cost_usd(self, tokens: Tokens) -> float:
        fresh = tokens.input - tokens.cached
        return (fresh * self.input + tokens.cached * self.cached + tokens.output * self.output) / MILLION


class Prices:
    """Prices by `PROVIDER:MODEL`."""

    def __init__(self, own: Mapping[str, Price] | None = None) -> None:
        self._own = own or {}

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Self:
        """The prices that the environment names a file of.

        Raises:
            InvalidInput: the file cannot be read, or says something else than prices.
        """
        path = environment.get(PRICES_VARIABLE)
        if not path:
            return cls()
        try:
            text = Path(path).expanduser().read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidInput(
                "the file of prices cannot be read", came=str(error), wanted=f"set {PRICES_VARIABLE} to a text file"
            ) from error
        return cls(parse_prices(text, path))

    def cost_usd(self, provider: str, models: tuple[str, ...], tokens: Tokens, *, listed: bool) -> float | None:
        """The price under the first name that has one; list prices count only where `listed`."""
        for model in models:
            own = self._own.get(f"{provider}:{model}")
            if own is not None:
                return own.cost_usd(tokens)
        costs = (_list_cost(provider, model, tokens) for model in models if listed)
        return next((cost for cost in costs if cost is not None), None)


def tokens_at_most(body: str) -> Tokens:
    """More tokens than a call with this body can have taken in practice."""
    try:
        sent = json.loads(body)
    except ValueError:
        sent = {}
    settings = sent.get("generationConfig", sent)
    limits = ("max_tokens", "max_completion_tokens", "maxOutputTokens")
    return Tokens(len(body.encode("utf-8", "replace")) // 2, 0, max(settings.get(name) or 0 for name in limits))


def parse_prices(text: str, file: str) -> dict[str, Price]:
    """Prices by `PROVIDER:MODEL`; a price for cached tokens may be left out and is then that of the input.

    Raises:
        InvalidInput: something else stands there.
    """
    content = parse_yaml(text, file=file).value
    shape = "write `PROVIDER:MODEL: {input: USD, cached: USD, output: USD}`, each for a million tokens"
    if not isinstance(content, dict):
        raise InvalidInput("a file of prices holds one line for each model", wanted=shape, file=file)
    return {str(name): _price(name, given, file, shape) for name, given in content.items()}


def _price(name: object, given: object, file: str, shape: str) -> Price:
    figures = dict(given) if isinstance(given, dict) else {}
    known = figures.keys() <= {"input", "cached", "output"} and {"input", "output"} <= figures.keys()
    sound = all(isinstance(f, int | float) and not isinstance(f, bool) and 0 <= f < MILLION for f in figures.values())
    if not known or not sound:
        raise InvalidInput("this is no price of a model", came=given, wanted=shape, file=file, key=str(name))
    cached = figures.get("cached", figures["input"])
    return Price(float(figures["input"]), float(cached), float(figures["output"]))


def _list_cost(provider: str, model: str, tokens: Tokens) -> float | None:
    from genai_prices import Usage, calc_price  # its table takes a tenth of a second to load

    usage = Usage(input_tokens=tokens.input, cache_read_tokens=tokens.cached, output_tokens=tokens.output)
    try:
        return float(calc_price(usage, model, provider_id=provider).total_price)
    except LookupError:
        return None
