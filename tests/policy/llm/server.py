"""A local HTTP server that speaks chat completions and says what a script tells it."""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]
ROLES = {
    "You plan look-ups": "plan",
    "You judge passages strictly": "grade",
    "You judge strictly whether": "verdict",
    "Each passage states": "quote",
    "A search over documents": "rewrite",
    "You write the answer": "write",
}
_SECTION = re.compile(r"^<(\w+) ([0-9a-f]{4})>\n(.*?)\n(?=<\w+ \2>$)", re.DOTALL | re.MULTILINE)
_PASSAGE = re.compile(r"^(P\d+) (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Say:
    """One answer of the server."""

    text: str | None = ""
    calls: tuple[tuple[str, str], ...] = ()
    """Tool calls: name, and arguments as the raw string that is sent."""
    finish: str | None = "stop"
    refusal: str | None = None
    top: tuple[tuple[str, float], ...] = ()
    """First token's likeliest words with their log-probabilities."""
    usage: tuple[int, int] | None = (100, 20)
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: str | None = None
    """Sent as it is, instead of a chat completion."""
    content_type: str = "application/json"
    pause: float = 0.0
    """Seconds before the answer."""
    before: Callable[[], Any] = lambda: None
    """Called before the pause, with other requests let in."""
    drip: int = 0
    """Blanks (in a stream: comments) that are sent before the answer, ten a second."""
    cut_after: int | None = None
    """Pieces of a stream after which the connection is closed."""
    choices: bool = True


def error(status: int, message: str, **fields: Any) -> Say:
    body = json.dumps({"error": {"message": message, "type": "error", "code": None}})
    return Say(status=status, body=body, **fields)


def as_json(**fields: Any) -> Say:
    return Say(text=json.dumps(fields, ensure_ascii=False))


@dataclass
class Request:
    """What the server was asked."""

    body: Json
    headers: dict[str, str]

    @property
    def system(self) -> str:
        return self.body["messages"][0]["content"]

    @property
    def user(self) -> str:
        return self.body["messages"][1]["content"]

    @property
    def role(self) -> str:
        return next(role for start, role in ROLES.items() if self.system.startswith(start))

    @property
    def sections(self) -> dict[str, str]:
        """The fenced data by name, and each line of the passages by its label."""
        found = {name: text for name, _, text in _SECTION.findall(self.user)}
        return found | dict(_PASSAGE.findall(found.pop("passages", "")))

    @property
    def repairing(self) -> bool:
        return len(self.body["messages"]) > 2


Script = Callable[[Request], Say]


@dataclass
class Server:
    """The address, and every request in the order it came."""

    url: str = ""
    script: Script = lambda request: Say()
    requests: list[Request] = field(default_factory=list)
    running: int = 0
    most_running: int = 0
    lock: Any = field(default_factory=threading.Lock)

    def turns(self, *says: Say) -> None:
        """Answer with these in turn; the last one stays."""
        left = list(says)
        self.script = lambda request: left.pop(0) if len(left) > 1 else left[0]

    def of(self, role: str) -> list[Request]:
        return [request for request in self.requests if request.role == role]


@contextmanager
def serving() -> Iterator[Server]:
    """A server on a free port of this machine."""
    server = Server()
    handler = type("Handler", (_Handler,), {"scripted": server})
    httpd = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    httpd.daemon_threads = True
    server.url = f"http://127.0.0.1:{httpd.server_port}/v1"
    thread = threading.Thread(target=httpd.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        httpd.shutdown()
        httpd.server_close()


class _Handler(BaseHTTPRequestHandler):
    scripted: Server
    protocol_version = "HTTP/1.1"

    def handle(self) -> None:
        with suppress(ConnectionResetError):  # of a client that was killed
            super().handle()

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers["content-length"]))
        request = Request(json.loads(raw), {k.lower(): v for k, v in self.headers.items()})
        server = self.scripted
        with server.lock:
            server.requests.append(request)
            server.running += 1
            server.most_running = max(server.most_running, server.running)
            say = server.script(request)
        try:
            say.before()
            time.sleep(say.pause)
            self._answer(request, say)
        except (BrokenPipeError, ConnectionResetError):
            pass
        finally:
            with server.lock:
                server.running -= 1

    def _answer(self, request: Request, say: Say) -> None:
        if say.body is not None:
            self._send(say.body, say)
        elif request.body.get("stream"):
            self._stream(request, say)
        else:
            self._send(json.dumps(_completion(request, say)), say)

    def _send(self, text: str, say: Say) -> None:
        data = text.encode()
        self.send_response(say.status)
        self.send_header("content-type", say.content_type)
        self.send_header("content-length", str(len(data) + say.drip))
        for name, value in say.headers:
            self.send_header(name, value)
        self.end_headers()
        self._drip(b" ", say)
        self.wfile.write(data)

    def _stream(self, request: Request, say: Say) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        self._drip(b": busy\n\n", say)
        pieces = re.findall(r"\S+\s*|\s+", say.text or "")
        for number, piece in enumerate(pieces):
            if say.cut_after is not None and number >= say.cut_after:
                return
            self._event(_chunk(request, {"role": "assistant", "content": piece}))
        self._event(_chunk(request, {}, finish=say.finish))
        if say.usage and request.body.get("stream_options", {}).get("include_usage"):
            self._event({**_chunk(request, {}), "choices": [], "usage": _usage(say.usage)})
        self.wfile.write(b"data: [DONE]\n\n")

    def _drip(self, part: bytes, say: Say) -> None:
        for _ in range(say.drip):
            self.wfile.write(part)
            self.wfile.flush()
            time.sleep(0.1)

    def _event(self, value: Json) -> None:
        self.wfile.write(f"data: {json.dumps(value)}\n\n".encode())
        self.wfile.flush()

    def log_message(self, *args: Any) -> None:
        pass


def _completion(request: Request, say: Say) -> Json:
    calls = [
        {"id": f"c{number}", "type": "function", "function": {"name": name, "arguments": given}}
        for number, (name, given) in enumerate(say.calls)
    ]
    message = {"role": "assistant", "content": say.text, "refusal": say.refusal}
    choice = {
        "index": 0,
        "message": {**message, **({"tool_calls": calls} if calls else {})},
        "finish_reason": say.finish,
    }
    if say.top:
        tops = [{"token": token, "logprob": logprob, "bytes": None} for token, logprob in say.top]
        choice["logprobs"] = {"content": [{**tops[0], "top_logprobs": tops}]}
    whole = {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": request.body["model"],
        "choices": [choice] if say.choices else [],
    }
    return {**whole, "usage": _usage(say.usage)} if say.usage else whole


def _chunk(request: Request, delta: Json, finish: str | None = None) -> Json:
    return {
        "id": "x",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": request.body["model"],
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }


def _usage(tokens: tuple[int, int]) -> Json:
    return {
        "prompt_tokens": tokens[0],
        "completion_tokens": tokens[1],
        "total_tokens": sum(tokens),
    }
