from pathlib import Path

import pytest

from crito.llm.prices import Price, Prices, Tokens, parse_prices
from crito.model.errors import InvalidInput

TOKENS = Tokens(input=120, cached=40, output=9)


def test_a_price_of_ones_own_goes_before_the_list():
    prices = Prices({"openai:gpt-4o": Price(input=1.0, cached=0.5, output=4.0)})

    cost = prices.cost_usd("openai", ("gpt-4o",), TOKENS, listed=True)

    assert cost == pytest.approx((80 * 1.0 + 40 * 0.5 + 9 * 4.0) / 1e6)


def test_a_price_of_ones_own_holds_where_the_list_does_not():
    prices = Prices({"lab:qwen": Price(1.0, 1.0, 1.0)})

    assert prices.cost_usd("lab", ("served-as-something", "qwen"), TOKENS, listed=False) == pytest.approx(129e-6)


def test_without_a_price_the_cost_is_unknown():
    assert Prices().cost_usd("openai", ("nobody-sells-this",), TOKENS, listed=True) is None
    assert Prices().cost_usd("openai", ("gpt-4o",), TOKENS, listed=False) is None


def test_prices_are_read_from_the_file_that_the_environment_names(tmp_path: Path):
    (tmp_path / "prices.yaml").write_text("lab:Qwen/Qwen3-8B: {input: 0.2, output: 0.6}\n")

    prices = Prices.of({"CRITO_PRICES": str(tmp_path / "prices.yaml")})

    cost = prices.cost_usd("lab", ("Qwen/Qwen3-8B",), TOKENS, listed=False)
    assert cost == pytest.approx((120 * 0.2 + 9 * 0.6) / 1e6)


def test_a_file_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(InvalidInput, match="file of prices cannot be read"):
        Prices.of({"CRITO_PRICES": str(tmp_path / "none.yaml")})


@pytest.mark.parametrize(
    "text", ["a: 3", "a: {input: 1}", "a: {input: -1, output: 1}", "a: {input: x, output: 1}", "- a"]
)
def test_what_is_no_price_says_how_to_write_one(text: str):
    with pytest.raises(InvalidInput, match="each for a million tokens"):
        parse_prices(text, "prices.yaml")
