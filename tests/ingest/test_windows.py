"""Chunks of a size that the embedding model reads whole."""

from ingest.chunks import size
from retrieval.embeddings.hashing import HashingEmbedder
from tests.ingest.conftest import Base, Write


class Short(HashingEmbedder):
    """Reads 128 tokens, and tells how often it was asked for that."""

    asked = 0

    @property
    def window(self) -> int:
        self.asked += 1
        return 128


def test_chunks_fit_the_window_of_the_model_which_is_asked_once(base: Base, write: Write) -> None:
    embedder = base.embedder = Short(32)
    write("phép.md", "# Nghỉ phép\n\n" + "Nhân viên được nghỉ mười lăm ngày. " * 100)
    base.sync()
    assert all(size(one.text) <= 100 for one, _ in base.catalogue().all_chunks())
    asked = embedder.asked
    assert base.sync().unchanged == 1
    assert embedder.asked == asked


def test_another_window_makes_other_chunks(base: Base, write: Write) -> None:
    write("phép.md", "# Nghỉ phép\n\n" + "Nhân viên được nghỉ mười lăm ngày. " * 100)
    long = base.sync().chunks
    base.embedder = Short(48)
    assert base.sync(rebuild=True).chunks > long
    base.assert_complete()
