"""The blind sample of a study: drawn when it is published, the same for good, told at the end."""

from dataclasses import replace

import pytest

from crito.evidence.draws import hash_of_seed
from crito.model.errors import Conflict
from crito.model.study import Suggestions
from crito.services import drawing
from crito.services.publishing import publish
from tests.builders import make_item, make_study, make_task
from tests.services.walking import NAME, enrol, walk


def suggesting(n_items=20, **more):
    return make_study(
        tasks=(make_task("sarcasm", n_items),),
        suggestions=Suggestions("trio", **{"blind_rate": 0.2, **more}),
    )


async def drawn(parts):
    return await parts.store.read(lambda tx: drawing.blind_sample(tx, NAME, "sarcasm"))


async def draws(parts):
    return await parts.store.read(lambda tx: tx.blind_draws(NAME))


async def test_publishing_draws_a_share_of_the_items_before_anyone_comes(parts):
    await publish(parts, suggesting())

    (draw,) = await draws(parts)
    sample = await drawn(parts)

    assert (draw.n_items, draw.n_drawn, len(sample)) == (20, 4, 4)
    assert {one.probability for one in sample.values()} == {0.2}
    assert draw.revealed_at is None


async def test_the_minimum_does_not_enlarge_the_draw(parts):
    await publish(parts, suggesting(minimum_blind_sample=20))

    assert len(await drawn(parts)) == 4


async def test_the_sample_stays_when_the_display_changes_and_when_items_come(parts):
    study = suggesting()
    await publish(parts, study)
    before = await drawn(parts)
    (task,) = study.tasks
    more = (*task.items, *(make_item(f"new-{n}", f"New text {n}.") for n in range(40)))

    await publish(parts, suggesting(display="after_label"))
    await publish(parts, replace(study, tasks=(replace(task, items=more),)))

    after = await drawn(parts)
    first, second = await draws(parts)
    assert {name: one for name, one in after.items() if name in before} == before
    assert {one.item for one in after.values()} - before.keys() <= {f"new-{n}" for n in range(40)}
    assert (first.rule, second.rule, second.n_items) == ("simple", "independent", 40)
    assert second.seed_hash == first.seed_hash


async def test_items_that_somebody_labelled_before_the_draw_are_never_in_it(parts):
    study = make_study(tasks=(make_task("sarcasm", 3),))
    await publish(parts, study)
    await walk(parts, await enrol(parts), until="ConfirmPage")
    labelled = await parts.store.read(lambda tx: tx.labelled_items(NAME, study.tasks[0].name))

    await publish(parts, replace(study, suggestions=Suggestions("trio", blind_rate=1.0)))

    assert len(labelled) == 1
    assert {item.id for item in study.tasks[0].items} - labelled == set(await drawn(parts))


async def test_the_secret_fits_its_hash_and_draws_the_same_items_again(parts):
    await publish(parts, suggesting())

    (told,) = await drawing.reveal(parts, NAME)

    (draw,) = await draws(parts)
    assert told.replays
    assert hash_of_seed(told.seed) == draw.seed_hash
    assert draw.revealed_at is not None


async def test_items_that_come_after_the_secret_was_told_are_drawn_by_another(parts):
    study = suggesting()
    await publish(parts, study)
    await drawing.reveal(parts, NAME)
    (task,) = study.tasks

    await publish(parts, replace(study, tasks=(replace(task, items=(*task.items, make_item("new", "New."))),)))

    first, second = await draws(parts)
    assert second.seed_hash != first.seed_hash
    assert (second.n_items, second.n_drawn) == (1, 1)


async def test_a_study_without_suggestions_has_nothing_to_tell(parts):
    await publish(parts, make_study())

    with pytest.raises(Conflict, match="no blind sample"):
        await drawing.reveal(parts, NAME)
