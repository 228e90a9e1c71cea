import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from retrieval.embeddings.cache import CachedEmbedder, cached
from retrieval.embeddings.hashing import HashingEmbedder
from retrieval.embeddings.protocol import UnembeddableTextError, Vectors
from retrieval.errors import EmbeddingError

TEXTS = ["Hà Nội", "Huế", "Đà Nẵng"]


class Counting:
    """A hashing embedder that keeps what it was asked, and refuses the text "hỏng"."""

    def __init__(self, name: str = "đếm", dimensions: int = 32) -> None:
        self.name = name
        self.dimensions = dimensions
        self.asked: list[tuple[str, str]] = []
        self._inner = HashingEmbedder(dimensions)

    def queries(self, texts: Sequence[str]) -> Vectors:
        self.asked += [("query", text) for text in texts]
        return -self._inner.queries(texts)

    def passages(self, texts: Sequence[str]) -> Vectors:
        if "hỏng" in texts:
            raise UnembeddableTextError("không được", list(texts).index("hỏng"))
        self.asked += [("passage", text) for text in texts]
        return self._inner.passages(texts)

    def close(self) -> None:
        self.asked.clear()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "thư mục của tôi" / "bộ nhớ đệm.sqlite"


@pytest.fixture
def open_cache(path: Path) -> Iterator[Callable[..., tuple[CachedEmbedder, Counting]]]:
    opened: list[CachedEmbedder] = []

    def make(**options: str | int) -> tuple[CachedEmbedder, Counting]:
        inner = Counting(**options)
        opened.append(cached(inner, path))
        return opened[-1], inner

    yield make
    for one in opened:
        one.close()


OpenCache = Callable[..., tuple[CachedEmbedder, Counting]]


def test_a_known_text_does_not_reach_the_embedder(open_cache: OpenCache) -> None:
    first, _ = open_cache()
    vectors = first.passages(TEXTS)
    again, inner = open_cache()
    assert np.array_equal(again.passages(TEXTS[::-1]), vectors[::-1])
    assert inner.asked == []


def test_only_unknown_texts_reach_the_embedder_each_once(open_cache: OpenCache) -> None:
    embedder, inner = open_cache()
    embedder.passages(["Huế"])
    vectors = embedder.passages(["Huế", "Vinh", "Huế", "Vinh"])
    assert inner.asked == [("passage", "Huế"), ("passage", "Vinh")]
    assert np.array_equal(vectors, HashingEmbedder(32).passages(["Huế", "Vinh", "Huế", "Vinh"]))


def test_questions_and_passages_are_kept_apart(open_cache: OpenCache) -> None:
    embedder, _ = open_cache()
    passages, queries = embedder.passages(TEXTS), embedder.queries(TEXTS)
    assert np.array_equal(queries, -passages)
    assert np.array_equal(embedder.queries(TEXTS), queries)


def test_another_model_has_its_own_vectors(open_cache: OpenCache) -> None:
    open_cache()[0].passages(TEXTS)
    other, inner = open_cache(name="khác", dimensions=16)
    assert other.passages(TEXTS).shape == (3, 16)
    assert len(inner.asked) == 3


def test_no_text_gives_no_vector_and_asks_nothing(open_cache: OpenCache) -> None:
    embedder, inner = open_cache()
    assert embedder.queries([]).shape == (0, 32)
    assert inner.asked == []


def test_texts_that_differ_by_hidden_characters_are_kept_apart(open_cache: OpenCache) -> None:
    embedder, inner = open_cache()
    texts = ["a", "a\x00", "\ud800", "?", "Hu\u1ebf", "Hue\u0302\u0301", ""]
    embedder.passages(texts)
    embedder.passages(texts)
    assert [text for _, text in inner.asked] == texts


def test_thousands_of_texts_are_looked_up(open_cache: OpenCache) -> None:
    texts = [f"đoạn {number}" for number in range(1_203)]
    embedder, inner = open_cache()
    first = embedder.passages(texts)
    assert np.array_equal(embedder.passages(texts), first)
    assert len(inner.asked) == 1_203


def test_a_refused_text_keeps_its_place_and_what_came_before(open_cache: OpenCache) -> None:
    embedder, inner = open_cache()
    embedder.passages(["cũ"])
    texts = ["cũ", *(f"đoạn {number}" for number in range(100)), "hỏng", "cuối"]
    with pytest.raises(UnembeddableTextError) as caught:
        embedder.passages(texts)
    assert caught.value.text_index == 101
    inner.asked.clear()
    embedder.passages(texts[:50])
    assert inner.asked == []


def test_the_file_is_its_owners_alone(open_cache: OpenCache, path: Path) -> None:
    open_cache()[0].passages(TEXTS)
    files = list(path.parent.iterdir())
    assert path in files
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("content", [b"not a database " * 400, b"SQLite format 3\x00" + b"x" * 99])
def test_a_foreign_file_is_set_aside(
    open_cache: OpenCache, path: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    open_cache()[0].passages(TEXTS)
    again, inner = open_cache()
    again.passages(TEXTS)
    assert inner.asked == []
    assert path.with_name(path.name + ".damaged").read_bytes() == content
    assert "was damaged" in caplog.text


def test_a_file_damaged_in_the_middle_is_set_aside(open_cache: OpenCache, path: Path) -> None:
    texts = [f"đoạn {number}" for number in range(2_000)]
    embedder, _ = open_cache()
    expected = embedder.passages(texts)
    embedder.close()
    content = bytearray(path.read_bytes())
    content[8_192:] = b"\xff" * (len(content) - 8_192)
    path.write_bytes(content)
    embedder, inner = open_cache()
    assert np.array_equal(embedder.passages(texts), expected)
    assert len(inner.asked) == 2_000
    assert path.with_name(path.name + ".damaged").exists()


@pytest.mark.parametrize("blob", [b"", b"abc", b"\x00" * 128, b"\xff" * 128])
def test_a_stored_vector_that_cannot_be_one_is_made_again(
    open_cache: OpenCache, path: Path, blob: bytes
) -> None:
    embedder, inner = open_cache()
    expected = embedder.passages(TEXTS)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE vectors SET vector = ?", [blob])
    connection.close()
    assert np.array_equal(embedder.passages(TEXTS), expected)
    assert np.array_equal(embedder.passages(TEXTS), expected)
    assert len(inner.asked) == 6


def test_a_model_that_changed_its_size_is_named_with_what_to_do(open_cache: OpenCache) -> None:
    open_cache(dimensions=16)[0].passages(TEXTS)
    with pytest.raises(EmbeddingError, match=r"another size for 'đếm'.*--rebuild"):
        open_cache(dimensions=32)[0].passages([*TEXTS, "Vinh"])


def test_a_file_that_cannot_be_used_is_reported_once_and_done_without(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "thư mục").write_text("a file where a folder should be")
    inner = Counting()
    embedder = cached(inner, tmp_path / "thư mục" / "x.sqlite")
    for _ in range(2):
        assert embedder.passages(TEXTS).shape == (3, 32)
    assert len(inner.asked) == 6
    assert caplog.text.count("is not used") == 1


def test_threads_share_the_cache(open_cache: OpenCache) -> None:
    embedder, _ = open_cache()
    texts = [f"đoạn {number}" for number in range(40)]
    with ThreadPoolExecutor(8) as executor:
        found = list(executor.map(lambda _: embedder.passages(texts), range(16)))
    assert all(np.array_equal(vectors, found[0]) for vectors in found)


WRITER = """
import sys
from pathlib import Path
from retrieval.embeddings.cache import cached
from retrieval.embeddings.hashing import HashingEmbedder
for start in range(0, 600, 20):
    embedder = cached(HashingEmbedder(32), Path(sys.argv[1]))
    embedder.passages([f"đoạn {number}" for number in range(start, start + 30)])
    embedder.close()
"""


def test_processes_write_the_cache_at_once(path: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(path)]
    writers = [
        subprocess.Popen(command, stderr=subprocess.PIPE, cwd=Path(__file__).parents[3])
        for _ in range(2)
    ]
    assert [writer.communicate(timeout=120)[1] for writer in writers] == [b"", b""]
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM vectors").fetchone() == (610,)
    connection.close()


def test_name_dimensions_and_close_are_the_embedders(open_cache: OpenCache) -> None:
    embedder, inner = open_cache()
    embedder.passages(TEXTS)
    assert (embedder.name, embedder.dimensions) == (inner.name, 32)
    embedder.close()
    assert inner.asked == []
