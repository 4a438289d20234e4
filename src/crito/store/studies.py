"""Editions of study files, and the items they give to annotators."""

from collections.abc import Mapping, Sequence

from sqlalchemy import bindparam, delete, func, select

from crito.model.errors import NotFound
from crito.model.ids import ItemId, StudyName, TaskName
from crito.model.record import StudyVersion
from crito.model.study import Item
from crito.store.rows import Rows, columns_of, values_of
from crito.store.tables.studies import items as item_texts
from crito.store.tables.studies import study_versions, task_items

_OF_STUDY = study_versions.c.study == bindparam("study")
_VERSION = select(*columns_of(study_versions, StudyVersion)).where(
    _OF_STUDY, study_versions.c.number == bindparam("number")
)
_LATEST_NUMBER = select(func.max(study_versions.c.number)).where(_OF_STUDY)
_LATEST = (
    select(*columns_of(study_versions, StudyVersion)).where(_OF_STUDY).order_by(study_versions.c.number.desc()).limit(1)
)
_NAMES = select(study_versions.c.study).distinct().order_by(study_versions.c.study)
_ITEM = select(item_texts.c.text, item_texts.c.context).where(
    item_texts.c.study == bindparam("study"),
    item_texts.c.id == bindparam("item"),
    item_texts.c.hash == bindparam("item_hash"),
)
_GOLD = select(task_items.c.item, task_items.c.gold).where(
    task_items.c.study == bindparam("study"), task_items.c.task == bindparam("task"), task_items.c.gold.is_not(None)
)
_DROP_TASK_ITEMS = delete(task_items).where(
    task_items.c.study == bindparam("of_study"), task_items.c.task == bindparam("of_task")
)


class StudyRows(Rows):
    """What `Tx` says about studies."""

    def latest_version(self, study: StudyName) -> StudyVersion | None:
        row = self._first(_LATEST, {"study": study})
        return StudyVersion(*row) if row else None

    def latest_number(self, study: StudyName) -> int | None:
        number: int | None = self._first(_LATEST_NUMBER, {"study": study})[0]
        return number

    def version(self, study: StudyName, number: int) -> StudyVersion:
        row = self._first(_VERSION, {"study": study, "number": number})
        if row is None:
            raise NotFound(f"study {study!r} has no version {number}")
        return StudyVersion(*row)

    def study_names(self) -> Sequence[StudyName]:
        return [StudyName(row.study) for row in self._rows(_NAMES, {})]

    def add_version(self, version: StudyVersion) -> None:
        self._add(study_versions, values_of(version))

    def put_items(self, study: StudyName, task: TaskName, items: Sequence[Item]) -> None:
        hashed = [(item, item.hash) for item in items]
        self._add_missing(
            item_texts,
            [
                {"study": study, "id": item.id, "hash": hash_, "text": item.text, "context": item.context}
                for item, hash_ in hashed
            ],
        )
        self._run(_DROP_TASK_ITEMS, {"of_study": study, "of_task": task})
        self._add(
            task_items,
            *(
                {"study": study, "task": task, "item": item.id, "hash": hash_, "position": position, "gold": item.gold}
                for position, (item, hash_) in enumerate(hashed)
            ),
        )

    def item(self, study: StudyName, item: ItemId, item_hash: str) -> Item:
        row = self._first(_ITEM, {"study": study, "item": item, "item_hash": item_hash})
        if row is None:
            raise NotFound(f"study {study!r} has no item {item!r} with the hash {item_hash!r}")
        return Item(item, row.text, row.context)

    def gold(self, study: StudyName, task: TaskName) -> Mapping[ItemId, str]:
        return {row.item: row.gold for row in self._rows(_GOLD, {"study": study, "task": task})}
