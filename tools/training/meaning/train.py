"""Trains the reader: a frozen trunk of three layers, eight layers of its own, and a head of four numbers. The first three say
how a claim stands to its evidence (entailed, not said, denied), the fourth whether a passage answers a question.

`python train.py --data mix.jsonl --out reader.pt --minutes 60 [--init other.pt]`
"""

import argparse
import json
import os
import random
import time

import torch
import torch.nn.functional as F
from torch import nn

from model import load
from paths import WORK
from vocabulary import P, tokenizer

kept = json.load(open(WORK / "kept.json"))
tokens = tokenizer([P.pieces[i] for i in kept], P.scores[kept], 3)
# Tokens of a claim or question, and of it with its evidence.
LONGEST_CLAIM, LONGEST = 56, 176
ENTAILED, UNSAID, DENIED, NOT_ENTAILED, ANSWERS, NO_ANSWER = range(6)
BATCH = 32
# Layers of the encoder that the reader shares with it, and where it is told a claim from its evidence.
SHARED, TOLD_APART = 3, 6


def encode(evidence, claim):
    first = tokens.encode(claim).ids[:LONGEST_CLAIM]
    second = tokens.encode(evidence).ids[: LONGEST - 4 - len(first)]
    return [0] + first + [2, 2] + second + [2], [0] * (len(first) + 2) + [1] * (len(second) + 2)


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        whole = load(kept, list(range(11)))
        self.emb = whole.emb
        self.trunk = whole.layers[:SHARED]
        self.top = whole.layers[SHARED:]
        self.segment = nn.Embedding(2, 384)
        nn.init.zeros_(self.segment.weight)
        self.pool = nn.Linear(768, 384)
        self.out = nn.Linear(384, 4)
        for parameter in (*self.emb.parameters(), *self.trunk.parameters()):
            parameter.requires_grad_(False)
        for layer in self.top:
            layer.drop = 0.1

    def below(self, ids, mask):
        """The trunk's output: it never changes, so that each example's is computed once."""
        with torch.no_grad():
            x = self.emb(ids)
            bias = bias_of(mask, x.dtype)
            for layer in self.trunk:
                x = layer(x, bias)
            return x

    def above(self, x, seg, mask):
        bias = bias_of(mask, x.dtype)
        for place, layer in enumerate(self.top, SHARED):
            if place == TOLD_APART:
                x = x + self.segment(seg).to(x.dtype)
            x = layer(x, bias)
        w = (mask & (seg == 0)).unsqueeze(2).to(x.dtype)
        mean = (x * w).sum(1) / w.sum(1)
        return self.out(torch.tanh(self.pool(torch.cat([x[:, 0], mean], 1))))


def bias_of(mask, kind):
    return torch.zeros(mask.shape).masked_fill(~mask, -1e4)[:, None, None, :].to(kind)


class Shelf:
    """The trunk's outputs of the examples read so far, in half floats, up to a number of bytes."""

    def __init__(self, model, most=14 << 30):
        self.model, self.most, self.held, self.kept = model, most, 0, {}

    def batch(self, rows):
        encoded = [encode(row["p"], row["h"]) for row in rows]
        longest = max(len(ids) for ids, _ in encoded)
        seg = torch.ones(len(rows), longest, dtype=torch.long)
        mask = torch.zeros(len(rows), longest, dtype=torch.bool)
        for i, (ids, segment) in enumerate(encoded):
            seg[i, : len(ids)] = torch.tensor(segment)
            mask[i, : len(ids)] = True
        x = torch.zeros(len(rows), longest, 384, dtype=torch.bfloat16)
        new = [i for i, row in enumerate(rows) if row["at"] not in self.kept]
        if new:
            ids = torch.ones(len(new), longest, dtype=torch.long)
            for place, i in enumerate(new):
                ids[place, : len(encoded[i][0])] = torch.tensor(encoded[i][0])
            made = self.model.below(ids, mask[new]).to(torch.bfloat16)
        for place, i in enumerate(new):
            length = len(encoded[i][0])
            x[i] = made[place]
            if self.held < self.most:
                self.kept[rows[i]["at"]] = made[place, :length].clone()
                self.held += length * 768
        for i, row in enumerate(rows):
            if i not in new:
                saved = self.kept[row["at"]]
                x[i, : len(saved)] = saved
        return x, seg, mask, torch.tensor([row["y"] for row in rows])


def loss(logits, y):
    logits = logits.float()
    said = F.log_softmax(logits[:, :3], 1)
    three = y < NOT_ENTAILED
    target = torch.where(three, y, torch.zeros_like(y))
    known = -said.gather(1, target[:, None])[:, 0] * 0.95 - said.mean(1) * 0.05
    either = -torch.logsumexp(said[:, 1:], 1)
    answered = F.binary_cross_entropy_with_logits(
        logits[:, 3], torch.where(y == ANSWERS, 0.97, 0.03), reduction="none"
    )
    return torch.where(three, known, torch.where(y == NOT_ENTAILED, either, answered)).mean()


def area(score, true):
    right, wrong = score[true], score[~true]
    if not len(right) or not len(wrong):
        return 0.0
    return ((right[:, None] > wrong[None]).float() + 0.5 * (right[:, None] == wrong[None]).float()).mean().item()


def evaluate(model, shelf, sets):
    """Balanced accuracy at one half, and the area under the curve, of each set that was held back."""
    model.eval()
    found = {}
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
        for name, rows in sets.items():
            score, label = [], []
            for i in range(0, len(rows), 64):
                x, seg, mask, y = shelf.batch(rows[i : i + 64])
                logits = model.above(x, seg, mask).float()
                score.append(torch.where(y >= ANSWERS, logits[:, 3].sigmoid(), logits[:, :3].softmax(1)[:, 0]))
                label.append(y)
            score, label = torch.cat(score), torch.cat(label)
            true = (label == ENTAILED) | (label == ANSWERS)
            said = score > 0.5
            accuracy = ((said & true).sum() / true.sum() + (~said & ~true).sum() / (~true).sum()) / 2
            found[name] = f"{accuracy:.3f}/{area(score, true):.3f}"
    model.train()
    return found


def batches(train):
    """Batches of examples of like length; a row's weight says how often it comes in a round."""
    while True:
        order = [r for r in train for _ in range(int(r.get("w", 1)) + (random.random() < r.get("w", 1) % 1))]
        random.shuffle(order)
        for i in range(0, len(order), 1024):
            chunk = sorted(order[i : i + 1024], key=lambda r: len(r["p"]) + len(r["h"]))
            cut = [chunk[j : j + BATCH] for j in range(0, len(chunk), BATCH)]
            random.shuffle(cut)
            yield from cut


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--data", required=True)
    options.add_argument("--out", required=True)
    options.add_argument("--init")
    options.add_argument("--minutes", type=float, default=60)
    options.add_argument("--lr", type=float, default=1.5e-4)
    options.add_argument("--last", type=float, default=0.03, help="the share of the rate at the end")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--threads", type=int, default=2)
    chosen = options.parse_args()
    random.seed(chosen.seed)
    torch.manual_seed(chosen.seed)
    torch.set_num_threads(chosen.threads)
    rows = [json.loads(line) | {"at": at} for at, line in enumerate(open(chosen.data))]
    train = [r for r in rows if r["split"] == "train"]
    held = {}
    for r in rows:
        if r["split"] == "held":
            held.setdefault(r["set"], []).append(r)
    held = {name: random.Random(0).sample(rows, min(120, len(rows))) for name, rows in sorted(held.items())}
    model = Reader()
    if chosen.init:
        model.load_state_dict(torch.load(chosen.init)["model"])
    shelf = Shelf(model)
    body = [q for layer in model.top for q in layer.parameters()]
    head = [*model.segment.parameters(), *model.pool.parameters(), *model.out.parameters()]
    optimiser = torch.optim.AdamW(
        [{"params": body, "base": chosen.lr}, {"params": head, "base": chosen.lr * 4}],
        lr=chosen.lr,
        weight_decay=0.01,
        betas=(0.9, 0.98),
    )
    print(len(train), "rows,", sum(r.get("w", 1) for r in train), "a round;", {k: len(v) for k, v in held.items()}, flush=True)
    start, seen, running, told = time.time(), 0, 0.0, 0
    model.train()
    for step, chunk in enumerate(batches(train)):
        share = (time.time() - start) / 60 / chosen.minutes
        if share >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = group["base"] * min(1, (step + 1) / 100) * (1 - share * (1 - chosen.last))
        with torch.autocast("cpu", torch.bfloat16):
            x, seg, mask, y = shelf.batch(chunk)
            made = model.above(x, seg, mask)
        lost = loss(made, y)
        optimiser.zero_grad()
        lost.backward()
        nn.utils.clip_grad_norm_(body + head, 1.0)
        optimiser.step()
        seen += len(chunk)
        running = lost.item() if step == 0 else 0.98 * running + 0.02 * lost.item()
        if int(share * 4) > told or step == 50:
            told = int(share * 4)
            torch.save({"model": model.state_dict()}, f"{chosen.out}.part")
            os.replace(f"{chosen.out}.part", chosen.out)
            print(f"{share:.2f} step {step} seen {seen}, {seen / (time.time() - start):.0f}/s, loss {running:.3f}", flush=True)
    torch.save({"model": model.state_dict()}, chosen.out)
    print("end", seen, f"loss {running:.3f}", evaluate(model, shelf, held), flush=True)


if __name__ == "__main__":
    main()
