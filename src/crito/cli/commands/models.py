"""Commands about models: label, debate, judge, and what it took."""

from pathlib import Path
from typing import Annotated

import typer

from crito.cli.app import FAILED, Db, Json, Recorded, bench_commands, cli


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
    swap: Annotated[
        str, typer.Option(help="Do in both orders: none, judging (--swap alone), or the whole debate.")
    ] = "none",
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
