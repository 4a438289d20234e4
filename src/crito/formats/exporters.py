"""The formats a study can be exported in, by name."""

from collections.abc import Mapping

from crito.formats.croissant import CROISSANT, render_croissant
from crito.formats.csv_file import CsvFormat
from crito.formats.dataset_card import render_card
from crito.formats.excel_file import ExcelFormat
from crito.formats.folder import FolderExporter
from crito.formats.jsonl_file import JsonlFormat
from crito.formats.label_files import LABEL_FORMATS, LabelExporter
from crito.formats.parquet_file import ParquetFormat
from crito.formats.placing import README
from crito.formats.readme import render_readme
from crito.model.errors import InvalidInput
from crito.services.tables import Exporter

EXPORTERS: Mapping[str, Exporter] = {
    "csv": FolderExporter("csv", CsvFormat()),
    "csv-bom": FolderExporter("csv-bom", CsvFormat(bom=True)),
    "tsv": FolderExporter("tsv", CsvFormat(suffix="tsv", separator="\t")),
    "excel": FolderExporter("excel", ExcelFormat()),
    "jsonl": FolderExporter("jsonl", JsonlFormat()),
    "parquet": FolderExporter("parquet", ParquetFormat()),
    "huggingface": FolderExporter("huggingface", ParquetFormat(), {README: render_card, CROISSANT: render_croissant}),
    "croissant": FolderExporter("croissant", ParquetFormat(), {README: render_readme, CROISSANT: render_croissant}),
    **{name: LabelExporter(name, form) for name, form in LABEL_FORMATS.items()},
}


def exporter(name: str) -> Exporter:
    """The exporter of this name.

    Raises:
        InvalidInput: there is none.
    """
    if name not in EXPORTERS:
        raise InvalidInput("there is no such format", came=name, wanted=f"one of {', '.join(EXPORTERS)}", key="format")
    return EXPORTERS[name]
