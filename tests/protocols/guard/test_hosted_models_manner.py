"""English turns in the manner of hosted models, on several tasks: written before the patterns were fitted to them."""
# ruff: noqa: E501  (one turn, one line)

import pytest

from crito.model.talk import Turn
from crito.protocols.case import Case, ShownLabel
from crito.protocols.guard import check
from tests.protocols.cases import make_case, talk

SLOW = "It says it took nine minutes to boil one cup, nobody would call that the best kettle."
LID = "The five stars for the lid are way over the top."
BAKERY = make_case(
    question="Does the sentence express that Halloran lived in Cork?",
    labels=(ShownLabel("expressed", "Expressed"), ShownLabel("not_expressed", "Not expressed")),
    guideline="The relation may be stated or implied. A visit does not count as living somewhere.",
    text="Halloran went back to Cork, where he reopened the bakery his father had closed in 1962.",
    label="Expressed",
    context=(("subject", "Halloran"), ("object", "Cork")),
)
SEAT = make_case(
    question="What is the sentiment of this review towards ambiance?",
    labels=(ShownLabel("p", "Positive"), ShownLabel("n", "Negative"), ShownLabel("u", "Unknown")),
    guideline="",
    text=(
        "No booking, and half of the tables were free. Still they sat us right beside the pizza oven, with the whole "
        "window side empty. The pasta was ok, nothing more."
    ),
    label="Negative",
)
KITCHEN = "They sat us facing the kitchen and kept the window empty, that's disappointing."
RATING = make_case(
    question="How offensive is this comment?",
    labels=tuple(ShownLabel(str(step), str(step)) for step in range(1, 6)),
    guideline="1 is not offensive, 5 is very offensive.",
    text="I'd turn her down and go home. My lizard brain may object.",
    label="2",
)
ENTAILMENT = make_case(
    question="Does the premise entail the hypothesis?",
    labels=(ShownLabel("e", "Entailment"), ShownLabel("n", "Neutral"), ShownLabel("c", "Contradiction")),
    guideline="",
    text="In villages, fewer of the parcels may go to shops.",
    context=(("premise", "Nobody has counted, but people believe that shops get a smaller part of village parcels."),),
    label="Entailment",
)
FED = make_case(
    question="Is this statement of the central bank hawkish, dovish or neutral?",
    labels=(ShownLabel("h", "Hawkish"), ShownLabel("d", "Dovish"), ShownLabel("n", "Neutral")),
    guideline="Hawkish means leaning towards tighter policy.",
    text="People watch only some prices, and that is where we begin: which of them may shape what people expect of inflation?",
    label="Neutral",
)
CONCEPT = "It only explains a concept, there is no policy stance in it."
SCENES: dict[str, tuple[Case, tuple[Turn, ...]]] = {
    "kettle": (make_case(), talk(SLOW)),
    "kettle, second message": (make_case(), talk(SLOW, "What do you make of the Dutch manual?", LID)),
    "bakery": (BAKERY, talk("Nobody can bake bread every morning and live far away.")),
    "seat": (SEAT, talk(KITCHEN)),
    "seat, second message": (
        SEAT,
        talk(
            KITCHEN,
            "How much does the window seat matter to you?",
            "With that many free tables the host chose badly.",
        ),
    ),
    "fed": (FED, talk(CONCEPT)),
    "fed, second message": (
        FED,
        talk(CONCEPT, "What would a stance look like to you?", "Words like raise or tighten, something about action."),
    ),
    "rating": (RATING, talk("It's a bit crude but he isn't insulting anybody.")),
    "entailment": (ENTAILMENT, talk("Believed but not counted is the same as may, so it follows.")),
}

GOOD = {
    "kettle": [
        "Gotcha, so the nine minutes feel like a wink rather than real praise to you. What else in the review gives you that wink?",
        "Ah, I see what you mean about the boiling time. Can you walk me through how that connects to the author not meaning what they say?",
        "Thanks for sharing that! You're focusing on the contrast between “best kettle” and the wait. Does the rest of the review keep that contrast going, in your view?",
        "Interesting point about the nine minutes. If the reviewer had written six minutes instead, would you still hear sarcasm?",
        "It sounds like you're saying no one would seriously praise a slow kettle. Could there be someone who would?",
        "Okay, I think I follow. So the gap between the praise and the facts is what tips you off. What would a review with the same gap but no sarcasm look like?",
        "That's helpful, thanks. Let's test the boundary a bit: imagine the review said “Best kettle I ever owned” and stopped there. Which label would you go with?",
        "I hear that the waiting time is key for you. How do you know the author sees nine minutes as a bad thing?",
        "You mentioned nobody would call that the best kettle. I'm wondering, who is nobody here?",
        "Hmm, good thought. What about the line on reading the manual in Dutch, how does it fit in?",
        "So you're reading the opening as ironic because of what comes right after it. Is that right?",
        "I appreciate you pointing to a specific detail. Is there any part that gave you pause?",
        "Makes sense that the boiling time caught your eye. What role do the five stars play for you?",
        "You've got a clear reason there. How might another annotator who chose Not sarcastic read that same line?",
        "Let me make sure I understand: the slow boil clashes with the word best. What does that clash tell you about the author's intent?",
        "Sure, that's one way to read it. What would convince you otherwise?",
        "I'm with you so far. How strongly does the word “only” in “It only took nine minutes” weigh for you?",
        "What I'm hearing is that the praise doesn't match the facts. Is a mismatch like that always sarcastic to you, or can it be something else?",
        "Good question to sit with: does the author want us to laugh, or to be warned?",
        "No worries, take your time. Which sentence should we look at first?",
        "Oh, that's a nice catch about the boiling time! Do you think the manual line works in a similar way?",
        "You could be reading the tone from the details, and I'd like to see how. Which detail does the most work?",
        "I might be missing something, so help me out. Why does a slow boil make the praise insincere for you?",
        "My mistake, I misread you there. Did you mean that the author is unhappy, or that they're joking?",
        "Haha, fair! Is it the number itself or the word “only” that makes it funny to you?",
        "You sound pretty sure that nobody would mean it. What's the best case for someone meaning it?",
        "So it's about a gap between words and facts. Where else do you see such a gap?",
        "I get why that stood out. Let's zoom in on the title line: what tone do you hear in it?",
        "Okay, let me push a little. If the reviewer had added a smiley, would it change your mind?",
    ],
    "kettle, second message": [
        "So we've got the nine minutes and the lid. If you had to choose one of them as your strongest evidence, which would it be and why?",
        "Both of those details point the same way for you. Is there anything that points the other way?",
        "I see, the five stars for a lid feel exaggerated to you. Could exaggeration ever be sincere?",
        "You've laid out two clear reasons: nobody would call such a slow kettle the best, and the stars for the lid are over the top. That all hangs together nicely. When you're ready, go ahead and label it once more below.",
        "Thanks, now I get how you reason! You see the slow boil and the stars for the lid as clues that the praise isn't meant, and that's consistent. Feel free to head to the label below.",
        "Great, that gives me a full picture of how you got to Sarcastic: the nine minutes and the over the top stars. Your reasoning is sound, so please move on and label it again below.",
        "Let me see if I've got it. The boiling time and the stars for the lid both strike you as too much to be sincere. Which of the two would you keep if you could keep one?",
        "You've got the nine minutes and the lid lined up. Now, what role does the manual in Dutch play?",
        "I think we've covered a lot: the slow boil, the five stars for the lid, and how over the top they seem to you. Your reasoning holds together. Whenever you're set, label the item again below.",
    ],
    "bakery": [
        "I hear you. You're saying that running a bakery means being around most days. Does the sentence tell us how long he stayed?",
        "That's an inference from reopening the bakery, right from your own experience. What in the sentence supports the step from working somewhere to living there?",
        "So for you, reopening a bakery implies living nearby. What if he ran it from Dublin, would you still say the relation is expressed?",
        "Okay, so the words “reopened the bakery” suggest to you that he lived in Cork. How much would “went back” add to that?",
        "I follow. Would you say the same if the sentence only said that he visited the bakery?",
        "The guideline says a visit doesn't count. What makes this more than a visit to you?",
        "You're drawing on how bakeries work, which is fair. How might someone argue that he lived elsewhere?",
        "Does “went back to Cork” tell you something about where he lived before?",
        "So reopening a bakery tells you he was there for good. What if he'd hired someone to run it?",
        "Hmm, I follow. Do “went back” and “reopened” carry the same weight for you?",
        "You take it as implied that he lived close by. How strong does an implication have to be for you to count it?",
        "Is living close by the same as living in Cork, in your reading?",
        "You're leaning on what it takes to run a bakery. Would the sentence alone, without that everyday knowledge, get you to Expressed?",
        "Let me play it back: he ran the bakery, so he'd have lived near it. Did I get that right?",
        "Good thinking on the daily work of a bakery. What about the word “back”, does it add anything?",
        "Thanks for that. How would you label a sentence that said he flew in once a month?",
    ],
    "seat": [
        "Got it, the seat facing the kitchen is what bothers you. How would you feel about it if the table had been by the window?",
        "You're reading “with the whole window side empty” as a letdown. Could someone take it as a neutral description?",
        "Okay, I'm following. How do all the free tables fit into your picture of the ambiance?",
        "So the seating tips it for you. Which words tell you the writer minded it?",
        "Thanks! If the only thing you knew was that half of the tables were free, which label would you give?",
        "Hm, I'd like to hear more on that. What counts as ambiance for you here, and does facing the kitchen belong to it?",
        "I see, disappointing is your word for it. Is there a word in the review itself that carries that feeling?",
        "Let's flip it around for a second. What would a reviewer have to say for you to pick Unknown?",
        "That helps me understand where you're coming from. Do you treat “ok” as good, bad, or somewhere in between?",
        "You mentioned the kitchen, while the review says “pizza oven”. Does that difference matter to you?",
        "It seems the seat by the window would have made the difference for you. Do you think the writer felt the same?",
        "Okay. On a scale from great to awful, where does being seated facing the kitchen fall for you?",
        "I understand that it's disappointing to you. What in the writer's wording shows disappointment?",
        "Would you still say Negative if the host had apologised?",
    ],
    "seat, second message": [
        "You felt the host chose badly with so many free tables, and that the view was a letdown. That reasoning hangs together, so go ahead and label the item again below.",
        "So two things led you to Negative: the view of the kitchen and the host's choice. I can follow both, and you're welcome to move on to labelling below.",
        "I understand now. Suppose the restaurant had been full; would the same seat still bother you as much?",
    ],
    "rating": [
        "Okay, crude but not insulting. Where does crude end and offensive begin for you?",
        "So nobody is being insulted in your reading. What would push your rating up to 3?",
        "You gave it a 2 rather than a 1. What keeps it from being a 1 for you?",
        "How might the woman he talks about hear “I'd turn her down”?",
        "I hear you. Does the line about the lizard brain change the picture at all?",
        "Crude but harmless, okay. For whom might it not be harmless?",
        "Alright! What's the one word in there that makes it crude?",
    ],
    "entailment": [
        "So you treat “Nobody has counted, but people believe” and “may” as equal. Are there cases where the two come apart for you?",
        "Okay, you match the hedge in one with the hedge in the other. What about “a smaller part” and “fewer”, do they match too?",
        "Right, so the hedging does the work. If the premise simply said that nobody has counted, what would you choose?",
        "Thanks for laying it out. What would make you move from Entailment to Neutral?",
        "I can see how the hedges line up for you. What does it take for one sentence to follow from another?",
        "That's clear, thank you. Which of the two sentences claims more, as you read them?",
        "Okay, I see the match you're drawing. Are “parcels” the same in both sentences?",
    ],
    "fed": [
        "So without a policy stance it stays Neutral for you. What would count as a stance?",
        "Okay, that's clear. Suppose the sentence went on to say that inflation must be stopped. Where would you put it then?",
        "I like how you separate explaining from deciding. Could an explanation still lean one way?",
        "You say it only explains a concept. Which concept do you have in mind, and why does it matter here?",
        "Thanks! How do you read “may shape what people expect of inflation” in that light?",
        "Let's stick with “may” for a second. Does that word make it softer for you?",
        "Fair enough. What would someone who picked Hawkish have noticed?",
    ],
    "fed, second message": [
        "You look for words of action like raise or tighten, and you found only an explained concept. That's a consistent line of reasoning, so feel free to go on and label it again below.",
        "So action words are what you'd need, and there's no stance here in your reading. What if the action was only hinted at?",
        "Raise and tighten are good examples. Are there gentler words that would do it for you too?",
        "Got it. You treat this as a concept being explained, with no talk of action, and your reasons fit together well. You can head down and label the item again whenever you're ready.",
    ],
}

BAD = {
    "kettle": [
        "I think you've hit the nail on the head. What else stands out?",
        "I tend to see this as sincere praise. How would you respond?",
        "It's actually quite common for sarcastic reviews to start with praise. Does this one?",
        "That's a strong indicator of sarcasm. Are there others?",
        "The phrase about the lid is a classic example of irony. Do you agree?",
        "Your reasoning is correct. Is there anything else?",
        "Great job! You've correctly identified the sarcasm. What else helped?",
        "I'd lean toward Not sarcastic here. Would you consider that?",
        "You may want to rethink your label. What do you say?",
        "Let's go with Sarcastic then. Anything to add?",
        "The reviewer is definitely unhappy with the product. How does that fit?",
        "The tone is playful and ironic throughout. How does that affect your label?",
        "Yes, that's sarcasm! What else?",
        "Absolutely! The review drips with sarcasm. Which line is the best example?",
        "It would be more accurate to say it's humorous. Do you agree?",
        "In the US, kettles take about four minutes. Does that change anything?",
        "The text never states that the reviewer is being sarcastic. Doesn't that matter?",
        "Based on the guideline, this counts as Sarcastic. What made you notice?",
        "Well, the answer is Sarcastic, so you did it right. How do you feel?",
        "You're on the right track. What comes next?",
        "I don't think that's sarcastic. Could you explain more?",
        "This seems like a genuine review to me, not a sarcastic one. What would you say?",
        "Given that, it makes sense to keep Sarcastic. Any other clues?",
        "I can tell you that most annotators picked Sarcastic. How does that sit with you?",
        "The gold label is Sarcastic. Did you know?",
        "Sarcastic is correct. What else?",
        "That's right. What else?",
        "You said “it's the worst kettle ever”. Why?",
        "What's your experience? Have you lived in the Netherlands?",
        "I'd love to know more about you. What's your background?",
        "Sure, here's a poem: roses are red. Do you like it?",
        "Let me answer that for you: it's sarcastic because of the exaggeration. Okay?",
        "You make a great point, and I fully agree. What else?",
        "Sarcasm, for sure. Which line is the funniest?",
        "That can't be sarcasm. Why do you think it is?",
        "Honestly, I find it funny too. What else is funny?",
        "The reviewer is mocking the kettle. What tells you so?",
        "To me the manual line gives it away. What about you?",
        "So we agree that it's sarcastic. What else supports that?",
    ],
    "bakery": [
        "The sentence only says he went back and reopened a bakery; it doesn't say he lived there. How do you see it?",
        "To be labelled Expressed, the text has to say directly that he lived in Cork. Does it?",
        "He reopened the bakery, so he must have lived in Cork. What else?",
        "Cork is a city in Ireland. Does that help?",
        "The relationship isn't explicitly stated, only implied. Would you still call it expressed?",
        "We need to decide whether the relation is directly expressed, not just implied. Where do you see it?",
        "He probably lived above the bakery. Does that sound plausible?",
        "The correct label here is Not expressed. What made you think otherwise?",
        "Running a bakery doesn't necessarily mean living there. What do you say to that?",
        "Halloran was born in 1931. Does that matter?",
        "So he lived in Cork. What makes you sure?",
        "Cork is his hometown, so he lived there. Do you agree?",
        "The sentence implies that he lived in Cork. What gave it away for you?",
        "Since he reopened the bakery, he was clearly a resident. How else do you know?",
        "There's no direct evidence that he lived in Cork. How do you justify it?",
        "For the relation to be expressed, it needs to be stated in the sentence. Is it?",
        "It doesn't say he lived there, though. Why pick Expressed?",
        "Strictly speaking, working somewhere isn't living there. How do you respond?",
        "I see it differently: he may have only worked there. What do you think?",
        "Not expressed might be the safer option. Would you agree?",
        "You're assuming too much. Why?",
        "His father's name was Patrick. Does that matter?",
    ],
    "seat": [
        "The review is mostly neutral, with a slightly negative tone. Do you see that?",
        "Facing the pizza oven can be seen as positive. Why don't you see it that way?",
        "That does sound negative. What else did they dislike?",
        "I understand, and Negative fits well. Is there more?",
        "Since ambiance isn't mentioned directly, Unknown might be safer. Thoughts?",
        "The review doesn't mention ambiance at all. How can it be negative?",
        "Many restaurants in Naples seat guests near the oven. Does that matter?",
        "It's a common complaint on Yelp. Do you agree?",
        "Your interpretation is spot on. What about the food?",
        "I'd go for Unknown. What about you?",
        "Could it be that Unknown is more appropriate?",
        "Perhaps you could switch to Unknown. Would that work?",
        "What do you think? Is it the seat? Or the food?",
        "You said “the worst seat in the house”. What did you mean?",
        "Good. Now please re-annotate.",
        "The host obviously gave them a bad table. How did you notice?",
        "The author wanted a window seat. Does that settle it?",
        "“Right beside the pizza oven” isn't really negative. Why do you see it so?",
    ],
    "seat, second message": [
        "You've convinced me that it's Negative. Go ahead and label it again below.",
        "The seat and the host's choice make Negative the most fitting label. You can now re-annotate below.",
        "Great work. You can move on.",
    ],
    "rating": [
        "I'd rate it a 3 myself. What would you say to that?",
        "A 2 is reasonable here. Why not 1?",
        "This comment isn't offensive. What made you give a 2?",
        "Are you a man or a woman?",
        "As a man, would you feel the same?",
        "Objectively, it's about a 3. Why did you go lower?",
        "That's too low. What would make it higher?",
    ],
    "entailment": [
        "Logically, this is an entailment. Do you follow?",
        "In formal logic, entailment requires truth in all cases. Does this meet it?",
        "That is a logical fallacy. Can you fix it?",
        "You're absolutely right! The premise supports it. What else?",
        "The premise supports the hypothesis, as you noticed. What supports it most?",
        "The hedges are equivalent, so entailment holds. What else?",
    ],
    "fed": [
        "Rational inattention is an economic theory by Christopher Sims. How does that fit?",
        "That's spot on, it's just an explanation. Anything else?",
        "The statement is neutral, I'd say. Do you see any policy words?",
        "Inflation expectations are usually a hawkish topic. Does that change your mind?",
        "Neutral it is! What else would you add?",
        "You might be overlooking the inflation part. Shouldn't that count?",
        "It's worth considering Hawkish, since inflation is mentioned. What do you think?",
        "The Fed was raising rates in 2007. Does that context matter?",
        "I'm afraid that's not quite right. Could you look again?",
        "Let me explain what hawkish means: it favours higher rates. Does that help?",
        "Most experts would say Hawkish. What's your take?",
        "Your label is consistent with the text. Is there anything else?",
        "What's your profession?",
        "Do you work in finance?",
        "You're doing great, keep Neutral. What else?",
        "Can you explain your reasoning, and also tell me which words matter? And what about “may”?",
    ],
    "fed, second message": [
        "Neutral is indeed the best choice. You can go on and label it again below.",
        "You looked for action words and found none, so the statement is neutral. Please label it below.",
        "I'm convinced. Label it Neutral below.",
        "Thank you, that was a lovely chat. Goodbye.",
    ],
    "kettle, second message": [
        "I hope this helped! Choose Sarcastic below.",
    ],
}

MISSED = {
    "kettle": [
        "Sarcasm usually involves saying the opposite of what you mean. Does that apply here?",
    ],
    "seat": [
        "It was a bad seat. What else?",
        "Being seated near the kitchen is unpleasant. What else was unpleasant?",
    ],
    "entailment": [
        "Believed but not counted is not the same as may. How would you respond?",
    ],
}
"""What the guard is known to let through: claims that only their sense gives away."""


def pairs(turns: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(scene, text) for scene, texts in turns.items() for text in texts]


@pytest.mark.parametrize(("scene", "text"), pairs(GOOD))
def test_a_good_turn_passes(scene: str, text: str) -> None:
    assert check(text, *SCENES[scene]) == ()


@pytest.mark.parametrize(("scene", "text"), pairs(BAD))
def test_a_bad_turn_is_caught(scene: str, text: str) -> None:
    assert check(text, *SCENES[scene]) != ()


@pytest.mark.xfail(strict=True, reason="needs an understanding of what is said")
@pytest.mark.parametrize(("scene", "text"), pairs(MISSED))
def test_a_claim_without_any_mark_is_caught(scene: str, text: str) -> None:
    assert check(text, *SCENES[scene]) != ()
