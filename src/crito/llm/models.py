"""Gives the model that a study file names, with the ledger in front of it."""

import random
from collections.abc import Callable, Mapping
from datetime import datetime

from crito.llm.endpoints import endpoint
from crito.llm.ledger import Controls, InFlight, RecordedModel
from crito.llm.limits import Backoff, Budget, RealTime, Time, Turnstile, limits_of
from crito.llm.local import LOCAL, LocalServer, announced
from crito.llm.prices import Prices
from crito.llm.providers import Connection, HostedModel
from crito.model.errors import InvalidInput
from crito.services.ports.models import ChatModel
from crito.services.ports.store import Store


class Connections:
    """One client for each provider, made when it is first needed.

    `environment` holds the keys and addresses; nothing else knows them. A local model is served by the process that
    has announced it there, or else by a child of this one.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._prices = Prices.of(environment)
        self._open: dict[str, Connection] = {}
        self._servers: list[LocalServer] = []

    def __call__(self, name: str) -> HostedModel:
        """The model `PROVIDER:NAME`, asked directly; nothing is sent yet, but a local one is loaded, which takes seconds.

        Raises:
            InvalidInput: the provider is unknown, its key is missing, or no model is named.
        """
        provider, _, model_name = name.partition(":")
        if not model_name:
            raise InvalidInput("no model is named", came=name, wanted="write PROVIDER:NAME or local:PATH.gguf")
        connection = self._local(model_name) if provider == LOCAL else self._hosted(provider)
        return connection.model(model_name)

    async def close(self) -> None:
        """Close every client, end every server."""
        for connection in self._open.values():
            await connection.close()
        for server in self._servers:
            server.stop()

    def _hosted(self, provider: str) -> Connection:
        if provider not in self._open:
            self._open[provider] = Connection(endpoint(provider, self._environment), self._prices)
        return self._open[provider]

    def _local(self, path: str) -> Connection:
        if f"{LOCAL}:{path}" not in self._open:
            found = announced(self._environment, path)
            if found is None:
                server = LocalServer.start(path)
                self._servers.append(server)
                found = server.endpoint
            self._open[f"{LOCAL}:{path}"] = Connection(found)
        return self._open[f"{LOCAL}:{path}"]


class Models:
    """Models by name, each built once and recorded; `budget` and `in_flight` hold for whole replies."""

    def __init__(
        self,
        store: Store,
        environment: Mapping[str, str],
        clock: Callable[[], datetime],
        *,
        budget: Budget | None = None,
        in_flight: InFlight = "hold",
        time: Time | None = None,
        rng: random.Random | None = None,
    ) -> None:
        self._store = store
        self._environment = environment
        self._clock = clock
        self._budget = budget or Budget()
        self._in_flight = in_flight
        self._time = time or RealTime()
        self._backoff = Backoff(rng or random.Random())
        self._connections = Connections(environment)
        self._turnstiles: dict[str, Turnstile] = {}
        self._models: dict[str, RecordedModel] = {}

    def __call__(self, name: str) -> ChatModel:
        """The model `PROVIDER:NAME`; nothing is sent yet, but a local one is loaded, which takes seconds.

        Raises:
            InvalidInput: the provider is unknown, its key is missing, or no model is named.
        """
        if name not in self._models:
            model = self._connections(name)
            controls = Controls(
                self._turnstile(model.provider), self._budget, self._backoff, self._time, self._in_flight
            )
            self._models[name] = RecordedModel(model, self._store, self._clock, controls)
        return self._models[name]

    async def close(self) -> None:
        """Finish what is being recorded, close every client, end every server."""
        for model in self._models.values():
            await model.close()
        await self._connections.close()

    def _turnstile(self, provider: str) -> Turnstile:
        if provider not in self._turnstiles:
            self._turnstiles[provider] = Turnstile(limits_of(provider, self._environment), self._time)
        return self._turnstiles[provider]
