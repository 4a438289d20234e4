"""The section `debates` of a study file."""

import pytest

from crito.model.debate import Debate, Debater, DebateSettings, Schedule, Stance, Topic
from crito.studies.definition import dump, dump_debate, load, load_debate
from tests.studies.folder import SMALL, parse, problems

PLAIN = SMALL + 'debates: [{name: bridge, subject: "Close it?", models: a:b}]\n'


def test_a_debate_takes_the_defaults_of_the_source() -> None:
    (debate,) = parse(PLAIN).debates

    sides = (
        Debater(Stance("A", "The answer to “Close it?” is yes."), "a:b"),
        Debater(Stance("B", "The answer to “Close it?” is no."), "a:b"),
    )
    assert debate == Debate("bridge", "Close it?", sides, DebateSettings())


def test_everything_about_a_debate_can_be_said() -> None:
    (debate,) = parse(
        SMALL + "debates:\n"
        "  - name: bridge\n    subject: Close it?\n    claims: [Close it., Keep it.]\n    models: [a:b, c:d]\n"
        "    judges: [e:f, a:b]\n    judges_may_debate: true\n    rounds: 2\n    max_rounds: 4\n"
        "    contentiousness: 0.7\n    closing: 0\n    levels: {opening: 0.5}\n    topics: 2\n    topics_proposed: 3\n"
        "    given_topics: [Fog]\n    temperature: 1\n    max_tokens: 99\n    concessions: false\n"
        "    joint_proposal: false\n    swap: judging\n    material: A text.\n"
    ).debates

    assert [debater.model for debater in debate.debaters] == ["a:b", "c:d"]
    assert debate.settings == DebateSettings(
        2, 4, Schedule(0.7, 0.0, {"opening": 0.5}), 3, 2, (Topic("Fog"),), max_tokens=99, concessions=False,
        joint_proposal=False,
    )  # fmt: skip
    assert (debate.judges, debate.swap, debate.material) == (("e:f", "a:b"), "judging", "A text.")


def test_a_study_with_debates_and_a_debate_alone_read_back_as_they_were() -> None:
    study = parse(PLAIN)

    assert load(dump(study)) == study
    assert load_debate(dump_debate(study.debates[0])) == study.debates[0]


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ("judges: a:b", "a debater is among the judges"),
        ("rounds: 6", "fewer rounds at most"),
        ("topics: 11", "too few topics are proposed"),
        ("contentiousness: 1.5", "1.5"),
        ("levels: {dinner: 0.5}", "dinner"),
    ],
)
def test_what_cannot_be_held_is_said_with_its_place(changed: str, problem: str) -> None:
    (found,) = problems(PLAIN.replace("models: a:b}", f"models: a:b, {changed}}}"))

    assert problem in str(found)
