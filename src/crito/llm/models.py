"""Gives the model that a study file names, with the ledger in front of it."""

from collections.abc import Callable, Mapping
from datetime import datetime

from crito.llm.ledger import RecordedModel
from crito.llm.providers import Connection, endpoint
from crito.model.errors import InvalidInput
from crito.services.ports import ChatModel, Store


class Models:
    """Models by name, each built once, on one client for each provider.

    `environment` holds the keys and addresses; nothing else knows them.
    """

    def __init__(self, store: Store, environment: Mapping[str, str], clock: Callable[[], datetime]) -> None:
        self._store = store
        self._environment = environment
        self._clock = clock
        self._connections: dict[str, Connection] = {}
        self._models: dict[str, RecordedModel] = {}

    def __call__(self, name: str) -> ChatModel:
        """The model `PROVIDER:NAME`; nothing is sent yet.

        Raises:
            InvalidInput: the provider is unknown, its key is missing, or no model is named.
        """
        if name not in self._models:
            provider, _, model_name = name.partition(":")
            connection = self._connections.get(provider) or Connection(endpoint(provider, self._environment))
            self._connections[provider] = connection
            if not model_name:
                raise InvalidInput("no model is named", came=name, wanted=f"write {provider}:NAME")
            self._models[name] = RecordedModel(connection.model(model_name), self._store, self._clock)
        return self._models[name]

    async def close(self) -> None:
        """Finish what is being recorded and close every client."""
        for model in self._models.values():
            await model.close()
        for connection in self._connections.values():
            await connection.close()
