"""The tables. Columns bear the names of the fields they keep, so a row reads back as its dataclass.

Every table says which study its rows belong to. Tables with an `ordinal` are append-only logs, in the order of writing.
Words of people stand in `words` alone and in `drafts` until a form is sent; everywhere else only their ids do.
"""

from crito.store.tables import access, agents, erasure, evidence, owner, people, places, record, recruiting, studies

__all__ = ["access", "agents", "erasure", "evidence", "owner", "people", "places", "record", "recruiting", "studies"]
