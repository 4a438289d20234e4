"""Commands about evidence: how far labels can be trusted, and what may be handed over."""

from pathlib import Path
from typing import Annotated

import typer

from crito.cli.app import FAILED, TABLES, Db, Json, Recorded, cli
from crito.model.errors import InvalidInput


@cli.command(epilog="Example: crito blind my-study/study.yaml --reveal")
def blind(
    study: Recorded,
    reveal: Annotated[
        bool, typer.Option("--reveal", help="Tell the secret seeds and draw again; later labels are no evidence.")
    ] = False,
    ask: Annotated[
        str,
        typer.Option(metavar="PURPOSE", help="Ask for labels: calibration, certification, audit, verify, adjudicate."),
    ] = "",
    n: Annotated[int, typer.Option("-n", min=1, help="With --ask: for how many items.")] = 20,
    task: Annotated[str, typer.Option(help="With --ask or --tuned: which task, if there are several.")] = "",
    tuned: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Items, one id a line, whose labels were used to refine a prompt."),
    ] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Show the blind samples of a study, tell their seeds at the end, and ask for labels on purpose."""
    from crito.cli import experts

    experts.blind(study, db, reveal=reveal, ask=ask, n=n, task=task, tuned=tuned, as_json=json)


@cli.command(epilog="Example: crito certify my-study, or: crito certify labels.csv --machine model-labels.csv")
def certify(
    source: Annotated[str, typer.Argument(metavar="STUDY|TABLE", help="As for report.")] = "",
    check: Annotated[Path | None, typer.Option(metavar="FILE", help="A certificate to compute again.")] = None,
    task: Annotated[str, typer.Option(metavar="NAME", help="Which task, if there are several.")] = "",
    model: Annotated[list[str] | None, typer.Option(metavar="NAME", help="These machines and no others.")] = None,
    ask: Annotated[
        list[str] | None,
        typer.Option(help="handoff, automatic_labelling, corpus_estimate, annotator_replacement; all, if left out."),
    ] = None,
    threshold: Annotated[float, typer.Option(help="What agreement on the rest has to exceed.")] = 0.9,
    rule: Annotated[str, typer.Option(help="anytime, fixed or point.")] = "anytime",
    minimum: Annotated[int, typer.Option(min=0, help="Blind labels below which nothing is handed over.")] = 20,
    declared: Annotated[int | None, typer.Option(metavar="N", help="Of the rule fixed: at how many one looks.")] = None,
    error_rate: Annotated[float, typer.Option(help="Of automatic labels: errors at most.")] = 0.05,
    risk: Annotated[float, typer.Option(help="Of automatic labels: chance of more errors.")] = 0.1,
    by_label: Annotated[bool, typer.Option("--by-label", help="Automatic labels: apart for each label.")] = False,
    epsilon: Annotated[
        float | None, typer.Option(help="What a person's work is worth more: 0.2 experts, 0.15 skilled, 0.1 a crowd.")
    ] = None,
    estimator: Annotated[str, typer.Option(help="difference or power_tuned.")] = "difference",
    machine: Annotated[Path | None, typer.Option(metavar="FILE", help="Machines' labels, as a table.")] = None,
    items: Annotated[Path | None, typer.Option(metavar="FILE", help="Texts and reference labels.")] = None,
    repeats: Annotated[str, typer.Option(help="Of a table: refused, first, last or apart.")] = "refused",
    reference: Annotated[str, typer.Option(help="Whose labels count: people, majority or gold.")] = "people",
    blind_rate: Annotated[float, typer.Option(help="Share of a table's items to draw.")] = 0.2,
    seed: Annotated[str, typer.Option(help="Of that draw.")] = "0",
    assume_blind: Annotated[
        bool, typer.Option("--assume-blind", help="Nobody saw anyone's answer, though the table does not say so.")
    ] = False,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="The folder to write into.")] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Say what blind labels prove of a machine's, and write it down so that anyone can check it."""
    from crito.cli import certifying

    is_table = Path(source).suffix.lower() in TABLES
    files = certifying.TableFiles(Path(source), machine, items, repeats) if is_table else None
    if check:
        if not certifying.check_certificate(check, source, files, db, as_json=json):
            raise typer.Exit(FAILED)
        return
    if not source:
        raise InvalidInput("certify needs a study or a table of labels", wanted="crito certify STUDY, or --check FILE")
    settings = certifying.settings_by_kind(
        certifying.Asked(
            tuple(ask or ()), rule, threshold, minimum, declared, error_rate, risk, by_label, epsilon, estimator
        )
    )
    if files is None:
        certifying.certify_study(source, db, settings, task=task, out=out, as_json=json)
        return
    design = certifying.table_design(reference, blind_rate, seed, assume_blind=assume_blind)
    certifying.certify_table(files, design, settings, task=task, models=model or [], out=out, as_json=json)


@cli.command(epilog="Example: crito handoff my-study --over --budget 5")
def handoff(
    study: Recorded,
    over: Annotated[
        bool, typer.Option("--over", help="Hand the rest over where the gate allows it, and label and accept it.")
    ] = False,
    take_back: Annotated[
        str, typer.Option(metavar="WHY", help="End the handoff in force: people get the items again.")
    ] = "",
    task: Annotated[str, typer.Option(help="Which task, if there are several.")] = "",
    audits: Annotated[int, typer.Option(min=0, help="With --over: accepted items drawn to be labelled blind.")] = 60,
    limit: Annotated[int | None, typer.Option(min=1, help="With --over: label so many items at most.")] = None,
    budget: Annotated[float | None, typer.Option(metavar="USD", help="As for label.")] = None,
    in_flight: Annotated[str, typer.Option(help="As for label.")] = "hold",
    at_once: Annotated[int, typer.Option(min=1, help="As for label.")] = 8,
    db: Db = None,
    json: Json = False,
) -> None:
    """Say whether the machine may label the rest, hand it over, watch it, take it back."""
    from crito.cli import handing

    wish = handing.Wish(task, over, take_back, audits, limit, budget, in_flight, at_once)
    if not handing.handoff(study, db, wish, as_json=json):
        raise typer.Exit(FAILED)


@cli.command(epilog="Example: crito verify my-study/study.yaml")
def verify(study: Recorded, db: Db = None, json: Json = False) -> None:
    """Prove from the raw rows that the record adds up."""
    from crito.cli import verifying

    if not verifying.show_verification(study, db, as_json=json):
        raise typer.Exit(FAILED)
