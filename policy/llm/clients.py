"""The HTTP client of an endpoint: it does nothing by itself, and no request outlasts its time."""

import time
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from policy.endpoints import Endpoint

LONGEST = 86_400.0
"""Seconds."""


def open_client(endpoint: Endpoint, stream: bool) -> Any:
    """A client without retry, other protocols, or a token stream of judgements into the streams
    of a caller's graph."""
    from langchain_openai import ChatOpenAI
    from openai import DefaultHttpxClient

    return ChatOpenAI(
        model=endpoint.model,
        base_url=endpoint.base_url,
        api_key=lambda: endpoint.api_key or "none",
        timeout=endpoint.timeout,
        max_retries=0,
        use_responses_api=False,
        stream_usage=True,
        disable_streaming=not stream,
        tags=None if stream else ["nostream"],
        http_client=DefaultHttpxClient(event_hooks={"request": [_begin], "response": [_bound]}),
    )


def time_limits(silence: float, whole: float) -> Any:
    """The timeout of one request: seconds without a byte, and seconds altogether."""
    from openai import Timeout

    return Timeout(min(silence, LONGEST), pool=min(whole, LONGEST))


class LateError(Exception):
    """An answer was still coming when its time was over."""


def _begin(request: Any) -> None:
    """Notes when a request was sent; one that was redirected began with the first."""
    request.extensions.setdefault("begun", time.monotonic())


def _bound(response: Any) -> None:
    """Ends the body in time. A read's own timeout begins anew with every byte, so that a server
    which sends blanks or comments while it is busy could hold a request for ever."""
    http = import_module(type(response).__module__.partition(".")[0])  # httpx, or its successor
    body, told = response.stream, response.request.extensions
    seconds = told["timeout"]["pool"]
    end = told["begun"] + seconds

    class Bounded(http.SyncByteStream):  # type: ignore[name-defined]
        def __iter__(self) -> Iterator[bytes]:
            for part in body:
                if time.monotonic() > end:
                    raise LateError(f"not complete after {seconds:.0f} s")
                yield part

        def close(self) -> None:
            body.close()

    response.stream = Bounded()
