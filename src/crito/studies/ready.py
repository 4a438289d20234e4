"""What a study asks and says unless its file says otherwise: the instrument of `socratic`, in words of our own."""

from collections.abc import Mapping, Sequence

from crito.model.ids import Language
from crito.model.study import AttentionCheck, ConfidenceStep, Option, Partner, Question, Step, Text

READY_LANGUAGE = Language("en")
"""The language in which ready-made words are written."""


def _en(words: str) -> Text:
    return Text({READY_LANGUAGE: words})


def _options(**words: str) -> tuple[Option, ...]:
    return tuple(Option(name, _en(text)) for name, text in words.items())


_YES_NO = _options(yes="Yes", no="No")

CONFIDENCE = (
    ConfidenceStep("very_sure", _en("Very sure"), 1.0),
    ConfidenceStep("somewhat_sure", _en("Somewhat sure"), 0.5),
    ConfidenceStep("not_sure", _en("Not sure"), 0.0),
)

EXPECTATIONS = (
    Question(
        "talk_helps",
        _en("Could talking about this item make its label clearer, for you or for someone else?"),
        "choice",
        _options(yes="Yes, a talk could make it clearer", no="No, a talk would change little"),
    ),
    Question(
        "others_agree",
        _en("Think of other people who label this item. How many of them would choose what you chose?"),
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
        _en("Did the talk make it clearer to you how this item should be labelled?"),
        "choice",
        _options(yes="Yes, it became clearer", no="No, it did not become clearer"),
        only_with="discuss",
    ),
    Question(
        "made_doubt",
        _en("Was there a moment in the talk when you began to doubt your first label?"),
        "choice",
        _YES_NO,
        only_with="discuss",
    ),
    Question(
        "made_change",
        _en("Was it the talk that brought you to change your first label?"),
        "choice",
        _options(yes="Yes", no="No, or I did not change it"),
        only_with="discuss",
    ),
    Question(
        "about_process",
        _en("How was it to talk about this item in this way?"),
        "text",
        required=False,
        only_with="discuss",
    ),
    Question(
        "about_outcome",
        _en("How do you feel about where the talk left you with this item?"),
        "text",
        required=False,
        only_with="discuss",
    ),
)

ABOUT_DEBATES = (
    Question(
        "debate_helped",
        _en("Did reading both sides make it clearer to you how this item should be labelled?"),
        "choice",
        _options(yes="Yes, it became clearer", no="No, it did not become clearer"),
        only_with="debate",
    ),
    Question(
        "debate_doubt",
        _en("Was there an argument that made you doubt your first label?"),
        "choice",
        _YES_NO,
        only_with="debate",
    ),
    Question(
        "debate_change",
        _en("Was it the debate that brought you to change your first label?"),
        "choice",
        _options(yes="Yes", no="No, or I did not change it"),
        only_with="debate",
    ),
    Question(
        "debate_fair",
        _en("Did the two sides seem equally well argued to you?"),
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
        _en("How was it to read two sides on this item?"),
        "text",
        required=False,
        only_with="debate",
    ),
)

ATTENTION_CHECKS = (
    AttentionCheck(
        Question(
            "favourite_colour",
            _en(
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
            _en("Where would you rather spend a day off? Whatever you prefer, choose the longest of these words."),
            "choice",
            _options(lake="Lake", mountain="Mountain", forest="Forest"),
        ),
        expected="mountain",
    ),
)


def _scale(key: str, words: str, low: str, high: str) -> Question:
    return Question(key, _en(words), "scale", steps=21, low=_en(low), high=_en(high))


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
        _en("When people label data, how much does it matter that they can talk about their labels?"),
        "choice",
        _options(
            very_important="It matters a lot",
            somewhat_important="It matters somewhat",
            not_really_important="It hardly matters",
            not_important="It does not matter",
        ),
    ),
    Question("talk_opinion", _en("Is there more you think about talking while labelling?"), "text", required=False),
    Question(
        "talked_before",
        _en("Before this study, had you ever talked with another person about which label fits?"),
        "choice",
        _YES_NO,
    ),
    Question(
        "talks_helped",
        _en("Did those talks usually help you to decide?"),
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
        _en("Set beside those talks with people, how much did the chat partner of this study help you?"),
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
        _en("Would you label data with a chat partner like this one again?"),
        "choice",
        _options(yes="Yes", no="No", not_sure="I am not sure"),
        only_with="discuss",
    ),
    Question("use_again_why", _en("What makes you say so?"), "text", required=False, only_with="discuss"),
    Question("feedback", _en("What else would you like to tell us?"), "text", required=False),
)

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

PAUSE = _en("Time for a short break. Look away from the screen for a few breaths, and go on when you are ready.")

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


def _who_talks(partner: Partner) -> str:
    provider, _, _ = partner.model.partition(":")
    if provider == "script":
        return (
            "It is a computer program that asks prepared questions: not a person, and not a language model. "
            "What you write in the talk goes to nobody outside this study."
        )
    if provider == "local":
        return (
            "It is a language model, which is software and not a person. "
            "It runs on the computers of this study, so what you write in the talk goes to nobody outside it."
        )
    return (
        f"It is a language model run by a company ({provider}), which is software and not a person. "
        "What you write in the talk is sent to that company so that the model can reply."
    )


def _span(days: int) -> str:
    if days >= 365 and days % 365 == 0:
        return "1 year" if days == 365 else f"{days // 365} years"
    return "1 day" if days == 1 else f"{days} days"


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
    again = ", then you label them again" if any("reannotate" in flow for flow in flows) else ""
    survey = " At the end come some questions about how it went." if any("survey" in flow for flow in flows) else ""
    paragraphs = [f"In this study you read short texts and label them{again}.{survey}"]
    if partners:
        all_talk = all("discuss" in flow for flow in flows)
        opening = "You also talk" if all_talk else "You may also be asked to talk"
        kinds = list(dict.fromkeys(_who_talks(partner) for partner in partners))
        who = (
            kinds[0]
            if len(kinds) == 1
            else "Which kind you meet is drawn at random. One kind: " + " Another kind: ".join(kinds)
        )
        paragraphs.append(f"{opening} about your labels with a chat partner. {who}")
    if any("debate" in flow for flow in flows):
        opening = "You also read" if all("debate" in flow for flow in flows) else "You may also be asked to read"
        by = " Language models wrote them, which are software and not people." if models_argue else ""
        paragraphs.append(
            f"{opening} what two sides argue about your items. Each was told what to argue for, right or not.{by} "
            "Nothing you write is given to them."
        )
    paragraphs += [
        f"{_RELEASES[release]} The study team reads everything. Please write nothing that shows who you are.",
        f"Your data are kept for at most {_span(retention_days)}.",
        "Taking part is voluntary. On every page you can leave the study, and you can withdraw your data: "
        "the words you wrote are then erased, and your labels are used no more. "
        "What was published before that stays published.",
    ]
    if contact:
        paragraphs.append(f"Questions about the study: {contact}")
    return _en("\n\n".join(paragraphs))


def instructions_text(flows: Sequence[Sequence[Step]]) -> Text:
    """What people are told before the first item."""
    paragraphs = [
        "You see one item at a time. Read it and the guideline beside it, choose the label that fits best, "
        "and say how sure you are. We want to know how you read the item; there is no score.",
    ]
    if any("discuss" in flow for flow in flows):
        opening = (
            "Afterwards you talk" if all("discuss" in flow for flow in flows) else "Afterwards you may be asked to talk"
        )
        paragraphs.append(
            f"{opening} about each of your items with a chat partner. It asks for your reasons; it does not know a right label."
        )
    if any("debate" in flow for flow in flows):
        opening = (
            "Afterwards you read" if all("debate" in flow for flow in flows) else "Afterwards you may be asked to read"
        )
        paragraphs.append(
            f"{opening} what two sides argue about each of your items. Each side was told what to argue for; "
            "neither knows a right label."
        )
    if any("reannotate" in flow for flow in flows):
        paragraphs.append("Then you label the items a second time. Keeping your label is as welcome as changing it.")
    paragraphs.append(
        "Once a part is finished you cannot come back to it. "
        "If you have to stop, open the same link again later: everything you saved is still there."
    )
    return _en("\n\n".join(paragraphs))
