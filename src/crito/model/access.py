"""Who works on a study: people with accounts, and the role each has in it."""

from dataclasses import dataclass
from typing import Literal, get_args

from crito.model.ids import AccountId, StudyName

StudyRole = Literal["owner", "expert", "reader"]
"""An owner runs the study, an expert labels from a queue, a reader reads the transcripts of dialogues. A participant
has no account: whoever takes part is a pseudonym."""

STUDY_ROLES: tuple[StudyRole, ...] = get_args(StudyRole)


@dataclass(frozen=True, slots=True)
class Member:
    """Someone who works on a study, in the one role that their account has in it."""

    study: StudyName
    account: AccountId
    name: str
    role: StudyRole
