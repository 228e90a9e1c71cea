"""ONNX models as bytes: the few messages of onnx.proto that a graph needs, in protobuf's encoding.

The package `onnx` would do it, at the price of a dependency. Field numbers are those of
https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.
"""

import struct
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

_ELEMENT = {np.dtype(np.float32): 1, np.dtype(np.uint8): 2}
_IR_VERSION, _OPSET = 8, 17
MICROSOFT = "com.microsoft"
"""The domain of onnxruntime's own operators."""

Shape = Sequence[int | str]


def node(
    operator: str,
    inputs: Sequence[str],
    output: str,
    domain: str = "",
    **attributes: int | float | list[int],
) -> bytes:
    """NodeProto: one operator with one output."""
    return (
        b"".join(_text(1, name) for name in inputs)
        + _text(2, output)
        + _text(4, operator)
        + b"".join(_field(5, _attribute(*each)) for each in attributes.items())
        + _text(7, domain)
    )


def model(
    nodes: Sequence[bytes],
    weights: Mapping[str, NDArray[np.float32] | NDArray[np.uint8]],
    takes: tuple[str, Shape],
    gives: tuple[str, Shape],
) -> bytes:
    """ModelProto of a graph from one float tensor to another; a named size may vary."""
    graph = (
        b"".join(_field(1, each) for each in nodes)
        + _text(2, "graph")
        + b"".join(_field(5, _tensor(*each)) for each in weights.items())
        + _field(11, _value(*takes))
        + _field(12, _value(*gives))
    )
    opsets = ((("", _OPSET)), (MICROSOFT, 1))
    return (
        _number(1, _IR_VERSION)
        + _field(7, graph)
        + b"".join(_field(8, _text(1, name) + _number(2, version)) for name, version in opsets)
    )


def _attribute(name: str, value: int | float | list[int]) -> bytes:
    if isinstance(value, float):
        return _text(1, name) + _varint(2 << 3 | 5) + struct.pack("<f", value) + _number(20, 1)
    if isinstance(value, int):
        return _text(1, name) + _number(3, value) + _number(20, 2)
    return _text(1, name) + b"".join(_number(8, one) for one in value) + _number(20, 7)


def _tensor(name: str, values: NDArray[np.float32] | NDArray[np.uint8]) -> bytes:
    sizes = b"".join(_number(1, size) for size in values.shape)
    content = np.ascontiguousarray(values).tobytes()
    return sizes + _number(2, _ELEMENT[values.dtype]) + _text(8, name) + _field(9, content)


def _value(name: str, shape: Shape) -> bytes:
    sizes = [_text(2, size) if isinstance(size, str) else _number(1, size) for size in shape]
    tensor = _number(1, 1) + _field(2, b"".join(_field(1, size) for size in sizes))
    return _text(1, name) + _field(2, _field(1, tensor))


def _text(number: int, text: str) -> bytes:
    return _field(number, text.encode())


def _field(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _number(number: int, value: int) -> bytes:
    return _varint(number << 3) + _varint(value % (1 << 64))


def _varint(value: int) -> bytes:
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)
