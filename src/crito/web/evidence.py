"""The owner's page of blind evidence: the Blind Agreement card of each task, what is handed over, what was drawn, how long
people took.
"""

from functools import partial

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from crito.model.errors import Conflict, InvalidInput
from crito.model.ids import StudyName, TaskName
from crito.services.agreeing import agreement_cards
from crito.services.handing import AUDITS, facts_of, hand_over, take_back, watched
from crito.services.members import access
from crito.services.timing import timing
from crito.stats.statistic import as_json
from crito.studies.planning import notes_on_suggestions
from crito.web.cockpit import owner_page, owner_path, room
from crito.web.desk import Desk, go, number_of, study_name
from crito.web.roles import require_form

MAX_REASON = 500


def routes(desk: Desk) -> list[Route]:
    return [
        room(desk, "/blind", _show),
        room(desk, "/blind.json", _facts),
        Route("/s/{study}/owner/blind/hand-over", partial(_hand_over, desk), methods=["POST"]),
        Route("/s/{study}/owner/blind/take-back", partial(_take_back, desk), methods=["POST"]),
    ]


async def _show(desk: Desk, request: Request, refusal: Conflict | InvalidInput | None = None) -> Response:
    study = await desk.study(request)
    handoffs = await watched(desk.parts, study.name)
    response = owner_page(
        desk, request, "evidence", study,
        settings=study.suggestions,
        notes=list(notes_on_suggestions(study)),
        cards=await agreement_cards(desk.parts, study.name),
        handoffs=handoffs,
        in_force={one.standing.handoff.task for one in handoffs if one.standing.revocation is None},
        audits=AUDITS,
        called=await _called(desk, study.name),
        refusal=refusal,
        draws=await desk.parts.store.read(lambda tx: tx.blind_draws(study.name)),
        timing=await timing(desk.parts, study.name),
    )  # fmt: skip
    if refusal:
        response.status_code = 409
    return response


async def _called(desk: Desk, study: StudyName) -> dict[str, str]:
    """What those who decide about a study are called, by account."""
    working = await access(desk.parts, study)
    return {one.account: one.name for one in (*working.former, *working.members)}


async def _hand_over(desk: Desk, request: Request) -> Response:
    """Leave the rest of a task to the machine; where the gate does not allow it, the page says why."""
    who, fields = await require_form(desk, request, "owner")
    task, audits = TaskName(fields.get("task", "")), number_of(fields.get("audits", ""))
    try:
        await hand_over(desk.parts, study_name(request), task, by=str(who.account), audits=audits)
    except (Conflict, InvalidInput) as problem:
        return await _show(desk, request, problem)
    return go(request, f"{owner_path(request)}/blind#handoffs")


async def _take_back(desk: Desk, request: Request) -> Response:
    who, fields = await require_form(desk, request, "owner")
    why = fields.get("why", "").strip()[:MAX_REASON]
    try:
        await take_back(desk.parts, study_name(request), TaskName(fields.get("task", "")), by=str(who.account), why=why)
    except Conflict as problem:
        return await _show(desk, request, problem)
    return go(request, f"{owner_path(request)}/blind#handoffs")


async def _facts(desk: Desk, request: Request) -> Response:
    study = await desk.study(request)
    cards = await agreement_cards(desk.parts, study.name)
    facts = {
        "study": study.name,
        "cards": [
            {"task": one.task, "machine": one.version, "items": one.n_items, "rest": one.rest, "reason": one.reason,
             "warning": one.warning}
            | (as_json(one.card) if one.card else {})
            for one in cards
        ],
        "handoffs": [facts_of(one) for one in await watched(desk.parts, study.name)],
        "timing": as_json([one._asdict() for one in await timing(desk.parts, study.name)]),
    }  # fmt: skip
    return JSONResponse(facts, headers={"Cache-Control": "no-store"})
