"""Metrics for Prometheus: what each request was and took, and what stands in the record; nothing about anybody.

Imported only where a token for `/metrics` is set: nobody else pays for it.
"""

import hmac
import os
from collections.abc import Iterable, Sequence
from functools import partial

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from crito.services.figures import StudyFigures, figures
from crito.services.parts import Parts
from crito.web.logs import Answered

SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Names the folder where the workers of one server keep their counts, so that each of them can tell those of all."""

BUCKETS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """Counts requests, and answers the scrapes of whoever knows `token`."""

    def __init__(self, token: str) -> None:
        self._token = token
        own = CollectorRegistry()
        self._requests = Counter(
            "crito_requests", "Requests answered.", ["method", "route", "status"], registry=own
        )  # fmt: skip
        self._seconds = Histogram(
            "crito_request_seconds", "How long whole answers took.", ["route"], buckets=BUCKETS_S, registry=own
        )
        self._own = own

    def observe(self, answered: Answered) -> None:
        self._requests.labels(answered.method, answered.route, str(answered.status)).inc()
        self._seconds.labels(answered.route).observe(answered.seconds)

    def routes(self, parts: Parts) -> list[Route]:
        return [Route("/metrics", partial(self._tell, parts), methods=["GET"])]

    async def _tell(self, parts: Parts, request: Request) -> Response:
        given = request.headers.get("authorization", "")
        if not hmac.compare_digest(given.encode(), f"Bearer {self._token}".encode()):
            raise HTTPException(404)
        registry = CollectorRegistry()
        if os.environ.get(SHARED_FOLDER):
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        else:
            registry.register(self._own)
        registry.register(_Record(await figures(parts)))
        return Response(
            generate_latest(registry), media_type=CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"}
        )


class _Record(Collector):
    """The figures of the record; every worker reads the same, so they are gauges of no process."""

    def __init__(self, studies: Sequence[StudyFigures]) -> None:
        self._studies = studies

    def collect(self) -> Iterable[Metric]:
        people = GaugeMetricFamily(
            "crito_people", "People by ending; active for those without.", labels=["study", "ending"]
        )
        present = GaugeMetricFamily("crito_people_present", "People who take part right now.", labels=["study"])
        assignments = GaugeMetricFamily("crito_assignments", "Assignments by status.", labels=["study", "status"])
        leases = GaugeMetricFamily("crito_leases", "Places kept for somebody right now.", labels=["study"])
        dialogues = GaugeMetricFamily("crito_dialogues_open", "Those of them in a dialogue.", labels=["study"])
        of_calls = ["study", "model", "status"]
        calls = GaugeMetricFamily("crito_calls", "Calls to models on record, by status.", labels=of_calls)
        cost = GaugeMetricFamily("crito_cost_usd", "What calls have cost, where a price is known.", labels=of_calls)
        unpriced = GaugeMetricFamily("crito_calls_unpriced", "Calls without a known cost.", labels=of_calls)
        for one in self._studies:
            for ending, number in one.people.items():
                people.add_metric([one.study, ending], number)
            present.add_metric([one.study], one.present)
            for status, number in one.assignments.items():
                assignments.add_metric([one.study, status], number)
            leases.add_metric([one.study], one.kept.leases)
            dialogues.add_metric([one.study], one.kept.dialogues)
            for labels, (number, usd, without) in _by_model(one).items():
                calls.add_metric([one.study, *labels], number)
                cost.add_metric([one.study, *labels], usd)
                unpriced.add_metric([one.study, *labels], without)
        return [people, present, assignments, leases, dialogues, calls, cost, unpriced]


def _by_model(figures: StudyFigures) -> dict[tuple[str, str], tuple[int, float, int]]:
    """Calls, cost and calls without a price, by model and status: a label of each labelling would grow without end."""
    sums: dict[tuple[str, str], tuple[int, float, int]] = {}
    for total in figures.calls:
        key = (f"{total.provider}:{total.model}", total.status)
        number, usd, without = sums.get(key, (0, 0.0, 0))
        sums[key] = (number + total.calls, usd + total.cost_usd, without + total.unpriced)
    return sums
