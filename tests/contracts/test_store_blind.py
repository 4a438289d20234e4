"""What every store keeps for blind evidence: draws, requests, and what one person has seen of an item."""

import pytest

from crito.model.errors import Conflict
from crito.model.ids import AssignmentId, DrawId, ItemId, RequestId
from crito.model.record import BlindDraw, DrawnItem, LabelRequest, Tuning
from crito.services.ports.store import Store, Tx
from tests.builders import make_participant
from tests.contracts.recording import ANA, BEN, CONDITION, ITEM, LATER, NOON, STUDY, TASK, enrol, exposure, give, label

DRAW = BlindDraw(DrawId("d-1"), STUDY, TASK, "label", "simple", 0.5, 2, 1, "f" * 64, NOON)
CHOSEN = [
    DrawnItem(DRAW.id, ItemId("i-0"), "0" * 64, 0.5, True),
    DrawnItem(DRAW.id, ItemId("i-1"), "0" * 64, 0.5, False),
]


def request(name: str, item: str = "i-0", number: int = 1000, **more: object) -> LabelRequest:
    values = {"purpose": "audit", "requested_at": NOON, "probability": 0.5, "draw": DRAW.id} | more
    return LabelRequest(RequestId(name), STUDY, TASK, ItemId(item), "0" * 64, CONDITION, number, **values)


async def test_a_draw_reads_back_with_what_it_chose_among_and_without_its_secret(store: Store) -> None:
    await store.write(lambda tx: tx.add_blind_draw(DRAW, "secret", CHOSEN))

    assert await store.read(lambda tx: tx.blind_draws(STUDY)) == [DRAW]
    assert await store.read(lambda tx: tx.drawn_items(STUDY, [DRAW.id])) == CHOSEN
    assert await store.read(lambda tx: tx.draws_of_item(STUDY, ItemId("i-1"))) == [(DRAW, CHOSEN[1])]
    assert await store.read(lambda tx: tx.blind_seed(DRAW.id)) == "secret"


async def test_a_secret_is_told_once(store: Store) -> None:
    def work(tx: Tx) -> None:
        tx.add_blind_draw(DRAW, "secret", CHOSEN)
        tx.reveal_draw(DRAW.id, NOON)
        tx.reveal_draw(DRAW.id, LATER)

    await store.write(work)

    (draw,) = await store.read(lambda tx: tx.blind_draws(STUDY))
    assert draw.revealed_at == NOON


async def test_a_request_is_held_by_one_and_comes_back_when_its_place_is_released(store: Store) -> None:
    def work(tx: Tx) -> list[LabelRequest | None]:
        enrol(tx, ANA, BEN)
        tx.add_requests([request("q-1")], seed=1)
        first = tx.take_request(STUDY, ANA, AssignmentId("a-1"))
        give(tx, ANA, "a-1", ItemId("i-0"))
        second = tx.take_request(STUDY, BEN, AssignmentId("b-1"))
        tx.release_slots([AssignmentId("a-1")])
        return [first, second, tx.take_request(STUDY, BEN, AssignmentId("b-1"))]

    first, second, third = await store.write(work)

    assert (first and first.assignment, second, third and third.assignment) == ("a-1", None, "b-1")
    assert await store.read(lambda tx: tx.request_of(AssignmentId("b-1"))) == third


async def test_nobody_is_asked_again_for_an_item_they_had_unless_they_are_meant(store: Store) -> None:
    def work(tx: Tx) -> list[str]:
        enrol(tx, ANA)
        give(tx, ANA, "a-0", ItemId("i-0"), status="done")
        asked = [
            request("q-1"),
            request("q-2", "i-1", purpose="verify"),
            request("q-3", "i-0", 1001, asked_of="ana", purpose="resolve"),
        ]
        tx.add_requests(asked, seed=1)
        taken = [tx.take_request(STUDY, ANA, AssignmentId(f"a-{n}")) for n in range(1, 4)]
        return [one.id if one else "" for one in taken]

    assert await store.write(work) == ["q-3", "q-2", ""]


async def test_a_request_that_lapsed_is_taken_back_only_while_it_is_free(store: Store) -> None:
    def work(tx: Tx) -> list[bool]:
        enrol(tx, ANA, BEN)
        tx.add_requests([request("q-1")], seed=1)
        return [
            tx.retake_request(RequestId("q-1"), AssignmentId("a-1")),
            tx.retake_request(RequestId("q-1"), AssignmentId("b-1")),
        ]

    assert await store.write(work) == [True, False]


async def test_two_requests_for_one_item_need_numbers_of_their_own(store: Store) -> None:
    await store.write(lambda tx: tx.add_requests([request("q-1")], seed=1))

    with pytest.raises(Conflict):
        await store.write(lambda tx: tx.add_requests([request("q-2")], seed=1))


async def test_what_was_used_for_tuning_is_kept_once(store: Store) -> None:
    def work(tx: Tx) -> None:
        tx.add_tunings([Tuning(STUDY, TASK, ITEM, NOON)])
        tx.add_tunings([Tuning(STUDY, TASK, ITEM, LATER)])

    await store.write(work)

    assert await store.read(lambda tx: tx.tunings(STUDY)) == [Tuning(STUDY, TASK, ITEM, NOON)]


async def test_what_one_person_saw_and_said_of_one_item_is_told_apart_from_the_rest(store: Store) -> None:
    def work(tx: Tx) -> None:
        enrol(tx, ANA, BEN)
        for slot, (annotator, name) in enumerate([(ANA, "a-1"), (BEN, "b-1")]):
            tx.add_annotation(STUDY, label(give(tx, annotator, name, slot=slot), seq=1))
            tx.add_exposure(STUDY, exposure(annotator, 2, tx.keep_words(annotator, "Why?")))

    await store.write(work)

    seen = await store.read(lambda tx: tx.seen(STUDY, ANA, ITEM))
    assert [one.annotator for one in (*seen.annotations, *seen.exposures)] == [ANA, ANA]
    assert (await store.read(lambda tx: tx.seen(STUDY, ANA, ItemId("i-9")))) == ([], [])


async def test_experts_are_told_with_their_names_and_open_work(store: Store) -> None:
    def work(tx: Tx) -> None:
        tx.add_participant(make_participant("ana", role="expert"), None)
        enrol(tx, BEN)
        give(tx, ANA, "a-1", position=1, status="done")
        give(tx, ANA, "a-2", ItemId("i-1"), position=0)

    await store.write(work)

    ((expert, name),) = await store.read(lambda tx: tx.experts(STUDY))
    assert (expert.id, expert.role, name) == (ANA, "expert", "")
    assert (await store.read(lambda tx: tx.participant(BEN))).role == "participant"
    assert [one.id for one in await store.read(lambda tx: tx.assignments_of(ANA, ["open"]))] == ["a-2"]
    assert await store.read(lambda tx: tx.count_assignments(ANA)) == {"done": 1, "open": 1}
