"""A debate's page, for the owner: turns as they come, and what a moderator may do between them."""

import asyncio
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from crito.model.errors import InvalidInput, NotFound
from crito.model.ids import RunId
from crito.protocols.debate.lines import stage_of
from crito.report.debate_page import render_debate
from crito.services.debate_files import DebateReport, flag_words, scenes, speaker_words, turn_words
from crito.services.debating import Standing, intervene, standing_of, standings
from crito.services.verdict_files import agreement_words, winner_words
from crito.services.whole_debate import report_of
from crito.web.cockpit import owner_fragment, owner_page, owner_path, room
from crito.web.desk import Desk, go, study_name
from crito.web.roles import require_form

PAGE = "/debates/{run}"


def routes(desk: Desk) -> list[Route]:
    return [
        room(desk, "/debates", _list),
        room(desk, PAGE, _show),
        room(desk, f"{PAGE}/turns", _turns),
        room(desk, f"{PAGE}/whole", _whole),
        Route(f"/s/{{study}}/owner{PAGE}", partial(_intervene, desk), methods=["POST"]),
    ]


async def _list(desk: Desk, request: Request) -> Response:
    study = await desk.study(request)
    return owner_page(desk, request, "debates", study, debates=await standings(desk.parts, study.name))


async def _show(desk: Desk, request: Request) -> Response:
    study = await desk.study(request)
    standing = await _standing(desk, request)
    report = await report_of(desk.parts, study.name, _run(request)) if standing.outcome else None
    return owner_page(
        desk, request, "debate", study, here=_path(request), report=report, verdict=_verdict(report), growing=False,
        **_shown(standing),
    )  # fmt: skip


async def _whole(desk: Desk, request: Request) -> Response:
    """The page that one keeps: transcript, scores, reasons and brief."""
    report = await report_of(desk.parts, study_name(request), _run(request))
    if report is None:
        raise NotFound("this debate is not over: there is no page of it to take along yet")
    page = await asyncio.to_thread(render_debate, report)
    headers = {"Content-Disposition": f'attachment; filename="{_run(request)}.html"', "Cache-Control": "no-store"}
    return Response(page, headers=headers, media_type="text/html")


def _verdict(report: DebateReport | None) -> list[str]:
    """What the judges decided, how far they agree, and what has to be known before it is quoted."""
    if report is None or report.judged is None:
        return []
    found = report.judged.findings
    return [f"{winner_words(found.winner)}, by {found.decided_by}. {agreement_words(found)}", *found.warnings]


async def _turns(desk: Desk, request: Request) -> Response:
    """The part of the page that grows; it asks for itself again until the debate is over."""
    standing = await _standing(desk, request)
    return owner_fragment(
        desk, request, "fragments/debate_turns", here=_path(request), growing=True, **_shown(standing)
    )


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
        "level": _level(standing),
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


def _level(standing: Standing) -> float:
    """How adversarial the agents were told to be last."""
    told = [line.contentiousness for line in standing.lines if line.contentiousness is not None]
    return told[-1] if told else standing.run.debate.settings.schedule.debate


def _run(request: Request) -> RunId:
    return RunId(request.path_params["run"])


def _path(request: Request) -> str:
    return f"{owner_path(request)}/debates/{_run(request)}"
