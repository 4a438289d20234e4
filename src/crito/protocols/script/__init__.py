"""The scripted partner and its router."""

from crito.protocols.script.bank import BANKS, Bank
from crito.protocols.script.partner import acknowledgement, reply, route

__all__ = ["BANKS", "Bank", "acknowledgement", "reply", "route"]
