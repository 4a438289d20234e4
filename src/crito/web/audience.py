"""Who may use which address: told for every route of the app, so that none comes without an answer."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

from crito.model.access import SCOPES
from crito.web.api import scope_of

Visitor = Literal["anyone", "participant", "expert", "reader", "owner", "token"]
"""Each of them is of the study that the address names, but for `anyone`."""

ANYONE: tuple[Visitor, ...] = ("anyone",)
WHO_WORKS: tuple[Visitor, ...] = ("owner", "expert", "reader")
API = "/api/v1/"

EXACT: dict[str, tuple[Visitor, ...]] = {
    "/": ANYONE,
    "/healthz": ANYONE,
    "/readyz": ANYONE,
    "/metrics": (),
    "/sign-in": ANYONE,
    "/sign-out": ANYONE,
    "/studies": WHO_WORKS,
    "/s/{study}": ANYONE,
    "/s/{study}/": ANYONE,
    "/s/{study}/consent": ANYONE,
    "/s/{study}/left": ANYONE,
    "/s/{study}/owner/enter/{token}": ANYONE,
    "/s/{study}/expert/enter/{token}": ANYONE,
    "/api/v1/openapi.json": ANYONE,
    "/api/v1/studies": ("token",),
}
BELOW: dict[str, tuple[Visitor, ...]] = {
    "/static/": ANYONE,
    "/enter/": ANYONE,
    "/s/{study}/r/": ANYONE,
    "/account": WHO_WORKS,
    "/s/{study}/owner": ("owner",),
    "/s/{study}/transcripts": ("owner", "reader"),
    "/s/{study}/expert": ("expert",),
    API: ("token",),
    "/s/{study}/": ("participant",),
}
"""By what an address begins with; the first that fits counts."""


class Row(NamedTuple):
    """One line of the table: a route, who may use it, and for tokens the scope that they need."""

    method: str
    path: str
    visitors: tuple[Visitor, ...]
    scope: str


def visitors(path: str) -> tuple[Visitor, ...]:
    """Who may use the address `path`.

    Raises:
        LookupError: nobody has said so yet.
    """
    if path in EXACT:
        return EXACT[path]
    for beginning, allowed in BELOW.items():
        if path.startswith(beginning):
            return allowed
    raise LookupError(f"say in {__name__} who may use {path}")


def table(routes: Iterable[Any]) -> list[Row]:
    """Every route of an app, in the order of their addresses. HEAD, which goes with every GET, is left out."""
    rows = [
        Row(method, route.path, visitors(route.path), scope_of(route) or "")
        for route in every_route(routes)
        for method in route.methods - {"HEAD"}
    ]
    return sorted(rows, key=lambda row: (row.path, row.method))


def every_route(routes: Iterable[Any]) -> Iterator[Any]:
    """The routes of an app with those of the routers inside it."""
    for route in routes:
        inside: Sequence[Any] | None = getattr(getattr(route, "original_router", route), "routes", None)
        if inside is None:
            yield route
        else:
            yield from every_route(inside)


PAGE = """\
# Who may use which address

<!-- Made from the code by docs/build.py. Change src/crito/web/audience.py. -->

Every role counts in the study that the address names, and in no other.
An owner, expert, reader, participant or token of one study is a stranger in every other.
A test asks for each address as each of them, of this study and of another, and as nobody.
*Anyone* stands for addresses that need no sign-in; a one-time link is asked for at some of them.
Where the server counts what it answers, `/metrics` tells it to whoever has that token, whatever their role.
Forms (POST) are taken from pages of ours only.

| address | method | anyone | participant | expert | reader | owner | token with scope |
|---|---|---|---|---|---|---|---|
"""


def render(routes: Iterable[Any]) -> str:
    """The table as a page of the reference."""
    lines = []
    for row in table(routes):
        marks = [
            "yes" if one in row.visitors or "anyone" in row.visitors else ""
            for one in ("anyone", "participant", "expert", "reader", "owner")
        ]
        scope = f"`{row.scope}`" if row.scope else ("any" if "token" in row.visitors else "")
        lines.append(f"| `{row.path}` | {row.method} | {' | '.join(marks)} | {scope} |")
    scopes = ", ".join(f"`{scope}`" for scope in SCOPES)
    return PAGE + "\n".join(lines) + f"\n\nScopes of tokens: {scopes}.\n"
