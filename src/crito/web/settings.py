"""How the pages are served."""

from dataclasses import dataclass

KIB = 1024


@dataclass(frozen=True, slots=True)
class WebSettings:
    """What the one who runs the server decides.

    Attributes:
        root_path: the prefix under which a proxy serves this app, such as `/crito`; empty for none.
        trusted_proxies: addresses (or networks, or `*`) whose `X-Forwarded-Proto` is believed; it decides about Secure cookies.
        list_studies: whether the page at `/` names the studies served here; else people need the link of their study.
        max_form_bytes: the largest form that is read.
        record: the database as commands are told it, without its password; the owner's page says how to get the data out.
        log_requests: whether each request is logged, by its route and without what identifies anybody.
        leave_after_s: how long `/readyz` says that a worker is leaving before it takes no more requests.
    """

    root_path: str = ""
    trusted_proxies: tuple[str, ...] = ("127.0.0.1", "::1")
    list_studies: bool = False
    max_form_bytes: int = 512 * KIB
    record: str = ""
    log_requests: bool = False
    leave_after_s: float = 0.0
