"""Commands about studies: make, check, serve and rehearse them, several in one record."""

from pathlib import Path
from typing import Annotated

import typer

from crito.cli.app import LOCAL_ADDRESS, Address, Db, File, Host, Json, Recorded, Workers, cli, study_commands


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
    template: Annotated[str, typer.Option(help="socratic, solo, models or debate.")] = "socratic",
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
    discard_rehearsal: Annotated[
        bool, typer.Option("--discard-rehearsal", help="Begin anew: delete what earlier scripted people left.")
    ] = False,
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
        discard=discard_rehearsal,
        as_json=json,
    )


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
