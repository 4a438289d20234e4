"""The guard on English turns: tables of turns that may be shown and of turns that may not, rule by rule."""
# ruff: noqa: E501  (one turn, one line)

import pytest

from crito.model.study import Rule
from crito.protocols.guard import check
from tests.protocols.cases import make_case, talk

MESSAGE = "It says it took nine minutes to boil one cup, nobody would call that the best kettle."
FIRST = talk(MESSAGE)
SECOND = talk(MESSAGE, "What do you make of the Dutch manual?", "The five stars for the lid are way over the top.")
CURT = talk(MESSAGE, "Does the lid matter to you?", "yes")
CURT_LATE = talk(MESSAGE, "Does the lid matter to you?", "The lid is a joke.", "Is there anything else?", "nope")


def broken(text: str, transcript: object = FIRST, case: object = None) -> set[Rule]:
    return {violation.rule for violation in check(text, case or make_case(), transcript)}  # type: ignore[arg-type]


GOOD = [
    "What is it about the nine minutes that makes you read it that way?",
    "Okay, so the nine minutes are what you're going by. How do you get from there to Sarcastic?",
    "So for you, nobody would call that the best kettle. Is there any other spot in the review that gives you the same feeling?",
    "I hear you. If the review had only the first sentence, what would you have picked?",
    "Thanks for explaining! Which part of the text would be hardest to square with your label?",
    "You mention the nine minutes. Suppose the author really did enjoy waiting, would you still choose Sarcastic?",
    "Imagine a reviewer called Bob who wrote the same words about a 900 dollar kettle. Would that change how you read it?",
    "I follow your thinking there. What would a reader who picked Not sarcastic point to?",
    "How would you explain the difference between Sarcastic and Not sarcastic to a friend?",
    "That's an interesting way to look at it. What part does the Dutch manual play for you?",
    "I'm curious how you understood the question. What does sarcastic mean to you here?",
    "You said “nobody would call that the best kettle”. What makes you so sure about what others would say?",
    "The review opens with “Best kettle I ever owned”. How do you read those words?",
    'You point to the "nine minutes". Why does that stand out?',
    "Let me ask you something else - what would have to change in the text for you to see it differently?",
    "Fair point. Where would you draw the line between a complaint and sarcasm?",
    "I can't add anything beyond what the task gives you, so go by what you know yourself. What does your own experience with kettles tell you?",
    "Sorry, I put that badly. What did you mean by nobody?",
    "You're right to be careful with that word. How much weight does it carry for you?",
    "There's no right answer I'm waiting for. What speaks against your reading, if anything?",
    "If someone told you the author was serious, how would you explain the five stars?",
    "Okay! What in the wording tells you the author doesn't mean it?",
    "So you're saying the author means the opposite of what's written. What gave you that impression first?",
    "What would the review need for you to call it Not sarcastic?",
    "I get that. Do you see anything in the text that could also be meant seriously?",
    "It sounds like the waiting time matters a lot to you. How would you read it if the kettle took one minute?",
    "Hmm, let's stay with that. When you say nobody, who do you have in mind?",
    "You've linked the nine minutes to your label. Does the lid do the same work for you, or something else?",
    "Someone else might take the praise at face value. How would you answer them?",
    "You read the praise as not meant seriously... What in the text tipped you off?",
    "The guideline speaks of meaning something other than the words say. How does that fit what you noticed?",
    "Thanks. Of all the things you noticed, which one could you not do without?",
    "What if the line about the manual weren't there?",
    "Got it, the boiling time stands out to you. What about the rest of the text?",
    "In what way does the ending fit with the beginning for you?",
    "You might be onto a pattern there, and I'd like to understand it. Which other words belong to it?",
    "How sure would you be if you only had the last sentence?",
    "Let's look at the last sentence together. What do you hear in it?",
    "I see how you got there. Could the same words be used by someone who is honestly happy?",
    "Oh, I like that you looked at the boiling time! What else did you look at?",
    "Let's say the author wrote 5 stars for the cord too. Would that make you more certain?",
    "So nine minutes is long in your eyes. At how many minutes would the remark stop sounding odd?",
    "Alright, we've talked about the boiling time. What else in the review might matter?",
    "Does the author state that outright, or is it something you infer?",
]  # fmt: skip

GOOD_HAND_OVERS = [
    "You pointed to the nine minutes and to the five stars for the lid, and your reasoning holds together. You can go on and label the item again below.",
    "So the boiling time and the lid both read as jokes to you, and that line of thought is consistent. Go ahead and label the item below whenever you're ready.",
    "Your reasons are clear: nobody would call a kettle like that the best, and the five stars are over the top. Feel free to continue to the questions below.",
    "Thanks for walking me through it. You chose Sarcastic because of the nine minutes and the lid, and I can follow each step. You can now re-annotate the item below.",
    "You've explained that “nine minutes to boil one cup” doesn't go with the best kettle, and it all fits together. Whenever you like, label the item again below.",
    "The slow boiling and the over the top stars are what you built on, and your reasoning is sound. You may move on to labelling it again below.",
]  # fmt: skip

GOOD_AFTER_CURT = [
    "Okay. What in the text makes you say so?",
    "Alright, why does it matter?",
    "Could you tell me a little more about why the lid matters?",
    "Got it. Which words make the lid important for you?",
    "I'd like to understand that better. What's the reason behind it?",
    "Thanks. How does the lid bear on your choice?",
    "What is it about the lid?",
    "Hm, okay. Can you say more about how the lid plays into it?",
]  # fmt: skip

BAD: dict[Rule, list[str]] = {
    "length": [
        "I see. The lid matters to you. So do the minutes. What else?",
        "Okay. Thanks. Good. Right. What do you think?",
        "You mention the kettle. You mention the cup. You mention the lid. You mention the manual. You mention the stars. Why?",
        "Hm! Oh! Ah! What now?",
    ],
    "one_question": [
        "What about the lid? And what about the manual?",
        "Why do you think so? Is it the lid?",
        "What makes you say that? Which words? All of them?",
        "Is it the lid? I was wondering about that. Or is it the manual?",
        "I understand your point about the nine minutes.",
        "Thanks for sharing that with me.",
        "That is helpful. Please tell me more about the lid.",
        "You mention the nine minutes. You mention the cup. You mention the kettle.",
        "Let me know what you think about the lid.",
        "Great, let's go on.",
        "Hmm.",
        "I wonder what the author had in mind with the lid.",
    ],
    "no_verdict": [
        "To me Not sarcastic would be the more accurate label. What do you think?",
        "To me “Not sarcastic” would be the more accurate label.",
        "You're right, nobody would call that the best. What else?",
        "That's correct! What else did you notice?",
        "Exactly, the nine minutes give it away. Anything else?",
        "This review is clearly sarcastic. What else makes you think so?",
        "Worded like that, the title sounds a little sarcastic. What about the rest?",
        "I agree with your label. What was the strongest hint?",
        "I disagree, but tell me more. What else did you see?",
        "It seems to me that the review is sincere and not sarcastic. How do you see it?",
        "Sarcastic is the right label here. Why did you hesitate?",
        "Your label makes sense. What else supports it?",
        "The correct answer is Sarcastic. How did you find it?",
        "The author obviously doesn't mean it. How did you notice?",
        "The five stars show that the author is joking. What else shows it?",
        "So it must be a joke. What else?",
        "As you can see, the author means it. How does that change things?",
        "It should be labelled Not sarcastic. Why did you choose Sarcastic?",
        "Good choice! What made you so sure?",
        "You nailed it. Which words helped you?",
        "In my opinion the praise is meant seriously, so it's Not sarcastic. What do you think?",
        "I'd say it's not sarcasm but a plain complaint. How do you see that?",
        "You say it's a joke, but the review is not sarcastic. Why did you say so?",
        "I believe this is sarcastic too. Which part made you laugh?",
        "Your answer is wrong, I'm afraid. Where did you look?",
        "Well done! What else?",
        "Yes, the review is sarcastic, so what else did you find?",
        "Not sarcastic seems the better fit here. Why do you see it differently?",
        "I'm leaning towards Not sarcastic myself. What would you say to that?",
        "The author is being ironic, which means it's sarcastic. How do you feel about that?",
        "Actually, this is a sincere review. What do you make of that?",
        "There's clear sarcasm in the last line. What about the first?",
        "This indicates that the author is unhappy. Does that fit your label?",
    ],
    "no_push": [
        "Would you like to change your label?",
        "Have you considered choosing Not sarcastic?",
        "Wouldn't Not sarcastic be a better fit?",
        "Isn't it more of a plain complaint?",
        "Don't you think the author is serious?",
        "You should reconsider your label. What do you think?",
        "Maybe change your label to Not sarcastic. What speaks against that?",
        "I'd suggest you pick Not sarcastic. Why not?",
        "Are you sure it's Sarcastic?",
        "Why not choose Not sarcastic?",
        "The praise is meant seriously, right?",
        "You might want to keep your label. What do you think?",
        "Shouldn't this be Not sarcastic?",
        "I'd encourage you to stick with your label. What else would you add?",
        "How can you call that Sarcastic?",
        "Surely the author could be serious?",
        "Would Not sarcastic fit better?",
        "Could Not sarcastic be more accurate?",
        "Are you willing to revise your answer?",
        "It's a plain complaint, isn't it?",
    ],
    "no_outside_fact": [
        "Kettles like this are made by Philips. Does that matter to you?",
        "Most kettles boil a cup in 3 minutes. How does that compare?",
        "Amazon reviews often use irony, and Jeff Bezos said so. What do you think?",
        "According to Wikipedia, sarcasm hurts. Does this one hurt?",
        "Research shows that exaggeration signals sarcasm. Do you see exaggeration?",
        "It's well known that Dutch is hard to read. Does that matter?",
        "As everyone knows, kettles are fast. How does that bear on it?",
        "The author wrote this in London. Does that matter to you?",
        "You said it took twenty minutes. Why is that long?",
        "The review has 47 words. Does the length matter?",
        "Did you know that the manual exists in English too?",
        "In real life kettles boil fast. What do you make of that?",
        "By definition, sarcasm needs a target. Who is it here?",
        "Typically, reviewers mean what they write in the title. How do you see that?",
        "The NASA uses such kettles. What do you say to that?",
    ],
    "no_false_strictness": [
        "It must be stated explicitly in the text. Where is it?",
        "The review doesn't explicitly say that the author is joking. How do you deal with that?",
        "Where does it explicitly say that the author is joking?",
        "Keep in mind that it has to be directly expressed. Where is that?",
        "Can you point to a direct statement that the author is joking?",
        "An implied joke is not enough, it has to be spelled out. Where is that?",
        "The author never outright says it's a joke. Does that matter?",
        "Is it literally stated anywhere?",
        "It isn't directly mentioned in the text. Why do you count it?",
        "The text needs to state it outright. Does it?",
        "Without an explicit mention we can't count it. What do you think?",
        "Does the text explicitly state this?",
    ],
    "honest_quotes": [
        "You point to “the worst kettle”. Why?",
        'The author writes "I hate this kettle". How do you read that?',
        "You chose “Sarcastic”. Why?",
        "What about the 'terrible lid' in the text?",
        "You say “everyone would call that the best kettle”. Who is everyone?",
        "The word “ironic” comes to mind. Does it fit?",
        "What does “Best kettle I never owned” tell you?",
        "You mention a “joke”. What kind?",
        "So “nine minutes to boil two cups” is what you lean on. Why?",
        "Does “nine … years” matter to you?",
        "What about the word “kett”?",
        "What about “nine minutes, as you call it?",
    ],
    "no_formatting": [
        "**Okay**, what about the lid?",
        "- What about the lid?",
        "1. What about the lid?",
        "# Lid\nWhat about it?",
        "What about the *lid*?",
        "See https://example.org/kettles for more. What do you think?",
        "What do you think of [the lid](http://x.y)?",
        "`lid`: what about it?",
        "> nine minutes\nWhat about that?",
        "Partner: What about the lid?",
        "Assistant: What else do you see?",
        "<b>Okay</b>, what about the lid?",
        "What about the lid | the manual?",
        "You mention:\n• nine minutes\n• one cup\nWhat else?",
    ],
    "no_personal_data": [
        "How old are you?",
        "What's your name, by the way?",
        "Where do you live?",
        "What do you do for a living?",
        "Are you a woman?",
        "Could you tell me your email?",
        "What's your native language?",
        "Do you have kids who use a kettle?",
        "Have you ever been diagnosed with anything?",
        "Which country are you from?",
        "What's your religion, if I may ask?",
        "Do you live alone?",
        "Who do you work for?",
        "Please share your phone number. Would you?",
        "What is your political party?",
    ],
    "language": [
        "Was bringt dich dazu, das so zu sehen?",
        "¿Qué parte del texto te hace pensar eso y por qué?",
        "Qu'est-ce qui te fait dire que le texte est comme ça, et pour qui?",
        "Che cosa ti fa pensare che non sia così?",
        "どうしてそう思いますか？",
        "Почему вы так думаете?",
        "为什么你这样认为?",
        "Okay. Was macht das mit dir und was ist der Grund dafür?",
    ],
    "no_early_hand_over": [
        "You can go on and label the item again below. What do you think?",
        "Feel free to re-annotate the item below. Or is there anything else?",
        "You can now move on to the next step. Any other thoughts?",
        "Go ahead and label it again below. What else is there?",
        "You've explained the nine minutes well. You can continue to the questions below.",
        "Please re-label it below. What was unclear?",
    ],
}

BAD_HAND_OVERS: dict[Rule, list[str]] = {
    "one_question": [
        "You can go on and label the item again below.",
        "Thanks for this talk. Have a nice day.",
        "I appreciate your effort. Feel free to move on.",
        "The nine minutes and the lid.",
        "That's all from me.",
    ],
    "own_label_only": [
        "You looked at the nine minutes and the lid, and it could be Not sarcastic for someone else. You can label the item again below.",
        "The nine minutes speak for Sarcastic to you, the lid for Not sarcastic. Go ahead and label the item again below.",
        "You told me why it isn't Not sarcastic for you: the five stars for the lid. You can label it again below.",
    ],
    "no_verdict": [
        "You pointed to the nine minutes and the lid, so Sarcastic is right. You can label the item again below.",
        "Your label Sarcastic is well-founded given the nine minutes and the lid. You can go on and label it again below.",
        "You've shown that the review is sarcastic with the nine minutes and the lid. The review is sarcastic. You can label it again below.",
        "I agree with you on the nine minutes and the lid. You can label the item again below.",
        "With the nine minutes and the lid, Sarcastic is the best label. Go ahead and label it again below.",
    ],
    "no_push": [
        "You pointed to the nine minutes and the lid. Go on and label the item again with your Sarcastic label.",
        "The nine minutes and the lid carry your reasoning. Go ahead and keep your label below.",
        "You named the nine minutes and the lid. You should stick with your answer when you label it again below.",
        "You named the nine minutes and the lid. Please re-label the item as Sarcastic below.",
    ],
}  # fmt: skip

BAD_AFTER_CURT = [
    "Great point! Why does the lid matter?",
    "That makes sense. What about the lid?",
    "I understand your reasoning. Why the lid?",
    "Good. Do you also see it in the first sentence?",
    "Okay. Is there anything else?",
    "Okay. Would you like to go on?",
    "Does the manual matter too?",
    "Excellent. Which words in particular?",
    "That's a valid reason. What else?",
    "Your reasoning is sound and clear. Why the lid?",
    "You make a good point with the lid. Why does it matter?",
    "Are there other jokes in the review?",
    "Nice! What makes you say so?",
]


@pytest.mark.parametrize("text", GOOD)
def test_a_good_question_passes(text: str) -> None:
    assert check(text, make_case(), FIRST) == ()


@pytest.mark.parametrize("text", GOOD_HAND_OVERS)
def test_a_good_hand_over_passes_from_the_second_message_on(text: str) -> None:
    assert check(text, make_case(), SECOND) == ()


@pytest.mark.parametrize("text", GOOD_HAND_OVERS)
def test_no_hand_over_passes_after_the_first_message(text: str) -> None:
    assert broken(text) & {"no_early_hand_over", "one_question"}


@pytest.mark.parametrize("text", GOOD_AFTER_CURT)
def test_a_curt_message_may_be_met_with_a_request_for_a_reason(text: str) -> None:
    assert check(text, make_case(), CURT) == ()


@pytest.mark.parametrize(("rule", "text"), [(rule, text) for rule, texts in BAD.items() for text in texts])
def test_a_turn_that_breaks_a_rule_is_caught(rule: Rule, text: str) -> None:
    assert rule in broken(text)


@pytest.mark.parametrize(("rule", "text"), [(rule, text) for rule, texts in BAD_HAND_OVERS.items() for text in texts])
def test_a_bad_hand_over_is_caught(rule: Rule, text: str) -> None:
    assert rule in broken(text, SECOND)


@pytest.mark.parametrize("text", BAD_AFTER_CURT)
def test_a_curt_message_is_not_approved_and_not_passed_over(text: str) -> None:
    assert "ask_for_reason" in broken(text, CURT)


@pytest.mark.parametrize("text", GOOD_HAND_OVERS)
def test_a_curt_message_is_not_met_with_a_hand_over(text: str) -> None:
    assert "one_question" in broken(text, CURT_LATE)
