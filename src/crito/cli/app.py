"""The command `crito` itself, its groups of commands, and options that several of them take."""

from pathlib import Path
from typing import Annotated

import typer

FAILED, WRONG_USAGE, LIMIT_REACHED = 1, 2, 3
"""Exit statuses beside 0."""

TABLES = (".csv", ".tsv", ".xlsx", ".json", ".jsonl", ".ndjson", ".parquet")
"""Endings by which a command knows a table from a study."""

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
