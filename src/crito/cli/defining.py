"""`crito init` and `crito check`: a study before anyone takes part."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from importlib.resources.abc import Traversable
from pathlib import Path

from crito.bootstrap import cost_at_most, load_study
from crito.cli import screen
from crito.cli.places import study_file
from crito.model.errors import CritoError, InvalidInput
from crito.model.study import Study
from crito.studies.bundled import STUDY_FILE, TEMPLATES, template_folder
from crito.studies.panel_planning import ModelLoad, PanelPlan, panel_plans
from crito.studies.planning import Plan, plan


def init(folder: Path, template: str) -> None:
    """Copy a template.

    Raises:
        InvalidInput: there is no such template, or the folder holds something already.
        CritoError: the folder cannot be written.
    """
    if template not in TEMPLATES:
        wanted = f"one of {', '.join(TEMPLATES)}"
        raise InvalidInput("there is no such template", came=template, wanted=wanted, key="--template")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InvalidInput("a new study goes into a new or empty folder", came=str(folder), wanted="name another")
    try:
        _copy(template_folder(template), folder)
    except OSError as error:
        raise CritoError(f"{str(folder)!r} cannot be written: {error.strerror or error}") from error
    screen.next_command(f"The study is in {folder}; edit {folder / STUDY_FILE}.", f"crito check {folder}")


def check(study: Path, *, as_json: bool) -> None:
    """Print the plan of a study.

    Raises:
        InvalidStudy: the file cannot be used.
    """
    file = study_file(study)
    defined = load_study(file)
    needs, panels = plan(defined), panel_plans(defined)
    if as_json:
        screen.facts(
            {
                **asdict(needs),
                "cost_usd": _people_cost(needs),
                "panels": [{**asdict(one), "cost_usd": cost_at_most(one.loads)} for one in panels],
            }
        )
        return
    if needs.conditions:
        _show_people(needs, invited=defined.open_to == "experts")
        due = datetime.now(UTC) + timedelta(days=defined.retention_days)
        screen.say(
            f"Keep     people's data for {defined.retention_days:,} days (retention_days): until {due:%Y-%m-%d} of who comes today."
        )
    else:
        screen.say("People   none take part: models alone label or debate here.")
    for remark in needs.notes:
        screen.say(f"Note     {remark}")
    screen.say()
    if panels:
        _show_panels(panels)
    screen.next_command(f"{file} can be used.", _next(defined, study))


def _next(defined: Study, study: Path) -> str:
    """The command that a study wants after its check."""
    if defined.open_to == "anyone":
        return f"crito rehearse {study} --people 20"
    if defined.open_to == "experts":
        return f"crito serve {study}"
    return f"crito label {study} --limit 5" if defined.models else f"crito debate {study}"


def _show_people(needs: Plan, *, invited: bool) -> None:
    screen.table(("task", "items", "places to fill"), [(t.task, t.items, t.places) for t in needs.tasks])
    screen.say()
    screen.table(
        ("condition", "share", "people", "dialogues", "debates", "speaks", "turns", "calls at most", "tokens at most"),
        [
            (
                c.condition,
                f"{c.share:.0%}",
                c.people,
                c.dialogues,
                c.debates,
                c.model or "none",
                c.partner_turns,
                c.calls_at_most,
                c.input_tokens_at_most + c.output_tokens_at_most,
            )
            for c in needs.conditions
        ],
    )
    screen.say()
    if invited:
        screen.say(f"People   whom you invite; one alone may fill the places of every item: {needs.places:,} in all.")
    else:
        screen.say(f"People   {needs.people:,} at least fill all {needs.places:,} places; those who leave come on top.")
    screen.say(f"Cost     {_cost(_people_cost(needs), needs)}")


def _show_panels(panels: Sequence[PanelPlan]) -> None:
    screen.table(
        ("panel", "method", "task", "items", "calls at most", "tokens at most", "US dollars at most"),
        [
            (one.panel, one.method, one.task, one.items, one.calls_at_most, one.tokens_at_most, _dollars(one))
            for one in panels
        ],
    )
    screen.say()


def _dollars(planned: PanelPlan) -> str:
    cost_usd = cost_at_most(planned.loads)
    return "price not known" if cost_usd is None else f"{cost_usd:,.2f}"


def _people_cost(needs: Plan) -> float | None:
    """What the models cost that people talk with or that argue for them; None where a price is not known."""
    return cost_at_most(
        [ModelLoad(c.model, c.calls_at_most, c.input_tokens_at_most, c.output_tokens_at_most) for c in needs.conditions]
    )


def _cost(cost_usd: float | None, needs: Plan) -> str:
    if needs.cost_usd == 0:
        return "no paid model speaks"
    if cost_usd is None:
        return "of the calls above, by the prices of your provider"
    return f"{cost_usd:,.2f} US dollars at most, by the prices of today"


def _copy(source: Traversable, target: Path) -> None:
    """Every file that a user edits; a package installed as files or as an archive is read alike."""
    target.mkdir(parents=True, exist_ok=True)
    for entry in source.iterdir():
        if entry.is_dir():
            if entry.name != "__pycache__":
                _copy(entry, target / entry.name)
        elif not entry.name.endswith(".py"):
            (target / entry.name).write_bytes(entry.read_bytes())
