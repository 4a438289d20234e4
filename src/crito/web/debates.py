"""A debate's page, for the owner: turns as they come, and what a moderator may do between them."""

from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from crito.model.errors import InvalidInput
from crito.model.ids import RunId
from crito.protocols.debate.lines import stage_of
from crito.services.debate_files import flag_words, scenes, speaker_words, turn_words
from crito.services.debating import Standing, intervene, standing_of, standings
from crito.web.cockpit import owner_fragment, owner_page, owner_path, room
from crito.web.desk import Desk, go, study_name
from crito.web.roles import require_form

PAGE = "/debates/{run}"


def routes(desk: Desk) -> list[Route]:
    return [
        room(desk, "/debates", _list),
        room(desk, PAGE, _show),
        room(desk, f"{PAGE}/turns", _turns),
        Route(f"/s/{{study}}/owner{PAGE}", partial(_intervene, desk), methods=["POST"]),
    ]


async def _list(desk: Desk, request: Request) -> Response:
    study = await desk.study(request)
    return owner_page(desk, request, "debates", study, debates=await standings(desk.parts, study.name))


async def _show(desk: Desk, request: Request) -> Response:
    study = await desk.study(request)
    standing = await _standing(desk, request)
    return owner_page(desk, request, "debate", study, here=_path(request), **_shown(standing))


async def _turns(desk: Desk, request: Request) -> Response:
    """The part of the page that grows; it asks for itself again until the debate is over."""
    standing = await _standing(desk, request)
    return owner_fragment(desk, request, "fragments/debate_turns", here=_path(request), **_shown(standing))


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
        "flag_words": flag_words,
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
    return f"{owner_path(request)}/debates/{_run(request)}"
