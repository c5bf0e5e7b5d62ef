"""Loads the output of gather.py, and batches texts as tokens on the device."""

import numpy as np
import torch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
# Maximum tokens of a claim or question, of a pair with its special tokens, and of a text for the encoder.
LONGEST_CLAIM, LONGEST_PAIR, LONGEST_TEXT = 64, 256, 256
BEGIN, PADDING, END = 0, 1, 2


def on(array):
    return torch.from_numpy(np.asarray(array)).to(DEVICE)


def rounded(length):
    return (int(length) + 15) // 16 * 16


class Data:
    """The columns of `data.npz` by name, and its texts."""

    def __init__(self, path):
        self.columns = dict(np.load(path))
        self.offsets = self.columns["offsets"].astype(np.int64)
        self.lengths = np.diff(self.offsets)
        self.tokens = on(self.columns["tokens"].astype(np.int32))
        self.starts, self.sizes = on(self.offsets[:-1]), on(self.lengths)
        self.prefixes = {kind: on(self.columns[kind]) for kind in ("query", "passage")}

    def __getitem__(self, name):
        return self.columns[name]

    def taken(self, texts, at):
        """Returns the texts' tokens at the given positions; beyond a text's end the values are arbitrary."""
        return self.tokens[(self.starts[texts][:, None] + at).clamp(0, len(self.tokens) - 1)].long()

    def pair_lengths(self, claims, passages):
        first = np.minimum(self.lengths[claims], LONGEST_CLAIM)
        return first + np.minimum(self.lengths[passages], LONGEST_PAIR - 4 - first)

    def pairs(self, claims, passages):
        """Returns ids, segments and mask of claims or questions with their passages."""
        claims, passages = on(claims), on(passages)
        first = self.sizes[claims].clamp(max=LONGEST_CLAIM)
        second = torch.minimum(self.sizes[passages], LONGEST_PAIR - 4 - first)
        at = torch.arange(rounded((first + second).max() + 4), device=DEVICE)[None]
        first, second = first[:, None], second[:, None]
        ids = torch.full((len(claims), at.shape[1]), PADDING, device=DEVICE)
        ids = torch.where((at >= 1) & (at <= first), self.taken(claims, at - 1), ids)
        is_passage = (at >= first + 3) & (at < first + 3 + second)
        ids = torch.where(is_passage, self.taken(passages, at - first - 3), ids)
        is_end = (at == first + 1) | (at == first + 2) | (at == first + second + 3)
        ids = ids.masked_fill(is_end, END).masked_fill(at == 0, BEGIN)
        return ids, (at >= first + 2).long().expand_as(ids), (at < first + second + 4).expand_as(ids)

    def singles(self, texts, kind):
        """Returns ids and mask of texts for the encoder, each prefixed with `query` or `passage`."""
        prefix, texts = self.prefixes[kind], on(texts)
        ahead = 1 + len(prefix)
        size = self.sizes[texts].clamp(max=LONGEST_TEXT - 1 - ahead)[:, None]
        at = torch.arange(rounded(size.max() + ahead + 1), device=DEVICE)[None]
        ids = torch.full((len(texts), at.shape[1]), PADDING, device=DEVICE)
        ids = torch.where((at >= ahead) & (at < ahead + size), self.taken(texts, at - ahead), ids)
        ids[:, 0], ids[:, 1:ahead] = BEGIN, prefix
        return ids.masked_fill(at == ahead + size, END), (at <= ahead + size).expand_as(ids)


def started(path):
    """Returns the initial states: the trunk, the published and the shipped encoder, and the shipped reader."""
    held = dict(np.load(path))

    def tensor(name):
        if f"{name}|values" not in held:
            return torch.from_numpy(held[name].astype(np.float32))
        values, scales = held[f"{name}|values"].astype(np.float32) - 8, held[f"{name}|scales"].astype(np.float32)
        return torch.from_numpy((values * scales[..., None]).reshape(len(values), -1))

    def states(prefix, names):
        return {name.removeprefix(prefix): tensor(name) for name in names if name.startswith(prefix)}

    names = dict.fromkeys(name.split("|")[0] for name in held)
    below = {name: tensor(name) for name in names if name.startswith(("emb.", "layers.0.", "layers.1.", "layers.2."))}
    layers = states("layers.", names)
    encoder = {}
    for name, value in layers.items():
        place, rest = name.split(".", 1)
        if int(place) >= 3:
            encoder[f"layers.{int(place) - 3}.{rest}"] = value
    return below, encoder, states("encoder.", names), states("reader.", names)
