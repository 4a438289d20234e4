"""One transaction on the record."""

from crito.store.access import AccessRows
from crito.store.blind import BlindRows
from crito.store.cockpit import CockpitRows
from crito.store.debates import DebateRows
from crito.store.erasing import ErasingRows
from crito.store.handoffs import HandoffRows
from crito.store.labellings import LabellingRows
from crito.store.owner import OwnerRows
from crito.store.people import PeopleRows
from crito.store.places import PlaceRows
from crito.store.recruiting import RecruitingRows
from crito.store.runs import RunRows
from crito.store.studies import StudyRows
from crito.store.waiting import WaitingRows


class SqlTx(
    StudyRows,
    PeopleRows,
    PlaceRows,
    RunRows,
    LabellingRows,
    DebateRows,
    BlindRows,
    HandoffRows,
    AccessRows,
    OwnerRows,
    RecruitingRows,
    ErasingRows,
    CockpitRows,
    WaitingRows,
):
    """`Tx` on an SQL database: everything between the begin and the commit of one connection."""
