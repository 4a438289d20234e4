"""Suggestions that a panel of the study gives: its last version, with how sure it was and why."""

from dataclasses import replace

from crito.model.study import Suggestions
from crito.services import queue, suggesting
from crito.services.labelling import begin
from crito.services.publishing import publish
from tests.builders import make_condition, make_study, make_task
from tests.services.test_labelling import panel, said, with_models, work
from tests.services.walking import NAME


def study_with(one):
    return make_study(
        tasks=(make_task("sarcasm", 2, annotators_per_item=1),),
        conditions=(make_condition("solo", ("annotate",)),),
        models=(one,),
        suggestions=Suggestions(one.name, display="before_label"),
    )


async def test_an_expert_sees_what_the_panel_said_and_a_new_version_begins_anew(parts):
    study = study_with(panel("vanilla"))
    await publish(parts, study)
    parts, _ = with_models(parts, lambda *_: said("sarcastic", "the tone"))
    none_yet = await parts.store.read(lambda tx: suggesting.machine_version(tx, study, study.tasks[0].name))
    first = await begin(parts, study, study.models[0])
    await work(parts, first)
    who, _ = await queue.invite(parts, NAME, "Ana")
    await queue.begin(parts, who)
    page = await queue.page(parts, who)

    longer = replace(study.models[0], max_tokens=7)
    second = await begin(parts, replace(study, models=(longer,)), longer)

    told = page.suggestion
    item = study.tasks[0].items[0]
    after = await parts.store.read(
        lambda tx: suggesting.suggestion_for(tx, study, study.tasks[0].name, item.id, item.hash)
    )
    assert none_yet == ""
    assert (told.label, told.confidence, told.reason) == ("sarcastic", 0.75, "the tone")
    assert second.labelling.id != first.labelling.id
    assert after is None
