"""What people said and saw: annotations, answers, exposures, and their words."""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, func, select, update

from crito.model.ids import AnnotatorId, ItemId, StudyName, TaskName, WordsId
from crito.model.record import Annotation, Exposure, GivenAnswer
from crito.store.prepared import among
from crito.store.rows import Rows, columns_of, storable, values_of
from crito.store.tables.people import participants
from crito.store.tables.record import annotations, drafts, word_salts
from crito.store.tables.record import answers as answers_
from crito.store.tables.record import exposures as exposures_
from crito.store.tables.record import words as words_

_LAST_SEQ = select(
    *(
        select(func.max(table.c.seq))
        .where(table.c.annotator == bindparam("annotator"), table.c.item == bindparam("item"))
        .scalar_subquery()
        for table in (annotations, exposures_)
    )
)
_HISTORY = (
    select(*columns_of(annotations, Annotation))
    .where(annotations.c.study == bindparam("study"), among(annotations.c.annotator, "annotators"))
    .order_by(annotations.c.annotator, annotations.c.ordinal)
)
_EXPOSURES = (
    select(*columns_of(exposures_, Exposure))
    .where(exposures_.c.study == bindparam("study"), among(exposures_.c.annotator, "annotators"))
    .order_by(exposures_.c.annotator, exposures_.c.ordinal)
)
_LATER = annotations.alias("later")
_LABELS_OF_OTHERS = (
    select(annotations.c.label, func.count().label("annotators"))
    .join(participants, participants.c.id == annotations.c.annotator)
    .where(
        annotations.c.study == bindparam("study"),
        annotations.c.task == bindparam("task"),
        annotations.c.item == bindparam("item"),
        annotations.c.round == 0,
        annotations.c.label.is_not(None),
        annotations.c.annotator != bindparam("except_annotator"),
        func.coalesce(participants.c.ending, "") != "withdrawn",
        ~select(_LATER.c.ordinal)
        .where(
            *(_LATER.c[name] == annotations.c[name] for name in ("annotator", "task", "item", "round")),
            _LATER.c.revision > annotations.c.revision,
        )
        .exists(),
    )
    .group_by(annotations.c.label)
    .order_by(annotations.c.label)
)
# Locked, so that words wait for an erasure that is under way, and it for them.
_SALT = select(word_salts.c.salt).where(word_salts.c.annotator == bindparam("annotator")).with_for_update(read=True)
_WORDS = select(words_.c.id, words_.c.body).where(among(words_.c.id, "ids"))
_BLANK = update(words_).where(words_.c.owner == bindparam("of_owner"), words_.c.body.is_not(None)).values(body=None)
ERASED = ""
"""Stands in place of the salt of someone whose words were erased: whatever comes of them later is kept blank."""
_ERASE_SALT = update(word_salts).where(word_salts.c.annotator == bindparam("of_annotator")).values(salt=ERASED)
_DRAFTS = select(drafts.c.form, drafts.c.fields).where(drafts.c.annotator == bindparam("annotator"))
_REDRAFT = (
    update(drafts)
    .where(drafts.c.annotator == bindparam("of_annotator"), drafts.c.form == bindparam("of_form"))
    .values(fields=bindparam("new_fields"), at=bindparam("new_at"))
)
_DROP_DRAFT = delete(drafts).where(
    drafts.c.annotator == bindparam("of_annotator"), drafts.c.form == bindparam("of_form")
)
_DROP_DRAFTS = delete(drafts).where(drafts.c.annotator == bindparam("of_annotator"))


class RecordRows(Rows):
    """What `Tx` says about the record."""

    erased = False
    """Whether words were erased by this transaction: their traces in the files of the database have to go too."""

    def next_seq(self, annotator: AnnotatorId, item: ItemId) -> int:
        last = self._first(_LAST_SEQ, {"annotator": annotator, "item": item})
        return max((seq for seq in last if seq is not None), default=0) + 1

    def add_annotation(self, study: StudyName, annotation: Annotation) -> None:
        self._add(annotations, values_of(annotation, study=study))

    def add_annotations(self, study: StudyName, annotations_: Sequence[Annotation]) -> None:
        self._add(annotations, *(values_of(annotation, study=study) for annotation in annotations_))

    def annotation_history(self, study: StudyName, annotators: Sequence[AnnotatorId]) -> Sequence[Annotation]:
        return self._each(Annotation, _HISTORY, {"study": study, "annotators": list(annotators)})

    def add_answers(self, study: StudyName, answers: Sequence[GivenAnswer]) -> None:
        self._add(answers_, *(values_of(answer, study=study) for answer in answers))

    def add_exposure(self, study: StudyName, exposure: Exposure) -> None:
        self._add_missing(exposures_, [values_of(exposure, study=study)])

    def add_exposures(self, study: StudyName, exposures: Sequence[Exposure]) -> None:
        self._add_missing(exposures_, [values_of(exposure, study=study) for exposure in exposures])

    def exposures(self, study: StudyName, annotators: Sequence[AnnotatorId]) -> Sequence[Exposure]:
        return self._each(Exposure, _EXPOSURES, {"study": study, "annotators": list(annotators)})

    def labels_of_others(
        self, study: StudyName, task: TaskName, item: ItemId, *, except_annotator: AnnotatorId
    ) -> Mapping[str, int]:
        others = {"study": study, "task": task, "item": item, "except_annotator": except_annotator}
        return {row.label: row.annotators for row in self._rows(_LABELS_OF_OTHERS, others)}

    def keep_words(self, annotator: AnnotatorId | None, text: str) -> WordsId:
        (id_,) = self.keep_all_words(annotator, [text])
        return id_

    def keep_all_words(self, annotator: AnnotatorId | None, texts: Sequence[str]) -> Sequence[WordsId]:
        salt = "" if annotator is None else self._salt(annotator)
        erased = annotator is not None and salt == ERASED
        ids = [
            WordsId(
                secrets.token_hex(32) if erased else hashlib.sha256(f"{salt}\x1f{storable(text)}".encode()).hexdigest()
            )
            for text in texts
        ]
        if annotator is None:
            rows: list[dict[str, Any]] = [
                {"id": id_, "study": None, "owner": None, "body": text} for id_, text in zip(ids, texts, strict=True)
            ]
            self._add_missing(words_, rows)
        else:
            bodies = [None if erased else text for text in texts]
            rows = [{"id": id_, "owner": annotator, "body": body} for id_, body in zip(ids, bodies, strict=True)]
            self._add_missing(words_, rows, study_of="owner")
        return ids

    def _salt(self, annotator: AnnotatorId) -> str:
        row = self._first(_SALT, {"annotator": annotator})
        if row is None:
            new = {"annotator": annotator, "salt": secrets.token_hex(16)}
            self._add_missing(word_salts, [new], study_of="annotator")
            row = self._first(_SALT, {"annotator": annotator})
            assert row is not None
        salt: str = row.salt
        return salt

    def words(self, ids: Sequence[WordsId]) -> Mapping[WordsId, str | None]:
        return {row.id: row.body for row in self._rows(_WORDS, {"ids": list(ids)})} if ids else {}

    def erase_words(self, annotator: AnnotatorId) -> int:
        self.erased = True
        self._run(_DROP_DRAFTS, {"of_annotator": annotator})
        if not self._run(_ERASE_SALT, {"of_annotator": annotator}):
            self._add_missing(word_salts, [{"annotator": annotator, "salt": ERASED}], study_of="annotator")
        return self._run(_BLANK, {"of_owner": annotator})

    def put_draft(self, annotator: AnnotatorId, form: str, fields: Mapping[str, str], at: datetime) -> None:
        for text in fields.values():
            storable(text)
        place = {"of_annotator": annotator, "of_form": form}
        if not self._run(_REDRAFT, place | {"new_fields": fields, "new_at": at}):
            draft = {"annotator": annotator, "form": form, "fields": fields, "at": at}
            self._add(drafts, draft, study_of="annotator")

    def drafts(self, annotator: AnnotatorId) -> Mapping[str, Mapping[str, str]]:
        return {row.form: row.fields for row in self._rows(_DRAFTS, {"annotator": annotator})}

    def drop_draft(self, annotator: AnnotatorId, form: str) -> None:
        self._run(_DROP_DRAFT, {"of_annotator": annotator, "of_form": form})
