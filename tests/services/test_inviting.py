"""The ways in and out of a study, looked over before anyone is invited."""

from dataclasses import replace
from typing import Any

import pytest

from crito.model.study import CODED_ENDINGS, Completion, Study
from crito.services.inviting import Caution, invitation
from crito.web.doubts import DOUBTS
from crito.web.entry import parse_arrival
from tests.builders import make_condition, make_study

SERVER = "https://example.org/crito"
CODES = {ending: f"CODE{n}" for n, ending in enumerate(CODED_ENDINGS)}


def sound(**completion: Any) -> Study:
    """A study with nothing to look at."""
    given = {
        "provider": "prolific",
        "codes": CODES,
        "return_url": "https://app.prolific.com/submissions/complete?cc={code}",
    }
    return make_study(completion=Completion(**{**given, **completion}), contact="ana@example.org")


def test_a_sound_study_has_no_warnings() -> None:
    assert invitation(sound(), SERVER).warnings == ()


@pytest.mark.parametrize(
    ("study", "server", "warning"),
    [
        (sound(codes={"done": "X"}), SERVER, Caution("no_code", ", ".join(CODED_ENDINGS[1:]))),
        (sound(codes={**CODES, "timed_out": CODES["done"]}), SERVER, Caution("code_of_done", "timed_out")),
        (sound(codes={**CODES, "done": "C1 A2"}), SERVER, Caution("code_with_spaces", "C1 A2")),
        (sound(codes={**CODES, "done": "C1A2B3"}), SERVER, Caution("example_code", "C1A2B3")),
        (sound(return_url="https://prolific.example.org/?cc={code}"), SERVER, Caution("return_elsewhere", "prolific.example.org")),
        (sound(provider="mturk", return_url="https://mturk.com/{code}"), SERVER, Caution("return_for_mturk", "mturk.com")),
        (sound(provider="none", return_url=""), SERVER, Caution("codes_without_platform")),
        (replace(sound(), open_to="experts"), SERVER, Caution("only_experts")),
        (sound(), "http://127.0.0.1:8000", Caution("not_reachable", "127.0.0.1")),
        (sound(), "http://example.org", Caution("not_encrypted", "http://example.org/s/kettles/")),
        (replace(sound(), contact=""), SERVER, Caution("no_contact")),
        (replace(sound(), conditions=(make_condition("bare", ("annotate",)),)), SERVER, Caution("no_consent_step", "bare")),
    ],
)  # fmt: skip
def test_what_may_be_wrong_is_said(study: Study, server: str, warning: Caution) -> None:
    assert warning in invitation(study, server).warnings
    assert warning.about in DOUBTS[warning.doubt] % {"about": warning.about}


def test_the_link_for_prolific_is_read_as_the_person_once_its_blanks_are_filled_in() -> None:
    link = invitation(sound(), SERVER).paste["prolific"]
    address, _, query = link.partition("?")
    filled = dict(part.split("=") for part in query.replace("{{%", "").replace("%}}", "").split("&"))

    arrival = parse_arrival({**filled, "PROLIFIC_PID": "ana"})

    assert address == "https://example.org/crito/s/kettles/"
    assert arrival.identity is not None
    assert (arrival.identity.provider, arrival.identity.external_id) == ("prolific", "ana")
    assert parse_arrival(dict(part.split("=") for part in query.split("&"))).preview


def test_every_ending_with_a_code_has_the_way_back_for_it() -> None:
    endings = {seen.ending: seen for seen in invitation(sound(), SERVER).endings}

    assert endings["over_quota"].return_url == f"https://app.prolific.com/submissions/complete?cc={CODES['over_quota']}"
    assert (endings["submission_closed"].code, endings["submission_closed"].return_url) == ("", "")
