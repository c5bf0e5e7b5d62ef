"""Writes models as ONNX in 8 bits: `export.py trunk`, `export.py encoder FOLDER SHARE`, `export.py reader FOLDER`.

FOLDER contains the output of learn.py. The encoder's weights are interpolated: SHARE of the way from the published ones.
"""

import math
import pathlib
import sys

import numpy as np
import torch
import torch.nn.functional as F
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import nn

from network import HEADS, SHARED, TOLD_APART, WIDTH, Encoder, Reader, Trunk
from paths import WORK, shelve
from texts import started


def run(layer, x):
    """A layer for one text of any length, without a mask."""

    def split(made):
        return made.reshape(1, -1, HEADS, WIDTH // HEADS).transpose(1, 2)

    q, k, v = split(layer.q(x)), split(layer.k(x)), split(layer.v(x))
    a = torch.softmax(q @ k.transpose(2, 3) * (1 / math.sqrt(WIDTH // HEADS)), -1) @ v
    x = layer.n1(x + layer.o(a.transpose(1, 2).reshape(1, -1, WIDTH)))
    return layer.n2(x + layer.fo(F.gelu(layer.fi(x))))


class TrunkGraph(nn.Module):
    def __init__(self, trunk):
        super().__init__()
        self.norm, self.layers = trunk.emb.norm, trunk.layers

    def forward(self, x):
        x = self.norm(x)
        for layer in self.layers:
            x = run(layer, x)
        return x


class EncoderGraph(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.layers = encoder.layers

    def forward(self, x):
        for layer in self.layers:
            x = run(layer, x)
        v = x.mean(1)[0]
        return v / torch.linalg.vector_norm(v)


class ReaderGraph(nn.Module):
    """Segments are 0 for the claim or question, 1 for the passage. Outputs: entailed, not said, denied, answers."""

    def __init__(self, reader):
        super().__init__()
        self.reader = reader

    def forward(self, x, segment):
        w = self.reader.segment.weight
        for place, layer in enumerate(self.reader.top, SHARED):
            if place == TOLD_APART:
                x = x + w[0] + (w[1] - w[0]) * segment[None, :, None]
            x = run(layer, x)
        c = (1 - segment)[None, :, None]
        mean = (x * c).sum(1) / c.sum(1)
        made = self.reader.out(torch.tanh(self.reader.pool(torch.cat([x[:, 0], mean], 1))))[0]
        return torch.cat([torch.softmax(made[:3], 0), torch.sigmoid(made[3:])])


def export(graph, args, names, outs, name, lengths):
    graph.eval()
    torch.onnx.export(
        graph,
        args,
        str(WORK / "float.onnx"),
        input_names=names,
        output_names=outs,
        dynamic_axes=lengths,
        opset_version=17,
        dynamo=False,
    )
    quantize_dynamic(
        str(WORK / "float.onnx"),
        str(WORK / name),
        weight_type=QuantType.QInt8,
        per_channel=True,
        op_types_to_quantize=["MatMul"],
        extra_options={"MatMulConstBOnly": True},
    )
    shelve(name, (WORK / name).read_bytes())


def written(folder, name):
    """Returns the state that learn.py wrote in parts."""
    parts = [np.load(path) for path in sorted(pathlib.Path(folder).glob(f"{name}-*.npz"))]
    return {key: torch.from_numpy(part[key].astype(np.float32)) for part in parts for key in part}


def encoder_of(folder, share):
    _, published, *_ = started(WORK / "start.npz")
    trained, encoder = written(folder, "encoder"), Encoder()
    encoder.load_state_dict({key: value + share * (trained[key] - value) for key, value in published.items()})
    return encoder


def reader_of(folder):
    reader = Reader()
    reader.load_state_dict(written(folder, "reader"))
    return reader


def rounded(matrix):
    """Reduces a matrix to 7 bits: every second step of the 8-bit quantization. A row's scale value stays."""
    most = matrix.abs().amax(1, keepdim=True)
    step = 2 * most / 127
    return torch.where(matrix.abs() == most, matrix, torch.round(matrix / step) * step)


def shipped(reader):
    """Stores the last wide matrix with one bit less, so that all packed weights fit into 40 MB."""
    last = reader.top[-1].fo
    with torch.no_grad():
        last.weight.copy_(rounded(last.weight))
    return reader


def trunk_of():
    below, *_ = started(WORK / "start.npz")
    trunk = Trunk(len(below["emb.word.weight"]))
    trunk.load_state_dict(below)
    return trunk


def main():
    torch.set_num_threads(1)
    what, *rest = sys.argv[1:]
    x = torch.randn(1, 20, WIDTH)
    if what == "trunk":
        export(
            TrunkGraph(trunk_of()), (x,), ["embeddings"], ["hidden"], "trunk.onnx", {"embeddings": {1: "T"}, "hidden": {1: "T"}}
        )
    elif what == "encoder":
        graph = EncoderGraph(encoder_of(rest[0], float(rest[1])))
        export(graph, (x,), ["hidden"], ["vector"], "encoder.onnx", {"hidden": {1: "T"}})
    else:
        segment = torch.cat([torch.zeros(8), torch.ones(12)])
        names = {"hidden": {1: "T"}, "segment": {0: "T"}}
        export(
            ReaderGraph(shipped(reader_of(rest[0]))), (x, segment), ["hidden", "segment"], ["probabilities"], "reader.onnx", names
        )


if __name__ == "__main__":
    main()
