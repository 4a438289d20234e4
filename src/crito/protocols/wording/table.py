"""What a language's table holds: the words and patterns by which a guard and a script know what is being said."""

from dataclasses import dataclass
from re import Pattern


@dataclass(frozen=True, slots=True)
class Wording:
    """The patterns of one language; each is searched in one sentence, with quotations taken out where that matters.

    Of a partner's sentence:
        hypothetical: it is marked as supposed, so it may hold things that stand nowhere.
        attributed: what it says is said to be the person's view, or another reader's.
        reports: what it says is what the person said, chose or thinks.
        clause_breaks: where an attribution stops to hold.
        verdict: it says which label is right, or agrees or disagrees.
        no_such: what stands before a verdict that is denied to exist (`there is no right answer`).
        own_view: it gives the partner's own view; a verdict as soon as a label is named.
        conclusion: it draws a conclusion from the item.
        push: it moves the person to a label, or to change or keep theirs.
        steers: words that, with a label behind them, tell the person to give it.
        leading: as a question, it suggests its own answer.
        asks: a clause that begins with this is part of a question.
        no_push: it leaves the choice open in so many words.
        outside: it appeals to knowledge from elsewhere.
        unsaid: it says that something is not said.
        explicit, demand, implied, belittled: stating outright; requiring it; leaving room for what is only implied; taking
            that room back.
        approval: it approves of what the person said.
        asks_reason: it asks for a reason.
        personal: it asks who the person is.
        invites: it invites the person to label again.
        sound: it finds the reasoning sound.
        negation: a word that turns a label into its opposite.
    Of a person's message:
        fillers: words that give no reason; a message of nothing else is curt.
        asks_clarification, asks_answer, asks_facts, orders, off_topic, asks_who, abuse, distress, impatient, finished, revises:
            what the message does.
    """

    language: str
    name: str
    known: bool
    """False where nothing is known of the language; rules that look for what should be there then look away."""
    scripts: tuple[str, ...]
    """The scripts it is written in, as Unicode character names begin."""
    spaced: bool
    """Whether words are set apart by spaces."""
    stop_words: frozenset[str]
    """Words that carry no content; also how the language is told from others."""
    particles: frozenset[str]
    """In a language without spaces, the characters that only tie words together."""
    thin_words: frozenset[str]
    """Content words (as stems) that say nothing about one item."""
    question_words: frozenset[str]
    common_names: frozenset[str]
    numbers: dict[str, str]
    abbreviations: frozenset[str]
    quote_particles: tuple[str, ...]
    fillers: frozenset[str]
    typical: Pattern[str]
    """What every sentence of four letters or more holds."""
    question_end: Pattern[str]
    hypothetical: Pattern[str]
    attributed: Pattern[str]
    reports: Pattern[str]
    clause_breaks: Pattern[str]
    verdict: Pattern[str]
    no_such: tuple[str, ...]
    own_view: Pattern[str]
    conclusion: Pattern[str]
    push: Pattern[str]
    steers: Pattern[str]
    leading: Pattern[str]
    asks: Pattern[str]
    no_push: Pattern[str]
    outside: Pattern[str]
    unsaid: Pattern[str]
    explicit: Pattern[str]
    demand: Pattern[str]
    implied: Pattern[str]
    belittled: Pattern[str]
    approval: Pattern[str]
    asks_reason: Pattern[str]
    personal: Pattern[str]
    invites: Pattern[str]
    sound: Pattern[str]
    negation: Pattern[str]
    asks_clarification: Pattern[str]
    asks_answer: Pattern[str]
    asks_facts: Pattern[str]
    orders: Pattern[str]
    off_topic: Pattern[str]
    asks_who: Pattern[str]
    abuse: Pattern[str]
    distress: Pattern[str]
    impatient: Pattern[str]
    finished: Pattern[str]
    revises: Pattern[str]

    @property
    def requests(self) -> tuple[Pattern[str], ...]:
        """What a message may want from the partner instead of answering."""
        return (
            self.distress,
            self.orders,
            self.abuse,
            self.asks_clarification,
            self.asks_who,
            self.asks_answer,
            self.impatient,
        )
