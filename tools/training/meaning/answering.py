"""Trains the reader further to tell which questions a passage answers; what it says of claims is kept as it was.

`python answering.py --init reader.pt --encoder encoder.pt --out answering.pt --minutes 20`. It learns from the questions on
the sources written by hand: those that a source answers (`examples/`, `later/`, `asks/`), their twins that it does not
(`near/`), and questions on other sources that the encoder finds near. On the claims of the same sources it learns to say what it said at first. Every
seventh source is held back, and AUROC on these is printed.
"""

import argparse
import copy
import random
import time

import torch
import torch.nn.functional as F
from torch import nn

from search import Encoder, is_held_back, rows_of, sources
from train import ANSWERS, NO_ANSWER, NOT_ENTAILED, Reader, Shelf, area, batches

# How often a claim comes in a round, and how much what is kept of it counts beside what is learned.
CLAIMS, KEPT = 0.25, 4.0
# A question is put to one of so many other sources, the nearest of its language.
NEAREST = 4


def claims():
    return {
        row["id"]: [claim for kind in ("true", "unsaid", "denied") for claim in row[kind]]
        for folder in ("examples", "later")
        for row in rows_of(folder)
    }


def unanswered():
    """What a source does not answer. The questions of `later/` are told by their style, and left out."""
    near = {row["id"]: list(row["near"]) for row in rows_of("near")}
    for row in rows_of("examples"):
        near.setdefault(row["id"], []).extend(row["asks_not"])
    return near


def nearest(every, checkpoint):
    """Of each source's first two questions the nearest other sources, by their places."""
    encoder = Encoder()
    encoder.take(checkpoint)
    vectors = encoder.all([f"passage: {one['text']}" for one in every])
    asked = encoder.all([f"query: {ask}" for one in every for ask in one["asks"][:2]])
    likeness = asked @ vectors.T
    languages = [one["language"] for one in every]
    other = torch.tensor([[a == b for b in languages] for a in languages]).logical_not()
    other.fill_diagonal_(True)
    return likeness.masked_fill(other.repeat_interleave(2, 0), -1).topk(NEAREST).indices.tolist()


def examples(chance, checkpoint):
    """Rows as train.py has them, with a set for those held back."""
    said, near, rows = claims(), unanswered(), []
    every = sources()
    others = nearest(every, checkpoint)
    for place, one in enumerate(every):
        split = "held" if is_held_back(place) else "train"

        def add(text, y, passage=one["text"], kind="near", w=1):
            row = {"p": passage, "h": text, "y": y, "split": split, "set": kind, "at": len(rows), "w": w}
            rows.append(row)

        for ask in one["asks"]:
            add(ask, ANSWERS)
        for ask in near.get(one["id"], []):
            add(ask, NO_ANSWER)
        for n, ask in enumerate(one["asks"][:2]):
            add(ask, NO_ANSWER, every[chance.choice(others[2 * place + n])]["text"], "other")
        for claim in said[one["id"]]:
            add(claim, NOT_ENTAILED, kind="claims", w=CLAIMS)
    return rows


def lost(made, before, y):
    """Of questions, what is right; of claims, the three numbers of the reader before."""
    made, claim = made.float(), y < ANSWERS
    answered = F.binary_cross_entropy_with_logits(made[~claim, 3], torch.where(y[~claim] == ANSWERS, 0.97, 0.03), reduction="sum")
    kept = F.kl_div(F.log_softmax(made[claim, :3], 1), F.softmax(before.float()[:, :3], 1), reduction="sum")
    return (answered + KEPT * kept) / len(y)


def tell(model, teacher, shelf, held):
    model.eval()
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
        for name, reader in (("before", teacher), ("now", model)):
            score, label, drift = [], [], []
            for i in range(0, len(held), 64):
                x, seg, mask, y = shelf.batch(held[i : i + 64])
                made = reader.above(x, seg, mask).float()
                score.append(made[:, 3])
                label.append(y)
                drift.append((made[:, :3].softmax(1) - teacher.above(x, seg, mask).float()[:, :3].softmax(1)).abs().sum(1))
            score, label, drift = torch.cat(score), torch.cat(label), torch.cat(drift)
            near = torch.tensor([row["set"] == "near" for row in held])
            yes = label == ANSWERS
            claim = label == NOT_ENTAILED
            print(
                f"{name}: answers against twins {area(score[near & ~claim], yes[near & ~claim]):.3f}, "
                f"against others {area(score[~claim & (yes | ~near)], yes[~claim & (yes | ~near)]):.3f}; "
                f"claims moved by {drift[claim].mean():.3f}",
                flush=True,
            )
    model.train()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--init", required=True)
    options.add_argument("--encoder", required=True)
    options.add_argument("--out", required=True)
    options.add_argument("--minutes", type=float, default=20)
    options.add_argument("--lr", type=float, default=8e-5)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--threads", type=int, default=2)
    chosen = options.parse_args()
    random.seed(chosen.seed)
    torch.manual_seed(chosen.seed)
    torch.set_num_threads(chosen.threads)
    rows = examples(random.Random(chosen.seed), chosen.encoder)
    train = [row for row in rows if row["split"] == "train"]
    held = sorted((row for row in rows if row["split"] == "held"), key=lambda row: len(row["p"]) + len(row["h"]))
    model = Reader()
    model.load_state_dict(torch.load(chosen.init, weights_only=True)["model"])
    teacher = copy.deepcopy(model).eval()
    shelf = Shelf(model)
    learnt = [q for part in (model.top, model.pool, model.out, model.segment) for q in part.parameters()]
    optimiser = torch.optim.AdamW(learnt, lr=chosen.lr, weight_decay=0.01, betas=(0.9, 0.98))
    print(len(train), "rows", flush=True)
    start, seen, running, told = time.time(), 0, None, 0
    model.train()
    for step, chunk in enumerate(batches(train)):
        share = (time.time() - start) / 60 / chosen.minutes
        if share >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = chosen.lr * min(1, (step + 1) / 60) * (1 - 0.97 * share)
        with torch.autocast("cpu", torch.bfloat16):
            x, seg, mask, y = shelf.batch(chunk)
            with torch.no_grad():
                claim = y < ANSWERS
                before = teacher.above(x[claim], seg[claim], mask[claim])
            made = model.above(x, seg, mask)
        loss = lost(made, before, y)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(learnt, 1.0)
        optimiser.step()
        seen += len(chunk)
        running = loss.item() if running is None else 0.98 * running + 0.02 * loss.item()
        if int(share * 10) > told or step == 50:
            told = int(share * 10)
            print(f"{share:.2f} step {step} seen {seen}, {seen / (time.time() - start):.0f}/s, loss {running:.3f}", flush=True)
            torch.save({"model": model.state_dict()}, chosen.out)
    torch.save({"model": model.state_dict()}, chosen.out)
    print("end", seen, f"loss {running:.3f}", flush=True)
    tell(model, teacher, shelf, held)


if __name__ == "__main__":
    main()
