"""The command line with an embedder that says when it is at work, and then takes PAUSE seconds."""

import os
import sys
import time

from groundhop.cli import main
from retrieval.embeddings.hashing import HashingEmbedder

if __name__ == "__main__":
    embed = HashingEmbedder.passages

    def slowly(*arguments: object) -> object:
        print("embedding", file=sys.stderr, flush=True)
        time.sleep(float(os.environ["PAUSE"]))
        return embed(*arguments)  # type: ignore[arg-type]

    HashingEmbedder.passages = slowly  # type: ignore[assignment, method-assign]
    main()
