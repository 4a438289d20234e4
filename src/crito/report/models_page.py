"""What models did, as sections of a study's report, or as a page of its own where only models labelled."""

from markupsafe import Markup

from crito.report.model_methods import MODEL_METHODS
from crito.report.page import environment, method_button, template_text
from crito.report.round_figure import round_figure
from crito.services.model_reporting import READINGS, ModelReport


def models_sections(data: ModelReport) -> Markup:
    """The sections, for a page that has the style of a report; empty where no model labelled."""
    if not data.tasks:
        return Markup()
    made = environment()
    made.globals |= {"round_figure": round_figure, "how": lambda key: method_button(MODEL_METHODS[key])}
    words = made.get_template("models.html").render(data=data, methods=MODEL_METHODS, readings=READINGS)
    return Markup(words)  # noqa: S704 (the template escapes what it is given)


def render_models_report(data: ModelReport) -> str:
    """The whole page of a study that only models labelled."""
    template = environment().get_template("models_page.html")
    return template.render(
        data=data, sections=models_sections(data), style=template_text("report.css"), script=template_text("report.js")
    )
