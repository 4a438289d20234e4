"""`crito certify`: what blind evidence proves of a machine's labels, as files that anyone can check."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from crito.bootstrap import Settings, open_parts
from crito.cli import screen
from crito.cli.places import existing_study
from crito.evidence.certificate_file import parse_certificate, render_certificate
from crito.evidence.certificates import ESTIMATORS
from crito.evidence.handoff import RULES, HandoffRule
from crito.formats.reading import read_file
from crito.formats.table_files import ReadTable
from crito.model.certificate import CERTIFICATE_KINDS, Certificate, CertificateKind
from crito.model.errors import CritoError, InvalidInput
from crito.model.ids import TaskName
from crito.report.certificate_page import render_certificate_page
from crito.services.certifying import EvidenceRows, certify, check_again
from crito.services.given_labels import LabelTable
from crito.services.study_evidence import study_evidence
from crito.services.table_evidence import REFERENCES, TableDesign, machines, table_evidence
from crito.stats.statistic import as_json as json_of

Name = TypeVar("Name", bound=str)


@dataclass(frozen=True, slots=True)
class Asked:
    """What the options of the command say, as they were typed."""

    ask: tuple[str, ...]
    rule: str
    threshold: float
    minimum: int
    declared: int | None
    error_rate: float
    risk: float
    by_label: bool
    epsilon: float | None
    estimator: str


@dataclass(frozen=True, slots=True)
class TableFiles:
    """A table of labels: people's, the machine's where they are in a file of their own, and the items'.

    `repeats` says what several labels by one annotator on an item are, as in `TableOptions`.
    """

    labels: Path
    machine: Path | None = None
    items: Path | None = None
    repeats: str = "refused"


def settings_by_kind(asked: Asked) -> dict[CertificateKind, dict[str, Any]]:
    """The declared settings of each certificate that is asked for.

    Raises:
        InvalidInput: there is no such certificate or rule, or a number is out of its range.
    """
    named = _one_of(asked.rule, RULES, "--rule", "there is no such rule")
    try:
        rule = HandoffRule(asked.threshold, named, asked.minimum, asked.declared)
    except ValueError as error:
        raise InvalidInput("the rule cannot be used", wanted=str(error)) from error
    every: dict[CertificateKind, dict[str, Any]] = {
        "handoff": asdict(rule),
        "automatic_labelling": {
            "error_rate": asked.error_rate,
            "risk": asked.risk,
            "by_label": asked.by_label,
        },
        "corpus_estimate": {
            "estimator": _one_of(asked.estimator, ESTIMATORS, "--estimator", "there is no such estimator")
        },
    }
    if asked.epsilon is not None:
        every["annotator_replacement"] = {"epsilon": asked.epsilon}
    for kind in asked.ask:
        _one_of(kind, CERTIFICATE_KINDS, "--ask", "there is no such certificate")
        if kind not in every:
            raise InvalidInput(
                "whether a machine may replace a person needs --epsilon",
                wanted="0.2 where people are experts, 0.15 skilled, 0.1 a crowd: what a person's work is worth more",
            )
    return {kind: settings for kind, settings in every.items() if not asked.ask or kind in asked.ask}


def table_design(reference: str, blind_rate: float, seed: str, *, assume_blind: bool) -> TableDesign:
    """How a table becomes evidence.

    Raises:
        InvalidInput: there is no such reference, or the rate is out of its range.
    """
    if not 0 < blind_rate <= 1:
        raise InvalidInput("a share of the items is above 0 and up to 1", blind_rate, key="--blind-rate")
    return TableDesign(
        _one_of(reference, REFERENCES, "--reference", "there is no such reference"), blind_rate, seed, assume_blind
    )


def certify_table(
    files: TableFiles,
    design: TableDesign,
    settings: Mapping[CertificateKind, Mapping[str, Any]],
    *,
    task: str,
    models: Sequence[str],
    out: Path | None,
    as_json: bool,
) -> None:
    """Certify machines whose labels stand in a table beside people's, and write a certificate for each question.

    Raises:
        InvalidInput: the table cannot be read, or there is no such task or machine.
        CritoError: a certificate cannot be written.
    """
    table = _read(files)
    name = files.labels.stem
    of = _task(table, task)
    wanted = list(models) or list(machines(table, of))
    if not wanted:
        raise InvalidInput("no machine labelled anything in this table", wanted="give its labels with --machine FILE")
    made: list[tuple[Certificate, Path]] = []
    folder = out or Path(f"{name}-certificates")
    for model in wanted:
        rows = table_evidence(table, name, of, model, design, _source(files, design))
        made += [(certificate, folder / _file_name(certificate)) for certificate in certify(rows, settings)]
    _write(made)
    _show(made, as_json=as_json)


def certify_study(
    study: str,
    db: str | None,
    settings: Mapping[CertificateKind, Mapping[str, Any]],
    *,
    task: str,
    out: Path | None,
    as_json: bool,
) -> None:
    """Certify the machine whose labels a study proposes, on each task or on one.

    The handoff is judged by what the study file declares, whatever the options say.

    Raises:
        CritoError: there is no such study or task, no machine has labelled, or a certificate cannot be written.
    """
    name, url = existing_study(study, db)
    folder = out or Path(f"{name}-certificates")

    async def work() -> list[Certificate]:
        async with open_parts(Settings(url)) as parts:
            _, latest = await parts.latest(name)
            made: list[Certificate] = []
            for of in [TaskName(task)] if task else [one.name for one in latest.tasks]:
                found = await study_evidence(parts, name, of)
                declared = dict(settings)
                if "handoff" in declared:
                    declared["handoff"] = asdict(found.rule)
                made += certify(found.rows, declared)
            return made

    made = [(certificate, folder / _file_name(certificate)) for certificate in asyncio.run(work())]
    _write(made)
    _show(made, as_json=as_json)


def check_certificate(file: Path, source: str, files: TableFiles | None, db: str | None, *, as_json: bool) -> bool:
    """Compute a certificate again from its table or its study, and say whether it holds.

    Raises:
        InvalidInput: the file is no certificate, or what it rests on cannot be found or read.
    """
    issued = _issued(file)
    if "table" in issued.source:
        rows = _rows_of_table(issued, files)
    else:
        name, url = existing_study(source or issued.study, db)

        async def work() -> EvidenceRows:
            async with open_parts(Settings(url)) as parts:
                return (await study_evidence(parts, name, issued.task, until=issued.evidence_until)).rows

        rows = asyncio.run(work())
    return _say_whether_it_holds(file, issued, check_again(issued, rows), as_json=as_json)


def _rows_of_table(issued: Certificate, files: TableFiles | None) -> EvidenceRows:
    where = files or _files_of(issued.source["table"])
    design = TableDesign(**issued.source["design"])
    return table_evidence(_read(where), where.labels.stem, issued.task, issued.machine.name, design, issued.source)


def _say_whether_it_holds(file: Path, issued: Certificate, changed: Sequence[str], *, as_json: bool) -> bool:
    """Tell what became of a certificate; true where it holds."""
    holds = not changed
    if as_json:
        screen.facts({"certificate": str(file), "holds": holds, "changed": list(changed), "granted": issued.granted})
    elif changed:
        screen.say(f"{file} does not hold any more:")
        for line in changed:
            screen.say(f"  {line}")
    else:
        screen.say(f"{file} holds: the same evidence gives the same result.")
        screen.say(issued.statement)
    return holds


def _read(files: TableFiles) -> LabelTable:
    table, *others = (
        _remarked(read_file(file, items=files.items, repeats=files.repeats))
        for file in (files.labels, files.machine)
        if file
    )
    return table.merged(others[0]) if others else table


def _remarked(read: ReadTable) -> LabelTable:
    for remark in read.remarks:
        screen.note(f"Note: {remark}.")
    return read.table


def _task(table: LabelTable, named: str) -> TaskName:
    if named or len(table.tasks) > 1:
        _one_of(named, table.tasks, "--task", "there is no such task")
        return TaskName(named)
    return table.tasks[0]


def _source(files: TableFiles, design: TableDesign) -> dict[str, Any]:
    table = {name: str(value) for name, value in asdict(files).items() if value}
    return {"table": table, "design": asdict(design)}


def _files_of(table: Mapping[str, str]) -> TableFiles:
    paths = {name: Path(value) for name, value in table.items() if name != "repeats"}
    return TableFiles(**paths, repeats=table["repeats"])


def _issued(file: Path) -> Certificate:
    try:
        return parse_certificate(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise InvalidInput(f"the certificate cannot be read ({reason})", file=str(file)) from error


def _file_name(certificate: Certificate) -> str:
    parts = [certificate.task, certificate.machine.name, certificate.kind]
    return "-".join("".join(c if c.isalnum() or c in "._" else "-" for c in part) for part in parts if part) + ".json"


def _write(made: Sequence[tuple[Certificate, Path]]) -> None:
    for certificate, file in made:
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(render_certificate(certificate), encoding="utf-8")
            file.with_suffix(".html").write_text(render_certificate_page(certificate), encoding="utf-8")
        except OSError as error:
            raise CritoError(f"{str(file)!r} cannot be written: {error.strerror or error}") from error


def _show(made: Sequence[tuple[Certificate, Path]], *, as_json: bool) -> None:
    if as_json:
        screen.facts([{"file": str(file), **json_of(certificate)} for certificate, file in made])
        return
    screen.table(
        ("machine", "certificate", "granted", "labels", "items"),
        [
            (made_of.machine.name, made_of.kind.replace("_", " "), made_of.granted, made_of.n_evidence, made_of.n_items)
            for made_of, _ in made
        ],
    )
    for certificate, _ in made:
        screen.say()
        screen.say(certificate.statement)
        if certificate.needed:
            screen.say(f"Needed: {certificate.needed}.")
    screen.say()
    screen.next_command(f"{len(made)} certificates are in {made[0][1].parent}.", f"crito certify --check {made[0][1]}")


def _one_of(came: str, known: Sequence[Name], key: str, problem: str) -> Name:
    for name in known:
        if came == name:
            return name
    raise InvalidInput(problem, came or None, f"one of {', '.join(known)}", key=key)
