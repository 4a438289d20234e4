"""The owner's page of erasure: whose data are due, erasing what somebody left, and the certificates of it."""

import json
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from crito.model.errors import Conflict, NotFound
from crito.model.ids import AnnotatorId
from crito.model.study import Study
from crito.services.erasing import carry_out_retention, certificate, erase, is_sound, retention
from crito.web.cockpit import owner_page, owner_path, room
from crito.web.desk import Desk, go, number_of
from crito.web.recruiting import by_whom
from crito.web.roles import require_form

PER_PAGE = 25


def routes(desk: Desk) -> list[Route]:
    return [
        room(desk, "/erasures", _show),
        room(desk, "/erasures/{annotator}.json", _certificate),
        Route("/s/{study}/owner/erasures/erase", partial(_erase, desk), methods=["POST"]),
        Route("/s/{study}/owner/erasures/retention", partial(_keep_no_longer, desk), methods=["POST"]),
    ]


async def _show(desk: Desk, request: Request) -> Response:
    return await _page(desk, request, await desk.study(request))


async def _page(desk: Desk, request: Request, study: Study, *, status: int = 200, **said: Any) -> Response:
    skip = number_of(request.query_params.get("skip", ""))
    rows, n = await desk.parts.store.survey(
        lambda tx: (tx.erasures(study.name, skip=skip, limit=PER_PAGE), tx.count_erasures(study.name))
    )
    page = owner_page(
        desk, request, "erasures", study,
        kept=await retention(desk.parts, study.name), erasures=rows, n_erasures=n, skip=skip, per_page=PER_PAGE,
        who=request.query_params.get("who", ""), sound=lambda one: is_sound(study.name, one),
        **{"done": None, "fault": "", **said},
    )  # fmt: skip
    page.status_code = status
    return page


async def _erase(desk: Desk, request: Request) -> Response:
    member, fields = await require_form(desk, request, "owner", even_archived=True)
    study = await desk.study(request)
    who, scope = AnnotatorId(fields.get("who", "").strip()), fields.get("scope")
    if fields.get("sure") != "yes" or not who or scope not in ("whole", "words"):
        return await _page(desk, request, study, status=400, fault="unsure")
    try:
        done = await erase(
            desk.parts, study.name, who, "words" if scope == "words" else "whole", by_whom(member),
            forget=fields.get("forget") == "yes",
        )  # fmt: skip
    except NotFound:
        return await _page(desk, request, study, status=404, fault="unknown")
    except Conflict:
        return await _page(desk, request, study, status=409, fault="under_way")
    return await _page(desk, request, study, done=done)


async def _keep_no_longer(desk: Desk, request: Request) -> Response:
    member, fields = await require_form(desk, request, "owner", even_archived=True)
    study = await desk.study(request)
    if fields.get("sure") != "yes":
        return await _page(desk, request, study, status=400, fault="unsure")
    await carry_out_retention(desk.parts, study.name, by_whom(member))
    return go(request, owner_path(request) + "/erasures")


async def _certificate(desk: Desk, request: Request) -> Response:
    study = await desk.study(request)
    who = AnnotatorId(request.path_params["annotator"])
    found = await desk.parts.store.read(lambda tx: tx.erasures_of(study.name, who))
    if not found:
        raise NotFound("nothing of this person was erased")
    told = json.dumps([certificate(study.name, one) for one in found], ensure_ascii=False, indent=2)
    headers = {"Content-Disposition": f'attachment; filename="{who}-erasure.json"', "Cache-Control": "no-store"}
    return Response(told, media_type="application/json", headers=headers)
