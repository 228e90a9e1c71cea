"""Reading what went wrong with one request: try again, ask in another way, or stop and say why."""

from dataclasses import dataclass
from typing import Literal

from policy.endpoints import Endpoint
from policy.llm.clients import LateError
from policy.llm.masking import mask

Kind = Literal["again", "unsupported", "stop"]
MOST_WAIT = 20.0
"""Seconds: a longer Retry-After is not waited for."""
_CONTEXT = ("context", "too long", "too many tokens", "maximum length", "exceed")
_NO_QUOTA = ("insufficient_quota", "billing", "credit")


@dataclass(frozen=True)
class Fault:
    """One failed request. `wait` is the server's own word on when to try again, in seconds."""

    kind: Kind
    sentence: str
    wait: float | None = None
    timed_out: bool = False


def classify(error: Exception, endpoint: Endpoint) -> Fault:
    """What an exception of the client means for the run."""
    import openai

    late = isinstance(error, LateError) or isinstance(error.__cause__, LateError)
    if late or isinstance(error, openai.APITimeoutError):
        what = f"did not answer within {endpoint.timeout:.0f} s"
        return _again(endpoint, what, "raise GROUNDHOP_TIMEOUT or use a faster model", late=True)
    if isinstance(error, openai.APIConnectionError):
        what = f"cannot be reached ({_text(error.__cause__ or error, endpoint)})"
        return _again(endpoint, what, "start the server or correct GROUNDHOP_BASE_URL")
    if isinstance(error, openai.APIStatusError):
        return _by_status(error, endpoint)
    return _by_shape(error, endpoint)


def _by_status(error: "openai.APIStatusError", endpoint: Endpoint) -> Fault:  # type: ignore[name-defined]  # noqa: F821
    status, text = error.status_code, _text(error, endpoint)
    lowered = text.lower()
    if status in (401, 403):
        return _stop(endpoint, f"refused the key ({status})", "correct GROUNDHOP_API_KEY")
    if status == 402 or (status == 429 and any(word in lowered for word in _NO_QUOTA)):
        return _stop(endpoint, f"has no quota left ({status})", "top it up or use another model")
    if status == 404:
        change = "correct GROUNDHOP_MODEL, or GROUNDHOP_BASE_URL (it usually ends in /v1)"
        return _stop(endpoint, f"does not know this model or address (404: {text})", change)
    if status == 413 or (status in (400, 422, 500) and _too_long(lowered)):
        change = "use a model with a longer context, or a smaller --depth"
        return _stop(endpoint, f"says that the request is too long ({status}: {text})", change)
    if status in (408, 409, 425, 429) or status >= 500:
        wait = retry_after(error.response.headers)
        change = "try again later or use another model"
        return _again(endpoint, f"failed ({status}: {text})", change, wait=wait)
    change = "use another model, or correct GROUNDHOP_BASE_URL"
    sentence = _say(endpoint, f"refused the request ({status}: {text})", change)
    return Fault("unsupported", sentence)


def _too_long(text: str) -> bool:
    named = "context" in text or "token" in text or "prompt" in text
    return named and any(word in text for word in _CONTEXT)


def _by_shape(error: Exception, endpoint: Endpoint) -> Fault:
    """Replies that are no chat completion, and connections that break in the middle."""
    if isinstance(error, AttributeError) or "got str: '<" in str(error):
        change = "correct GROUNDHOP_BASE_URL (it usually ends in /v1)"
        return _stop(endpoint, "answered with a page and not with a chat completion", change)
    what = f"sent no complete answer ({_text(error, endpoint)})"
    return _again(endpoint, what, "look at the server's log or use another model")


def retry_after(headers: object) -> float | None:
    """Seconds of a Retry-After header, or None where there is none that can be read."""
    value = headers.get("retry-after") if hasattr(headers, "get") else None
    try:
        return max(0.0, float(value)) if value else None
    except ValueError:
        return None


def _text(error: BaseException, endpoint: Endpoint) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return mask(text, (endpoint.api_key, endpoint.base_url))[:200]


def _say(endpoint: Endpoint, what: str, change: str) -> str:
    return f"The model {endpoint.label} {what}: {change}."


def _stop(endpoint: Endpoint, what: str, change: str) -> Fault:
    return Fault("stop", _say(endpoint, what, change))


def _again(
    endpoint: Endpoint, what: str, change: str, *, wait: float | None = None, late: bool = False
) -> Fault:
    return Fault("again", _say(endpoint, what, change), wait, late)
