import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from retrieval.embeddings.open import open_embedder
from retrieval.errors import EmbeddingError

KEY = "sk-khoá-bí-mật-123".encode().hex()


class Server(ThreadingHTTPServer):
    """An embeddings endpoint: the vector of a text is [its length, 1, 0]."""

    requests: list[dict[str, Any]]
    keys: list[str | None]
    status = 200
    body: Any = None


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(request)
        self.server.keys.append(self.headers.get("Authorization"))
        body = self.server.body or {
            "object": "list",
            "model": request["model"],
            "data": [
                {"object": "embedding", "index": index, "embedding": [len(text), 1.0, 0.0]}
                for index, text in enumerate(request["input"])
            ],
            "usage": {"prompt_tokens": 1, "total_tokens": 1},
        }
        content = json.dumps(body).encode()
        self.send_response(self.server.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("x-should-retry", "false")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server(("127.0.0.1", 0), _Handler)
    server.requests, server.keys = [], []
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def url(server: Server) -> str:
    return f"http://127.0.0.1:{server.server_address[1]}/v1"


def test_texts_reach_the_endpoint_as_text_and_vectors_come_back_with_length_one(
    server: Server,
) -> None:
    embedder = open_embedder("openai:mô-hình", api_key=KEY, base_url=url(server))
    vectors = embedder.passages(["Huế", "Hà Nội"])
    assert np.allclose(vectors, [[3 / 10**0.5, 1 / 10**0.5, 0], [6 / 37**0.5, 1 / 37**0.5, 0]])
    assert vectors.dtype == np.float32
    assert server.requests[0]["input"] == ["Huế", "Hà Nội"]
    assert server.requests[0]["model"] == "mô-hình"
    assert server.keys == [f"Bearer {KEY}"]
    assert embedder.dimensions == 3
    assert len(server.requests) == 1


def test_dimensions_are_asked_for_when_nothing_was_embedded(server: Server) -> None:
    embedder = open_embedder("openai:m", api_key=KEY, base_url=url(server))
    assert embedder.queries([]).shape == (0, 3)
    assert embedder.dimensions == 3
    assert len(server.requests) == 1


def test_many_texts_are_sent_in_small_batches_and_keep_their_order(server: Server) -> None:
    embedder = open_embedder("openai:m", base_url=url(server))
    vectors = embedder.passages(["ă" * number for number in range(1, 71)])
    assert [len(request["input"]) for request in server.requests] == [32, 32, 6]
    assert np.all(np.diff(vectors[:, 0]) > 0)


def test_hostile_texts_are_made_valid_and_short(server: Server) -> None:
    embedder = open_embedder("openai:m", base_url=url(server))
    embedder.queries(["", "a\x00b", "\ud800", "e\u0302\u0323", "ă" * 200_000])
    inputs = server.requests[0]["input"]
    assert inputs[:4] == [" ", "a b", "?", "ệ"]
    assert len(inputs[4]) == 8_000


def test_an_e5_model_gets_its_prefixes(server: Server) -> None:
    embedder = open_embedder("openai:multilingual-e5-small", base_url=url(server))
    embedder.queries(["Huế"])
    embedder.passages(["Huế"])
    assert [request["input"] for request in server.requests] == [["query: Huế"], ["passage: Huế"]]


def test_the_key_of_openai_is_not_sent_to_another_endpoint(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    open_embedder("openai:m", base_url=url(server)).queries(["Huế"])
    assert KEY not in str(server.keys[0])


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422, 500])
def test_a_refusal_names_endpoint_model_and_status_but_not_the_key(
    server: Server, status: int
) -> None:
    server.status = status
    server.body = {"error": {"message": f"Incorrect API key provided: {KEY}"}}
    embedder = open_embedder("openai:mô-hình", api_key=KEY, base_url=url(server))
    with pytest.raises(EmbeddingError) as caught:
        embedder.queries(["Huế"])
    message = str(caught.value)
    assert all(part in message for part in (url(server), "'mô-hình'", str(status)))
    assert KEY not in message
    assert caught.value.__suppress_context__


@pytest.mark.parametrize(
    "vectors", [[], [[1.0, 0.0]] * 3, [[0.0, 0.0]] * 2, [[float("nan"), 1.0]] * 2]
)
def test_a_reply_that_is_no_vector_for_each_text_is_an_error(
    server: Server, vectors: list[list[float]]
) -> None:
    data = [{"index": place, "embedding": one} for place, one in enumerate(vectors)]
    server.body = {"data": data, "model": "m", "usage": {"prompt_tokens": 0, "total_tokens": 0}}
    with pytest.raises(EmbeddingError, match="gives no vectors of 'm'"):
        open_embedder("openai:m", base_url=url(server)).queries(["Huế", "Vinh"])


def test_an_endpoint_that_is_not_there_is_named_without_its_password() -> None:
    address = "http://người:mật-khẩu@127.0.0.1:9/v1"
    with pytest.raises(
        EmbeddingError, match=r"http://127\.0\.0\.1:9/v1 gives no vectors"
    ) as caught:
        open_embedder("openai:m", base_url=address).queries(["Huế"])
    assert "mật-khẩu" not in str(caught.value)
