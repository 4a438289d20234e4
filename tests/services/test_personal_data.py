"""What is taken for personal data, and what is left alone."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crito.model.ids import Language
from crito.services.personal_data import PersonalData

SCAN = PersonalData([Language("en"), Language("it"), Language("ja")], ["worker-ana-77"])


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("write to ana.b+c@mail.example.org please", "write to [email] please"),
        ("ana (at) example (dot) org", "[email]"),
        ("call +1 212-555-0123 tonight", "call [phone] tonight"),
        ("call +44 20 7946 0958 tonight", "call [phone] tonight"),
        ("chiamami al 06 698 82389", "chiamami al [phone]"),
        ("電話は03-3224-5000です", "電話は[phone]です"),
        ("see https://example.org/me?x=1, it is mine", "see [web address], it is mine"),
        ("my id is 5f3c2b1a0987654321fedcba ok", "my id is [platform id] ok"),
        ("worker A1B2C3D4E5F6G here", "worker [platform id] here"),
        ("I am worker-ana-77.", "I am [platform id]."),
        ("follow @ana_writes", "follow [account]"),
        ("from 192.168.10.7", "from [ip address]"),
        ("pay to DE89 3704 0044 0532 0130 00", "pay to [iban]"),
        ("card 4111 1111 1111 1111.", "card [card number]."),
    ],
)
def test_what_looks_like_personal_data_is_taken_out(text: str, redacted: str) -> None:
    assert SCAN.redact(text)[0] == redacted


@pytest.mark.parametrize(
    "text",
    [
        "I gave it 5 stars in 2019, for $1,000,000.",
        "It is 10/10 and 3.14 of 2:30.",
        "version 1.2.3.999 is no address",
        "items 1234567890123456 are no card",  # its check digit is wrong
        "ABCDEFGHIJKLM are letters",
        "Ana lived in Rome.",
        "",
    ],
)
def test_everything_else_is_left_alone(text: str) -> None:
    assert SCAN.redact(text) == (text, ())


@given(st.text())
def test_nothing_is_found_twice_and_nothing_remains_after_redaction(text: str) -> None:
    found = SCAN.find(text)

    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(0 <= one.start < one.end <= len(text) for one in found)
