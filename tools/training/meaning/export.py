"""Writes models as ONNX in 8 bits: `export.py trunk`, `export.py encoder CHECKPOINT SHARE`, `export.py reader CHECKPOINT`."""

import sys, json, math
import numpy as np, torch

torch.set_num_threads(1)
from paths import WORK, shelve
from model import *
from train import SHARED, TOLD_APART, Reader
import onnx
from onnxruntime.quantization import quantize_dynamic, QuantType


def run(l, x):
    T = x.shape[1]
    sp = lambda y: y.reshape(1, -1, 12, 32).transpose(1, 2)
    q, k, v = sp(l.q(x)), sp(l.k(x)), sp(l.v(x))
    a = torch.softmax(q @ k.transpose(2, 3) * (1 / math.sqrt(32)), -1) @ v
    x = l.n1(x + l.o(a.transpose(1, 2).reshape(1, -1, 384)))
    return l.n2(x + l.fo(F.gelu(l.fi(x))))


class Trunk(nn.Module):
    def __init__(s, m):
        super().__init__()
        s.norm = m.emb.norm
        s.layers = m.layers[:SHARED]

    def forward(s, x):
        x = s.norm(x)
        for l in s.layers:
            x = run(l, x)
        return x


class Top(nn.Module):
    def __init__(s, layers):
        super().__init__()
        s.layers = layers

    def forward(s, x):
        for l in s.layers:
            x = run(l, x)
        v = x.mean(1)[0]
        return v / torch.linalg.vector_norm(v)


class ReaderTop(nn.Module):
    """Segments are 0 for the claim or question, 1 for the passage; gives entailed, not said, denied, and answers."""

    def __init__(s, reader):
        super().__init__()
        s.reader = reader

    def forward(s, x, segment):
        w = s.reader.segment.weight
        for place, l in enumerate(s.reader.top, SHARED):
            if place == TOLD_APART:
                x = x + w[0] + (w[1] - w[0]) * segment[None, :, None]
            x = run(l, x)
        c = (1 - segment)[None, :, None]
        mean = (x * c).sum(1) / c.sum(1)
        made = s.reader.out(torch.tanh(s.reader.pool(torch.cat([x[:, 0], mean], 1))))[0]
        return torch.cat([torch.softmax(made[:3], 0), torch.sigmoid(made[3:])])


def export(mod, args, names, outs, name, dyn):
    mod.eval()
    torch.onnx.export(
        mod,
        args,
        str(WORK / "float.onnx"),
        input_names=names,
        output_names=outs,
        dynamic_axes=dyn,
        opset_version=17,
        dynamo=False,
    )
    quantize_dynamic(
        str(WORK / "float.onnx"),
        str(WORK / name),
        weight_type=QuantType.QInt8 if SIGNED else QuantType.QUInt8,
        per_channel=PER,
        op_types_to_quantize=["MatMul"],
        extra_options={"MatMulConstBOnly": True},
    )
    shelve(name, (WORK / name).read_bytes())


SIGNED = True
PER = True


def write_trunk(x):
    m = load(json.load(open(WORK / "kept.json")), list(range(12)))
    export(Trunk(m), (x,), ["embeddings"], ["hidden"], "trunk.onnx", {"embeddings": {1: "T"}, "hidden": {1: "T"}})


def write_encoder(checkpoint, share, x):
    """The layers above the trunk: as published, and the upper half so much of the way to what search.py trained."""
    from search import Encoder

    encoder = Encoder()
    encoder.take(checkpoint, share)
    layers = nn.ModuleList([*encoder.trunk[SHARED:], *encoder.top])
    export(Top(layers), (x,), ["hidden"], ["vector"], "encoder.onnx", {"hidden": {1: "T"}})


def write_reader(checkpoint, x):
    reader = Reader()
    reader.load_state_dict(torch.load(checkpoint, weights_only=True)["model"])
    segment = torch.cat([torch.zeros(8), torch.ones(12)])
    names = {"hidden": {1: "T"}, "segment": {0: "T"}}
    export(ReaderTop(reader), (x, segment), ["hidden", "segment"], ["probabilities"], "reader.onnx", names)


if __name__ == "__main__":
    example = torch.randn(1, 20, 384)
    what, *rest = sys.argv[1:]
    if what == "trunk":
        write_trunk(example)
    elif what == "encoder":
        write_encoder(rest[0], float(rest[1]), example)
    else:
        write_reader(rest[0], example)
