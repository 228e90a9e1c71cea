"""One request to a chat-completions endpoint, with our own retry, and its reply in plain parts."""

import json
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from policy.endpoints import Endpoint
from policy.errors import OutOfAllowanceError, PolicyError
from policy.llm.clients import open_client, time_limits
from policy.llm.costs import Meter, estimate_tokens
from policy.llm.faults import MOST_WAIT, Fault, classify

TRIES = 4
FIRST_WAIT = 0.5
"""Seconds before the second try; doubled for each further one."""
log = logging.getLogger("groundhop.policy")
Json = dict[str, Any]
Message = dict[str, str]


class UnsupportedError(Exception):
    """The endpoint refuses a request as it is written; another way of asking may do."""


@dataclass(frozen=True)
class Request:
    """What is sent. `body` holds further fields of the protocol, such as `response_format`."""

    messages: list[Message]
    max_tokens: int
    body: Json = field(default_factory=dict)
    stream: bool = False
    one_token: bool = False

    def text(self) -> str:
        """All that the model reads, to estimate its tokens."""
        said = "".join(message["content"] for message in self.messages)
        return said + json.dumps(self.body.get("tools", ""), ensure_ascii=False)


@dataclass(frozen=True)
class Reply:
    """What came back: text, the arguments of tool calls (as sent), why it ended, logprobs."""

    text: str
    calls: list[tuple[str, Any]] = field(default_factory=list)
    finish: str = ""
    refusal: str = ""
    top: list[tuple[str, float]] = field(default_factory=list)
    """Likeliest first tokens with their natural-log probabilities, where asked for."""


class Chat:
    """The clients of all endpoints; safe for threads."""

    def __init__(self, sleep: Callable[[float], None] = time.sleep) -> None:
        """`sleep` waits so many seconds between two tries."""
        self._sleep = sleep
        self._clients: dict[tuple[Endpoint, bool], Any] = {}
        self._denser: dict[str, float] = {}
        self._lock = threading.Lock()

    def complete(self, endpoint: Endpoint, request: Request, meter: Meter) -> Reply:
        """Send a request until it is answered, at most `TRIES` times.

        Raises PolicyError where trying again is of no use, UnsupportedError where the endpoint
        refuses this kind of request, OutOfAllowanceError where the budget does not reach.
        """
        waits = FIRST_WAIT
        for number in range(1, TRIES + 1):
            size, wanted = self._size(endpoint, request), request.max_tokens
            room = meter.reserve(endpoint, size, wanted, one=request.one_token)
            try:
                return self._send(endpoint, request, meter, room)
            except OutOfAllowanceError:
                raise
            except Exception as error:
                fault = classify(error, endpoint)
            self._count_timeout(fault, endpoint, request, meter)
            log.info("try %d of %d: %s", number, TRIES, fault.sentence)
            wait = waits if fault.wait is None else fault.wait
            if fault.kind == "unsupported":
                raise UnsupportedError(fault.sentence)
            if fault.kind == "stop" or number == TRIES or wait > MOST_WAIT:
                raise PolicyError(fault.sentence)
            if wait >= meter.seconds_left():
                raise OutOfAllowanceError("no time is left in the budget")
            self._sleep(wait)
            waits *= 2
        raise AssertionError("the last try returns or raises")

    def _send(self, endpoint: Endpoint, request: Request, meter: Meter, room: int) -> Reply:
        limit = {"max_completion_tokens": room}
        if not endpoint.official:
            limit["max_tokens"] = room
        left = max(0.5, meter.seconds_left())
        silence = min(endpoint.timeout, left)
        options = {
            "extra_body": {**limit, **request.body},
            "timeout": time_limits(silence, left if request.stream else silence),
        }
        client = self._client(endpoint, request.stream)
        try:
            if request.stream:
                message = _streamed(client, request, options, meter, endpoint, room)
            else:
                message = client.invoke(request.messages, **options)
        except ValidationError:  # a completion whose content or arguments are of no known type
            tokens = (estimate_tokens(request.text()), room)
            meter.add(endpoint, tokens, estimated=True, one=request.one_token)
            return Reply("", finish="unreadable")
        reply = _reply(message)
        _count(message, reply, request, endpoint, meter)
        self._learn(endpoint, request, (message.usage_metadata or {}).get("input_tokens", 0))
        if not reply.finish and not reply.text and not reply.calls:
            raise ValueError("an empty answer that was broken off")
        if request.stream and not reply.finish:
            raise ValueError("the stream broke off")
        return reply

    def _size(self, endpoint: Endpoint, request: Request) -> int:
        """Tokens of a request, judged by how the model's own counts compared so far."""
        denser = self._denser.get(endpoint.label, 1.0)
        return int(estimate_tokens(request.text()) * denser) + 1

    def _learn(self, endpoint: Endpoint, request: Request, told: int) -> None:
        seen = told / estimate_tokens(request.text())
        with self._lock:
            self._denser[endpoint.label] = max(seen, self._denser.get(endpoint.label, 1.0))

    def _client(self, endpoint: Endpoint, stream: bool) -> Any:
        with self._lock:
            if (endpoint, stream) not in self._clients:
                self._clients[endpoint, stream] = open_client(endpoint, stream)
            return self._clients[endpoint, stream]

    def _count_timeout(
        self, fault: Fault, endpoint: Endpoint, request: Request, meter: Meter
    ) -> None:
        """A request that was given up may have been charged all the same."""
        if fault.timed_out:
            tokens = (estimate_tokens(request.text()), 0)
            meter.add(endpoint, tokens, estimated=True, one=request.one_token)
            if meter.seconds_left() <= 0:
                raise OutOfAllowanceError("no time is left in the budget")


def _streamed(
    client: Any, request: Request, options: Json, meter: Meter, endpoint: Endpoint, room: int
) -> Any:
    """The whole message of a stream; its pieces are passed on while they come."""
    whole: Any = None
    said = 0
    thinking = False
    for piece in client.stream(request.messages, **options):
        whole = piece if whole is None else whole + piece
        text = piece.content if isinstance(piece.content, str) else ""
        said += len(text)
        thinking = (thinking or "<think" in text) and "</think" not in text
        if text and meter.allowance.say and not thinking and "</think" not in text:
            meter.allowance.say(text)
        if meter.seconds_left() <= 0:
            _count(whole, _reply(whole), request, endpoint, meter)
            raise OutOfAllowanceError("no time is left in the budget")
        if said > 12 * room:
            break
    if whole is None:
        raise ValueError("an empty stream")
    return whole


def _reply(message: Any) -> Reply:
    content = message.content
    if isinstance(content, list):
        content = "".join(part.get("text", "") for part in content if isinstance(part, dict))
    calls = [(call["name"], call["args"]) for call in message.tool_calls]
    calls += [(call["name"] or "", call["args"]) for call in message.invalid_tool_calls]
    about = message.response_metadata
    logprobs = (about.get("logprobs") or {}).get("content") or []
    return Reply(
        text=content or "",
        calls=calls,
        finish=about.get("finish_reason") or "",
        refusal=str(message.additional_kwargs.get("refusal") or ""),
        top=[(one["token"], one["logprob"]) for one in (logprobs[0]["top_logprobs"] or [])]
        if logprobs
        else [],
    )


def _count(message: Any, reply: Reply, request: Request, endpoint: Endpoint, meter: Meter) -> None:
    told = message.usage_metadata
    if told and told["input_tokens"]:
        tokens, estimated = (told["input_tokens"], told["output_tokens"]), False
    else:
        said = reply.text + "".join(str(arguments) for _, arguments in reply.calls)
        tokens, estimated = (estimate_tokens(request.text()), estimate_tokens(said)), True
    meter.add(endpoint, tokens, estimated=estimated, one=request.one_token)
