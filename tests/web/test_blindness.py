"""A machine's answer on a blind item is in no byte of any response, whoever asks and whatever the route; the routes come from the app."""

import json
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from httpx import Response
from starlette.routing import BaseRoute

from crito.model.ids import StudyName
from crito.model.study import Study
from crito.services import accounts, queue, tokens
from crito.store.schema import upgrade
from tests.studies.folder import parse
from tests.web.site import Browser, Site, opened_site

REASON, FIELD = "CANARYthekettlesaidso", "CANARYfieldthattells"
CANARIES = (b"CANARY",)
ITEMS = "".join(
    json.dumps(
        {
            "id": f"note-{n}",
            "text": f"Note number {n} about a kettle.",
            "context": {"place": "Turin", "gpt_label": f"{FIELD} yes", "model.reason": FIELD, "Verdict": FIELD},
            "said": "yes",
            "why": REASON,
        }
    )
    + "\n"
    for n in range(6)
)
STUDY = """\
study: notes
tasks:
  - name: irony
    question: Is it ironic?
    labels: [{name: yes, text: Ironic}, {name: no, text: Not ironic}]
    items: items.jsonl
    items_per_person: 2
    annotators_per_item: 4
suggestions:
  display: DISPLAY
  blind_rate: 1.0
  source: {label: said, reason: why}
"""


def study(display: str = "blind_sample") -> Study:
    return parse(STUDY.replace("DISPLAY", display), {"items.jsonl": ITEMS.encode()})


class Listener:
    """Hears every byte that comes back to one browser."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, bytes]] = []

    async def __call__(self, response: Response) -> None:
        body = await response.aread()
        head = b"\n".join(name + b": " + value for name, value in response.headers.raw)
        self.heard.append((f"{response.request.method} {response.request.url}", head + b"\n\n" + body))

    def leaks(self) -> list[str]:
        return [where for where, said in self.heard if any(canary in said for canary in CANARIES)]


@pytest.fixture
async def blind_site(tmp_path: Path) -> AsyncIterator[Site]:
    upgrade(f"sqlite:///{tmp_path / 'blind.db'}")
    async with opened_site(f"sqlite:///{tmp_path / 'blind.db'}", study()) as opened:
        yield opened


def listening(site: Site, **headers: str) -> tuple[Browser, Listener]:
    browser, listener = site.browser(**headers), Listener()
    browser.client.event_hooks["response"].append(listener)
    return browser, listener


def every_route(routes: Sequence[BaseRoute]) -> Iterator[Any]:
    """The routes of an app with those of the routers inside it."""
    for route in routes:
        inside = getattr(getattr(route, "original_router", route), "routes", None)
        if inside is None:
            yield route
        else:
            yield from every_route(inside)


def addresses(site: Site, **known: str) -> list[tuple[str, str]]:
    """Every method and address of the app, with what is known in the blanks of the paths."""
    found = []
    for route in every_route(site.app.routes):
        path = re.sub(r"{(\w+)(:\w+)?}", lambda blank: known.get(blank[1], "1"), route.path)
        found += [(method, path) for method in sorted(route.methods)]
    return found


async def ask_everything(site: Site, browser: Browser, fields: dict[str, str], **known: str) -> int:
    """Every route, twice over, plainly, as a script and with fields that nobody offered; returns how many there are."""
    forged = {"blind": "0", "exposed": "0", "display": "before_label", "show": "1", "suggestion": "1"}
    asked = addresses(site, study="notes", **known)
    for method, path in asked:
        for headers in ({}, {"HX-Request": "true"}):
            data = {**forged, **fields} if method == "POST" else None
            await browser.client.request(method, path, data=data, params=forged, headers=headers, follow_redirects=True)
    return len(asked)


async def expert_browser(site: Site) -> tuple[Browser, Listener, str]:
    _, token = await queue.invite(site.parts, StudyName("notes"), "Ana")
    browser, listener = listening(site)
    await browser.open(f"{site.base}expert/enter/{token}")
    await browser.send("form.decide")
    return browser, listener, token


async def test_an_expert_hears_nothing_of_the_machine_while_holding_a_blind_item_or_after(blind_site: Site) -> None:
    browser, listener, token = await expert_browser(blind_site)
    form = browser.form("#answers")

    n_routes = await ask_everything(blind_site, browser, form, token=token, assignment=form["form_name"][7:])
    await browser.open(f"{blind_site.base}expert")
    for label in ("no", "yes", "no"):
        again = browser.form("#answers")
        await browser.post(f"{blind_site.base}expert/label", {**again, "label": label})
    await browser.open(f"{blind_site.base}expert/undo")
    await ask_everything(blind_site, browser, form, token=token, assignment=form["form_name"][7:])

    assert n_routes > 20
    assert len(listener.heard) > 4 * n_routes
    assert listener.leaks() == []


async def test_a_participant_hears_nothing_of_the_machine_from_consent_to_the_end(blind_site: Site) -> None:
    browser, listener = listening(blind_site)
    await browser.open()
    await browser.go_until(blind_site.study, "#answers")
    fields = browser.form("#answers")
    await ask_everything(blind_site, browser, fields, assignment=fields["form_name"].partition(":")[2])
    await browser.open()
    while browser.html.css_first("#answers, form.decide"):
        await browser.go_on(blind_site.study)

    assert len(listener.heard) > 60
    assert listener.leaks() == []


async def test_nobody_reads_a_debate_on_a_blind_item_by_any_route(tmp_path: Path) -> None:
    said = [
        {"item": f"note-{n}", "topic": "CANARYtopic", "label": label, "argument": f"CANARY argues {label}."}
        for n in range(6)
        for label in ("yes", "no")
    ]
    debates = "".join(json.dumps(row) + "\n" for row in said).encode()
    flow = "flow: [consent, annotate, debate, reannotate]\nitem_debates: debates.jsonl\n"
    files = {"items.jsonl": ITEMS.encode(), "debates.jsonl": debates}
    whole = parse(STUDY.replace("DISPLAY", "blind_sample") + flow, files)
    upgrade(f"sqlite:///{tmp_path / 'blind.db'}")
    async with opened_site(f"sqlite:///{tmp_path / 'blind.db'}", whole) as site:
        browser, listener = listening(site)
        await browser.open()
        await browser.go_until(whole, "#again")
        fields = browser.form("#answers")
        await ask_everything(site, browser, fields, assignment=fields["form_name"].partition(":")[2])
        await browser.open()
        while browser.html.css_first("#answers, form.decide"):
            await browser.go_on(whole)

    assert any("/read" in where for where, _ in listener.heard)
    assert listener.leaks() == []


@pytest.mark.parametrize("also", ["alone", "expert"])
async def test_the_owner_hears_nothing_either_alone_or_in_a_second_tab_of_an_expert(
    blind_site: Site, also: str
) -> None:
    browser, listener = listening(blind_site)
    if also == "expert":
        browser, listener, _ = await expert_browser(blind_site)
    token = await accounts.make_owner_link(blind_site.parts, StudyName("notes"))
    await browser.open(f"{blind_site.base}owner/enter/{token}")

    form = browser.html.css_first("input[name=csrf]")
    await ask_everything(blind_site, browser, {"csrf": (form.attributes["value"] or "") if form else ""})

    assert listener.leaks() == []


async def test_a_program_with_a_token_hears_nothing(blind_site: Site) -> None:
    await expert_browser(blind_site)
    token = await tokens.make_api_token(blind_site.parts, StudyName("notes"))
    browser, listener = listening(blind_site, Authorization=f"Bearer {token}")

    await ask_everything(blind_site, browser, {})

    assert any("/items" in where and b"kettle" in said for where, said in listener.heard)
    assert listener.leaks() == []


async def test_a_stranger_hears_nothing(blind_site: Site) -> None:
    browser, listener = listening(blind_site)

    await ask_everything(blind_site, browser, {"label": "yes", "accept": "1"})

    assert listener.leaks() == []


async def test_the_same_ears_hear_the_machine_where_it_may_speak(tmp_path: Path) -> None:
    upgrade(f"sqlite:///{tmp_path / 'open.db'}")
    async with opened_site(f"sqlite:///{tmp_path / 'open.db'}", study("before_label")) as site:
        _, listener, _ = await expert_browser(site)

        leaks = listener.leaks()

    assert leaks
    assert not any(FIELD.encode() in said for _, said in listener.heard)


async def test_forged_forms_make_no_label_blind(tmp_path: Path) -> None:
    """What was shown is on record before the page is; no field of a form can say otherwise."""
    upgrade(f"sqlite:///{tmp_path / 'open.db'}")
    async with opened_site(f"sqlite:///{tmp_path / 'open.db'}", study("before_label")) as site:
        browser, _, _ = await expert_browser(site)
        second = await browser.client.get(f"{site.base}expert")
        forged = {"exposures": "0", "blind": "true", "round": "0", "seq": "0", "ms_first_input": "1"}

        await browser.send("#answers", label="yes", **forged)
        await browser.post(f"{site.base}expert/label", {**browser.form("#answers"), **forged, "label": "yes"})

        expert = (await site.parts.store.read(lambda tx: tx.experts(StudyName("notes"))))[0][0].id
        labels = await site.parts.store.read(lambda tx: tx.annotation_history(StudyName("notes"), [expert]))
        exposures = await site.parts.store.read(lambda tx: tx.exposures(StudyName("notes"), [expert]))

    assert second.status_code == 200
    first_seen = {one.item: one.seq for one in reversed(exposures)}
    assert len(labels) == 2
    assert all(first_seen[one.item] < one.seq for one in labels)
