"""The command line. Commands are declared here and at work in the modules beside: `crito --help` imports none of those."""

import gc
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from crito.model.errors import BudgetReached, CritoError, InvalidInput, InvalidStudy, TooMany

NEW_OBJECTS_PER_COLLECTION = 50_000
FAILED, WRONG_USAGE, LIMIT_REACHED = 1, 2, 3

TABLES = (".csv", ".tsv", ".xlsx", ".json", ".jsonl", ".ndjson", ".parquet")
"""Endings by which `report` knows a table from a study."""

cli = typer.Typer(
    name="crito",
    help="People and language models label the same items, talk each label through, and label again.",
    epilog="Begin with: crito demo",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
db_commands = typer.Typer(help="The database's life.", no_args_is_help=True, rich_markup_mode=None)
cli.add_typer(db_commands, name="db")
bench_commands = typer.Typer(
    help="Measure models on tasks with known answers.", no_args_is_help=True, rich_markup_mode=None
)
cli.add_typer(bench_commands, name="bench")
expert_commands = typer.Typer(help="Experts and their queue.", no_args_is_help=True, rich_markup_mode=None)
cli.add_typer(expert_commands, name="expert")
recruit_commands = typer.Typer(
    help="Recruitment: links, places, submissions, decisions.", no_args_is_help=True, rich_markup_mode=None
)
cli.add_typer(recruit_commands, name="recruit")

access_commands = typer.Typer(
    help="People who work on a study: invitations, roles, who read what.", no_args_is_help=True, rich_markup_mode=None
)
cli.add_typer(access_commands, name="access")
token_commands = typer.Typer(help="Tokens by which programs come in.", no_args_is_help=True, rich_markup_mode=None)
cli.add_typer(token_commands, name="token")
study_commands = typer.Typer(help="Several studies in one record.", no_args_is_help=True, rich_markup_mode=None)
cli.add_typer(study_commands, name="study")

File = Annotated[Path, typer.Argument(metavar="STUDY", help="The study file, or the folder it is in.")]
Recorded = Annotated[str, typer.Argument(metavar="STUDY", help="The study file, its database, or with --db its name.")]
Db = Annotated[
    str | None,
    typer.Option(
        "--db", metavar="URL", help="sqlite:///FILE or postgresql://USER@HOST/NAME. Default: beside the study."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print facts as JSON.")]
Address = Annotated[str, typer.Option(metavar="URL", help="Where the server is.")]
LOCAL_ADDRESS = "http://127.0.0.1:8000"
Host = Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 for every one of this machine.")]
Workers = Annotated[int, typer.Option(min=1, max=64, help="How many processes serve.")]


@cli.command(epilog="Example: crito demo --port 8000")
def demo(
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes any that is free.")] = 0,
    model: Annotated[str, typer.Option(metavar="PROVIDER:NAME", help="A partner instead of the script.")] = "",
    json: Json = False,
) -> None:
    """Serve the study that comes with Crito: no key, no download."""
    from crito.cli import serving

    serving.demo(model, port, as_json=json)


@cli.command(epilog="Example: crito init my-study --template socratic")
def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.")],
    template: Annotated[str, typer.Option(help="Which kind of study.")] = "socratic",
) -> None:
    """Make a study folder that is ready to be edited."""
    from crito.cli import defining

    defining.init(folder, template)


@cli.command(epilog="Example: crito check my-study/study.yaml")
def check(study: File, json: Json = False) -> None:
    """Check a study file, and say what the study needs."""
    from crito.cli import defining

    defining.check(study, as_json=json)


@cli.command(epilog="Example: crito serve my-study/study.yaml --port 8000 --workers 2 --root-path /crito")
def serve(
    studies: Annotated[list[Path], typer.Argument(metavar="STUDY...", help="Study files, or their folders.")],
    db: Db = None,
    host: Host = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes any that is free.")] = 8000,
    workers: Workers = 1,
    root_path: Annotated[str, typer.Option(metavar="PATH", help="The prefix under which a proxy serves this.")] = "",
    address: Annotated[str, typer.Option(metavar="URL", help="What people type, if a proxy stands in front.")] = "",
    log: Annotated[
        str, typer.Option(help="plain: what goes wrong; json: that and each request, without people's words and ids.")
    ] = "plain",
    leave_after: Annotated[
        float, typer.Option(min=0, metavar="SECONDS", help="When told to stop, say so at /readyz for this long first.")
    ] = 0.0,
    confirm_changes: Annotated[
        bool, typer.Option("--confirm-changes", help="Labels or items of a study that has begun are to change.")
    ] = False,
    discard_rehearsal: Annotated[
        bool, typer.Option("--discard-rehearsal", help="Delete what scripted people left.")
    ] = False,
    rehearsal: Annotated[bool, typer.Option("--rehearsal", hidden=True)] = False,
    while_stdin_is_open: Annotated[bool, typer.Option("--while-stdin-is-open", hidden=True)] = False,
    json: Json = False,
) -> None:
    """Serve studies to the people who take part, and to their owner."""
    from crito.cli import serving

    if while_stdin_is_open:
        serving.end_with_stdin()
    serving.serve(
        studies,
        db,
        serving.Way(host, port, workers, root_path, address, serving.log_kind(log), leave_after),
        changes_confirmed=confirm_changes,
        discard=discard_rehearsal,
        rehearsal=rehearsal,
        as_json=json,
    )


@cli.command(epilog="Example: crito owner my-study/study.yaml --address https://example.org/crito")
def owner(
    study: Recorded,
    db: Db = None,
    address: Annotated[str, typer.Option(metavar="URL", help="Where the server is.")] = "http://127.0.0.1:8000",
    json: Json = False,
) -> None:
    """Print a new link to the owner's page."""
    from crito.cli import records

    records.owner(study, db, address, as_json=json)


@cli.command(epilog="Example: crito rehearse my-study/study.yaml --people 20")
def rehearse(
    study: File,
    people: Annotated[int, typer.Option(min=1, help="How many come.")] = 20,
    concurrency: Annotated[int, typer.Option(min=1, help="How many of them at a time.")] = 10,
    seed: Annotated[
        int, typer.Option(help="Decides who does what; who came before comes again with the same one.")
    ] = 1,
    pause: Annotated[float, typer.Option(min=0, metavar="SECONDS", help="How long they look at a page.")] = 0.0,
    workers: Workers = 1,
    messages: Annotated[
        Path | None, typer.Option(metavar="FILE", help="What they say in dialogues, one message a line.")
    ] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Send scripted people through the whole study."""
    from crito.cli import rehearsing

    rehearsing.rehearse_study(
        study,
        db,
        people=people,
        at_once=concurrency,
        seed=seed,
        pause_s=pause,
        workers=workers,
        messages=messages,
        as_json=json,
    )


@cli.command(
    epilog="Example: crito label --items items.jsonl --task task.yaml --method cot --model openai:gpt-4o --limit 20"
)
def label(
    study: Annotated[Path | None, typer.Argument(metavar="[STUDY]", help="The study file, or its folder.")] = None,
    items: Annotated[Path | None, typer.Option(metavar="FILE", help="Items, where there is no study file.")] = None,
    task: Annotated[
        str | None, typer.Option(metavar="FILE", help="With --items the task file; with a study the name of a task.")
    ] = None,
    method: Annotated[
        str, typer.Option(help="vanilla, cot, self_consistency, self_refine, discussion, ensemble or debate.")
    ] = "vanilla",
    model: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PROVIDER:NAME", help="A model; several for a group (of a debate two argue, the rest judge)."
        ),
    ] = None,
    persona: Annotated[
        list[str] | None, typer.Option(metavar="WORDS", help="A point of view for each model, or several for one.")
    ] = None,
    reasoning: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LEVEL|TOKENS",
            help="How much a model may think: off, low, medium, high, or tokens; for all or each.",
        ),
    ] = None,
    panel: Annotated[str | None, typer.Option(help="Which panel of the study; with --model, what to call it.")] = None,
    rounds: Annotated[int, typer.Option(min=0, max=10, help="Rounds of a discussion at most.")] = 2,
    only_disputed: Annotated[
        bool, typer.Option("--only-disputed", help="Of a debate: items on which all agree stay undebated.")
    ] = False,
    examples: Annotated[
        int,
        typer.Option(min=0, max=100, metavar="N", help="So many labelled items as examples; they are not labelled."),
    ] = 0,
    probabilities: Annotated[
        bool, typer.Option("--probabilities", help="Ask for the probability of each label, where a provider tells.")
    ] = False,
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="Only the first items.")] = None,
    at_once: Annotated[int, typer.Option(min=1, max=1024, help="Calls at a time.")] = 8,
    engine: Annotated[
        str, typer.Option(metavar="local|ray", help="This process, or a Ray cluster over a record in PostgreSQL.")
    ] = "local",
    ray_address: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The cluster's; without it one is started on this machine.")
    ] = "",
    budget: Annotated[
        float | None,
        typer.Option(
            min=0, metavar="USD", help="What labelling this study may cost in all; exit 3 before it is crossed."
        ),
    ] = None,
    in_flight: Annotated[
        str, typer.Option(metavar="hold|resend", help="Calls that may have been charged without an answer on record.")
    ] = "hold",
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Every answer by round, as .csv, .jsonl or .parquet.")
    ] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Label items with language models; the same command again goes on where it ended."""
    from crito.cli import labelling

    wish = labelling.Wish(
        study=study,
        items=items,
        task=task,
        method=method,
        models=tuple(model or ()),
        personas=tuple(persona or ()),
        reasonings=tuple(reasoning or ()),
        panel=panel,
        rounds=rounds,
        only_disputed=only_disputed,
        examples=examples,
        probabilities=probabilities,
        limit=limit,
        at_once=at_once,
        engine=engine,
        ray_address=ray_address,
        budget_usd=budget,
        in_flight=in_flight,
        out=out,
        db=db,
    )
    if not labelling.label(wish, as_json=json):
        raise typer.Exit(FAILED)


@cli.command(epilog="Example: crito judge essay.txt --judge openai:gpt-4o --source WHO=who-report.txt --out essay.html")
def judge(
    file: Annotated[
        str, typer.Argument(metavar="FILE|-", help="The document, a debate as .json, or - for standard input.")
    ],
    judge: Annotated[
        list[str] | None, typer.Option(metavar="PROVIDER:NAME", help="A model that judges; several times for a panel.")
    ] = None,
    source: Annotated[
        list[str] | None, typer.Option(metavar="NAME=FILE", help="A source the document draws on, examined as well.")
    ] = None,
    per_reason: Annotated[
        bool, typer.Option("--per-reason", help="Rate each reason in a call of its own, not all in one.")
    ] = False,
    depth: Annotated[int, typer.Option(min=0, max=9, help="How far sources of sources are examined.")] = 2,
    max_calls: Annotated[int, typer.Option(min=4, help="Calls of one judge at most, sources included.")] = 40,
    swap: Annotated[bool, typer.Option("--swap", help="Of a debate: judge it in both orders of speaking.")] = False,
    transcript: Annotated[
        bool, typer.Option("--transcript", help="Of a debate: read all that was said, not the closings only.")
    ] = False,
    judge_may_debate: Annotated[
        bool, typer.Option("--judge-may-debate", help="Of a debate: a model that argued may judge; the result says so.")
    ] = False,
    at_once: Annotated[int, typer.Option(min=1, max=1024, help="Calls at a time.")] = 8,
    budget: Annotated[
        float | None,
        typer.Option(min=0, metavar="USD", help="What judging in this database may cost in all; exit 3 before that."),
    ] = None,
    in_flight: Annotated[
        str, typer.Option(metavar="hold|resend", help="Calls that may have been charged without an answer on record.")
    ] = "hold",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="The judgement as .html, .md or .json.")] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Read a document critically: its claim, each reason for and against it rated, and one score."""
    from crito.cli import judging

    wish = judging.Wish(
        file=file,
        judges=tuple(judge or ()),
        sources=tuple(source or ()),
        per_reason=per_reason,
        depth=depth,
        max_calls=max_calls,
        swap=swap,
        transcript=transcript,
        may_debate=judge_may_debate,
        at_once=at_once,
        budget_usd=budget,
        in_flight=in_flight,
        out=out,
        db=db,
    )
    if not judging.judge(wish, as_json=json):
        raise typer.Exit(FAILED)


@cli.command(epilog="Example: crito replay trio --study my-study/study.yaml")
def replay(
    name: Annotated[
        str,
        typer.Argument(metavar="RUN", help="The id that `crito label` said, a panel's name, or a judgement's .json."),
    ],
    study: Annotated[str | None, typer.Option(metavar="STUDY", help="The study file, or with --db a name.")] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="The answers, as `crito label --out`.")] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Go through what models answered again, from the record alone, and compare."""
    if name.endswith(".json"):
        from crito.cli import judging

        judging.replay_judgement(Path(name), as_json=json)
        return
    from crito.cli import labelling

    labelling.replay(name, study, db, out, as_json=json)


@cli.command(epilog="Example: crito calls my-study/study.yaml --uncertain")
def calls(
    study: Recorded,
    model: Annotated[str, typer.Option(metavar="PROVIDER:NAME", help="Only calls of this model.")] = "",
    method: Annotated[str, typer.Option(help="Only calls of this method; `dialogue` for partners.")] = "",
    status: Annotated[str, typer.Option(help="answered, refused, truncated, error or uncertain.")] = "",
    uncertain: Annotated[
        bool, typer.Option("--uncertain", help="Calls that may have been charged without an answer on record.")
    ] = False,
    resend: Annotated[
        bool, typer.Option("--resend", help="Let uncertain calls be asked again; not while they are being made.")
    ] = False,
    each: Annotated[bool, typer.Option("--list", help="One by one, and not only in sums.")] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """List and sum what was asked of models, with its cost."""
    from crito.cli import calling
    from crito.services.ledger import CallFilter

    which = CallFilter(model, method, "uncertain" if uncertain else status)
    calling.calls(study, db, which, one_by_one=each, resend=resend, as_json=json)


@cli.command(epilog="Example: crito doctor --model openai:gpt-4o")
def doctor(
    study: Annotated[Path | None, typer.Argument(metavar="[STUDY]", help="The study file, or its folder.")] = None,
    model: Annotated[
        list[str] | None, typer.Option(metavar="PROVIDER:NAME", help="These models instead of the study's.")
    ] = None,
    json: Json = False,
) -> None:
    """Try each configured model with a few cheap calls, and say what it can do."""
    from crito.cli import examining

    if not examining.doctor(study, model or (), as_json=json):
        raise typer.Exit(FAILED)


@cli.command(epilog="Example: crito export my-study/study.yaml --format csv --out my-study/export")
def export(
    study: Recorded,
    form: Annotated[
        str, typer.Option("--format", help="csv, excel, parquet, huggingface, lewidi-2025, …; a wrong name lists them.")
    ] = "csv",
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="The folder to write into.")] = None,
    release: Annotated[
        str, typer.Option(metavar="TIER", help="To give away: labels, reasons or transcripts, without personal data.")
    ] = "",
    db: Db = None,
    json: Json = False,
) -> None:
    """Write all that people left as tables; each file is read back and compared."""
    from crito.cli import results

    results.export(study, db, form, out, release, as_json=json)


@cli.command(epilog="Example: crito report my-study/study.yaml --out my-study/report.html")
def report(
    study: Annotated[str, typer.Argument(metavar="STUDY|TABLE", help="As for export, or a table as for import.")],
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="The page to write.")] = None,
    figures: Annotated[Path | None, typer.Option(metavar="DIR", help="Write each figure as SVG and PNG too.")] = None,
    by: Annotated[
        str,
        typer.Option(metavar="COLUMN", help="Of a table: its values stand side by side; studies: condition, age, …"),
    ] = "",
    against: Annotated[Path | None, typer.Option(metavar="TABLE", help="A table of labels to stand beside it.")] = None,
    people: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Of a table: one row per annotator, for --by.")
    ] = None,
    items: Annotated[Path | None, typer.Option(metavar="FILE", help="Of a table: texts and reference labels.")] = None,
    not_sure: Annotated[list[str] | None, typer.Option(metavar="LABEL", help="Of a table: means not sure.")] = None,
    repeats: Annotated[str, typer.Option(help="Of a table: refused, first, last or apart.")] = "refused",
    unrevisited: Annotated[
        str, typer.Option(help="Of a table: a label that was not given again is missing, or kept.")
    ] = "missing",
    item: Annotated[str, typer.Option(metavar="COLUMN", help="Of a table: the column of items.")] = "",
    annotator: Annotated[str, typer.Option(metavar="COLUMN", help="Of a table: the column of annotators.")] = "",
    label: Annotated[str, typer.Option(metavar="COLUMN", help="Of a table: the column of labels.")] = "",
    round_: Annotated[str, typer.Option("--round", metavar="COLUMN", help="Of a table: the column of rounds.")] = "",
    db: Db = None,
) -> None:
    """Write the numbers and figures of a study, or of a table of labels, as one page."""
    is_table = Path(study).suffix.lower() in TABLES
    if is_table or against:
        from crito.cli import comparing

        named = {"item": item, "annotator": annotator, "label": label, "round": round_}
        reading = comparing.Reading(
            {what: column for what, column in named.items() if column}, not_sure or [], repeats, items, unrevisited
        )
        beside = comparing.Beside(by, against, people)
        comparing.report_tables_of(study, out, figures, beside, reading, db, is_table=is_table)
        return
    if people:
        raise InvalidInput("a study has its people in its record", str(people), "use --by, or a table")
    if by not in ("", "condition"):
        from crito.cli import comparing

        comparing.report_by_trait(study, by, out, figures, db)
        return
    from crito.cli import results

    results.report(study, db, out, figures)


@cli.command(
    epilog="Example: crito debate 'Should we close the bridge?' --model openai:gpt-4o --judge anthropic:claude-haiku"
)
def debate(
    subject: Annotated[
        str, typer.Argument(metavar="SUBJECT|STUDY", help="What to debate, or a study with `debates:`.")
    ],
    model: Annotated[
        list[str] | None, typer.Option(metavar="PROVIDER:NAME", help="Argues: once for both agents, or twice, A first.")
    ] = None,
    judge: Annotated[
        list[str] | None, typer.Option(metavar="PROVIDER:NAME", help="Judges; any number of times.")
    ] = None,
    claim_a: Annotated[
        str | None, typer.Option("--for", metavar="CLAIM", help="What A argues; default: yes to the subject.")
    ] = None,
    claim_b: Annotated[
        str | None, typer.Option("--against", metavar="CLAIM", help="What B argues; default: no to the subject.")
    ] = None,
    rounds: Annotated[
        int, typer.Option(min=1, help="Rounds before they are asked whether they are ready to close.")
    ] = 3,
    max_rounds: Annotated[int | None, typer.Option(min=1, help="Rounds at most.  [default: 5]")] = None,
    contentiousness: Annotated[float, typer.Option(min=0, max=1, help="How adversarial, through the closings.")] = 0.9,
    closing: Annotated[float, typer.Option(min=0, max=1, help="How adversarial, after the closings.")] = 0.3,
    level: Annotated[
        list[str] | None,
        typer.Option(metavar="PHASE=NUMBER", help="Contentiousness of one phase; any number of times."),
    ] = None,
    sweep: Annotated[
        str, typer.Option(metavar="NUMBERS", help="Only compare these contentiousness levels, such as 0.9,0.5,0.0.")
    ] = "",
    topics: Annotated[int, typer.Option(min=1, help="How many topics the debate goes through.")] = 5,
    topics_proposed: Annotated[int, typer.Option(min=1, help="How many topics each agent proposes first.")] = 10,
    topic: Annotated[
        list[str] | None, typer.Option(metavar="TITLE", help="Debate this topic; the agents then propose none.")
    ] = None,
    temperature: Annotated[list[float] | None, typer.Option(min=0, help="For both agents, or twice, A first.")] = None,
    max_tokens: Annotated[int, typer.Option(min=20, help="Tokens of one argument on one topic, at most.")] = 300,
    concessions: Annotated[bool, typer.Option(help="Ask both what the other side is right about.")] = True,
    proposal: Annotated[bool, typer.Option(help="Have both write a joint proposal.")] = True,
    swap: Annotated[str, typer.Option(help="Do in both orders: none, judging, or the whole debate.")] = "none",
    judge_may_debate: Annotated[
        bool, typer.Option("--judge-may-debate", help="A debater may judge; the result says so.")
    ] = False,
    material: Annotated[Path | None, typer.Option(metavar="FILE", help="A text the subject is about.")] = None,
    language: Annotated[str, typer.Option(help="The language the agents argue in.")] = "en",
    which: Annotated[
        str | None, typer.Option("--debate", metavar="NAME", help="This one of the study's debates.")
    ] = None,
    at_once: Annotated[int, typer.Option(min=1, metavar="N", help="Calls at a time.")] = 8,
    budget: Annotated[
        float | None, typer.Option(min=0, metavar="USD", help="Stop before this is spent on this study's debates.")
    ] = None,
    in_flight: Annotated[
        str, typer.Option(help="Calls whose outcome a crash has left open: hold them, or resend.")
    ] = "hold",
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="The folder for what comes of it.")] = None,
    serve: Annotated[
        int | None,
        typer.Option(metavar="PORT", min=0, max=65535, help="Let the owner watch and moderate it there; 0: any."),
    ] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Have two agents debate a subject, from its topics to a joint proposal; running it again goes on where it ended."""
    from crito.cli import debating

    wish = debating.Wish(
        subject=subject, models=tuple(model or ()), judges=tuple(judge or ()), claims=(claim_a, claim_b), rounds=rounds,
        max_rounds=max_rounds, contentiousness=contentiousness, closing=closing, levels=tuple(level or ()), topics=topics,
        topics_proposed=topics_proposed, given_topics=tuple(topic or ()), temperatures=tuple(temperature or ()),
        max_tokens=max_tokens, concessions=concessions, proposal=proposal, swap=swap, judges_may_debate=judge_may_debate,
        material=material, language=language, which=which, at_once=at_once, budget_usd=budget, in_flight=in_flight,
        out=out, db=db, serve=serve,
    )  # fmt: skip
    if sweep:
        debating.sweep(wish, sweep, json=json)
    elif not debating.debate(wish, json=json):
        raise typer.Exit(FAILED)


@cli.command(
    "import", epilog="Example: crito import labels.csv --items items.jsonl --to lewidi-2025 --out perspectives"
)
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A table (CSV, TSV, Excel, JSON, JSONL, Parquet).")],
    form: Annotated[
        str, typer.Option("--format", help="What the file is, if not a table: lewidi-2025, argilla, …")
    ] = "",
    items: Annotated[Path | None, typer.Option(metavar="FILE", help="A table with texts and reference labels.")] = None,
    item: Annotated[str, typer.Option(metavar="COLUMN", help="The column of items.")] = "",
    annotator: Annotated[str, typer.Option(metavar="COLUMN", help="The column of annotators.")] = "",
    label: Annotated[str, typer.Option(metavar="COLUMN", help="The column of labels.")] = "",
    round_: Annotated[str, typer.Option("--round", metavar="COLUMN", help="The column of rounds.")] = "",
    not_sure: Annotated[list[str] | None, typer.Option(metavar="LABEL", help="A label that means not sure.")] = None,
    repeats: Annotated[
        str, typer.Option(help="Several labels by one annotator for one item: refused, first, last or apart.")
    ] = "refused",
    to: Annotated[str, typer.Option(metavar="FORMAT", help="Write the labels in this format too.")] = "",
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="The folder to write them into.")] = None,
    json: Json = False,
) -> None:
    """Read labels from a file, say what is in it, and write them in a format of the field."""
    from crito.cli import importing

    named = {"item": item, "annotator": annotator, "label": label, "round": round_}
    importing.import_labels(
        file,
        form=form,
        items=items,
        columns={what: column for what, column in named.items() if column},
        not_sure=not_sure or [],
        repeats=repeats,
        to=to,
        out=out,
        as_json=json,
    )


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


@cli.command(epilog="Example: crito backup my-study/study.yaml --out before-sunday.db")
def backup(
    study: Annotated[Path | None, typer.Argument(metavar="[STUDY]", help="The study file.")] = None,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The file to write.")] = Path("crito-backup.db"),
    db: Db = None,
    json: Json = False,
) -> None:
    """Copy the whole record into one file, while people go on working."""
    from crito.cli import backing_up

    backing_up.backup(study, db, out, as_json=json)


@cli.command(epilog="Example: crito restore before-sunday.db --db sqlite:///new.db --erased-in sqlite:///study.db")
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `crito backup` wrote.")],
    db: Annotated[str, typer.Option("--db", metavar="URL", help="A new database to restore into.")],
    erased_in: Annotated[
        str | None,
        typer.Option(metavar="URL", help="The database in use: what people took back there is erased again."),
    ] = None,
    json: Json = False,
) -> None:
    """Copy a backup into a new database; also the way from SQLite to PostgreSQL."""
    from crito.cli import backing_up

    backing_up.restore_backup(file, db, erased_in, as_json=json)


@expert_commands.command("add", epilog='Example: crito expert add my-study/study.yaml "Ana Rossi"')
def expert_add(
    study: Recorded,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What you call them; it stands in no export.")],
    db: Db = None,
    address: Annotated[str, typer.Option(metavar="URL", help="Where the server is.")] = "http://127.0.0.1:8000",
    json: Json = False,
) -> None:
    """Invite an expert: prints the personal link by which they come, as often as they like."""
    from crito.cli import experts

    experts.add(study, db, name, address, as_json=json)


@access_commands.command("list", epilog="Example: crito access list my-study")
def access_list(study: Recorded, db: Db = None, json: Json = False) -> None:
    """Who can come in to work on a study: with a role, by a link not used yet, by a personal link."""
    from crito.cli import access

    access.people(study, db, as_json=json)


@access_commands.command("invite", epilog='Example: crito access invite my-study "Ken Mori" --role reader')
def access_invite(
    study: Recorded,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What you call them.")],
    role: Annotated[str, typer.Option(help="owner, expert or reader (of transcripts).")],
    db: Db = None,
    address: Address = LOCAL_ADDRESS,
    json: Json = False,
) -> None:
    """Print a link that lets somebody in once; they choose a name and, if they like, a password there."""
    from crito.cli import access

    access.invite(study, db, name, role, address, as_json=json)


@access_commands.command("link", epilog='Example: crito access link my-study "Ken Mori"')
def access_link(
    study: Recorded,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the account.")],
    db: Db = None,
    address: Address = LOCAL_ADDRESS,
    json: Json = False,
) -> None:
    """Print a link that signs somebody in once who has a role already, for want of a password."""
    from crito.cli import access

    access.let_in_again(study, db, name, address, as_json=json)


@access_commands.command("end", epilog='Example: crito access end my-study "Ken Mori"')
def access_end(
    study: Recorded,
    name: Annotated[str, typer.Argument(metavar="NAME|ID", help="An account's name, a link's or an expert's id.")],
    db: Db = None,
    json: Json = False,
) -> None:
    """Take a role, a link or an invitation away; it works at once."""
    from crito.cli import access

    access.end(study, db, name, as_json=json)


@access_commands.command("readings", epilog="Example: crito access readings my-study")
def access_readings(study: Recorded, db: Db = None, json: Json = False) -> None:
    """Who was shown which transcript, and when."""
    from crito.cli import access

    access.readings(study, db, as_json=json)


@token_commands.command(
    "make", epilog="Example: crito token make my-study nightly --scope read:study --scope read:labels --days 30"
)
def token_make(
    study: Recorded,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the program is called.")],
    scope: Annotated[
        list[str],
        typer.Option(help="read:study, read:people, read:labels, read:transcripts or write:state; several times too."),
    ],
    days: Annotated[int, typer.Option(min=1, max=365, help="How long it is good.")] = 90,
    db: Db = None,
    json: Json = False,
) -> None:
    """Print a new token for the API; it is shown once."""
    from crito.cli import access

    access.make_token(study, db, name, scope, days, as_json=json)


@token_commands.command("list", epilog="Example: crito token list my-study")
def token_list(study: Recorded, db: Db = None, json: Json = False) -> None:
    """The tokens of a study with what they may do, never their text."""
    from crito.cli import access

    access.list_tokens(study, db, as_json=json)


@token_commands.command("revoke", epilog="Example: crito token revoke my-study t-0a1b2c3d4e5f")
def token_revoke(
    study: Recorded,
    token: Annotated[str, typer.Argument(metavar="ID", help="As `crito token list` names it.")],
    db: Db = None,
    json: Json = False,
) -> None:
    """Spoil a token; the next call with it is refused."""
    from crito.cli import access

    access.revoke_token(study, db, token, as_json=json)


@study_commands.command("list", epilog="Example: crito study list --db sqlite:///my-study/study.db")
def study_list(
    study: Annotated[str | None, typer.Argument(metavar="[STUDY]", help="A study of the record.")] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """The studies of a record with their states."""
    from crito.cli import access

    access.list_studies(study, db, as_json=json)


@study_commands.command("pause", epilog="Example: crito study pause my-study")
def study_pause(study: Recorded, db: Db = None, json: Json = False) -> None:
    """Let nobody new in; who is under way may finish."""
    from crito.cli import access

    access.set_state(study, db, "paused", as_json=json)


@study_commands.command("open", epilog="Example: crito study open my-study")
def study_open(study: Recorded, db: Db = None, json: Json = False) -> None:
    """Open a study again that was paused or archived."""
    from crito.cli import access

    access.set_state(study, db, "open", as_json=json)


@study_commands.command("archive", epilog="Example: crito study archive my-study")
def study_archive(study: Recorded, db: Db = None, json: Json = False) -> None:
    """Let nothing in it change any more, and take it out of the list; reading goes on."""
    from crito.cli import access

    access.set_state(study, db, "archived", as_json=json)


@study_commands.command("clone", epilog="Example: crito study clone my-study my-study-2")
def study_clone(
    study: Recorded,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the copy is called.")],
    db: Db = None,
    address: Address = LOCAL_ADDRESS,
    json: Json = False,
) -> None:
    """Publish a study's latest edition under a new name, with nobody in it; prints a link for its owner."""
    from crito.cli import access

    access.clone(study, db, name, address, as_json=json)


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


@cli.command(epilog="Example: crito erase my-study/study.yaml p-0a1b2c3d4e5f607 --yes")
def erase(
    study: Recorded,
    who: Annotated[str, typer.Argument(metavar="WHO", help="A pseudonym, or the platform's id.")],
    words_only: Annotated[bool, typer.Option("--words-only", help="Labels stay and count.")] = False,
    forget: Annotated[
        bool, typer.Option("--forget", help="Also who they are at the platform: they could not be paid any more.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Really do it.")] = False,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="The certificate to write.")] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Erase what a person left, and write a certificate of it."""
    from crito.cli import erasing

    erasing.erase_person(study, db, who, out, words_only=words_only, forget=forget, confirmed=yes, as_json=json)


@cli.command(epilog="Example: crito retention my-study/study.yaml")
def retention(
    study: Recorded,
    yes: Annotated[bool, typer.Option("--yes", help="Erase it; without, only say what would be.")] = False,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="The certificates to write.")] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Say whose data have been kept as long as `retention_days` promised, and erase them."""
    from crito.cli import erasing

    erasing.keep_no_longer(study, db, out, confirmed=yes, as_json=json)


@recruit_commands.command("check", epilog="Example: crito recruit check my-study --address https://example.org")
def recruit_check(
    study: File,
    address: Annotated[str, typer.Option(metavar="URL", help="Where the server is.")] = "http://127.0.0.1:8000",
    json: Json = False,
) -> None:
    """Show the link to paste, what people take back from each ending, and what looks wrong."""
    from crito.cli import recruiting

    recruiting.check(study, address, as_json=json)


@recruit_commands.command("open", epilog="Example: crito recruit open my-study/study.yaml 20")
def recruit_open(
    study: Recorded,
    n: Annotated[
        int | None,
        typer.Argument(metavar="[N]", min=0, help="How many more people may come; 0 closes the open places."),
    ] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Open places for people, some at a time; without a number, say how many there are."""
    from crito.cli import recruiting

    recruiting.open_places(study, db, n, as_json=json)


@recruit_commands.command("import", epilog="Example: crito recruit import my-study/study.yaml prolific_export.csv")
def recruit_import(
    study: Recorded,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Prolific's export, or Mechanical Turk's results.")],
    db: Db = None,
    json: Json = False,
) -> None:
    """Take in what a platform says of submissions: places of those it does not count go back."""
    from crito.cli import recruiting

    recruiting.take_in(study, db, file, as_json=json)


@recruit_commands.command(
    "fetch", epilog="Example: PROLIFIC_TOKEN=… crito recruit fetch my-study/study.yaml 63f1a2b3c4d5"
)
def recruit_fetch(
    study: Recorded,
    platform_study: Annotated[str, typer.Argument(metavar="ID", help="Prolific's id of its study.")],
    db: Db = None,
    json: Json = False,
) -> None:
    """Ask Prolific for the same, with the token in PROLIFIC_TOKEN."""
    from crito.cli import recruiting

    recruiting.fetch(study, db, platform_study, as_json=json)


@recruit_commands.command("demographics", epilog="Example: crito recruit demographics my-study prolific_export.csv")
def recruit_demographics(
    study: Recorded,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Prolific's export of submissions.")],
    db: Db = None,
    json: Json = False,
) -> None:
    """Keep what a platform says of people themselves, apart from their answers, to compare groups."""
    from crito.cli import recruiting

    recruiting.demographics(study, db, file, as_json=json)


@recruit_commands.command("decide", epilog="Example: crito recruit decide my-study/study.yaml approve --finished")
def recruit_decide(
    study: Recorded,
    decision: Annotated[str, typer.Argument(metavar="approve|reject")],
    people: Annotated[
        list[str] | None, typer.Argument(metavar="[WHO]...", help="Pseudonyms, or the platform's ids.")
    ] = None,
    finished: Annotated[bool, typer.Option("--finished", help="Approve everyone who finished and waits.")] = False,
    reason: Annotated[str, typer.Option(help="Why, for a rejection; the person reads it.")] = "",
    db: Db = None,
    json: Json = False,
) -> None:
    """Approve or reject submissions; every decision is kept, and a later one counts instead of it."""
    from crito.cli import recruiting

    recruiting.decide(study, db, decision, people or [], reason, finished=finished, as_json=json)


@recruit_commands.command("lists", epilog="Example: crito recruit lists my-study/study.yaml --out lists")
def recruit_lists(
    study: Recorded,
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder to write into.")] = Path(),
    into: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Mechanical Turk's results, to be given back filled in.")
    ] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Write the lists of decisions that the platform takes."""
    from crito.cli import recruiting

    recruiting.write_lists(study, db, out, into, as_json=json)


@db_commands.command("upgrade", epilog="Example: crito db upgrade --db sqlite:///my-study/study.db")
def db_upgrade(
    study: Annotated[Path | None, typer.Argument(metavar="[STUDY]", help="The study file.")] = None,
    db: Db = None,
) -> None:
    """Bring a database up to date, or make a new one."""
    from crito.cli import records

    records.upgrade_database(study, db)


@db_commands.command("forget", epilog="Example: crito db forget my-study --yes")
def db_forget(
    study: Recorded, db: Db = None, yes: Annotated[bool, typer.Option("--yes", help="Really do it.")] = False
) -> None:
    """Delete for good who the pseudonyms of a study are at the platform they came from."""
    from crito.cli import records

    records.forget(study, db, confirmed=yes)


@bench_commands.command(
    "experts",
    epilog="Example: crito bench experts --data data --models openai:gpt-4o,google:gemini-2.5-flash "
    "--reasoning-models openai:o3-mini --limit 200",
)
def bench_experts(
    data: Annotated[Path, typer.Option(metavar="DIR", help="The folder with the tasks' folders, or an experts.yaml.")],
    models: Annotated[
        list[str] | None, typer.Option(metavar="PROVIDER:NAME,...", help="Models for every method; several times too.")
    ] = None,
    reasoning_models: Annotated[
        list[str] | None, typer.Option(metavar="PROVIDER:NAME,...", help="Models that think before they answer.")
    ] = None,
    reasoning: Annotated[str, typer.Option(metavar="LEVEL|TOKENS", help="How much those may think.")] = "medium",
    group: Annotated[
        list[str] | None,
        typer.Option(metavar="PROVIDER:NAME,...", help="Who discusses with whom; several times. Default: all of them."),
    ] = None,
    method: Annotated[
        list[str] | None, typer.Option(help="Only these methods beside vanilla; several times. Default: all.")
    ] = None,
    task: Annotated[list[str] | None, typer.Option(help="Only these tasks; several times.")] = None,
    limit: Annotated[int, typer.Option(min=1, metavar="N", help="Items of each task, from a seeded sample.")] = 200,
    seed: Annotated[int, typer.Option(min=0, help="Decides which items.")] = 0,
    at_once: Annotated[int, typer.Option(min=1, max=1024, help="Calls at a time.")] = 8,
    budget: Annotated[
        float | None, typer.Option(min=0, metavar="USD", help="What the bench may cost in all; exit 3 before that.")
    ] = None,
    in_flight: Annotated[
        str, typer.Option(metavar="hold|resend", help="Calls that may have been charged without an answer on record.")
    ] = "hold",
    db: Db = None,
    json: Json = False,
) -> None:
    """Repeat the tables of the paper on experts' tasks; the same command again goes on where it ended."""
    from crito.cli import benching

    wish = benching.BenchWish(
        data=data,
        models=tuple(models or ()),
        reasoning_models=tuple(reasoning_models or ()),
        reasoning=reasoning,
        groups=tuple(group or ()),
        methods=tuple(method or ()),
        tasks=tuple(task or ()),
        limit=limit,
        seed=seed,
        at_once=at_once,
        budget_usd=budget,
        in_flight=in_flight,
        db=db,
    )
    if not benching.bench_experts(wish, as_json=json):
        raise typer.Exit(FAILED)


def run(arguments: Sequence[str]) -> int:
    """Run one command; the exit status: 0 done, 1 failed, 2 wrong usage or invalid input, 3 a limit was reached."""
    try:
        cli(args=list(arguments), prog_name="crito", standalone_mode=True)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else FAILED
    except CritoError as error:
        sys.stderr.write(f"{_headline(error)}\n{error}\n")
        return _status(error)
    return 0


def main() -> None:
    # A command begins with imports, which leave nothing to collect: looking for it as often as usual is a seventh of a start.
    gc.set_threshold(NEW_OBJECTS_PER_COLLECTION)
    sys.exit(run(sys.argv[1:]))


def _headline(error: CritoError) -> str:
    if isinstance(error, InvalidStudy):
        n = len(error.problems)
        return f"crito: the study cannot be used, for {n} reason{'s' if n > 1 else ''}:"
    return "crito: this did not work:"


def _status(error: CritoError) -> int:
    if isinstance(error, InvalidInput | InvalidStudy):
        return WRONG_USAGE
    return LIMIT_REACHED if isinstance(error, TooMany | BudgetReached) else FAILED
