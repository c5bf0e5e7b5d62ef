"""Takes the shipped weights back into what train.py goes on from: kept.json from words.bin, and a checkpoint of the
reader from its 8 bits. `python restore.py reader.pt`
"""

import json
import struct
import sys

import onnx
import torch
from onnx import numpy_helper

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


def main():
    restore_pieces()
    # It reads kept.json as it is loaded.
    from train import Reader

    held, matrices = constants(onnx.load_from_string(shelved("reader.onnx")).graph)
    reader = Reader()
    state = reader.state_dict()
    for name, value in held.items():
        if name.startswith("reader.") and name.removeprefix("reader.") in state:
            state[name.removeprefix("reader.")] = value
    order = iter(matrices)
    for layer in range(len(reader.top)):
        for part in ("q", "k", "v", "o", "fi", "fo"):
            state[f"top.{layer}.{part}.weight"] = next(order)
    for part in ("pool", "out"):
        state[f"{part}.weight"] = next(order)
    # What both segments have added, and what the second has besides: see ReaderTop in export.py.
    first = next(value for name, value in held.items() if name.startswith("onnx::Add_"))
    second = next(value for name, value in held.items() if name.startswith("onnx::Mul_") and value.shape == (384,))
    state["segment.weight"] = torch.stack([first, first + second])
    reader.load_state_dict(state)
    torch.save({"model": reader.state_dict()}, sys.argv[1])


if __name__ == "__main__":
    main()
