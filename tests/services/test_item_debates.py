"""People read what two sides argue about their item: prepared, argued by a panel, or while they wait."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest

from crito.engine.local import LocalEngine
from crito.model.errors import ModelUnavailable, PartClosed
from crito.model.study import Agent, ItemDebates, Panel
from crito.services import item_debates, participation, showing
from crito.services.asking import Calling
from crito.services.labelling import begin, label_item
from crito.services.ports.models import CallContext, ChatRequest, Completion, Reply
from crito.services.publishing import publish
from crito.store.opening import open_store
from tests.builders import make_choice, make_condition, make_debate, make_label, make_study, make_task
from tests.services.test_suggestions_in_any_study import crowd
from tests.services.walking import NAME, enrol, fields_for, walk

FLOW = ("consent", "annotate", "debate", "reannotate")
PANEL = Panel("pair", "debate", (Agent("fake:for"), Agent("fake:against"), Agent("fake:judge")))


def study_of(*debates, panel=False, **task):
    """One item that everybody labels, with these debates prepared on it."""
    plain = make_task("sarcasm", 1, annotators_per_item=9, **task)
    made = replace(plain, items=(replace(plain.items[0], debates=debates),))
    return make_study(
        tasks=(made,), conditions=(make_condition("debate", FLOW),), attention_checks=(),
        models=(PANEL,) if panel else (), item_debates=ItemDebates("pair" if panel else ""),
    )  # fmt: skip


@dataclass
class Arguing:
    """Models that argue, label and judge; `answer` may say something else, or raise."""

    answer: Callable[[str, int], str | None] = lambda name, n: None
    asked: list[tuple[str, ChatRequest, CallContext]] = field(default_factory=list)
    gate: asyncio.Event | None = None
    begun: asyncio.Event = field(default_factory=asyncio.Event)

    def __call__(self, name):
        return _Model(name, self)


@dataclass
class _Model:
    name: str
    models: Arguing
    local: bool = True

    async def complete(self, request: ChatRequest, context: CallContext) -> Reply:
        self.models.asked.append((self.name, request, context))
        self.models.begun.set()
        if self.models.gate:
            await self.models.gate.wait()
        said = self.models.answer(self.name, len(self.models.asked))
        if said == "dead":
            raise ModelUnavailable(f"{self.name} is away")
        text = (
            json.dumps({"reason": "so", "label": "Sarcastic", "confidence": 0.5}) if request.schema else f"{self.name}!"
        )
        return Reply(text if said is None else said, Completion("stop", self.name, cost_usd=0.25))


async def at_debate(parts, study, name="pid-1"):
    await publish(parts, study)
    person = await enrol(parts, name)
    await walk(parts, person, until="ConfirmPage")
    await participation.confirm(parts, person)
    return person, await showing.page(parts, person)


async def exposures_of(parts, person):
    return await parts.store.read(lambda tx: tx.exposures(NAME, [person]))


async def events_of(parts, person, kind):
    record = await parts.store.read(lambda tx: tx.person(person))
    return [event for event in record.events if event.kind == kind]


async def test_both_sides_are_on_record_before_their_page(parts):
    person, page = await at_debate(parts, study_of(make_debate()))

    exposures = await exposures_of(parts, person)
    texts = [text for topic in page.debate.topics for text in topic.texts]
    assert [topic.title for topic in page.debate.topics] == ["Tone", "Wording"]
    assert sorted(texts) == sorted(
        f"The {t} says {s}." for t in ("tone", "wording") for s in ("sarcastic", "not_sarcastic")
    )
    assert {(one.kind, one.route) for one in exposures} == {("argument", "debate")}
    assert len(exposures) == 4
    assert page.debate.author == "a script"


async def test_the_second_labelling_opens_once_both_sides_are_read(parts):
    person, page = await at_debate(parts, study_of(make_debate()))
    fields = fields_for(page.again.questions, label="not_sarcastic")

    with pytest.raises(PartClosed):
        await participation.reannotate(parts, person, page.again.form, fields, {})
    await participation.finish_reading(parts, person, page.assignment)
    await participation.finish_reading(parts, person, page.assignment)
    after = await showing.page(parts, person)
    await participation.reannotate(parts, person, page.again.form, fields, {})

    assert page.opens_after_reading
    assert (after.debate.is_read, after.debate.topics) == (True, page.debate.topics)
    history = await parts.store.read(lambda tx: tx.annotation_history(NAME, [person]))
    exposures = await exposures_of(parts, person)
    assert [(one.round, one.label) for one in history] == [(0, "sarcastic"), (1, "not_sarcastic")]
    assert history[0].seq < min(one.seq for one in exposures) < history[1].seq
    assert len(await events_of(parts, person, "read")) == 1


async def test_which_side_comes_first_is_drawn_and_the_page_keeps_to_it(parts):
    study = study_of(make_debate())
    came_first = set()
    for number in range(9):
        person, page = await at_debate(parts, study, f"pid-{number}")
        draws = await parts.store.read(lambda tx, person=person: tx.draws(NAME, [person]))
        (draw,) = [one for one in draws if one.what == f"sides:{page.assignment}"]
        words = {"sarcastic": "Sarcastic", "not_sarcastic": "Not sarcastic"}
        assert draw.chances == {"sarcastic": 0.5, "not_sarcastic": 0.5}
        assert page.debate.sides[0].in_language("en") == words[draw.outcome]
        assert page.debate.topics[0].texts[0].endswith(f"says {draw.outcome}.")
        came_first.add(draw.outcome)

    assert came_first == {"sarcastic", "not_sarcastic"}


async def test_of_several_debates_the_one_with_the_persons_own_label_is_read(parts):
    labels = tuple(make_label(name) for name in ("sarcastic", "dry", "plain"))
    _, page = await at_debate(
        parts, study_of(make_debate("dry", "plain"), make_debate("plain", "sarcastic"), labels=labels)
    )

    assert {side.in_language("en") for side in page.debate.sides} == {"Sarcastic", "Plain"}


async def test_nobody_reads_a_debate_on_a_blind_item(parts):
    study = crowd("blind_sample", 1.0, FLOW)
    task = replace(study.tasks[0], items=tuple(replace(i, debates=(make_debate(),)) for i in study.tasks[0].items))
    person, page = await at_debate(parts, replace(study, tasks=(task,), item_debates=ItemDebates()))

    assert (page.debate, page.talk) == (None, None)
    assert page.again is not None
    assert await exposures_of(parts, person) == []
    (routed,) = await events_of(parts, person, "routed")
    assert routed.data["blind"] is True


async def test_an_item_without_any_debate_is_passed_by_and_that_is_on_record(parts):
    person, page = await at_debate(parts, study_of())

    assert page.debate is None
    assert page.again is not None
    (routed,) = await events_of(parts, person, "routed")
    assert routed.data["reason"] == "no debate on this item was prepared"


async def test_questions_about_the_debate_are_asked_of_those_who_read_one(parts):
    about = (make_choice("fair", only_with="debate"), make_choice("helped", only_with="discuss"))
    study = replace(study_of(make_debate()), reconsiderations=about)
    _, with_one = await at_debate(parts, study)
    _, without = await at_debate(parts, replace(study_of(), name="other", reconsiderations=about), "pid-2")

    assert [question.key for question in with_one.again.questions] == ["fair"]
    assert [question.key for question in without.again.questions] == ["fair"]


async def test_words_that_a_person_took_back_are_on_no_page(parts):
    person, _ = await at_debate(parts, study_of(make_debate()))

    await participation.withdraw(parts, person)

    words = await parts.store.read(lambda tx: tx.words([one.content for one in tx.exposures(NAME, [person])]).values())
    assert set(words) == {None}


# What a panel argued beforehand


async def argue_beforehand(parts, study):
    engine = LocalEngine(1)
    job = await begin(parts, study, PANEL)
    calling = Calling(engine.turnstile, lambda spent: None)
    await engine.drive(job.waiting, lambda item: label_item(parts, job, item, calling), lambda outcome: None)


async def test_what_the_panel_argued_is_read_and_nobody_is_asked_again(parts):
    models = Arguing()
    parts, study = replace(parts, models=models), study_of(panel=True)
    await argue_beforehand(parts, study)
    calls = len(models.asked)

    person, page = await at_debate(parts, study)

    exposures = await exposures_of(parts, person)
    assert [topic.title for topic in page.debate.topics] == ["opening", "refutation", "closing"]
    assert {text for topic in page.debate.topics for text in topic.texts} == {"fake:for!", "fake:against!"}
    assert page.debate.author == "fake:for / fake:against"
    assert all(one.source.startswith("l-") and one.source.count("/") == 2 for one in exposures)
    assert len(models.asked) == calls


async def test_a_prepared_debate_goes_before_what_the_panel_argued(parts):
    parts, study = replace(parts, models=Arguing()), study_of(make_debate(), panel=True)
    await argue_beforehand(parts, study)

    _, page = await at_debate(parts, study)

    assert page.debate.author == "a script"


# Debates that are argued while somebody waits


async def test_where_nothing_is_prepared_two_agents_argue_while_the_person_waits(parts):
    models = Arguing()
    parts = replace(parts, models=models)
    person, page = await at_debate(parts, study_of(panel=True))
    before = await exposures_of(parts, person)

    await item_debates.bring(parts, person, page.assignment)

    after = await showing.page(parts, person)
    assert (page.debate.waiting, page.debate.topics, before) == (True, (), [])
    assert [name for name, _, _ in models.asked] == ["fake:for", "fake:against"] * 3
    assert not after.debate.waiting
    assert len(await exposures_of(parts, person)) == 6


async def test_a_debate_that_was_argued_for_one_person_is_there_for_the_next(parts):
    models = Arguing()
    parts, study = replace(parts, models=models), study_of(panel=True)
    first, page = await at_debate(parts, study)
    await item_debates.bring(parts, first, page.assignment)

    second, page = await at_debate(parts, study, "pid-2")
    await item_debates.bring(parts, second, page.assignment)

    assert len(models.asked) == 6
    sources = [{one.source for one in await exposures_of(parts, person)} for person in (first, second)]
    assert sources[0] == sources[1]


async def test_two_who_wait_for_the_same_debate_have_it_argued_once(parts):
    models = Arguing(gate=asyncio.Event())
    parts, study = replace(parts, models=models), study_of(panel=True)
    waiting = [await at_debate(parts, study, f"pid-{n}") for n in range(2)]

    both = asyncio.gather(*(item_debates.bring(parts, person, page.assignment) for person, page in waiting))
    await models.begun.wait()
    models.gate.set()
    await both

    assert len(models.asked) == 6
    assert not any([(await showing.page(parts, person)).debate.waiting for person, _ in waiting])


async def test_a_debate_that_broke_off_goes_on_where_it_ended(parts, record_url):
    study = study_of(panel=True)
    person, page = await at_debate(parts, study)
    task = asyncio.ensure_future(
        item_debates.bring(replace(parts, models=Arguing(dies_at(4))), person, page.assignment)
    )
    with pytest.raises(RuntimeError):
        await task
    models = Arguing()
    later = replace(parts, models=models, store=open_store(record_url))

    await item_debates.bring(later, person, page.assignment)

    assert [context.step for _, _, context in models.asked] == [1, 1, 2, 2]
    assert len(await exposures_of(parts, person)) == 6
    await later.store.close()


def dies_at(n_calls):
    def answer(name, n):
        if n == n_calls:
            raise RuntimeError("the process was killed here")

    return answer


async def test_whoever_waits_for_models_that_are_away_goes_on_without_and_that_is_on_record(parts):
    parts = replace(parts, models=Arguing(lambda name, n: "dead"))
    person, page = await at_debate(parts, study_of(panel=True))

    await item_debates.bring(parts, person, page.assignment)

    after = await showing.page(parts, person)
    (routed,) = await events_of(parts, person, "routed")
    assert after.debate is None
    assert after.again is not None
    assert "is away" in routed.data["reason"]
    assert await exposures_of(parts, person) == []


async def test_nobody_waits_for_ever(parts, clock):
    parts = replace(parts, models=Arguing())
    person, page = await at_debate(parts, study_of(panel=True))
    clock.move(seconds=item_debates.LONGEST_WAIT_S)

    await item_debates.bring(parts, person, page.assignment)

    (routed,) = await events_of(parts, person, "routed")
    assert "within" in routed.data["reason"]


async def test_the_models_hear_the_item_and_nothing_that_a_person_wrote(parts):
    models = Arguing()
    parts = replace(parts, models=models)
    person, page = await at_debate(parts, study_of(panel=True))
    await item_debates.bring(parts, person, page.assignment)

    assert all("Text number 0 about a kettle." in request.messages[0].text for _, request, _ in models.asked)
    assert all(context.annotator is None for _, _, context in models.asked)
