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
    "blind": Method(
        "Blind agreement",
        "A label is blind when nothing that anyone answered or argued about the item had been shown to its author before. "
        "Shares are labels equal to the machine's, over first labels; hidden are blind labels on drawn items only, and not sure "
        "is no agreement. Shares of labels have Wilson's interval; agreement among people and the band of the best machine "
        "resample items with at least two blind labels.",
    ),
    "anchoring": Method(
        "Anchoring gap",
        "Agreement in view minus agreement hidden, from five labels on either side on, with Newcombe's interval; where an item "
        "was labelled by several people, items are resampled. With tens of blind items only a gross pull shows.",
    ),
    "handoff": Method(
        "Bound for the rest",
        "A lower bound for agreement on the items that nobody labelled blind. By the rule anytime it holds however often one "
        "looks, by fixed at the declared number only; versions of the machine share the risk. Items are handed over only where "
        "it exceeds the threshold.",
    ),
    "readings": Method(
        "Debates that people read",
        "A debate counts as read when the person said so; the minutes run from its page to that word. Which side stood first "
        "was drawn for each person and item, so without an effect of the order half of the labels would be the side shown "
        "first. Intervals of shares are Wilson's; the mean resamples people.",
    ),
    "transcripts": Method(
        "Messages and characters of a file",
        "Every message of the file counts, openings too. Characters are Unicode code points. Messages and shares are means over "
        "dialogues, a dialogue in which a speaker is silent counting with none; lengths and questions are means over messages, "
        "and their intervals resample dialogues.",
    ),
    "exclusion": Method(
        "Who is left out of the numbers about labels",
        "People who took their data back are in no number but the counts of who came and how it ended. People whose study "
        "ended by failed attention checks, and people whose submission was returned, timed out or rejected at their platform, "
        "are kept in the record and left out of everything about labels and talks.",
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
        "Comparing groups",
        "First minus second. Flip rates and accuracy: pooled z test, or Fisher's where an expected count is below 5, with "
        "Newcombe's interval; where an item or a person comes back, the interval shown resamples items or people, and the "
        "test, which takes every label for independent, is too sure. Items: Wilcoxon's signed-rank test over items that both "
        "have. Confidence: Student's t. Adjusted p-values are Holm's over all comparisons of the same measure on this page.",
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
    "minutes_of_labels": Method(
        "Minutes per label",
        "Mean of the times that the table gives for labels, as they stand there, pauses included. Labels without a time are "
        "left out. Where people have several labels, the interval resamples people.",
    ),
    "attention": Method(
        "Attention checks",
        "Of the people who answered a check, the share that answered it wrongly, with Wilson's interval. Everyone who has "
        "not taken their data back counts here, people whose study ended by it too.",
    ),
    "given": Method(
        "Labels given",
        "How often each label was given; states in its place are counted apart, and shares are of labels.",
    ),
    "agreement": Method(
        "Agreement",
        "Krippendorff's alpha takes every label of items that have at least two and copes with missing ones; 1 is full "
        "agreement, 0 what chance gives, below 0 less. Fleiss' kappa takes the items with the usual number of labels. The "
        "share of agreeing pairs is not corrected for chance. Intervals resample items (percentile bootstrap).",
    ),
    "entropy": Method(
        "Entropy",
        "How an item's labels are spread over the label set: 0 when all share one, 1 when each is as frequent as any other. "
        "A mean is over items with a label; those listed have the highest.",
    ),
    "item_map": Method(
        "Map of items",
        "One place for each item: the entropy of its first labels, and the share of its labels that flipped. Items that "
        "divide people and items that change minds need not be the same. Items without a label on both sides are left out.",
    ),
    "between": Method(
        "Groups of annotators",
        "Half the summed distance of the two groups' label shares, mean over items with two annotators of each. It is above 0 "
        "by chance alone, so read what is over chance: the mean under shuffled groups taken off. The test shuffles who "
        "belongs to which group. Groups of fewer than five people are not compared.",
    ),
    "confusion": Method(
        "Confusion",
        "Counts and shares of everything with a reference and a label. A false positive share is of everything, a rate of "
        "its class; publications mix the two.",
    ),
    "engagement": Method(
        "Messages and characters",
        "Without the fixed opening. Characters are Unicode code points of the words as they were sent, or as they stood on "
        "the screen; the mean is over messages, and its interval resamples dialogues.",
    ),
    "leads": Method(
        "Who leads",
        "The person's characters over those of both sides, the fixed opening left out, averaged over dialogues. A message "
        "asks when it holds a question mark.",
    ),
    "talk_compared": Method(
        "Comparing dialogues",
        "First minus second, with Welch's t test. Several dialogues of one person are taken for independent.",
    ),
    "helpfulness": Method(
        "Helpfulness",
        "Yes or no before the talk (would it help?) and after it (did it?), over annotations with both answers; the change "
        "is tested with McNemar's exact test.",
    ),
    "self_reports": Method(
        "Doubt and change",
        "Each person was asked whether the talk made them doubt, or change, their first label. Flip rates among those who "
        "said yes and no, compared as flip rates of conditions are.",
    ),
    "experience": Method(
        "Experience",
        "Counts of people who finished the survey, by whether they had talked about labels with other people before.",
    ),
    "workload": Method(
        "Workload",
        "Five scales of the NASA Task Load Index, from 1 to 21; the physical one is not asked. Performance runs from good to "
        "poor. All scales: each person's mean over the answered ones, with at least four of five.",
    ),
    "harm": Method(
        "Harm monitor",
        "Only annotations with a label before and after count. Minority and majority are about each item: what most others "
        "had said at first; where the others tie, nobody is in either.",
    ),
    "toward": Method(
        "Flips toward and away",
        "Came to it: of the labels that were not there at first, the share that ended there. Left it: of those that were, the "
        "share that went elsewhere. A model's label is what it gave the item by itself. Items without a target are left out.",
    ),
    "minority": Method(
        "Who gave way",
        "The share of labels that changed, among those that differed from what most others had said and among those that did "
        "not; their difference as for conditions. Labels lost: of the labels that few gave an item, the share that nobody "
        "gave in the end. Entropy: final minus initial, below 0 when views grew alike. Whoever answers carelessly twice lands "
        "with the majority more often than against it, so some of this comes without any pressure: a condition without a talk "
        "shows how much. The test takes labels for independent; trust the interval, which resamples items.",
    ),
    "taken": Method(
        "Time and turns",
        "Minutes from the partner's opening to the second label, and messages by the person, for those who began against and "
        "with what most others had said; compared with Welch's t.",
    ),
    "people_groups": Method(
        "Groups of people",
        "Everyone who labelled the task, whatever their condition, by what they said of themselves. Answers given by fewer "
        "than five people are not shown, for their privacy.",
    ),
    "cost": Method(
        "Cost",
        "What providers' prices make of the recorded tokens. A call without a known price is counted and never taken for "
        "free; calls whose outcome nobody knows are listed as uncertain.",
    ),
}
