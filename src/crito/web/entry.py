"""Who a link brings: the parameters that recruiting platforms put on it."""

from collections.abc import Mapping
from typing import NamedTuple

from crito.model.errors import InvalidInput
from crito.model.record import Identity

PROLIFIC = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
MTURK = ("workerId", "assignmentId", "hitId")
NOT_ACCEPTED = "ASSIGNMENT_ID_NOT_AVAILABLE"
MAX_ID = 200


class Arrival(NamedTuple):
    """What a link says: the person, if it names one; whether it is only a preview; its parameters, to be carried on."""

    identity: Identity | None
    preview: bool
    link: Mapping[str, str]


def parse_arrival(parameters: Mapping[str, str]) -> Arrival:
    """Read the parameters of a link, or the same names in the consent form.

    Raises:
        InvalidInput: an id is no id: too long, or with characters that none has.
    """
    link = {name: parameters[name] for name in (*PROLIFIC, *MTURK) if parameters.get(name)}
    for name, value in link.items():
        if len(value) > MAX_ID or not value.isprintable():
            raise InvalidInput(
                "this link's parameters cannot be read", wanted="open the link as it was given", key=name
            )
    preview = link.get("assignmentId") == NOT_ACCEPTED or any(value.startswith("{{%") for value in link.values())
    if preview:
        return Arrival(None, True, link)
    if "PROLIFIC_PID" in link:
        return Arrival(Identity("prolific", link["PROLIFIC_PID"], link.get("SESSION_ID", "")), False, link)
    if "workerId" in link:
        return Arrival(Identity("mturk", link["workerId"], link.get("assignmentId", "")), False, link)
    return Arrival(None, False, link)
