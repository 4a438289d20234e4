"""The store that keeps the record, and one transaction on it."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol, TypeVar

from crito.services.ports.access import AccessTx
from crito.services.ports.agents import AgentTx
from crito.services.ports.erasure import ErasureTx
from crito.services.ports.evidence import EvidenceTx
from crito.services.ports.owner import OwnerTx
from crito.services.ports.people import PeopleTx
from crito.services.ports.places import PlaceTx
from crito.services.ports.record import RecordTx
from crito.services.ports.recruiting import RecruitingTx
from crito.services.ports.studies import StudyTx

Result = TypeVar("Result")


class Tx(
    StudyTx,
    PeopleTx,
    PlaceTx,
    EvidenceTx,
    RecordTx,
    AgentTx,
    AccessTx,
    OwnerTx,
    RecruitingTx,
    ErasureTx,
    Protocol,
):
    """One transaction. All of it is kept, or nothing of it.

    Methods named `add_…` append and never change a row; adding what is there already under the same key raises `Conflict`.
    Times are aware UTC. Text of people goes through `keep_words`.
    """


class Store(Protocol):
    """Where the record is kept."""

    async def read(self, work: Callable[[Tx], Result]) -> Result:
        """Run `work` on a consistent view; it must not write."""

    async def survey(self, work: Callable[[Tx], Result]) -> Result:
        """`read` for work that looks through many rows: nobody who saves a label waits for it."""

    async def write(self, work: Callable[[Tx], Result]) -> Result:
        """Run `work` and commit it; when this returns, what was written is on disk. An exception undoes all of it.

        `work` must be safe to run again: a database may ask for it when two transactions collide.
        """

    def hold(self, name: str) -> AbstractAsyncContextManager[None]:
        """Keep `name` for this process until the context ends; a process that dies lets go of it.

        Raises:
            Conflict: another process holds it.
        """

    async def check(self) -> None:
        """Do nothing if the record can be reached and is of the edition that this code reads and writes.

        Raises:
            DatabaseMismatch: it is of another edition. What the database raises when it cannot be reached passes through.
        """

    async def close(self) -> None: ...
