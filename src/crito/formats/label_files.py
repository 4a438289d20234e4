"""Export and read labels in the formats of the field; whatever is written is read back and compared first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from crito.formats.alternative_test import AlternativeTestFormat
from crito.formats.argilla import ArgillaFormat
from crito.formats.crowd_kit import CrowdKitFormat
from crito.formats.label_formats import LabelFormat, LabelReading, file_name
from crito.formats.label_studio import LabelStudioFormat
from crito.formats.lewidi import LewidiFormat
from crito.formats.placing import README, make_durable, put_in_place, sha256, write_beside
from crito.formats.potato import PotatoFormat
from crito.formats.readme import opening
from crito.model.errors import CritoError, InvalidInput
from crito.model.study import Item
from crito.services.given_labels import GivenLabel, LabelTable, label_table
from crito.services.tables import Outgoing, WrittenFile

LABELS = "labels"
"""What the record of exports calls the table in these files."""

LABEL_FORMATS: Mapping[str, LabelFormat] = {
    "lewidi-2025": LewidiFormat(2025),
    "lewidi-2023": LewidiFormat(2023),
    "crowd-kit": CrowdKitFormat(),
    "alternative-test": AlternativeTestFormat(),
    "label-studio": LabelStudioFormat(),
    "potato": PotatoFormat(),
    "argilla": ArgillaFormat(),
}


@dataclass(frozen=True, slots=True)
class LabelExporter:
    """An exporter that writes labels alone, of everyone whom an analysis keeps, one file per task and round."""

    name: str
    form: LabelFormat

    def __call__(self, outgoing: Outgoing, out: Path) -> Sequence[WrittenFile]:
        table, n_excluded = label_table(outgoing)
        left_out = f"Rows of people who are excluded by default: {n_excluded}. They are left out here."

        def write(aside: Path) -> Sequence[WrittenFile]:
            files = write_labels(table, self.form, aside)
            readme = opening(outgoing, (left_out, *self.form.remarks), files) + "\n"
            return (*files, write_beside(aside, README, readme))

        return put_in_place(out, write)


def write_labels(table: LabelTable, form: LabelFormat, folder: Path) -> tuple[WrittenFile, ...]:
    """The files of a table, read back and compared.

    Raises:
        InvalidInput: the format has no way to write a label or a name.
        CritoError: a file reads back as something else.
    """
    files = []
    back = LabelTable.of(())
    for part in table.parts():
        for suffix, text in form.render(part).items():
            path = folder / file_name(part, suffix)
            path.write_text(text, encoding="utf-8", newline="")
            make_durable(path)
            reading = read_labels(path, form)
            if reading.remarks:
                raise CritoError(f"{path.name} does not read back as it should: {next(iter(reading.remarks))}")
            back = back.merged(reading.table())
            files.append(WrittenFile(path.name, LABELS, len(reading.given), sha256(path)))
    if _kept(back, form) != _kept(table, form):
        raise CritoError("the files do not hold what was written to them; what stood there before is untouched")
    return tuple(files)


def left_behind(table: LabelTable, form: LabelFormat) -> tuple[str, ...]:
    """What a table knows and the format has no place for, in words."""
    there = {
        "confidence": any(row.confidence is not None for row in table.given),
        "reasons": any(row.rationale for row in table.given),
        "suggestions": any(row.suggestion or row.visible is not None for row in table.given),
        "times": any(row.seconds is not None for row in table.given),
        "texts": any(item.text for item in table.items.values()),
        "reference labels": any(item.gold is not None for item in table.items.values()),
    }
    places = {"reasons": "rationale", "texts": "text", "reference labels": "gold"}
    return tuple(what for what, is_there in there.items() if is_there and places.get(what, what) not in form.carries)


def read_labels(path: Path, form: LabelFormat) -> LabelReading:
    """What one file holds, leniently, with remarks.

    Raises:
        InvalidInput: the file cannot be read, or is not of this format.
    """
    reading = LabelReading.of(path.name)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InvalidInput(f"the file cannot be read ({error.strerror or error})", file=str(path)) from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise reading.wrong(
            "this is not UTF-8 text", error.object[error.start : error.end], "save it as UTF-8", line=line
        ) from error
    try:
        form.parse(text, reading)
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        # a file of another tool may have anything where an object is expected
        raise reading.wrong(
            f"the file is not in the layout of this format ({type(error).__name__}: {error})"
        ) from error
    return reading


def _kept(table: LabelTable, form: LabelFormat) -> tuple[set[GivenLabel], set[tuple[object, ...]]]:
    """What the format carries of a table, in no order."""
    carries = form.carries
    given = {
        row._replace(
            confidence=row.confidence if "confidence" in carries else None,
            rationale=row.rationale if "rationale" in carries else None,
            kind=row.kind if "kind" in carries else "human",
            suggestion=None,
            visible=None,
            seconds=None,
        )
        for row in table.given
    }
    items: set[tuple[object, ...]] = set()
    if "items" in carries:
        items = {(task, *_facts(item, carries)) for (task, _), item in table.items.items()}
    return given, items


def _facts(item: Item, carries: frozenset[str]) -> tuple[object, ...]:
    kept = replace(item, text=item.text if "text" in carries else "", gold=item.gold if "gold" in carries else None)
    context = tuple(sorted(item.context.items())) if "context" in carries else ()
    return kept.id, kept.text, kept.gold, context
