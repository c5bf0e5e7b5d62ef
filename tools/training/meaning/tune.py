"""Continues a reader's training on a CPU: on one folder's questions, one and a half times as many others, and claims.

`python tune.py FOLDER READER OUT plain 900`: the output of gather.py; the initial state, as written by learn.py; the output
folder; the folder of questions; seconds. Writes the tuned state, and the mean of both states as `mean-*.npz`.
"""

import pathlib
import sys
import time

import numpy as np
import torch

from export import reader_of
from learn import Models, averaged, descend, loss_of, write
from tell import area
from texts import Data, on, started

RATE, WARM, LAST = 1e-4, 30, 0.1
PAIRS = 64
# Number of other questions, and of claims, per question of the folder.
OTHERS, CLAIMS = 1.5, 0.5


def unmined(rounds):
    """Considers all parts of a passage and of other passages of the same document, without a search."""
    rounds.order = [np.arange(end - first) for first, end in zip(rounds.first, rounds.end)]
    document = rounds.passages[:, 7]
    beside = {}
    for passage in range(len(rounds.passages)):
        beside.setdefault(document[passage], []).append(passage)

    def parts_beside(at):
        own = rounds.passage[at]
        others = [
            other for other in beside[document[own]] if other != own and rounds.passages[other, 6] != rounds.passages[own, 6]
        ]
        return np.concatenate([rounds.parts[slice(*rounds.passages[other, 4:6])] for other in others] or [[]]).astype(int)

    rounds.elsewhere = [parts_beside(at) for at in range(len(rounds.text))]


def next_rows(rounds, chance, chosen):
    """Returns questions or claims, passages, labels."""
    rest = np.flatnonzero(~rounds.is_held & ~np.isin(np.arange(len(rounds.text)), chosen))
    asked = np.concatenate([chosen, chance.choice(rest, int(OTHERS * len(chosen)), replace=False)])
    for at in asked:
        chance.shuffle(rounds.order[at])
    rows = [(rounds.text[at], part, label) for at in asked for part, label in rounds.put(chance, at, {})]
    claims = rounds.data["claims"][rounds.data["claims"][:, 4] == 0]
    share = claims[:, 5] / claims[:, 5].sum()
    drawn = claims[chance.choice(len(claims), int(CLAIMS * len(chosen)), p=share)].astype(np.int64)
    return tuple(np.concatenate(pair) for pair in zip(np.array(rows).T, (drawn[:, 1], drawn[:, 0], drawn[:, 2])))


def told(models, reader, held):
    """Returns the AUROC on held-back questions, each read with all parts of its passage."""
    rounds = models.rounds
    spans = [np.arange(rounds.first[at], rounds.end[at]) for at in held]
    counts = [len(one) for one in spans]
    read = models.logits(reader, np.repeat(rounds.text[held], counts), rounds.parts[np.concatenate(spans)])[:, 3]
    best = np.maximum.reduceat(read, np.cumsum([0, *counts[:-1]]))
    return area(best[rounds.is_answered[held]], best[~rounds.is_answered[held]])


def main():
    folder, first, out, name, seconds = sys.argv[1:]
    folder, out, seconds = pathlib.Path(folder), pathlib.Path(out), float(seconds)
    below, *_ = started(folder / "start.npz")
    models = Models(Data(folder / "data.npz"), len(below["emb.word.weight"]), below)
    rounds, chance = models.rounds, np.random.default_rng(1)
    unmined(rounds)
    is_own = rounds.folder == list(rounds.data["folders"]).index(name)
    chosen, held = np.flatnonzero(is_own & ~rounds.is_held), np.flatnonzero(is_own & rounds.is_held)
    model, before = reader_of(first), reader_of(first)
    for layer in model.top:
        layer.drop = 0.1
    print(len(chosen), "questions; held back before:", told(models, before, held), flush=True)
    optimiser = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.01, betas=(0.9, 0.98))
    start, step, seen, share = time.time(), 0, 0, 0.0
    while share < 1:
        for claims, passages, labels in rounds.batches(chance, next_rows(rounds, chance, chosen), PAIRS):
            share = (time.time() - start) / seconds
            if share >= 1:
                break
            model.train()
            loss = loss_of(models.read(model, claims, passages), on(labels))
            descend(model, optimiser, loss, RATE * min(1, (step + 1) / WARM) * (1 - share * (1 - LAST)))
            step, seen = step + 1, seen + len(labels)
            if step % 100 == 0:
                print(step, seen, round(share, 2), loss.item(), flush=True)
    out.mkdir(exist_ok=True)
    mean = averaged([before, model])
    print(seen, "seen; held back:", told(models, model, held), "mean:", told(models, mean, held), flush=True)
    write(out, "reader", model.state_dict())
    write(out, "mean", mean.state_dict())


if __name__ == "__main__":
    main()
