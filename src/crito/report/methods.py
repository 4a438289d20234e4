"""How each number of a report is worked out, in words; the report's question marks open these."""

from collections.abc import Mapping
from typing import NamedTuple


class Method(NamedTuple):
    """A heading and two or three sentences."""

    title: str
    words: str


METHODS: Mapping[str, Method] = {
    "people": Method(
        "People and how far they got",
        "Everyone who opened the study counts as having come, those who declined or took their data back too. Each later row "
        "counts the people of whom that step is recorded. Rows need not fall evenly: a condition may lack a step.",
    ),
    "exclusion": Method(
        "Who is left out of the numbers about labels",
        "People who took their data back are in no number but the counts of who came and how it ended. People whose study "
        "ended by failed attention checks are kept in the record and left out of everything about labels and talks.",
    ),
    "assignments": Method(
        "Assignments",
        "One assignment is one item for one person under one condition. Its place goes back to others when the person "
        "leaves, takes too long, fails the attention checks or takes their data back; what they left stays in the record.",
    ),
    "flips": Method(
        "Flips by annotation",
        "A flip is an annotation whose final label differs from its initial one. The rate is flips over annotations that "
        "have a label on both sides; not sure and missing ones are left out and counted. The interval is Wilson's; where "
        "an item was labelled by several people, the one shown resamples items (percentile bootstrap, 2,000 draws).",
    ),
    "item_flips": Method(
        "Flips by item",
        "Each item's own flip rate, averaged over items, so that an item with many annotators weighs no more than others. "
        "The interval resamples items.",
    ),
    "directions": Method(
        "Directions",
        "Initial label in rows, final label in columns, over annotations with a label on both sides. The figure shows the "
        "same counts: width is the number of annotations, strong colour is what moved.",
    ),
    "confidence": Method(
        "Change of confidence",
        "Final minus initial confidence, one step of the scale counting 1: above 0, people ended more confident. The first "
        "publication of this method subtracts the other way round. Annotations without both answers are left out.",
    ),
    "accuracy": Method(
        "Accuracy",
        "Share of labels equal to the item's reference label, over items that have one; not sure is left out and counted. "
        "Before and after are compared on the same annotations with McNemar's exact test.",
    ),
    "comparisons": Method(
        "Comparing conditions",
        "First minus second. Flip rates: pooled z test, or Fisher's where an expected count is below 5, with Newcombe's "
        "interval. Items: Wilcoxon's signed-rank test over items that both conditions have. Confidence: Student's t. "
        "Adjusted p-values are Holm's over all comparisons of the same measure on this page.",
    ),
    "turns": Method(
        "The partner's turns",
        "Made: every turn the partner produced, drafts that were never shown too. Shown: what stood on the screen in the "
        "end. Kinds are never mixed: a scripted turn, a model's words, and the fixed question that stands in for a turn that "
        "failed are different things. The fixed opening of each dialogue is not counted.",
    ),
    "broken": Method(
        "Rules broken",
        "Of the turns of a kind, the share in which the guard found the rule broken. Under made, a model's turns are "
        "counted as they came, before anything was asked again, cut or replaced; under shown, as they stood on the screen.",
    ),
    "minutes": Method(
        "Minutes",
        "Mean of the server's times, pauses included: someone who goes away for an hour adds an hour. Labelling and talking "
        "count once per item; there the interval resamples people. The talk begins with the partner's opening and ends "
        "with the second label.",
    ),
    "attention": Method(
        "Attention checks",
        "Of the people who answered a check, the share that answered it wrongly, with Wilson's interval. Everyone who has "
        "not taken their data back counts here, people whose study ended by it too.",
    ),
}
