"""Restores training state from the shipped weights: kept.json from words.bin (`python restore.py`), and both models."""

import json
import struct

import onnx
import torch
from onnx import numpy_helper

from network import OWN, Encoder, Reader
from packed import Packed
from paths import PACKED, WORK, shelved


def restore_pieces():
    """Returns the indices of the kept pieces in the published vocabulary, where they are unique."""
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
    """Returns initializers by name, and each quantized product's matrix in order, as floats, transposed for torch."""
    held = {one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in graph.initializer}
    matrices = []
    for node in graph.node:
        if node.op_type == "MatMulInteger":
            name = node.input[1].removesuffix("_quantized")
            values = held[f"{name}_quantized"].float() - held[f"{name}_zero_point"].float()
            matrices.append((values * held[f"{name}_scale"]).T.contiguous())
    return held, matrices


def filled(state, held, matrices, layers, prefix):
    """Returns a state with the graph's named initializers and the matrices of its layers, in order."""
    for name, value in held.items():
        if name.removeprefix(prefix) in state:
            state[name.removeprefix(prefix)] = value
    for layer in layers:
        for part in ("q", "k", "v", "o", "fi", "fo"):
            state[f"{layer}.{part}.weight"] = next(matrices)
    return state


def shipped_encoder():
    """Returns the shipped encoder's state."""
    held, matrices = constants(onnx.load_from_string(shelved("encoder.onnx")).graph)
    state = Encoder().state_dict()
    return filled(state, held, iter(matrices), [f"layers.{at}" for at in range(len(state) // 16)], "")


def shipped_reader():
    """Returns the shipped reader's state."""
    held, matrices = constants(onnx.load_from_string(shelved("reader.onnx")).graph)
    order = iter(matrices)
    state = filled(Reader().state_dict(), held, order, [f"top.{at}" for at in range(OWN)], "reader.")
    for part in ("pool", "out"):
        state[f"{part}.weight"] = next(order)
    # The common part of both segment embeddings, and the second segment's difference: see ReaderGraph in export.py.
    first = next(value for name, value in held.items() if name.startswith("onnx::Add_"))
    second = next(value for name, value in held.items() if name.startswith("onnx::Mul_") and value.shape == (384,))
    state["segment.weight"] = torch.stack([first, first + second])
    return state


if __name__ == "__main__":
    restore_pieces()
