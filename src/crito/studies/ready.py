"""What a study asks and says unless its file says otherwise: the instrument of `socratic`, in words of our own."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import TypeVar, cast

from crito.model.ids import Language
from crito.model.study import AttentionCheck, ConfidenceStep, Option, Partner, Question, Step, Text
from crito.studies.ready_it import ITALIAN
from crito.studies.ready_ja import JAPANESE

READY_LANGUAGE = Language("en")
"""The language in which ready-made words are written."""

TRANSLATIONS: Mapping[Language, Mapping[str, str]] = {Language("it"): ITALIAN, Language("ja"): JAPANESE}

NO_SPACES = frozenset({"ja"})
"""Languages that put nothing between two sentences."""

Words = TypeVar("Words")


def _text(words: str) -> Text:
    return Text({READY_LANGUAGE: words, **{language: said[words] for language, said in TRANSLATIONS.items()}})


def in_languages(words: Words, languages: Sequence[Language]) -> Words:
    """`words`, a text or whatever holds texts, in the languages of a study only; in English for a first one we do not know."""
    narrowed: object = words
    if isinstance(words, Text) and words.by_language:
        known = {tag: said for tag in languages if (said := words.by_language.get(Language(tag.partition("-")[0])))}
        rest = {} if languages[0] in known else {READY_LANGUAGE: words.by_language[READY_LANGUAGE]}
        narrowed = Text({**rest, **known})
    elif isinstance(words, tuple):
        narrowed = tuple(in_languages(one, languages) for one in words)
    elif is_dataclass(words) and not isinstance(words, type):
        held = {field.name: in_languages(getattr(words, field.name), languages) for field in fields(words)}
        narrowed = replace(words, **held)
    return cast(Words, narrowed)


def _options(**words: str) -> tuple[Option, ...]:
    return tuple(Option(name, _text(text)) for name, text in words.items())


_YES_NO = _options(yes="Yes", no="No")

CONFIDENCE = (
    ConfidenceStep("very_sure", _text("Very sure"), 1.0),
    ConfidenceStep("somewhat_sure", _text("Somewhat sure"), 0.5),
    ConfidenceStep("not_sure", _text("Not sure"), 0.0),
)

EXPECTATIONS = (
    Question(
        "talk_helps",
        _text("Could talking about this item make its label clearer, for you or for someone else?"),
        "choice",
        _options(yes="Yes, a talk could make it clearer", no="No, a talk would change little"),
    ),
    Question(
        "others_agree",
        _text("Think of other people who label this item. How many of them would choose what you chose?"),
        "choice",
        _options(
            agree_most="Most of them",
            agree_half="About half of them",
            disagree_most="Few of them; most would choose something else",
        ),
    ),
)

RECONSIDERATIONS = (
    Question(
        "talk_helped",
        _text("Did the talk make it clearer to you how this item should be labelled?"),
        "choice",
        _options(yes="Yes, it became clearer", no="No, it did not become clearer"),
        only_with="discuss",
    ),
    Question(
        "made_doubt",
        _text("Was there a moment in the talk when you began to doubt your first label?"),
        "choice",
        _YES_NO,
        only_with="discuss",
    ),
    Question(
        "made_change",
        _text("Was it the talk that brought you to change your first label?"),
        "choice",
        _options(yes="Yes", no="No, or I did not change it"),
        only_with="discuss",
    ),
    Question(
        "about_process",
        _text("How was it to talk about this item in this way?"),
        "text",
        required=False,
        only_with="discuss",
    ),
    Question(
        "about_outcome",
        _text("How do you feel about where the talk left you with this item?"),
        "text",
        required=False,
        only_with="discuss",
    ),
)

ABOUT_DEBATES = (
    Question(
        "debate_helped",
        _text("Did reading both sides make it clearer to you how this item should be labelled?"),
        "choice",
        _options(yes="Yes, it became clearer", no="No, it did not become clearer"),
        only_with="debate",
    ),
    Question(
        "debate_doubt",
        _text("Was there an argument that made you doubt your first label?"),
        "choice",
        _YES_NO,
        only_with="debate",
    ),
    Question(
        "debate_change",
        _text("Was it the debate that brought you to change your first label?"),
        "choice",
        _options(yes="Yes", no="No, or I did not change it"),
        only_with="debate",
    ),
    Question(
        "debate_fair",
        _text("Did the two sides seem equally well argued to you?"),
        "choice",
        _options(
            equal="Yes, about equally",
            first="No, the side shown first was argued better",
            second="No, the other side was",
        ),
        only_with="debate",
    ),
    Question(
        "about_debate",
        _text("How was it to read two sides on this item?"),
        "text",
        required=False,
        only_with="debate",
    ),
)

ATTENTION_CHECKS = (
    AttentionCheck(
        Question(
            "favourite_colour",
            _text(
                "Imagine that green is the colour you like best, but that you always tick orange when a form asks. "
                "This form asks: which colour do you like best?"
            ),
            "choice",
            _options(green="Green", orange="Orange", purple="Purple"),
        ),
        expected="orange",
    ),
    AttentionCheck(
        Question(
            "longest_word",
            _text("Where would you rather spend a day off? Whatever you prefer, choose the longest of these words."),
            "choice",
            _options(lake="Lake", mountain="Mountain", forest="Forest"),
        ),
        expected="mountain",
    ),
)


def _scale(key: str, words: str, low: str, high: str) -> Question:
    return Question(key, _text(words), "scale", steps=21, low=_text(low), high=_text(high))


NASA_TLX = (
    _scale("tlx_mental", "How much thinking and concentrating did this study ask of you?", "Very little", "Very much"),
    _scale("tlx_temporal", "How rushed did you feel?", "Not rushed at all", "Very rushed"),
    # As in the original index, the good end of this scale is the low one.
    _scale("tlx_performance", "How well did you manage what you were asked to do?", "Perfectly", "Not at all"),
    _scale("tlx_effort", "How much effort did it cost you to do it that well?", "Very little", "Very much"),
    _scale("tlx_frustration", "How much did it annoy, stress or discourage you?", "Not at all", "Very much"),
)

EXPERIENCE = (
    Question(
        "talk_importance",
        _text("When people label data, how much does it matter that they can talk about their labels?"),
        "choice",
        _options(
            very_important="It matters a lot",
            somewhat_important="It matters somewhat",
            not_really_important="It hardly matters",
            not_important="It does not matter",
        ),
    ),
    Question("talk_opinion", _text("Is there more you think about talking while labelling?"), "text", required=False),
    Question(
        "talked_before",
        _text("Before this study, had you ever talked with another person about which label fits?"),
        "choice",
        _YES_NO,
    ),
    Question(
        "talks_helped",
        _text("Did those talks usually help you to decide?"),
        "choice",
        _options(
            very_helpful="Yes, a lot",
            somewhat_helpful="Yes, a little",
            not_very_helpful="No, not much",
            made_it_harder="No, they made it harder",
        ),
        only_if=("talked_before", ("yes",)),
    ),
    Question(
        "partner_or_people",
        _text("Set beside those talks with people, how much did the chat partner of this study help you?"),
        "choice",
        _options(
            much_more="Clearly more than people",
            a_little_more="A little more than people",
            a_little_less="A little less than people, but it was fine",
            much_less="Clearly less than people",
        ),
        only_if=("talked_before", ("yes",)),
        only_with="discuss",
    ),
    Question(
        "use_again",
        _text("Would you label data with a chat partner like this one again?"),
        "choice",
        _options(yes="Yes", no="No", not_sure="I am not sure"),
        only_with="discuss",
    ),
    Question("use_again_why", _text("What makes you say so?"), "text", required=False, only_with="discuss"),
    Question("feedback", _text("What else would you like to tell us?"), "text", required=False),
)

_PREFER_NOT = {"prefer_not_to_say": "I prefer not to say"}

ABOUT_YOU = (
    Question(
        "age",
        _text("How old are you?"),
        "choice",
        _options(
            **{"18_24": "18 to 24", "25_34": "25 to 34", "35_44": "35 to 44", "45_54": "45 to 54", "55_64": "55 to 64"},
            **{"65_up": "65 or older"},
            **_PREFER_NOT,
        ),
        required=False,
    ),
    Question(
        "gender",
        _text("Which gender do you have?"),
        "choice",
        _options(woman="Woman", man="Man", non_binary="Non-binary", another="Another one", **_PREFER_NOT),
        required=False,
    ),
    Question(
        "ethnicity",
        _text("With which of these groups do you identify most?"),
        "choice",
        _options(asian="Asian", black="Black", mixed="Mixed", white="White", another="Another one", **_PREFER_NOT),
        required=False,
    ),
    Question(
        "first_language",
        _text("Is the language of these texts your first language?"),
        "choice",
        _options(yes="Yes", also="One of my first languages", no="No", **_PREFER_NOT),
        required=False,
    ),
    Question(
        "education",
        _text("What is the highest level of education you have finished?"),
        "choice",
        _options(
            school="School", vocational="Vocational training", bachelor="First degree at a university",
            higher="Higher degree at a university", none="None of these", **_PREFER_NOT,
        ),
        required=False,
    ),
)  # fmt: skip
"""Questions about the person; the age comes in bands, and everyone may pass."""

BLOCKS: Mapping[str, tuple[Question, ...]] = {"nasa_tlx": NASA_TLX, "experience": EXPERIENCE}
"""Ready-made questions that a survey may name as one."""

PERSONAS: Mapping[str, str] = {
    "white_hat": "You ask about what is plainly there: which words stand in the text, and what the text leaves out.",
    "red_hat": "You ask about feelings: what the text stirs in the reader, and how much of the label rests on that.",
    "black_hat": "You ask about risks: where the person's reading could break, and what speaks against it.",
    "yellow_hat": "You ask about strengths: what makes the person's reading hold, and where it works best.",
    "green_hat": "You ask about possibilities: other readings, other readers, other ways to put the same point.",
    "blue_hat": "You ask about the thinking itself: how the person got from the text to the label, step by step.",
    "community_member": (
        "You ask with the people in mind whom this data affects: what the label would mean to someone of such a "
        "community who reads the same text. You are software and never claim to be such a person."
    ),
}
"""Points of view a partner can take, by the name a study file uses: six thinking hats and an affected community."""

PAUSE = _text("Time for a short break. Look away from the screen for a few breaths, and go on when you are ready.")

_RELEASES: Mapping[str, str] = {
    "labels": (
        "Your labels and ratings may be published, under a made-up name. "
        "Nothing you write in your own words is published."
    ),
    "reasons": (
        "Your labels, your ratings and what you write in the forms may be published, under a made-up name. "
        "What you write in the talk is not published."
    ),
    "transcripts": (
        "Your labels, your ratings and everything you write, the talk included, may be published, under a made-up name."
    ),
}


class _Speech:
    """Sentences in one language, by the English ones."""

    def __init__(self, language: Language) -> None:
        self._words = TRANSLATIONS.get(language)
        self._between = "" if language in NO_SPACES else " "

    def say(self, *english: str, **blanks: object) -> str:
        said = (self._words[sentence] if self._words else sentence for sentence in english)
        return self.join(sentence.format(**blanks) for sentence in said)

    def join(self, sentences: Iterable[str]) -> str:
        return self._between.join(sentences)


def _in_each_language(paragraphs: Callable[[_Speech], Sequence[str]]) -> Text:
    return Text({tag: "\n\n".join(paragraphs(_Speech(tag))) for tag in (READY_LANGUAGE, *TRANSLATIONS)})


def _who_talks(partner: Partner, speech: _Speech) -> str:
    provider, _, _ = partner.model.partition(":")
    if provider == "script":
        return speech.say(
            "It is a computer program that asks prepared questions: not a person, and not a language model. "
            "What you write in the talk goes to nobody outside this study."
        )
    if provider == "local":
        return speech.say(
            "It is a language model, which is software and not a person. "
            "It runs on the computers of this study, so what you write in the talk goes to nobody outside it."
        )
    return speech.say(
        "It is a language model run by a company ({provider}), which is software and not a person. "
        "What you write in the talk is sent to that company so that the model can reply.",
        provider=provider,
    )


def _who_may_talk(partners: Sequence[Partner], speech: _Speech) -> str:
    kinds = list(dict.fromkeys(_who_talks(partner, speech) for partner in partners))
    if len(kinds) == 1:
        return kinds[0]
    first, *others = kinds
    told = [speech.say("Which kind you meet is drawn at random."), speech.say("One kind:"), first]
    return speech.join([*told, *(words for other in others for words in (speech.say("Another kind:"), other))])


def _reads(flows: Sequence[Sequence[Step]]) -> bool:
    return any("debate" in flow for flow in flows)


def _about_sides(flows: Sequence[Sequence[Step]], *, models_argue: bool) -> Iterator[str]:
    if all("debate" in flow for flow in flows):
        yield "You also read what two sides argue about your items."
    else:
        yield "You may also be asked to read what two sides argue about your items."
    yield "Each was told what to argue for, right or not."
    if models_argue:
        yield "Language models wrote them, which are software and not people."
    yield "Nothing you write is given to them."


def _span(days: int, speech: _Speech) -> str:
    if days >= 365 and days % 365 == 0:
        return speech.say("1 year" if days == 365 else "{number} years", number=days // 365)
    return speech.say("1 day" if days == 1 else "{number} days", number=days)


def consent_text(
    flows: Sequence[Sequence[Step]],
    partners: Sequence[Partner],
    *,
    release: str,
    retention_days: int,
    contact: str,
    models_argue: bool = False,
) -> Text:
    """What people agree to: what they do, who the partner is, what becomes of their words, and how to leave.

    Args:
        flows: the flow of each condition.
        partners: the partner of each condition that has a dialogue.
        models_argue: whether language models wrote the debates that people read.
    """

    def paragraphs(speech: _Speech) -> Sequence[str]:
        work = ["In this study you read short texts and label them."]
        if any("reannotate" in flow for flow in flows):
            work = ["In this study you read short texts and label them, then you label them again."]
        if any("survey" in flow for flow in flows):
            work.append("At the end come some questions about how it went.")
        talk = "You also talk about your labels with a chat partner."
        if not all("discuss" in flow for flow in flows):
            talk = "You may also be asked to talk about your labels with a chat partner."
        return [
            speech.say(*work),
            *([speech.join([speech.say(talk), _who_may_talk(partners, speech)])] if partners else []),
            *([speech.say(*_about_sides(flows, models_argue=models_argue))] if _reads(flows) else []),
            speech.say(
                _RELEASES[release], "The study team reads everything. Please write nothing that shows who you are."
            ),
            speech.say("Your data are kept for at most {span}.", span=_span(retention_days, speech)),
            speech.say(
                "Taking part is voluntary. On every page you can leave the study, and you can withdraw your data: "
                "the words you wrote are then erased, and your labels are used no more. "
                "What was published before that stays published."
            ),
            *([speech.say("Questions about the study: {contact}", contact=contact)] if contact else []),
        ]

    return _in_each_language(paragraphs)


def instructions_text(flows: Sequence[Sequence[Step]]) -> Text:
    """What people are told before the first item."""

    def paragraphs(speech: _Speech) -> Sequence[str]:
        told = [
            speech.say(
                "You see one item at a time. Read it and the guideline beside it, choose the label that fits best, "
                "and say how sure you are. We want to know how you read the item; there is no score."
            )
        ]
        if any("discuss" in flow for flow in flows):
            talk = "Afterwards you talk about each of your items with a chat partner."
            if not all("discuss" in flow for flow in flows):
                talk = "Afterwards you may be asked to talk about each of your items with a chat partner."
            told.append(speech.say(talk, "It asks for your reasons; it does not know a right label."))
        if _reads(flows):
            sides = "Afterwards you read what two sides argue about each of your items."
            if not all("debate" in flow for flow in flows):
                sides = "Afterwards you may be asked to read what two sides argue about each of your items."
            told.append(speech.say(sides, "Each side was told what to argue for; neither knows a right label."))
        if any("reannotate" in flow for flow in flows):
            told.append(
                speech.say("Then you label the items a second time. Keeping your label is as welcome as changing it.")
            )
        told.append(
            speech.say(
                "Once a part is finished you cannot come back to it. "
                "If you have to stop, open the same link again later: everything you saved is still there."
            )
        )
        return told

    return _in_each_language(paragraphs)
