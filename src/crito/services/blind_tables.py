"""What decides how far a label may be trusted, as tables: draws, requests, handoffs, and labels accepted under them."""

from collections.abc import Collection, Iterator

from crito.model.ids import AssignmentId, StudyName
from crito.model.record import DrawnItem, LabelRequest
from crito.services.ports.store import Tx
from crito.services.standing import Standing, standings
from crito.services.study_tables import plain
from crito.services.tables import Column, Row, Table

BLIND_DRAWS = Table(
    "blind_draws",
    "One row per item that was drawn to be labelled without any machine's answer in view.",
    (
        Column("draw", "text", "Id of the draw."),
        Column("study", "text", "Name of the study."),
        Column("task", "text", "Name of the task."),
        Column("purpose", "text", "`label` for the blind sample of the study, else what the labels were asked for."),
        Column("rule", "text", "`simple` (so many of all) or `independent` (each by itself)."),
        Column("item", "text", "Id of the item."),
        Column("item_hash", "text", "SHA-256 of what is shown of the item."),
        Column("probability", "number", "With which probability the item was drawn."),
        Column("n_items", "integer", "Items that the draw chose among."),
        Column("n_drawn", "integer", "Items that it drew."),
        Column("seed_hash", "text", "SHA-256 of the secret seed, published with the draw."),
        Column("seed", "text", "The seed itself, once it was told; with it anyone draws the same items."),
        Column("drawn_at", "time", "When."),
        Column("revealed_at", "time", "When the seed was told; labels given later are no evidence."),
    ),
)

REQUESTS = Table(
    "requests",
    "One row per label that was asked for on purpose, beside a study's own places.",
    (
        Column("request", "text", "Id of the request."),
        Column("study", "text", "Name of the study."),
        Column("task", "text", "Name of the task."),
        Column("item", "text", "Id of the item."),
        Column("item_hash", "text", "SHA-256 of what is shown of the item."),
        Column("purpose", "text", "`calibration`, `certification`, `audit`, `verify`, `resolve` or `adjudicate`."),
        Column("probability", "number", "Of blind requests: with which probability the item was drawn."),
        Column("draw", "text", "The draw of blind requests."),
        Column("asked_of", "text", "Pseudonym of the only person asked; empty for anyone."),
        Column("assignment", "text", "The assignment that holds or answered it; empty while it waits."),
        Column("requested_at", "time", "When."),
    ),
)

HANDOFFS = Table(
    "handoffs",
    "One row per decision to leave the items that remain of a task to a machine, as it was taken, and how it ended.",
    (
        Column("handoff", "text", "Id of the decision."),
        Column("study", "text", "Name of the study."),
        Column("study_version", "integer", "Edition of the study file at the time."),
        Column("task", "text", "Name of the task."),
        Column("version", "text", "The machine: id of its labelling, or name of the recorded labels."),
        Column("number", "integer", "Which version of the machine this was on the task, from 1."),
        Column("rule", "text", "`anytime`, `fixed` or `point`."),
        Column("certified", "yes_no", "Whether the decision is a proof; never under the rule `point`."),
        Column("threshold", "number", "What agreement on the rest had to exceed."),
        Column("level", "number", "The part of the risk that this version might use."),
        Column("n_items", "integer", "Items in all."),
        Column("n_blind", "integer", "Blind comparisons."),
        Column("agreeing", "integer", "How many of them agreed."),
        Column("bound", "number", "Lower bound for the agreement on the rest."),
        Column("reading", "json", "Everything that the gate said."),
        Column("evidence_hash", "text", "SHA-256 of the rows that it rests on."),
        Column("evidence_until", "time", "Answers given later played no part."),
        Column("by", "text", "Account of whoever decided, or `command`."),
        Column("at", "time", "When."),
        Column("standing", "text", "`in_force`, `audits` (revoked), `new_version` or `taken_back`."),
        Column("accepted", "integer", "Labels accepted under it."),
        Column("ended_at", "time", "When it ended; empty while it is in force."),
        Column("ended_why", "text", "In words."),
    ),
)

ACCEPTED = Table(
    "accepted_labels",
    "One row per machine's label that stands, or stood, without a person's, under a handoff.",
    (
        Column("handoff", "text", "The decision, in `handoffs`."),
        Column("study", "text", "Name of the study."),
        Column("task", "text", "Name of the task."),
        Column("item", "text", "Id of the item."),
        Column("item_hash", "text", "SHA-256 of what is shown of the item."),
        Column("label", "text", "The machine's label."),
        Column("confidence", "number", "The machine's own; empty where it gave none."),
        Column("source", "text", "The run, in `outcomes`, or the recorded answer."),
        Column("certified", "yes_no", "Whether the handoff is a proof."),
        Column("standing", "text", "As in `handoffs`: labels of a handoff that was revoked are not to be relied upon."),
        Column("at", "time", "When it was accepted."),
    ),
)

BLIND_TABLES = (BLIND_DRAWS, REQUESTS, HANDOFFS, ACCEPTED)


def blind_rows(tx: Tx, study: StudyName, taken_back: Collection[AssignmentId]) -> Iterator[tuple[Table, Row]]:
    """Every row of these tables; assignments of people who took their data back are left out of requests."""
    for draw in tx.blind_draws(study):
        seed = tx.blind_seed(draw.id) if draw.revealed_at else None
        about = plain(draw) | {"draw": draw.id, "seed": seed}
        drawn = [one for one in tx.drawn_items(study, [draw.id]) if one.drawn]
        yield from ((BLIND_DRAWS, BLIND_DRAWS.row(about | _of_item(one))) for one in drawn)
    for request in tx.requests(study):
        yield REQUESTS, REQUESTS.row(plain(request) | _of_request(request, taken_back))
    stand = {one.handoff.id: one for one in standings(tx, study)}
    for one in stand.values():
        end = one.revocation
        cells = plain(one.handoff) | {
            "handoff": one.handoff.id, "reading": dict(one.handoff.reading), "standing": standing_of(one),
            "accepted": one.n_accepted, "ended_at": end.at if end else None, "ended_why": end.words if end else None,
        }  # fmt: skip
        yield HANDOFFS, HANDOFFS.row(cells)
    for label in tx.accepted_labels(study):
        under = stand[label.handoff]
        cells = plain(label) | {"study": study, "certified": under.handoff.certified, "standing": standing_of(under)}
        yield ACCEPTED, ACCEPTED.row(cells)


def standing_of(one: Standing) -> str:
    """In one word: in force, or by what it ended."""
    return one.revocation.reason if one.revocation else "in_force"


def _of_item(one: DrawnItem) -> dict[str, str | float]:
    return {"item": one.item, "item_hash": one.item_hash, "probability": one.probability}


def _of_request(request: LabelRequest, taken_back: Collection[AssignmentId]) -> dict[str, str | None]:
    answered = request.assignment if request.assignment not in taken_back else None
    return {"request": request.id, "assignment": answered}
