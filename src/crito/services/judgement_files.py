"""What judges made of a text, as JSON: scores, ratings, words, and the record from which it can be gone through again."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from crito.model.crit import CritReport, RatedArgument
from crito.model.errors import InvalidInput
from crito.model.ids import RunId
from crito.services.judging import Document, Judged, KeptTurn, Manner

FORMAT = "crito-judgement-1"


def plain_judgement(judged: Judged) -> dict[str, Any]:
    """Everything in JSON types; scores are worked out anew from the ratings that stand beside them."""
    return {
        "format": FORMAT,
        "run": judged.run,
        "at": judged.at.isoformat(),
        "document": asdict(judged.document),
        "manner": asdict(judged.manner),
        "judges": dict(judged.judges),
        "reports": [plain_report(report) for report in judged.reports],
        "orders": {name: [order._asdict() for order in found] for name, found in judged.orders.items()},
        "record": [asdict(turn) for turn in judged.record],
    }


def write_judgement(judged: Judged) -> str:
    return json.dumps(plain_judgement(judged), ensure_ascii=False, indent=2) + "\n"


def read_record(text: str, file: str = "") -> tuple[Judged, list[Any]]:
    """A judgement as far as it is needed to go through it again, and the reports that were written down.

    Raises:
        InvalidInput: this is no judgement.
    """
    try:
        given = json.loads(text)
        if given["format"] != FORMAT:
            raise InvalidInput("this is no judgement of a document", given["format"], FORMAT, file)
        judged = Judged(
            RunId(given["run"]),
            Document(**given["document"]),
            Manner(**given["manner"]),
            given["judges"],
            (),
            {},
            tuple(KeptTurn(**turn) for turn in given["record"]),
            datetime.fromisoformat(given["at"]),
        )
        return judged, given["reports"]
    except (ValueError, TypeError, KeyError) as error:
        wanted = "a file that `crito judge --out FILE.json` wrote"
        raise InvalidInput("this is no judgement of a document", str(error), wanted, file) from error


def plain_report(report: CritReport) -> dict[str, Any]:
    """One judge's reading, with that of each source in the place where it counts."""
    scores = report.scores()
    return {
        "document": report.document,
        "judge": report.judge,
        "claim": report.claim,
        "score": scores["reflected"].value,
        "score_note": scores["reflected"].reason,
        "scores": {mode: score.value for mode, score in scores.items()},
        "credibility_fill": scores["reflected"].credibility_fill,
        "dropped": scores["reflected"].n_dropped,
        "unreadable_ratings": report.n_unreadable,
        "missing_ratings": report.n_missing,
        "reasons": [_argument(one) for one in report.reasons],
        "rivals": [_argument(one) for one in report.rivals],
        "rivals_from": report.rivals_from,
        "justification": report.justification,
        "reflection": report.reflection,
        "problems": list(report.problems),
    }


def _argument(one: RatedArgument) -> Mapping[str, Any]:
    return {
        "id": one.id,
        **asdict(one.argument),
        "speculative": one.speculative,
        "validity": one.rating.validity,
        "credibility": one.rating.credibility,
        "validity_reading": one.validity,
        "credibility_reading": one.credibility,
        "justification": one.justification,
        "recursion_stopped": one.recursion_stopped,
        "child": plain_report(one.child) if one.child else None,
    }
