"""Where providers are reached, as the environment says."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple
from urllib.parse import urlsplit, urlunsplit

from crito.model.errors import InvalidInput

Wire = Literal["chat completions", "anthropic messages", "gemini"]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a provider is reached, and with which key.

    `priced` is false where the address is not the provider's own, so that a list price would be a guess.
    `key_from` names the environment variable that a wrong key should be looked for in.
    `served_model` is recorded as what spoke, where that is known better than the endpoint says it.
    """

    provider: str
    wire: Wire
    base_url: str = field(repr=False)
    key: str = field(repr=False)
    key_from: str
    priced: bool = False
    local: bool = False
    served_model: str = ""

    @property
    def address(self) -> str:
        """The base URL as it may be shown: a name and password in it are left out."""
        parts = urlsplit(self.base_url)
        return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


class Hosted(NamedTuple):
    """A provider that the world knows: its own address, the variable that replaces it, the variables that hold a key."""

    wire: Wire
    url: str
    url_from: str
    keys_from: tuple[str, ...]


HOSTED: Mapping[str, Hosted] = {
    "openai": Hosted("chat completions", "https://api.openai.com/v1", "OPENAI_BASE_URL", ("OPENAI_API_KEY",)),
    "anthropic": Hosted(
        "anthropic messages", "https://api.anthropic.com", "ANTHROPIC_BASE_URL", ("ANTHROPIC_API_KEY",)
    ),
    "google": Hosted(
        "gemini",
        "https://generativelanguage.googleapis.com",
        "GOOGLE_GEMINI_BASE_URL",
        ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    ),
}


NO_KEY = "no-key-is-set"
"""Stands where a server wants no key: client libraries insist on one."""


ENDPOINT_PREFIX = "CRITO_ENDPOINT_"
"""`CRITO_ENDPOINT_LAB=http://host/v1` makes the provider `lab`; `CRITO_ENDPOINT_LAB_KEY` is its key, if it wants one."""


def endpoints(environment: Mapping[str, str]) -> dict[str, str]:
    """Provider name to address, for every OpenAI-compatible endpoint named in the environment."""
    return {
        name.removeprefix(ENDPOINT_PREFIX).lower().replace("_", "-"): address
        for name, address in environment.items()
        if name.startswith(ENDPOINT_PREFIX) and not name.endswith("_KEY")
    }


def endpoint(provider: str, environment: Mapping[str, str]) -> Endpoint:
    """Where `provider` is reached.

    Raises:
        InvalidInput: the provider is unknown, or its key is missing.
    """
    if provider in HOSTED:
        hosted = HOSTED[provider]
        base_url = environment.get(hosted.url_from) or hosted.url
        key_from = next((name for name in hosted.keys_from if environment.get(name)), hosted.keys_from[0])
        key = environment.get(key_from, "")
        if not key and base_url == hosted.url:
            raise InvalidInput(
                f"there is no key for {provider}", wanted=f"set {key_from} in the environment or in .env"
            )
        return Endpoint(provider, hosted.wire, base_url, key or NO_KEY, key_from, priced=base_url == hosted.url)
    named = endpoints(environment)
    if provider in named:
        key_from = f"{ENDPOINT_PREFIX}{provider.upper().replace('-', '_')}_KEY"
        return Endpoint(provider, "chat completions", named[provider], environment.get(key_from) or NO_KEY, key_from)
    known = ", ".join(f"{name}:NAME" for name in (*HOSTED, *named))
    raise InvalidInput(
        "there is no such provider of models",
        came=provider,
        wanted=f"use one of {known}, local:PATH.gguf, or set {ENDPOINT_PREFIX}NAME to an address that speaks OpenAI's API",
    )
