"""A certificate as the text of a file, and back."""

import json
from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any

from crito.model.certificate import CERTIFICATE_KINDS, Certificate, MachineVersion
from crito.model.errors import InvalidInput
from crito.stats.statistic import as_json

FORMAT = "crito-certificate/1"


def render_certificate(certificate: Certificate) -> str:
    """The file's text: JSON, for people to read and for `parse_certificate`."""
    return json.dumps({"format": FORMAT, **as_json(certificate)}, ensure_ascii=False, indent=2) + "\n"


def parse_certificate(text: str) -> Certificate:
    """The certificate in a file.

    Raises:
        InvalidInput: it is no certificate of this format, or something is missing in it.
    """
    wanted = "a file written by `crito certify`"
    try:
        written = json.loads(text)
    except ValueError as error:
        raise InvalidInput("this is no certificate", wanted=wanted) from error
    if not isinstance(written, Mapping) or written.get("format") != FORMAT:
        came = written.get("format") if isinstance(written, Mapping) else None
        raise InvalidInput("this is no certificate that can be read here", came=came, wanted=wanted)
    if missing := [part.name for part in fields(Certificate) if part.name not in written]:
        raise InvalidInput("the certificate is not complete", came=f"no {missing[0]!r}", wanted=wanted)
    if written["kind"] not in CERTIFICATE_KINDS:
        raise InvalidInput(
            "there is no such certificate", came=written["kind"], wanted=f"one of {', '.join(CERTIFICATE_KINDS)}"
        )
    return _certificate(written)


def _certificate(written: Mapping[str, Any]) -> Certificate:
    parts = {part.name: written[part.name] for part in fields(Certificate)}
    inclusion = parts["inclusion"]
    return Certificate(**parts | {
        "machine": MachineVersion(**parts["machine"]),
        "inclusion": None if inclusion is None else (inclusion[0], inclusion[1]),
        "not_covered": tuple(parts["not_covered"]),
        "evidence_until": datetime.fromisoformat(parts["evidence_until"]),
    })  # fmt: skip
