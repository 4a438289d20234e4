"""A debate's page, for the owner: turns as they come, and what a moderator may do between them."""

from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from crito.model.errors import InvalidInput
from crito.model.ids import Language, RunId
from crito.protocols.debate.lines import stage_of
from crito.services.debate_files import scenes, speaker_words, turn_words
from crito.services.debating import Standing, intervene, standing_of
from crito.web.desk import Desk, base_path, go, root_path, study_name
from crito.web.roles import form_mark, require_form, require_role
from crito.web.words import negotiated

PAGE = "/s/{study}/owner/debates/{run}"


def routes(desk: Desk) -> list[Route]:
    return [
        Route(PAGE, partial(_show, desk), methods=["GET"]),
        Route(PAGE, partial(_intervene, desk), methods=["POST"]),
        Route(f"{PAGE}/turns", partial(_turns, desk), methods=["GET"]),
    ]


async def _show(desk: Desk, request: Request) -> Response:
    await require_role(desk, request, "owner")
    study = await desk.study(request)
    standing = await _standing(desk, request)
    language = negotiated([Language("en")], "", "")
    return desk.page(
        request, "debate", language, study_title=study.title.in_language(language), base=_path(request),
        owner=base_path(request) + "owner", csrf=form_mark(request), **_shown(standing),
    )  # fmt: skip


async def _turns(desk: Desk, request: Request) -> Response:
    """The part of the page that grows; it asks for itself again until the debate is over."""
    await require_role(desk, request, "owner")
    shown = _shown(await _standing(desk, request))
    text = desk.pages.render("fragments/debate_turns", Language("en"), root_path(request), base=_path(request), **shown)
    return HTMLResponse(text, headers={"Cache-Control": "no-store"})


async def _intervene(desk: Desk, request: Request) -> Response:
    _, fields = await require_form(desk, request, "owner")
    try:
        await intervene(
            desk.parts, study_name(request), _run(request), fields.get("kind", ""), fields.get("value", "")[:2000]
        )
    except InvalidInput:
        # A form sent after the debate ended, or with a number that is none: the page shows what stands.
        return go(request, _path(request))
    return go(request, f"{_path(request)}#moderate")


async def _standing(desk: Desk, request: Request) -> Standing:
    return await standing_of(desk.parts, study_name(request), _run(request))


def _shown(standing: Standing) -> dict[str, Any]:
    return {
        "standing": standing,
        "debate": standing.run.debate,
        "scenes": scenes(standing.lines),
        "stage": stage_of(standing.lines, over=standing.outcome is not None),
        "topics": _topics(standing),
        "speaker_words": speaker_words,
        "turn_words": turn_words,
    }


def _topics(standing: Standing) -> list[str]:
    """The topics that are on, as far as they are known; every one that was argued on so far."""
    if standing.outcome is not None:
        return [topic.title for topic in standing.outcome.topics]
    argued = [line.topic for line in standing.lines if line.topic]
    return list(dict.fromkeys(argued))


def _run(request: Request) -> RunId:
    return RunId(request.path_params["run"])


def _path(request: Request) -> str:
    return f"{base_path(request)}owner/debates/{_run(request)}"
