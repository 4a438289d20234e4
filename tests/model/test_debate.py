import pytest

from crito.model.debate import DebateSettings, Intervention, Schedule, Topic


def test_defaults_are_those_of_the_source():
    settings = DebateSettings()

    assert (settings.rounds, settings.max_rounds, settings.topics_proposed, settings.topics) == (3, 5, 10, 5)
    assert settings.schedule.at("closing") == 0.9
    assert settings.schedule.at("concession") == settings.schedule.at("joint_proposal") == 0.3


def test_a_phase_may_have_a_contentiousness_of_its_own():
    schedule = Schedule(debate=0.7, by_phase={"closing": 0.5})

    assert (schedule.at("opening"), schedule.at("closing"), schedule.at("concession")) == (0.7, 0.5, 0.3)


@pytest.mark.parametrize("level", [-0.1, 1.1])
def test_contentiousness_is_between_zero_and_one(level):
    with pytest.raises(ValueError, match="from 0 to 1"):
        Schedule(by_phase={"opening": level})


@pytest.mark.parametrize(
    "given", [{"rounds": 0}, {"rounds": 6}, {"topics": 0}, {"topics": 11}, {"attempts": 0}], ids=str
)
def test_settings_under_which_no_debate_can_be_held_are_refused(given):
    with pytest.raises(ValueError, match="must be at least"):
        DebateSettings(**given)


@pytest.mark.parametrize(
    ("title", "mirrored"),
    [
        ("Ethics vs. Innovation", "Innovation vs. Ethics"),
        ("Privacy versus access", "access versus Privacy"),
        ("Oversight", "Oversight"),
        ("a vs b vs c", "b vs c vs a"),
    ],
)
def test_a_mirrored_title_exchanges_its_halves(title, mirrored):
    assert Topic(title).mirrored_title == mirrored


def test_questions_and_new_topics_add_content_and_other_interventions_do_not():
    kinds = ("contentiousness", "question", "add_topic", "strike_topic", "close")

    assert [Intervention(kind).adds_content for kind in kinds] == [False, True, True, False, False]
