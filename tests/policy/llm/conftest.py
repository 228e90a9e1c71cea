from collections.abc import Callable, Iterator
from typing import Any

import pytest

from policy.endpoints import Endpoint, Models
from policy.llm import LLM
from tests.policy.llm.server import Server, serving

KEY = "sk-never-to-be-seen-0123456789"


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


@pytest.fixture
def waits() -> list[float]:
    """The seconds that a policy would have waited between two tries."""
    return []


@pytest.fixture
def llm(server: Server, waits: list[float]) -> Callable[..., LLM]:
    """A function that makes a policy on the server; grading by reasons unless told otherwise."""

    def make(**options: Any) -> LLM:
        endpoint = endpoint_of(server, **options.pop("endpoint", {}))
        models = options.pop("models", None) or models_of(endpoint)
        return LLM(models, sleep=waits.append, **{"grading": "json", **options})

    return make


def endpoint_of(server: Server, **fields: Any) -> Endpoint:
    return Endpoint(
        **{"base_url": server.url, "model": "m", "api_key": KEY, "timeout": 5, **fields}
    )


def models_of(endpoint: Endpoint, *fallbacks: Endpoint) -> Models:
    return Models(dict.fromkeys(("plan", "grade", "rewrite", "write"), endpoint), fallbacks)
