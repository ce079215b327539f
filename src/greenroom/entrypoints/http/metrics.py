"""What the server counts, for Prometheus."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest

from greenroom.services import operations
from greenroom.services.house import House

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """The numbers of one server, in a registry of its own."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._requests = Counter(
            "greenroom_requests", "Requests answered.", ("method", "route", "status"), registry=self._registry
        )
        self._seconds = Histogram(
            "greenroom_request_seconds", "How long answers took.", ("route",), buckets=SECONDS, registry=self._registry
        )
        self.held = Histogram(
            "greenroom_loop_held_seconds", "Processor time of steps that kept the loop over 50 ms.",
            buckets=(0.1, 0.25, 0.5, 1.0, 2.5, 5.0), registry=self._registry,
        )  # fmt: skip
        self.longest = Gauge(
            "greenroom_loop_longest_step_seconds", "Processor time of the longest step of any task so far.",
            registry=self._registry,
        )  # fmt: skip
        self.live = Gauge("greenroom_live_connections", "Live connections open.", registry=self._registry)
        self._house = Gauge(
            "greenroom_house", "Streams, attempts open and failed, letters due and held.", ("of",),
            registry=self._registry,
        )  # fmt: skip

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    async def text(self, house: House) -> bytes:
        """Everything as Prometheus reads it, the house counted anew."""
        for name, count in (await operations.counts(house)).items():
            self._house.labels(name).set(count)
        return generate_latest(self._registry)
