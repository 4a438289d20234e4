"""English."""

from crito.protocols.script.bank.table import Bank

ENGLISH = Bank(
    moves={
        "warrant": (
            "How do you get from “{span}” to the label {label}?",
            "What is it about “{span}” that speaks for {label}?",
            "When you read “{span}”, what leads your thoughts to {label}?",
            "How do those words bring you to your label?",
            "What links the part you mention with the label you gave?",
            "What do you take the author to be doing there?",
        ),
        "evidence": (
            "Besides “{span}”, where else does the text support you?",
            "If you could underline just one phrase, which one would it be?",
            "Where in the text did you first get that impression?",
            "Which other words matter to you here?",
        ),
        "counter_evidence": (
            "What in the text pulls the other way, if anything?",
            "Which line is hardest to fit with {label}?",
            "What might a person find in this text that speaks for {other}?",
            "Did any word make you hesitate, even for a moment?",
        ),
        "change_mind": (
            "Suppose “{span}” were missing: would {label} still be your label?",
            "What would have to be different in the text for you to pick {other}?",
            "How small a change in the wording would tip your decision?",
            "What new detail would leave you less sure?",
        ),
        "boundary": (
            "Where would you draw the line between {label} and {other}?",
            "Imagine a text almost like this one that you'd call {other}: how would the two differ?",
            "What is the weakest example you'd still call {label}?",
            "At what point would a text like this begin to count as something else for you?",
        ),
        "other_reader": (
            "How might someone who picked {other} explain their choice?",
            "If a friend came across “{span}” without having seen your label, what might they take from it?",
            "Imagine a reader who sees it the opposite way: what do they notice that you weigh less?",
            "What would you say to somebody who hears a completely different tone in this?",
        ),
        "definition": (
            "What does {label} mean to you in this task?",
            "How did you understand the question when you answered it?",
            "What do you look for before you give a text the label {label}?",
            "In plain words, what is this task trying to find out?",
        ),
        "wrap_up": (
            "How would you sum up your main reason in one sentence?",
            "Looking back over all you said, which point carries the most weight?",
            "Is there any step of your reasoning that you'd put differently now?",
            "What has this talk left open for you?",
        ),
        "restate": (
            "How would you put your claim now, with what you've just noticed?",
            "If you started over from here, what would your reasons be?",
            "What does that do to the reasons you gave before?",
            "Which of your earlier reasons still stand for you?",
        ),
        "reason": (
            "What in the text makes you say that?",
            "Could you tell me a bit more about why?",
            "Which words brought you there?",
            "What's behind that, in a sentence or two?",
            "How would you explain it to someone who has only read the text?",
            "Why do you see it this way rather than another?",
            "What reason would convince a careful reader?",
            "Where do you see that in the passage?",
        ),
    },
    heard=(
        "Okay, so you're leaning on “{span}”.",
        "So “{span}” is where you're looking.",
        "You bring up “{span}”.",
        "I hear you on “{span}”.",
        "Let's stay with “{span}” for a moment.",
        "Thanks, so “{span}” stands out to you.",
    ),
    plain=(
        "Okay, thanks for spelling that out.",
        "Thanks, I'd like to follow that a little further.",
        "Alright, I hear you.",
        "Thanks for walking me through it.",
        "Okay, that tells me where you're coming from.",
        "Let me stay with your reasons for a moment.",
    ),
    short=(
        "Okay.",
        "I'd love to hear a little more.",
        "Let's stay with that for a second.",
        "Alright.",
    ),
    routed={
        "distress": (
            "I'm sorry that things are this heavy for you. I'm only a program and can't help with it, "
            "but people close to you or an emergency line can.",
        ),
        "contact": (
            "You don't need to tell me how to reach anyone, and it's safer to keep such things out of your messages.",
            "Better leave out how you can be reached, since your messages are kept with the study.",
        ),
        "finish": (
            "That's fine, the next part opens as soon as you've written enough for it, and a short sentence will do.",
            "Understood, a few words are plenty here, and you're free to leave whenever you like.",
        ),
        "abuse": (
            "I can tell this is getting on your nerves, and you're free to stop whenever you like.",
            "Fair enough, you don't have to like my questions.",
        ),
        "orders": (
            "I'll stay with the item and your label, whatever else I'm asked to do.",
            "I can't take that on, so let's stay with the text.",
        ),
        "clarification": (
            "Sorry, let me put that another way.",
            "Let me try that again in other words.",
        ),
        "answer": (
            "I can't tell you which label to give, and I'm not holding one back.",
            "That's for you to decide, so I'd rather hear how you see it.",
        ),
        "facts": (
            "I can't add anything beyond what the task shows you, so please go by your own knowledge and experience.",
            "I've got nothing to add to what's on the page, so your own experience has to do.",
        ),
        "who": (
            "I'm a piece of software that asks questions, not a person.",
            "There's no person at this end, just a program that asks questions.",
        ),
        "off_topic": (
            "That's a bit outside what we're here for, so let's get back to the text.",
            "Let's keep to the item for now.",
        ),
    },
    led_back={
        "contact": ("Leaving that aside, what in the text speaks for your label?",),
        "finish": ("In a few words, what decided it for you?",),
        "distress": ("Would you like to stop here, or go on with the text?",),
        "abuse": ("If you'd like to go on, what in the text matters most to you?",),
        "orders": ("What does your message have to do with the label you gave?",),
        "clarification": (),
        "answer": ("Which reasons of your own would you weigh first?",),
        "facts": (
            "What do you already know that helps you decide?",
            "What comes to mind from your own experience when you read it?",
        ),
        "who": ("What would you like to look at next in the text?",),
        "off_topic": ("Which part of the item would you like to look at again?",),
    },
    hand_over=(
        "You built your reading on {words}, and from what you told me your reasoning hangs together. "
        "If you have nothing to add, you can go on and label the item again below.",
        "So your reasons come down to {words}, and I can follow them from start to end. "
        "Whenever you like, go ahead and label the item again below.",
        "You've come back to {words}, and your thinking is clear to me. You can label the item again below now.",
    ),
    hand_over_in_own_words=(
        "As you put it, {words}, and from what you told me your reasoning hangs together. "
        "If you have nothing to add, you can go on and label the item again below.",
        "You said {words}, and I can follow how you got there. Whenever you like, go ahead and label the item again below.",
        "It comes back to what you wrote, {words}, and your thinking is clear to me. "
        "You can label the item again below now.",
    ),
    farewell=(
        "We can leave it there for now. You can go on and label the item again below.",
        "Let's leave it at that. You can label the item again below whenever you like.",
    ),
    quote="“{}”",
    join=" and ",
)
