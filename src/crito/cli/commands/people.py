"""Commands about people: recruitment, experts, who may do what, erasure."""

from pathlib import Path
from typing import Annotated

import typer

from crito.cli.app import (
    LOCAL_ADDRESS,
    Address,
    Db,
    File,
    Json,
    Recorded,
    access_commands,
    cli,
    expert_commands,
    recruit_commands,
    token_commands,
)


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
