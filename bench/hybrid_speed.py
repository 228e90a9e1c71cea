"""A whole search at size: `python -m bench.hybrid_speed [--chunks 100000]`.

Passages of real sentences, with static vectors (hashed words, 384 dimensions): the time of an
embedding model is not in it. A third of the documents has an access list. Prints the median of
the search without reranking, beyond the query's own embedding: for somebody who may read all,
for somebody who may not, and with a filter.
"""

import argparse
import hashlib
import os
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from bench.passages import passages, questions
from retrieval.access import Identity
from retrieval.catalogue import Catalogue, Chunk, Document, open_catalogue, search_text
from retrieval.dense import DenseIndex
from retrieval.embeddings.hashing import HashingEmbedder
from retrieval.filters import EVERYTHING, Filters
from retrieval.knowledge_base import CATALOGUE, LEXICAL, VECTORS, Tuning, open_knowledge_base
from retrieval.lexical_build import build_lexical

_CHUNKS_A_DOCUMENT = 100
_EMBEDDER = HashingEmbedder(384)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=100_000)
    options = parser.parse_args()
    print(f"command: python -m bench.hybrid_speed {' '.join(sys.argv[1:])}".rstrip())
    print(f"machine: {os.cpu_count()} cores; {options.chunks:,} passages, static vectors")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        build(home, options.chunks)
        ask(home, Identity("lan", frozenset({"hr"})), EVERYTHING, "who may read all")
        ask(home, Identity(), EVERYTHING, "who may read two thirds")
        ask(home, Identity("lan"), Filters(languages=("vi",)), "and in one language")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory, building included: {peak:.0f} MB")


def build(home: Path, count: int) -> None:
    begun = time.perf_counter()
    catalogue = open_catalogue(home / CATALOGUE, create=True)
    catalogue.put_setting("embedding_model", _EMBEDDER.name)
    dense = DenseIndex(home / VECTORS, _EMBEDDER.name, create=True)
    for document, chunks in documents(count):
        catalogue.replace(document, chunks)
        dense.upsert([one.id for one in chunks], _EMBEDDER.passages([one.text for one in chunks]))
    dense.close()
    index_words(catalogue, home)
    catalogue.clear_pending(catalogue.pending().upsert)
    catalogue.close()
    print(f"  built in {time.perf_counter() - begun:.0f} s")


def index_words(catalogue: Catalogue, home: Path) -> None:
    texts = ((one.id, search_text(one)) for one, _ in catalogue.all_chunks())
    build_lexical(home / LEXICAL, texts, catalogue.generation())


def documents(count: int) -> Iterator[tuple[Document, list[Chunk]]]:
    body = passages(count)
    number = 0
    while some := list(islice(body, _CHUNKS_A_DOCUMENT)):
        text = "\n\n".join(one for _, one in some)
        access = ("hr",) if number % 3 == 0 else None
        digest = hashlib.sha256(text.encode()).hexdigest()
        name = f"d{number:05}"
        language = ("vi", "en")[number % 2]
        document = Document(name, f"{name}.md", name, text, digest, language, access=access)
        chunks, start = [], 0
        for ordinal, (chunk_id, one) in enumerate(some):
            chunks.append(Chunk(chunk_id, name, ordinal, one, start, start + len(one)))
            start += len(one) + 2
        yield document, chunks
        number += 1


def ask(home: Path, identity: Identity, filters: Filters, name: str) -> None:
    opened = open_knowledge_base(home, _EMBEDDER, tuning=Tuning(rerank=False))
    begun = time.perf_counter()
    opened.search("nghỉ phép", identity, 10, filters)
    first = time.perf_counter() - begun
    times = []
    for query in questions(200):
        begun = time.perf_counter()
        opened.search(query, identity, 10, filters)
        times.append(time.perf_counter() - begun)
    opened.close()
    median, slow = statistics.median(times) * 1000, sorted(times)[int(len(times) * 0.95)] * 1000
    print(
        f"  {name}: median {median:.1f} ms, 95 % {slow:.1f} ms, the first {first:.2f} s", flush=True
    )


if __name__ == "__main__":
    main()
