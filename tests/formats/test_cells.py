"""Cells as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crito.formats.cells import fingerprint, guard, unguard

risky = st.text(alphabet="'=+-@\t\r\n＝a ", max_size=6)


@pytest.mark.parametrize("start", list("=+-@\t\r\n＝＋－＠"))
def test_text_that_a_spreadsheet_would_run_gets_an_apostrophe(start: str) -> None:
    assert guard(f"{start}SUM(A1)") == f"'{start}SUM(A1)"


@pytest.mark.parametrize("text", ["plain", "a=b", " =1", "'tis", "don't", "''quoted''"])
def test_other_text_stays_as_it_is(text: str) -> None:
    assert guard(text) == text


def test_empty_text_differs_from_an_empty_cell() -> None:
    assert guard("") == "'"


@given(st.text() | risky)
def test_unguard_gives_back_what_was_guarded(text: str) -> None:
    assert unguard(guard(text)) == text


@given(st.text() | risky)
def test_no_guarded_cell_starts_like_a_formula_or_is_empty(text: str) -> None:
    assert guard(text)[:1] not in {"", *"=+-@\t\r\n＝＋－＠"}


@pytest.mark.parametrize(("one", "other"), [("1", 1), (1, 1.0), (None, ""), (True, 1), ("no", False), ([], None)])
def test_rows_that_differ_in_type_only_have_other_fingerprints(one: object, other: object) -> None:
    assert fingerprint((one,)) != fingerprint((other,))  # type: ignore[arg-type]
