"""A page as a browser without scripts reads it: its forms, what they ask, where they go."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

ENDED = "ended-"
"""How the page that ends the study marks its body, before the name of the ending."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One thing that a form asks. `options` are the values of a choice; none for free words.

    `only_if` names the field and the values of it that make this one apply.
    """

    name: str
    words: str
    options: tuple[str, ...]
    required: bool
    only_if: tuple[str, tuple[str, ...]] | None


@dataclass(frozen=True, slots=True)
class Form:
    """One form: where it goes, what it carries unseen, what it asks. A closed one cannot be sent yet."""

    action: str
    hidden: Mapping[str, str]
    asked: tuple[Asked, ...]
    closed: bool

    @property
    def step(self) -> str:
        """The last part of the address it goes to."""
        return urlsplit(self.action).path.rstrip("/").rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class SeenPage:
    """What a person sees. `forms` by step; `ending` once the study is over for them; `links` in order."""

    address: str
    heading: str
    notice: str
    ending: str
    forms: Mapping[str, Form]
    links: tuple[str, ...]

    @property
    def step(self) -> str:
        """What the page is for, by the form that leads on from it."""
        first = ("consent", "instructions", "annotate", "resolve", "confirm", "pause", "survey", "about-you")
        onward = (*first, "debate", "read", "reply", "message", "reannotate")
        return next((step for step in (*onward, "continue") if step in self.forms), "end" if self.ending else "")


def parse_page(html: str, address: str) -> SeenPage:
    """Read a page that came from `address`."""
    tree = LexborHTMLParser(html)
    forms = [_form(node, address) for node in tree.css("form")]
    body = tree.body
    classes = ((body.attributes.get("class") or "") if body else "").split()
    return SeenPage(
        address=address,
        heading=_text(tree.css_first("h1")),
        notice=_text(tree.css_first(".notice.fault, .notice.calm")),
        ending=next((name.removeprefix(ENDED) for name in classes if name.startswith(ENDED)), ""),
        forms={form.step: form for form in forms},
        links=tuple(urljoin(address, node.attributes.get("href") or "") for node in tree.css("a[href]")),
    )


def _form(node: LexborNode, address: str) -> Form:
    hidden = {
        _attribute(field, "name"): _attribute(field, "value")
        for field in node.css("input[type=hidden]")
        if field.attributes.get("name")
    }
    return Form(
        urljoin(address, _attribute(node, "action")),
        hidden,
        tuple(_asked(node)),
        closed=node.css_first("fieldset[disabled]") is not None,
    )


def _asked(form: LexborNode) -> Iterator[Asked]:
    seen: set[str] = set()
    for field in form.css("input[type=radio], textarea"):
        name = _attribute(field, "name")
        if name in seen:
            continue
        seen.add(name)
        options = tuple(
            _attribute(radio, "value") for radio in form.css("input[type=radio]") if _attribute(radio, "name") == name
        )
        branch = _around(field, "data-only-if")
        only_if = (
            None
            if branch is None
            else (_attribute(branch, "data-only-if"), tuple(json.loads(_attribute(branch, "data-only-values"))))
        )
        required = "required" in field.attributes or (branch is not None and "data-required" in branch.attributes)
        yield Asked(name, _question_of(field), options, required, only_if)


def _question_of(field: LexborNode) -> str:
    around = _around(field, "data-name")
    return _text(around.css_first("legend, .legend")) if around is not None else ""


def _around(node: LexborNode, attribute: str) -> LexborNode | None:
    above = node.parent
    while above is not None and attribute not in (above.attributes or {}):
        above = above.parent
    return above


def _attribute(node: LexborNode, name: str) -> str:
    return node.attributes.get(name) or ""


def _text(node: LexborNode | None) -> str:
    return " ".join(node.text().split()) if node is not None else ""
