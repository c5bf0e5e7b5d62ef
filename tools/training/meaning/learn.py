"""Trains encoder and reader on an accelerator, from the output of gather.py.

`python learn.py FOLDER OUT --encoder 85 --reader 205 120`: seconds for the encoder and for each reader; without
`--encoder` the shipped encoder is kept. Writes to OUT the encoder's state and the better of the best reader and the
readers' average, by the mean AUROC on held-back sets.
"""

import argparse
import copy
import pathlib
import random
import time

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from network import Encoder, Reader, Trunk
from rounds import BARE, Rounds
from tell import tell_encoder, tell_reader
from texts import DEVICE, Data, on, started

TEMPERATURE = 0.02
# Minimum cosine of two passages in a batch that may answer each other's questions.
ALIKE = 0.965
# Weight of the loss in the other direction, from passage to question.
BACK = 0.5
QUESTIONS, PAIRS = 512, 512
WARM = 100
ENCODER_RATE, READER_RATE, LAST = 4e-4, 3e-4, 0.03
CLAIMS = 0.7
PART_MB = 15


class Models:
    """The trunk, with methods that run encoder and reader on top of it."""

    def __init__(self, data, words, below):
        self.data, self.rounds, self.trunk = data, Rounds(data), Trunk(words)
        self.trunk.load_state_dict(below)
        self.trunk.to(DEVICE).requires_grad_(False)

    def read(self, reader, claims, passages):
        with torch.autocast(DEVICE, torch.bfloat16):
            ids, segment, mask = self.data.pairs(claims, passages)
            return reader(self.trunk(ids, mask), segment, mask).float()

    def encode(self, encoder, texts, kind):
        with torch.autocast(DEVICE, torch.bfloat16):
            ids, mask = self.data.singles(texts, kind)
            return encoder(self.trunk(ids, mask), mask)

    @torch.no_grad()
    def logits(self, reader, claims, passages):
        """Returns the reader's four outputs per pair, as an array."""
        reader.eval()
        claims, passages = np.asarray(claims), np.asarray(passages)
        order = np.argsort(self.data.pair_lengths(claims, passages))
        made = np.empty((len(order), 4), dtype=np.float32)
        parts = [order[at : at + 1024] for at in range(0, len(order), 1024)]
        read = [self.read(reader, claims[part], passages[part]) for part in parts]
        if read:
            made[order] = torch.cat(read).cpu().numpy()
        return made

    @torch.no_grad()
    def vectors(self, encoder, texts, kind):
        encoder.eval()
        texts = np.asarray(texts)
        made = torch.empty(len(texts), 384, device=DEVICE)
        order = np.argsort(self.data.lengths[texts])
        for at in range(0, len(order), 1024):
            part = order[at : at + 1024]
            made[on(part)] = self.encode(encoder, texts[part], kind)
        return made


def optimiser_of(model, rate):
    return torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01, betas=(0.9, 0.98), fused=DEVICE == "cuda")


def rate_of(share, step, rate):
    return rate * min(1, (step + 1) / WARM) * (1 - share * (1 - LAST))


def descend(model, optimiser, loss, rate):
    for group in optimiser.param_groups:
        group["lr"] = rate
    optimiser.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimiser.step()


def batches_of_neighbours(chance, place_of, vectors):
    """Returns batches of near passages: sorted along three random directions of their vectors, within random parts."""
    order, cut = chance.permutation(len(place_of)), []
    for start in range(0, len(order), 8 * QUESTIONS):
        part = order[start : start + 8 * QUESTIONS]
        line = torch.randn(3, vectors.shape[1], device=DEVICE) @ vectors[on(place_of[part])].T
        corner = sum((line[k] > line[k].median()).long() << k for k in range(3)).cpu().numpy()
        part = part[np.argsort(corner, kind="stable")]
        cut += [part[at : at + QUESTIONS] for at in range(0, len(part), QUESTIONS)]
    random.Random(int(order[0])).shuffle(cut)
    return [one for one in cut if len(one) > QUESTIONS // 2]


def contrast(asked, said, groups, before):
    """Contrastive loss: each question's own passage against those of other groups, except near-duplicates."""
    logits = asked @ said.T / TEMPERATURE
    is_other = ~torch.eye(len(asked), dtype=torch.bool, device=DEVICE)
    same = ((groups[:, None] == groups[None]) | (before @ before.T > ALIKE)) & is_other
    logits, wanted = logits.masked_fill(same, -1e4), torch.arange(len(asked), device=DEVICE)
    return F.cross_entropy(logits, wanted) + BACK * F.cross_entropy(logits.T, wanted)


def train_encoder(models, published, rows, seconds):
    """Rows: questions, passages, groups."""
    chance = np.random.default_rng(1)
    questions, texts, groups = rows
    passages, place_of = np.unique(texts, return_inverse=True)
    before = models.vectors(published, passages, "passage")
    model = copy.deepcopy(published)
    for layer in model.layers:
        layer.drop = 0.1
    optimiser = optimiser_of(model, ENCODER_RATE)
    start, step, share = time.time(), 0, 0.0
    while share < 1:
        bare = np.where(chance.random(len(questions)) < BARE, models.data["bare"][questions], questions)
        for batch in batches_of_neighbours(chance, place_of, before):
            share = (time.time() - start) / seconds
            if share >= 1:
                break
            model.train()
            batch = batch[np.argsort(models.data.lengths[texts[batch]])]
            asked = models.encode(model, bare[batch], "query")
            said = torch.cat([models.encode(model, texts[part], "passage") for part in np.array_split(batch, 4)])
            loss = contrast(asked, said, on(groups[batch]), before[on(place_of[batch])])
            descend(model, optimiser, loss, rate_of(share, step, ENCODER_RATE))
            step += 1
    print("encoder:", len(questions), "questions,", step * QUESTIONS, "seen", flush=True)
    return model


def loss_of(logits, labels):
    """The loss for questions (labels 4 answered, 5 unanswered) and claims (0 to 3, as in claims.py)."""
    is_claim = labels < 4
    wanted = torch.where(labels[~is_claim] == 4, 0.97, 0.03)
    answered = F.binary_cross_entropy_with_logits(logits[~is_claim, 3], wanted, reduction="sum")
    said, label = F.log_softmax(logits[is_claim, :3], 1), labels[is_claim]
    known = -said.gather(1, label.clamp(max=2)[:, None])[:, 0] * 0.95 - said.mean(1) * 0.05
    either = -torch.logsumexp(said[:, 1:], 1)
    return (answered + CLAIMS * torch.where(label < 3, known, either).sum()) / len(labels)


def train_reader(models, first, seconds, seed):
    rounds = models.rounds
    chance = np.random.default_rng(seed)
    torch.manual_seed(seed)
    model = copy.deepcopy(first)
    for layer in model.top:
        layer.drop = 0.1
    optimiser = optimiser_of(model, READER_RATE)
    start, step, seen, share, begun = time.time(), 0, 0, 0.0, 0
    while share < 1:
        rows = rounds.next(chance, lambda claims, passages: models.logits(model, claims, passages)[:, 3])
        begun += 1
        for claims, passages, labels in rounds.batches(chance, rows, PAIRS):
            share = (time.time() - start) / seconds
            if share >= 1:
                break
            model.train()
            loss = loss_of(models.read(model, claims, passages), on(labels))
            descend(model, optimiser, loss, rate_of(share, step, READER_RATE))
            step, seen = step + 1, seen + len(labels)
    print("reader:", len(rows[0]), "rows a round,", begun, "rounds begun,", seen, "seen", flush=True)
    return model


def averaged(models):
    made = copy.deepcopy(models[0])
    with torch.no_grad():
        for own, *each in zip(made.parameters(), *(model.parameters() for model in models)):
            own.copy_(sum(each) / len(each))
    return made


def write(out, name, state):
    """Writes a state as half floats, in parts, because files returned from another machine are limited in size."""
    parts, size = [{}], 0
    for key, value in state.items():
        if size + 2 * value.numel() > PART_MB << 20:
            parts.append({})
            size = 0
        parts[-1][key] = value.cpu().half().numpy()
        size += 2 * value.numel()
    for at, part in enumerate(parts):
        np.savez(out / f"{name}-{at}.npz", **part)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("folder", type=pathlib.Path)
    options.add_argument("out", type=pathlib.Path)
    options.add_argument("--encoder", type=float, default=0)
    options.add_argument("--reader", type=float, nargs="+", default=[205, 120])
    chosen = options.parse_args()
    torch.manual_seed(1)
    data = Data(chosen.folder / "data.npz")
    below, layers, shipped, reader = started(chosen.folder / "start.npz")
    models, encoder, first = Models(data, len(below["emb.word.weight"]), below), Encoder(), Reader()
    encoder.load_state_dict(layers if chosen.encoder else shipped)
    first.load_state_dict(reader)
    encoder.to(DEVICE), first.to(DEVICE)
    if chosen.encoder:
        tell_encoder(models, encoder, "as published")
        encoder = train_encoder(models, encoder, models.rounds.searched(), chosen.encoder)
        tell_encoder(models, encoder, "trained")
        write(chosen.out, "encoder", encoder.state_dict())
    models.rounds.mine(lambda texts, kind: models.vectors(encoder, texts, kind), lambda a, b: models.logits(first, a, b)[:, 3])
    tell_reader(models, first, "as shipped")
    readers, best = [], 0.0

    def tell_and_keep(reader, name):
        nonlocal best
        told = tell_reader(models, reader, name)
        if told > best:
            best = told
            write(chosen.out, "reader", reader.state_dict())

    for seconds in chosen.reader:
        readers.append(train_reader(models, first, seconds, len(readers) + 1))
        tell_and_keep(readers[-1], f"{len(readers)}")
    tell_and_keep(averaged(readers), "averaged")


if __name__ == "__main__":
    main()
