"""Labels as long tables of integer codes: who gave which label to which item."""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

from crito.model.study import State

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
LabelName = str | int | float | bool

MISSING, NOT_SURE, SKIPPED, ABSTAINED = -1, -2, -3, -4
"""Codes of what is no label. A label's code is its place in the label set, from 0."""

CODE_OF_STATE: Mapping[State, int] = {"not_sure": NOT_SURE, "skipped": SKIPPED, "abstained": ABSTAINED}
NAME_OF_CODE: Mapping[int, str] = {MISSING: "missing", **{code: state for state, code in CODE_OF_STATE.items()}}

OWN_STATES: Mapping[Hashable, State] = {"not_sure": "not_sure", "skipped": "skipped", "abstained": "abstained"}
"""How a table of Crito's own writes the states."""


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """One label, or one stated absence of a label, per annotator and item.

    Attributes:
        item, annotator, label: codes, shape (n,). A negative label is one of `MISSING`, `NOT_SURE`, `SKIPPED`,
            `ABSTAINED`; any other is a place in `labels`.
        items, annotators, labels: the names behind the codes. `labels` is the whole declared label set in its
            declared order, unused ones included.
    """

    item: IntArray
    annotator: IntArray
    label: IntArray
    items: tuple[Hashable, ...]
    annotators: tuple[Hashable, ...]
    labels: tuple[LabelName, ...]

    def __len__(self) -> int:
        return len(self.item)

    @property
    def labelled(self) -> BoolArray:
        """Which rows carry a label, shape (n,)."""
        return self.label >= 0

    @property
    def dropped(self) -> dict[str, int]:
        """How many rows carry no label, by reason."""
        return counts_by_state(self.label)

    def counts(self) -> IntArray:
        """How often each item got each label, shape (n_items, n_labels)."""
        keep = self.labelled
        flat = self.item[keep] * len(self.labels) + self.label[keep]
        shape = (len(self.items), len(self.labels))
        return np.bincount(flat, minlength=shape[0] * shape[1]).astype(np.int64).reshape(shape)

    def where(self, keep: BoolArray) -> Self:
        """The rows for which `keep` is true; names and codes stay."""
        return replace(self, item=self.item[keep], annotator=self.annotator[keep], label=self.label[keep])

    def with_not_sure_as_label(self, name: LabelName = "not_sure") -> Self:
        """The same ratings with *not sure* as one more label, at the end of the label set."""
        label = np.where(self.label == NOT_SURE, len(self.labels), self.label)
        return replace(self, label=label, labels=(*self.labels, name))


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Initial and final label of the same annotator on the same item.

    Attributes:
        item, annotator, initial, final: codes, shape (n,), as in `Ratings`.
        items, annotators, labels: the names behind the codes.
    """

    item: IntArray
    annotator: IntArray
    initial: IntArray
    final: IntArray
    items: tuple[Hashable, ...]
    annotators: tuple[Hashable, ...]
    labels: tuple[LabelName, ...]

    def __len__(self) -> int:
        return len(self.item)

    @property
    def eligible(self) -> BoolArray:
        """Which rows have a label on both sides, shape (n,)."""
        return (self.initial >= 0) & (self.final >= 0)

    @property
    def dropped(self) -> dict[str, int]:
        """How many rows lack a label on either side; each row counts once, *missing* first and *not sure* last."""
        sides = np.stack([self.initial, self.final])
        why = np.zeros(len(self), np.int64)
        for code in (NOT_SURE, SKIPPED, ABSTAINED, MISSING):
            why[(sides == code).any(axis=0)] = code
        return counts_by_state(why)

    @property
    def initial_ratings(self) -> Ratings:
        """The initial labels."""
        return Ratings(self.item, self.annotator, self.initial, self.items, self.annotators, self.labels)

    @property
    def final_ratings(self) -> Ratings:
        """The final labels."""
        return Ratings(self.item, self.annotator, self.final, self.items, self.annotators, self.labels)

    def where(self, keep: BoolArray) -> Self:
        """The rows for which `keep` is true; names and codes stay."""
        return replace(
            self,
            item=self.item[keep],
            annotator=self.annotator[keep],
            initial=self.initial[keep],
            final=self.final[keep],
        )


def ratings_from(
    items: Sequence[Hashable],
    annotators: Sequence[Hashable],
    labels: Sequence[Any],
    *,
    label_set: Sequence[LabelName] | None = None,
    states: Mapping[Hashable, State] = OWN_STATES,
    revisions: Sequence[int] | None = None,
) -> Ratings:
    """Ratings of one round from the columns of a table.

    Args:
        items, annotators, labels: columns of equal length. None, NaN and an empty text are missing labels.
        label_set: the declared labels in their order; without it, the labels that occur, sorted.
        states: which written labels mean a state. A declared label wins over a state that is written the same.
        revisions: marks rows as revisions of one another; of several rows by one annotator on one item the one
            with the highest revision counts.

    Raises:
        ValueError: columns differ in length, a label is not in `label_set`, labels are of mixed types, or one
            annotator labelled one item twice without a revision that tells which row counts.
    """
    _same_length("ratings_from", items=items, annotators=annotators, labels=labels)
    names = _label_set("ratings_from", [labels], label_set, states)
    item_codes, item_names = encode(items)
    annotator_codes, annotator_names = encode(annotators)
    ratings = Ratings(
        item_codes, annotator_codes, _label_codes("ratings_from", labels, names, states),
        item_names, annotator_names, names,
    )  # fmt: skip
    if revisions is not None:
        _same_length("ratings_from", items=items, revisions=revisions)
        ratings = ratings.where(_last_revision(ratings, np.asarray(revisions, np.int64)))
    _refuse_duplicates("ratings_from", item_codes=ratings.item, annotator_codes=ratings.annotator, table=ratings)
    return ratings


def pairs_from(
    items: Sequence[Hashable],
    annotators: Sequence[Hashable],
    initial: Sequence[Any],
    final: Sequence[Any],
    *,
    label_set: Sequence[LabelName] | None = None,
    states: Mapping[Hashable, State] = OWN_STATES,
) -> Pairs:
    """Pairs from the columns of a table with one row per annotator and item; arguments as in `ratings_from`.

    Raises:
        ValueError: as `ratings_from`.
    """
    _same_length("pairs_from", items=items, annotators=annotators, initial=initial, final=final)
    names = _label_set("pairs_from", [initial, final], label_set, states)
    item_codes, item_names = encode(items)
    annotator_codes, annotator_names = encode(annotators)
    pairs = Pairs(
        item_codes, annotator_codes,
        _label_codes("pairs_from", initial, names, states), _label_codes("pairs_from", final, names, states),
        item_names, annotator_names, names,
    )  # fmt: skip
    _refuse_duplicates("pairs_from", item_codes=item_codes, annotator_codes=annotator_codes, table=pairs)
    return pairs


def pairs_from_rounds(
    items: Sequence[Hashable],
    annotators: Sequence[Hashable],
    rounds: Sequence[int],
    labels: Sequence[Any],
    *,
    label_set: Sequence[LabelName] | None = None,
    states: Mapping[Hashable, State] = OWN_STATES,
    revisions: Sequence[int] | None = None,
    unrevisited: Literal["missing", "kept"] = "missing",
) -> Pairs:
    """Pairs from a table with one row per annotator, item and round.

    The initial label is that of round 0, the final one that of the last round.

    Args:
        items, annotators, rounds, labels: columns of equal length.
        label_set, states, revisions: as in `ratings_from`; revisions are within one round.
        unrevisited: what the final label is where there is no later round.

    Raises:
        ValueError: as `ratings_from`.
    """
    _same_length("pairs_from_rounds", items=items, annotators=annotators, rounds=rounds, labels=labels)
    names = _label_set("pairs_from_rounds", [labels], label_set, states)
    item_codes, item_names = encode(items)
    annotator_codes, annotator_names = encode(annotators)
    label_codes = _label_codes("pairs_from_rounds", labels, names, states)
    revision = np.zeros(len(items), np.int64) if revisions is None else np.asarray(revisions, np.int64)
    number = np.asarray(_values(rounds), np.int64)
    _, first_row, place = np.unique(
        annotator_codes * max(len(item_names), 1) + item_codes, return_index=True, return_inverse=True
    )
    order = np.lexsort((revision, number, place))
    place, number, revision = place[order], number[order], revision[order]
    same_round = (place[1:] == place[:-1]) & (number[1:] == number[:-1])
    twice = np.flatnonzero(same_round & (revision[1:] == revision[:-1]))
    if len(twice):
        row = order[twice[0]]
        raise ValueError(
            f"pairs_from_rounds: one label per annotator, item and round, but annotator "
            f"{annotator_names[annotator_codes[row]]!r} labelled item {item_names[item_codes[row]]!r} twice in round "
            f"{number[twice[0]]}; pass `revisions` to say which row counts"
        )
    label = label_codes[order]
    counts = np.append(~same_round, True) if len(place) else np.zeros(0, bool)
    initial, final = (np.full(len(first_row), MISSING, np.int64) for _ in range(2))
    initial[place[counts & (number == 0)]] = label[counts & (number == 0)]
    last = np.append(place[1:] != place[:-1], True) if len(place) else counts
    later = last & (number > 0)
    if unrevisited == "kept":
        final[:] = initial
    final[place[later]] = label[later]
    # cells in the order of first occurrence
    cells = np.argsort(first_row)
    rows = first_row[cells]
    return Pairs(
        item_codes[rows], annotator_codes[rows], initial[cells], final[cells], item_names, annotator_names, names
    )


def encode(names: Iterable[Hashable]) -> tuple[IntArray, tuple[Hashable, ...]]:
    """Codes for `names`, from 0 in the order of first occurrence, and the names behind them.

    Raises:
        ValueError: a name is missing (None, NaN, empty).
    """
    places: dict[Hashable, int] = {}
    codes = [places.setdefault(name, len(places)) for name in _values(names)]
    for name, code in places.items():
        if _is_missing(name):
            raise ValueError(
                f"encode: every row needs an item and an annotator, but row {codes.index(code)} has {name!r}"
            )
    return np.array(codes, np.int64), tuple(places)


def reference_codes(
    items: Sequence[Hashable], labels: Sequence[LabelName], gold: Mapping[Any, LabelName | None]
) -> IntArray:
    """The reference label of each item as a code, `MISSING` where there is none, shape (n_items,).

    Raises:
        ValueError: a reference label is not in the label set.
    """
    places = {name: code for code, name in enumerate(labels)}
    codes = np.full(len(items), MISSING, np.int64)
    for place, item in enumerate(items):
        reference = gold.get(item)
        if reference is None:
            continue
        if reference not in places:
            raise ValueError(
                f"reference_codes: the reference label of item {item!r} must be one of {list(labels)!r}, "
                f"but got {reference!r}"
            )
        codes[place] = places[reference]
    return codes


def counts_by_state(codes: IntArray) -> dict[str, int]:
    """How many codes are no label, by the name of their state; states that do not occur are left out."""
    return {name: count for code, name in NAME_OF_CODE.items() if (count := int((codes == code).sum()))}


def _label_set(
    caller: str,
    columns: Sequence[Sequence[Any]],
    declared: Sequence[LabelName] | None,
    states: Mapping[Hashable, State],
) -> tuple[LabelName, ...]:
    if declared is not None:
        names = tuple(declared)
        if len(set(names)) < len(names):
            raise ValueError(f"{caller}: a label set must not name a label twice, but got {list(names)!r}")
        return names
    seen = {
        value for column in columns for value in set(_values(column)) if not _is_missing(value) and value not in states
    }
    kinds = {"number" if type(value) in (int, float) or isinstance(value, np.number) else type(value).__name__
             for value in seen}  # fmt: skip
    if len(kinds) > 1:
        raise ValueError(f"{caller}: labels must be of one type, but got {sorted(kinds)}; pass `label_set` to allow it")
    return tuple(sorted(seen))


def _label_codes(
    caller: str, labels: Sequence[Any], names: tuple[LabelName, ...], states: Mapping[Hashable, State]
) -> IntArray:
    places: dict[Any, int] = {written: CODE_OF_STATE[state] for written, state in states.items()}
    places |= {name: code for code, name in enumerate(names)}
    column = _values(labels)
    codes = [places.get(written) for written in column]
    if None in codes:
        for row, code in enumerate(codes):
            if code is None:
                if not _is_missing(column[row]):
                    raise ValueError(
                        f"{caller}: the label in row {row} must be one of {list(names)!r} or a state, "
                        f"but got {column[row]!r}"
                    )
                codes[row] = MISSING
    return np.array(codes, np.int64)


def _values(column: Iterable[Any]) -> Sequence[Any]:
    # columns of arrays and data frames are many times faster to walk as lists
    return column.tolist() if hasattr(column, "tolist") else list(column)


def _is_missing(written: object) -> bool:
    # a NaN is the only value that differs from itself, and pandas.NA refuses to be compared at all
    return written is None or type(written).__name__ == "NAType" or written == "" or bool(written != written)


def _last_revision(ratings: Ratings, revision: IntArray) -> BoolArray:
    cell = ratings.item * max(len(ratings.annotators), 1) + ratings.annotator
    cells, place = np.unique(cell, return_inverse=True)
    last = np.full(len(cells), np.iinfo(np.int64).min)
    np.maximum.at(last, place, revision)
    # rows that share the highest revision all stay, to be refused as duplicates
    return np.asarray(revision == last[place])


def _refuse_duplicates(caller: str, *, item_codes: IntArray, annotator_codes: IntArray, table: Ratings | Pairs) -> None:
    cell = np.sort(item_codes * max(len(table.annotators), 1) + annotator_codes)
    twice = np.flatnonzero(cell[1:] == cell[:-1])
    if len(twice):
        item, annotator = divmod(int(cell[twice[0]]), max(len(table.annotators), 1))
        raise ValueError(
            f"{caller}: one label per annotator and item, but {len(twice)} more came, for example by annotator "
            f"{table.annotators[annotator]!r} on item {table.items[item]!r}; mark them as revisions"
        )


def _same_length(caller: str, **columns: Collection[Any]) -> None:
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"{caller}: columns must be of one length, but got {lengths}")
