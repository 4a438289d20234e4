"""People and language models label the same items, argue about them, and every label knows what its author had seen."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from crito.api import debate, judge, label, read

__all__ = ["debate", "judge", "label", "read"]


def __getattr__(name: str) -> Any:
    """The verbs of `crito.api`, loaded when one is first used: the commands need none of them, and importing takes time."""
    if name not in __all__:
        raise AttributeError(f"module 'crito' has no attribute {name!r}")
    from crito import api

    return getattr(api, name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
