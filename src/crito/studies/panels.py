"""Panels of a study file: the models that label its items."""

from collections.abc import Sequence

from crito.model.study import DEBATE_AT_LEAST, GROUP_METHODS, HATS, Agent, Panel
from crito.studies.reading import Reading
from crito.studies.sections import PanelSection
from crito.studies.shape import one_of
from crito.studies.yaml_text import KeyPath


def panels_of(sections: Sequence[PanelSection], reading: Reading) -> tuple[Panel, ...]:
    """The panels of a study."""
    panels: dict[str, Panel] = {}
    for place, section in enumerate(sections):
        path = ("models", place)
        if section.name in panels:
            reading.complain((*path, "name"), "two panels have one name", section.name, "use another")
        if section.method not in GROUP_METHODS and len(section.panel) != 1:
            problem = f"with the method {section.method!r} one model labels alone, and here are {len(section.panel)}"
            groups = " or ".join(sorted(GROUP_METHODS))
            reading.complain((*path, "panel"), problem, wanted=f"name one, or use {groups}")
        if section.method == "debate" and len(section.panel) < DEBATE_AT_LEAST:
            wanted = "name two models that argue, and after them those that judge"
            reading.complain((*path, "panel"), "a debate needs two agents and a judge", len(section.panel), wanted)
        agents = tuple(
            Agent(agent.model, _hat(agent.persona, (*path, "panel", number, "persona"), reading), agent.reasoning)
            for number, agent in enumerate(section.panel)
        )
        panels.setdefault(
            section.name,
            Panel(
                name=section.name,
                method=section.method,
                agents=agents,
                max_rounds=section.max_rounds,
                samples=section.samples,
                ties=section.ties,
                trigger=section.trigger,
                max_tokens=section.max_tokens,
                only_disputed=section.only_disputed,
                examples=section.examples,
                probabilities=section.probabilities,
            ),
        )
    return tuple(panels.values())


def _hat(words: str, path: KeyPath, reading: Reading) -> str:
    if words and " " not in words and words not in HATS:
        reading.complain(path, "there is no ready-made persona of this name", words, one_of(words, HATS))
    return words
