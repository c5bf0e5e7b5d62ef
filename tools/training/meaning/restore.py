"""Takes the shipped weights back: kept.json from words.bin (`python restore.py`), and the reader from its 8 bits."""

import json
import struct

import onnx
import torch
from onnx import numpy_helper

from network import Reader
from packed import Packed
from paths import PACKED, WORK, shelved


def restore_pieces():
    """The places of the kept pieces in the published vocabulary, which they are unique in."""
    data = shelved("words.bin")
    count, length, _ = struct.unpack("<III", data[4:16])
    at = 16 + 4 * count
    lengths = data[at : at + count]
    at += count + (-count % 4)
    place = {piece: i for i, piece in enumerate(Packed(PACKED).pieces)}
    kept = []
    for one in lengths:
        kept.append(place[data[at : at + one].decode()])
        at += one
    json.dump(kept, open(WORK / "kept.json", "w"))


def constants(graph):
    """Initializers by name, and of each quantized product in order its matrix as floats, transposed as torch has it."""
    held = {one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in graph.initializer}
    matrices = []
    for node in graph.node:
        if node.op_type == "MatMulInteger":
            name = node.input[1].removesuffix("_quantized")
            values = held[f"{name}_quantized"].float() - held[f"{name}_zero_point"].float()
            matrices.append((values * held[f"{name}_scale"]).T.contiguous())
    return held, matrices


def shipped_reader():
    """The state of the reader as it is shipped."""
    held, matrices = constants(onnx.load_from_string(shelved("reader.onnx")).graph)
    state = Reader().state_dict()
    for name, value in held.items():
        if name.startswith("reader.") and name.removeprefix("reader.") in state:
            state[name.removeprefix("reader.")] = value
    order = iter(matrices)
    for layer in range(8):
        for part in ("q", "k", "v", "o", "fi", "fo"):
            state[f"top.{layer}.{part}.weight"] = next(order)
    for part in ("pool", "out"):
        state[f"{part}.weight"] = next(order)
    # What both segments have added, and what the second has besides: see ReaderGraph in export.py.
    first = next(value for name, value in held.items() if name.startswith("onnx::Add_"))
    second = next(value for name, value in held.items() if name.startswith("onnx::Mul_") and value.shape == (384,))
    state["segment.weight"] = torch.stack([first, first + second])
    return state


if __name__ == "__main__":
    restore_pieces()
