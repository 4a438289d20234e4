"""A store in memory that obeys the port as far as the ledger needs it."""

import copy
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from crito.model.errors import Conflict, NotFound
from crito.model.ids import AnnotatorId, CallKey, WordsId
from crito.model.record import Call

Result = TypeVar("Result")


@dataclass
class MemoryTx:
    """What is kept: calls by key, words by id."""

    rows: dict[CallKey, Call] = field(default_factory=dict)
    texts: dict[WordsId, tuple[AnnotatorId | None, str | None]] = field(default_factory=dict)

    def keep_words(self, annotator: AnnotatorId | None, text: str) -> WordsId:
        words = WordsId(hashlib.sha256(f"{annotator} {text}".encode()).hexdigest())
        self.texts[words] = (annotator, text)
        return words

    def words(self, ids: Sequence[WordsId]) -> Mapping[WordsId, str | None]:
        return {words: self.texts[words][1] for words in ids}

    def erase_words(self, annotator: AnnotatorId) -> int:
        mine = [words for words, (owner, _) in self.texts.items() if owner == annotator]
        self.texts |= dict.fromkeys(mine, (annotator, None))
        return len(mine)

    def add_call(self, call: Call) -> None:
        if call.key in self.rows:
            raise Conflict("this call is there already")
        self.rows[call.key] = call

    def finish_call(self, call: Call) -> None:
        if call.key not in self.rows:
            raise NotFound("there is no such call")
        if self.rows[call.key].status != "intended":
            raise Conflict("this call has a result")
        self.rows[call.key] = call

    def call(self, key: CallKey) -> Call | None:
        return self.rows.get(key)


class MemoryStore:
    """Transactions over a `MemoryTx`: all of one is kept, or nothing of it."""

    def __init__(self) -> None:
        self.kept = MemoryTx()

    async def read(self, work: Callable[[Any], Result]) -> Result:
        return work(copy.deepcopy(self.kept))

    async def write(self, work: Callable[[Any], Result]) -> Result:
        tx = copy.deepcopy(self.kept)
        result = work(tx)
        self.kept = tx
        return result

    async def close(self) -> None:
        return None

    @property
    def calls(self) -> list[Call]:
        return list(self.kept.rows.values())

    def text(self, words: WordsId | None) -> str | None:
        return self.kept.texts[words][1] if words else None
