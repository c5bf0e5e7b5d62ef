"""Trains the reader further to tell which questions a passage answers; what it says of claims is held to what it was.

`python answering.py --init reader.pt --data asked.jsonl --out answering.pt --minutes 40`, with what asked.py makes. Beside a
question's log-odds by its words alone (manner.py) the reader learns only what the passage adds. AUROC is printed of what was
held back, alone and with those log-odds, and how far claims have moved: the three probabilities' differences, summed.
"""

import argparse
import collections
import json
import random
import time

import torch
import torch.nn.functional as F
from torch import nn

from train import ANSWERS, Reader, Shelf, area, batches

# How much what is kept of claims counts beside what is learned.
KEPT = 8.0
MOST_HELD = 1200


def reader_of(checkpoint):
    reader = Reader()
    reader.load_state_dict(torch.load(checkpoint, weights_only=True)["model"])
    return reader


def lost(made, before, y, odds):
    """Of questions, what is right; of claims, the three numbers of the reader before."""
    made, claim = made.float(), y < ANSWERS
    answers = made[~claim, 3] + odds[~claim]
    wanted = torch.where(y[~claim] == ANSWERS, 0.97, 0.03)
    answered = F.binary_cross_entropy_with_logits(answers, wanted, reduction="sum")
    kept = F.kl_div(F.log_softmax(made[claim, :3], 1), F.softmax(before.float()[:, :3], 1), reduction="sum")
    return (answered + KEPT * kept) / len(y)


def odds_of(rows):
    return torch.tensor([row.get("b", 0.0) for row in rows])


def tell(model, teacher, shelf, held):
    model.eval()
    sets = collections.defaultdict(list)
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
        for at in range(0, len(held), 64):
            rows = held[at : at + 64]
            x, seg, mask, y = shelf.batch(rows)
            made = model.above(x, seg, mask).float()
            moved = (made[:, :3].softmax(1) - teacher.above(x, seg, mask).float()[:, :3].softmax(1)).abs().sum(1)
            for row, one, drift in zip(rows, made[:, 3].tolist(), moved.tolist()):
                sets[row["set"]].append((one, one + row.get("b", 0.0), row["y"] == ANSWERS, drift))
    for name, rows in sorted(sets.items()):
        alone, beside, answered, drift = (torch.tensor(column) for column in zip(*rows))
        if answered.any():
            print(f"  {name}: {area(alone, answered):.3f}, with the odds {area(beside, answered):.3f} ({len(rows)})", flush=True)
        else:
            print(f"  {name}: moved by {drift.mean():.3f}", flush=True)
    model.train()


def rows_in(file):
    """What is learned from, and of each set what is held back, like lengths together."""
    rows = [json.loads(line) | {"at": at} for at, line in enumerate(open(file, encoding="utf-8"))]
    held = collections.defaultdict(list)
    for row in rows:
        if row["split"] == "held":
            held[row["set"]].append(row)
    chosen = [row for of in held.values() for row in random.Random(0).sample(of, min(MOST_HELD, len(of)))]
    return [row for row in rows if row["split"] == "train"], sorted(chosen, key=lambda row: len(row["p"]) + len(row["h"]))


def main():
    options = argparse.ArgumentParser()
    for name in ("init", "data", "out", "teacher"):
        options.add_argument(f"--{name}", required=True)
    options.add_argument("--minutes", type=float, default=40)
    options.add_argument("--lr", type=float, default=1.3e-4)
    options.add_argument("--last", type=float, default=0.03, help="the share of the rate at the end")
    options.add_argument("--seed", type=int, default=2)
    chosen = options.parse_args()
    random.seed(chosen.seed)
    torch.manual_seed(chosen.seed)
    torch.set_num_threads(2)
    train, held = rows_in(chosen.data)
    model, teacher = reader_of(chosen.init), reader_of(chosen.teacher).eval()
    for layer in teacher.top:
        layer.drop = 0.0
    shelf = Shelf(model, 11 << 30)
    learnt = [q for part in (model.top, model.pool, model.out, model.segment) for q in part.parameters()]
    optimiser = torch.optim.AdamW(learnt, lr=chosen.lr, weight_decay=0.01, betas=(0.9, 0.98))
    print(len(train), "rows,", round(sum(row["w"] for row in train)), "a round", flush=True)
    start, seen, running, told = time.time(), 0, None, 0
    model.train()
    for step, rows in enumerate(batches(train)):
        share = (time.time() - start) / 60 / chosen.minutes
        if share >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = chosen.lr * min(1, (step + 1) / 100) * (1 - share * (1 - chosen.last))
        with torch.autocast("cpu", torch.bfloat16):
            x, seg, mask, y = shelf.batch(rows)
            with torch.no_grad():
                claim = y < ANSWERS
                before = teacher.above(x[claim], seg[claim], mask[claim]) if claim.any() else torch.zeros(0, 4)
            made = model.above(x, seg, mask)
        loss = lost(made, before, y, odds_of(rows))
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(learnt, 1.0)
        optimiser.step()
        seen += len(rows)
        running = loss.item() if running is None else 0.99 * running + 0.01 * loss.item()
        if int(share * 8) > told or step == 50:
            told = int(share * 8)
            print(f"{share:.2f} step {step} seen {seen}, {seen / (time.time() - start):.0f}/s, loss {running:.3f}", flush=True)
            torch.save({"model": model.state_dict()}, chosen.out)
    torch.save({"model": model.state_dict()}, chosen.out)
    print("end", seen, f"loss {running:.3f}", flush=True)
    tell(model, teacher, shelf, held)


if __name__ == "__main__":
    main()
