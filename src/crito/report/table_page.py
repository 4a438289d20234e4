"""The report of a table of labels as one page, in the look of a study's report."""

from collections.abc import Mapping

from crito.report.methods import METHODS, Method
from crito.report.page import environment, template_text
from crito.services.table_reporting import TableReport

TABLE_METHODS: Mapping[str, Method] = {
    "agreement": Method(
        "Agreement",
        "Krippendorff's alpha takes every label of items that have at least two and copes with missing ones; 1 is full "
        "agreement, 0 what chance gives, below 0 less. Fleiss' kappa takes the items with the usual number of labels. The "
        "share of agreeing pairs is not corrected for chance. Intervals resample items (percentile bootstrap).",
    ),
    "entropy": Method(
        "Entropy",
        "How an item's labels are spread over the label set: 0 when all share one, 1 when each is as frequent as any other. "
        "The number is the mean over items with a label; those listed have the highest.",
    ),
    "toward": Method(
        "Flips toward and away",
        "Of the labels that were not what most other annotators of the item had said at first, the share that became it; and "
        "of those that were, the share that ceased to be. Items where the others tie are left out.",
    ),
    **{key: METHODS[key] for key in ("flips", "item_flips", "directions", "accuracy")},
}


def render_table_report(data: TableReport) -> str:
    """The whole page."""
    template = environment().get_template("table.html")
    return template.render(data=data, methods=TABLE_METHODS, style=template_text("report.css"), zip=zip, dict=dict)
