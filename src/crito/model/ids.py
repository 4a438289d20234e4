"""Names of things: every id is a `str` that a type checker keeps apart from the others."""

from typing import NewType

StudyName = NewType("StudyName", str)
TaskName = NewType("TaskName", str)
ItemId = NewType("ItemId", str)
AnnotatorId = NewType("AnnotatorId", str)
"""A person's pseudonym, or the id of a model with its settings."""
AssignmentId = NewType("AssignmentId", str)
RunId = NewType("RunId", str)
WordsId = NewType("WordsId", str)
"""Salted hash under which someone's words are kept."""
LabellingId = NewType("LabellingId", str)
DebateId = NewType("DebateId", str)
CallKey = NewType("CallKey", str)
DrawId = NewType("DrawId", str)
RequestId = NewType("RequestId", str)
AccountId = NewType("AccountId", str)
"""Someone who signs in to work on studies; no annotator."""
HandoffId = NewType("HandoffId", str)
Language = NewType("Language", str)
"""A language tag such as `en`."""
