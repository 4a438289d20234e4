"""Labels, exposures and words, as every store keeps them."""

import hashlib
from dataclasses import replace

import pytest

from crito.model.errors import Conflict, InvalidInput, NotFound
from crito.model.ids import AnnotatorId, ItemId, RunId, WordsId
from crito.model.record import (
    Annotation,
    Exposure,
    Identity,
    Run,
)
from crito.model.talk import Violation
from crito.services.ports.store import Store, Tx
from tests.builders import make_annotation, make_participant
from tests.contracts.recording import ANA, BEN, ITEM, LATER, NOON, STUDY, TASK, enrol, exposure, give, label, turn


async def test_numbers_count_over_labels_and_exposures_of_one_annotator_and_item(store: Store) -> None:
    def work(tx: Tx) -> list[int]:
        enrol(tx, ANA)
        assignment = give(tx, ANA, "a-1")
        seqs = [tx.next_seq(ANA, ITEM)]
        tx.add_annotation(STUDY, label(assignment, seq=1))
        seqs.append(tx.next_seq(ANA, ITEM))
        tx.add_exposure(STUDY, exposure(ANA, 2, tx.keep_words(ANA, "Why?")))
        seqs.append(tx.next_seq(ANA, ITEM))
        tx.add_annotation(STUDY, label(assignment, 1, seq=3))
        return [*seqs, tx.next_seq(ANA, ITEM), tx.next_seq(ANA, ItemId("i-9")), tx.next_seq(BEN, ITEM)]

    assert await store.write(work) == [1, 2, 3, 4, 1, 1]


async def test_every_revision_of_every_round_stays_in_the_history(store: Store) -> None:
    def work(tx: Tx) -> list[Annotation]:
        enrol(tx, ANA)
        assignment = give(tx, ANA, "a-1")
        given = [label(assignment), label(assignment, revision=1, seq=2), label(assignment, 1, seq=3)]
        for annotation in given:
            tx.add_annotation(STUDY, annotation)
        return given

    given = await store.write(work)

    assert await store.read(lambda tx: tx.annotation_history(STUDY, [ANA])) == given
    with pytest.raises(Conflict):
        await store.write(lambda tx: tx.add_annotation(STUDY, replace(given[0], seq=9)))
    with pytest.raises(Conflict):
        await store.write(lambda tx: tx.add_annotation(STUDY, replace(given[0], revision=2)))


async def test_a_label_needs_an_assignment(store: Store) -> None:
    with pytest.raises(NotFound):
        await store.write(lambda tx: tx.add_annotation(STUDY, make_annotation("a-404")))


async def test_an_exposure_that_was_kept_before_is_left_as_it_is(store: Store) -> None:
    def work(tx: Tx) -> Exposure:
        content = tx.keep_words(ANA, "Why?")
        first = exposure(ANA, 1, content)
        tx.add_exposure(STUDY, first)
        tx.add_exposure(STUDY, replace(first, seq=2, route="/elsewhere", at=LATER))
        return first

    first = await store.write(work)

    assert await store.read(lambda tx: tx.exposures(STUDY, [ANA])) == [first]


async def test_another_part_or_other_words_are_another_exposure(store: Store) -> None:
    def work(tx: Tx) -> None:
        first = exposure(ANA, 1, tx.keep_words(ANA, "Why?"), part=0)
        tx.add_exposure(STUDY, first)
        tx.add_exposure(STUDY, replace(first, seq=2, part=1))
        tx.add_exposure(STUDY, replace(first, seq=3, content=tx.keep_words(ANA, "How so?")))

    await store.write(work)

    assert [e.seq for e in await store.read(lambda tx: tx.exposures(STUDY, [ANA]))] == [1, 2, 3]


async def test_labels_of_others_are_their_last_initial_labels_without_those_who_withdrew(store: Store) -> None:
    labels = {"ana": "sarcastic", "ben": "sarcastic", "cleo": "not_sarcastic", "dan": "sarcastic", "eve": "sarcastic"}

    def work(tx: Tx) -> None:
        for n, (name, given) in enumerate(labels.items()):
            person = AnnotatorId(name)
            enrol(tx, person)
            assignment = give(tx, person, f"{name}-1", slot=n)
            tx.add_annotation(STUDY, label(assignment, label=given))
            tx.add_annotation(STUDY, label(assignment, 1, seq=3, label="not_sarcastic"))
        eve = tx.person(AnnotatorId("eve")).assignments[0]
        tx.add_annotation(STUDY, label(eve, revision=1, seq=2, label="not_sarcastic"))
        tx.end_participation(AnnotatorId("dan"), "withdrawn", NOON)

    await store.write(work)
    others = await store.read(lambda tx: tx.labels_of_others(STUDY, TASK, ITEM, except_annotator=ANA))

    assert others == {"sarcastic": 1, "not_sarcastic": 2}


async def test_equal_words_of_two_people_have_different_ids(store: Store) -> None:
    def work(tx: Tx) -> list[WordsId]:
        enrol(tx, ANA, BEN)
        return [tx.keep_words(who, "The tone.") for who in (ANA, ANA, BEN, None, None)]

    ana, again, ben, nobody, nobodys_again = await store.write(work)

    assert ana == again
    assert nobody == nobodys_again
    assert len({ana, ben, nobody}) == 3
    assert hashlib.sha256(b"The tone.").hexdigest() not in (ana, ben)
    kept = await store.read(lambda tx: tx.words([ana, ben, nobody, WordsId("unknown")]))
    assert kept == dict.fromkeys([ana, ben, nobody], "The tone.")


@pytest.mark.parametrize(
    "text",
    [
        "",
        " spaces at both ends ",
        "line\r\nline\ttab",
        "“quotes”, 'single', \"double\", --; DROP TABLE words; %s :name {x}",
        "👩‍👩‍👧‍👦 🇮🇹 é e\u0301",
        "\u202eמשפט בעברית\u202c العربية",
        "\ufeff\u200b\u2028\x01\x7f",
        "𝒳" * 250_000,
    ],
    ids=["empty", "spaces", "lines", "quotes", "emoji", "right-to-left", "invisible", "a megabyte"],
)
async def test_words_come_back_as_they_were_given(store: Store, text: str) -> None:
    def work(tx: Tx) -> WordsId:
        enrol(tx, ANA)
        tx.put_draft(ANA, "form", {"message": text}, NOON)
        return tx.keep_words(ANA, text)

    kept = await store.write(work)

    assert await store.read(lambda tx: tx.words([kept])) == {kept: text}
    assert await store.read(lambda tx: tx.drafts(ANA)) == {"form": {"message": text}}


@pytest.mark.parametrize(
    ("text", "named"), [("ab\0c", r"U\+0000 at character 3"), ("a\ud83d", r"U\+D83D at character 2")]
)
async def test_words_that_no_database_keeps_are_refused_with_their_place(store: Store, text: str, named: str) -> None:
    await store.write(lambda tx: enrol(tx, ANA))

    with pytest.raises(InvalidInput, match=named):
        await store.write(lambda tx: tx.keep_words(ANA, text))
    with pytest.raises(InvalidInput, match=named):
        await store.write(lambda tx: tx.put_draft(ANA, "form", {"message": text}, NOON))
    with pytest.raises(InvalidInput, match=named):
        await store.write(lambda tx: tx.add_participant(make_participant(BEN), Identity("prolific", text)))
    with pytest.raises(InvalidInput, match=named):
        await store.read(lambda tx: tx.find_person(STUDY, Identity("prolific", text)))


async def test_other_values_that_cannot_be_stored_are_refused(store: Store) -> None:
    with pytest.raises(InvalidInput):
        await store.write(lambda tx: enrol(tx, AnnotatorId("a\ud83d")))
    with pytest.raises(InvalidInput):
        await store.write(lambda tx: enrol(tx, ANA, seed=2**70))


async def test_words_that_come_after_an_erasure_are_blank_from_the_start(store: Store) -> None:
    def work(tx: Tx) -> list[WordsId]:
        enrol(tx, ANA, BEN)
        tx.erase_words(ANA)
        tx.erase_words(BEN)
        return [tx.keep_words(ANA, "Too late."), tx.keep_words(ANA, "Too late."), tx.keep_words(BEN, "Too late.")]

    late = await store.write(work)

    assert len(set(late)) == 3
    assert set((await store.read(lambda tx: tx.words(late))).values()) == {None}


async def test_erasure_blanks_every_word_of_one_person_and_keeps_the_accounting(store: Store) -> None:
    detail = Violation("honest_quotes", 0, "quotes 'my cat died'")

    def work(tx: Tx) -> dict[str, WordsId]:
        enrol(tx, ANA, BEN)
        assignment = give(tx, ANA, "a-1")
        words = {"reason": tx.keep_words(ANA, "My cat died."), "other": tx.keep_words(BEN, "My cat died.")}
        tx.add_annotation(STUDY, label(assignment, rationale=words["reason"]))
        tx.add_run(STUDY, Run(RunId("r-1"), assignment.id, "socratic", 1))
        tx.add_turn(STUDY, ANA, turn("r-1", 0, "Why?", "model", mended="Why?", streamed="W", violations=(detail,)))
        tx.add_turn(STUDY, ANA, turn("r-1", 1, "", no_answer="too slow"))
        tx.put_draft(ANA, "form", {"message": "half a sentence"}, NOON)
        tx.put_draft(BEN, "form", {"message": "mine"}, NOON)
        return words

    words = await store.write(work)
    erased = await store.write(lambda tx: tx.erase_words(ANA))

    assert erased == 4
    assert await store.read(lambda tx: tx.words(list(words.values()))) == {
        words["reason"]: None,
        words["other"]: "My cat died.",
    }
    spoken, silent = (await store.read(lambda tx: tx.turns([RunId("r-1")])))[RunId("r-1")]
    assert (spoken.text, spoken.mended, spoken.streamed, spoken.erased) == ("", "", "", True)
    assert spoken.violations == (replace(detail, detail=""),)
    assert (silent.no_answer, silent.erased) == ("too slow", False)
    assert await store.read(lambda tx: tx.drafts(ANA)) == {}
    assert await store.read(lambda tx: tx.drafts(BEN)) == {"form": {"message": "mine"}}
    (record, _) = await store.read(lambda tx: tx.persons(STUDY))
    assert [a.rationale for a in record.annotations] == [words["reason"]]
    assert await store.write(lambda tx: tx.erase_words(ANA)) == 0


async def test_erased_words_leave_nothing_to_guess_them_by(store: Store) -> None:
    def work(tx: Tx) -> WordsId:
        enrol(tx, ANA)
        return tx.keep_words(ANA, "yes")

    before = await store.write(work)
    await store.write(lambda tx: tx.erase_words(ANA))
    after = await store.write(lambda tx: tx.keep_words(ANA, "yes"))

    assert before != after
    assert await store.read(lambda tx: tx.words([before, after])) == {before: None, after: None}


async def test_a_draft_is_replaced_until_it_is_dropped(store: Store) -> None:
    await store.write(lambda tx: enrol(tx, ANA))
    await store.write(lambda tx: tx.put_draft(ANA, "talk:a-1", {"message": "I thi"}, NOON))
    await store.write(lambda tx: tx.put_draft(ANA, "talk:a-1", {"message": "I think"}, LATER))
    await store.write(lambda tx: tx.put_draft(ANA, "survey", {"again": "yes"}, LATER))

    assert await store.read(lambda tx: tx.drafts(ANA)) == {
        "talk:a-1": {"message": "I think"},
        "survey": {"again": "yes"},
    }
    await store.write(lambda tx: tx.drop_draft(ANA, "talk:a-1"))
    assert await store.read(lambda tx: tx.drafts(ANA)) == {"survey": {"again": "yes"}}
