"""The owner's page of blind evidence: the Blind Agreement card of each task, what was drawn, how long people took."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from crito.services.agreeing import agreement_cards
from crito.services.timing import timing
from crito.stats.statistic import as_json
from crito.studies.planning import notes_on_suggestions
from crito.web.cockpit import owner_page, room
from crito.web.desk import Desk


def routes(desk: Desk) -> list[Route]:
    return [room(desk, "/blind", _show), room(desk, "/blind.json", _facts)]


async def _show(desk: Desk, request: Request) -> Response:
    study = await desk.study(request)
    return owner_page(
        desk, request, "evidence", study,
        settings=study.suggestions,
        notes=list(notes_on_suggestions(study)),
        cards=await agreement_cards(desk.parts, study.name),
        draws=await desk.parts.store.read(lambda tx: tx.blind_draws(study.name)),
        timing=await timing(desk.parts, study.name),
    )  # fmt: skip


async def _facts(desk: Desk, request: Request) -> Response:
    study = await desk.study(request)
    cards = await agreement_cards(desk.parts, study.name)
    facts = {
        "study": study.name,
        "cards": [
            {"task": one.task, "machine": one.version, "items": one.n_items, "reason": one.reason}
            | (as_json(one.card) if one.card else {})
            for one in cards
        ],
        "timing": as_json([one._asdict() for one in await timing(desk.parts, study.name)]),
    }
    return JSONResponse(facts, headers={"Cache-Control": "no-store"})
