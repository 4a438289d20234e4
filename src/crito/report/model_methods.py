"""How each number about models is worked out, in words."""

from collections.abc import Mapping

from crito.report.methods import Method

MODEL_METHODS: Mapping[str, Method] = {
    "panel_accuracy": Method(
        "Accuracy and macro-F1",
        "Of the finished items with a reference label, the share whose label is that one, with Wilson's interval. An item "
        "without a label (a tie, a refusal, an answer that could not be read) is not right. Macro-F1 is the mean over labels "
        "of the harmonic mean of precision and recall, so that rare labels count as much as frequent ones; its interval "
        "resamples items (percentile bootstrap, 2,000 draws).",
    ),
    "plain_vote": Method(
        "Plain vote",
        "What the labels of round 0 come to by plurality, under the same rule for ties: the result that the same models give "
        "when they vote without talking.",
    ),
    "mcnemar": Method(
        "Groups compared",
        "The exact binomial McNemar test on the items that both finished: only those count on which one side is right and "
        "the other is not. The difference is that of the two accuracies, with the interval of Agresti and Min. The best "
        "single model is the one that was right most often on these very items, which speaks for it. Adjusted p-values are "
        "Holm's over all comparisons of this section.",
    ),
    "rounds": Method(
        "Rounds",
        "Every round covers all finished items: those that were settled earlier carry their last labels forward. Fleiss' "
        "kappa leaves items with a missing label out, Krippendorff's alpha does not. The last column is kappa over the items "
        "still under discussion; it falls because easy items leave.",
    ),
    "bound": Method(
        "Upper bound and gap",
        "A discussion that only chooses among the first labels can be right at most on the items whose reference is among "
        "them. The gap is that share minus the accuracy reached, ties wrong. Items that ended right although nobody had "
        "the reference label at first lie outside the bound and are counted.",
    ),
    "revisions": Method(
        "Revisions",
        "Each step of an agent from one round to the next that took place, against the reference label; nothing that was "
        "carried forward counts. Correction is corrected over all that were wrong before, corruption is corrupted over all "
        "that were right. The figure shows the same counts per step.",
    ),
    "moved": Method(
        "Moved",
        "Of the steps of an agent with a label before and after, the share in which the label changed, whether there is a "
        "reference label or not.",
    ),
    "readings": Method(
        "Answers",
        "Every answer to an ask for a label, repairs and samples included. Only those that could be read and gave a label of "
        "the set vote. An answer that could not be read, or lay outside the set, was asked for once more.",
    ),
    "effort": Method(
        "Calls, tokens, cost, time",
        "Every call that was sent, those that brought no answer too. Cached tokens are among the input. The cost sums the "
        "calls whose price is known; the others are counted beside it, and never as free. Seconds per item add the slowest "
        "answer of each step of the method: asks of one step are answered side by side. Time in which the command waited or "
        "stood still is not in them.",
    ),
}
