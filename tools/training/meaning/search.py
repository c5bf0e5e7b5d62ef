"""Trains the encoder for search: its upper six layers learn which passage answers a question, on the frozen trunk.

`python search.py --out encoder.pt --minutes 40`. It learns from the questions on the sources written by hand (`examples/`,
`later/`, `asks/`) and from the labelled questions of InsuranceQA. Every seventh source and two of five of its questions are
held back; what is held back is not read here. A batch is of passages that mean much the same, so that each question has to
be told from its neighbours.
"""

import argparse
import collections
import json
import pathlib
import random
import time

import torch
import torch.nn.functional as F

from model import load
from paths import DATA, WORK
from vocabulary import P, tokenizer

HERE = pathlib.Path(__file__).parent
LONGEST = 256
# Questions of a batch, and texts that are computed together.
BATCH, PART = 64, 32
TEMPERATURE = 0.02
# Passages of a batch that are nearer than this may answer each other's questions.
ALIKE = 0.965
# Questions of InsuranceQA that are held back: those at places 0 and 1 of each five.
FOLDS, HELD_FOLDS = 5, 2


def rows_of(folder):
    return [json.loads(line) for path in sorted((HERE / folder).glob("*.jsonl")) for line in open(path, encoding="utf-8")]


def is_held_back(place):
    return place % 7 == 0


def sources():
    """The sources written by hand, each with its questions, in their order: held back ones and others."""
    more = {row["id"]: [*row["asks"], row["other"]["ask"]] for row in rows_of("asks")}
    return [
        {"id": row["id"], "language": row["id"][:2], "text": row["source"], "asks": [*row["asks"], *more.get(row["id"], [])]}
        for folder in ("examples", "later")
        for row in rows_of(folder)
    ]


def insurance():
    """The bank's answers, and its questions with the places of their answers."""
    answers = [json.loads(line) for line in open(DATA / "insuranceqa/answers.jsonl")]
    place = {row["id"]: at for at, row in enumerate(answers)}
    questions = [json.loads(line) for line in open(DATA / "insuranceqa/questions-valid.jsonl")]
    return [row["text"] for row in answers], [
        (row["question"], [place[one] for one in row["gold"] if one in place]) for row in questions
    ]


class Encoder(torch.nn.Module):
    """The trunk as it is, whose output is computed once for each text, and the layers above it."""

    def __init__(self):
        super().__init__()
        kept = json.load(open(WORK / "kept.json"))
        whole = load(kept, list(range(12)))
        self.emb, self.trunk, self.top = whole.emb, whole.layers[:6], whole.layers[6:]
        self.tokens = tokenizer([P.pieces[i] for i in kept], P.scores[kept], 3)
        self.below = {}
        for parameter in (*self.emb.parameters(), *self.trunk.parameters()):
            parameter.requires_grad_(False)

    def take(self, checkpoint, share=1.0):
        """The trained layers, or so much of the way to them."""
        trained = torch.load(checkpoint, weights_only=True)["top"]
        held = self.top.state_dict()
        self.top.load_state_dict({name: held[name] + share * (trained[name] - held[name]) for name in held})

    def read(self, texts):
        """The trunk's output of texts that were not read yet."""
        new = sorted({text for text in texts if text not in self.below}, key=len)
        for at in range(0, len(new), 32):
            ids = [[0, *self.tokens.encode(text).ids[: LONGEST - 2], 2] for text in new[at : at + 32]]
            longest = max(map(len, ids))
            padded = torch.tensor([row + [1] * (longest - len(row)) for row in ids])
            mask = torch.tensor([[True] * len(row) + [False] * (longest - len(row)) for row in ids])
            with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
                x = self.emb(padded)
                for layer in self.trunk:
                    x = layer(x, bias_of(mask, x.dtype))
            for text, row, made in zip(new[at : at + 32], ids, x.to(torch.bfloat16)):
                self.below[text] = made[: len(row)].clone()

    def forward(self, texts):
        """Vectors of unit length, computed for texts of like length together."""
        self.read(texts)
        order = sorted(range(len(texts)), key=lambda at: len(self.below[texts[at]]))
        made = [self.above([self.below[texts[place]] for place in order[at : at + PART]]) for at in range(0, len(order), PART)]
        back = torch.empty(len(order), dtype=torch.long)
        back[order] = torch.arange(len(order))
        return torch.cat(made)[back]

    def above(self, held):
        x = torch.nn.utils.rnn.pad_sequence(held, batch_first=True)
        lengths = torch.tensor([len(one) for one in held])
        mask = torch.arange(x.shape[1])[None] < lengths[:, None]
        with torch.autocast("cpu", torch.bfloat16):
            for layer in self.top:
                x = layer(x, bias_of(mask, x.dtype))
        x = x.float() * mask[..., None]
        return F.normalize(x.sum(1) / lengths[:, None], dim=1)

    def all(self, texts):
        """Vectors of any number of texts, without a gradient."""
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        made = torch.empty(len(texts), 384)
        self.eval()
        with torch.no_grad():
            for at in range(0, len(order), 64):
                places = order[at : at + 64]
                made[places] = self([texts[place] for place in places])
        self.train()
        return made


def bias_of(mask, kind):
    return torch.zeros(mask.shape).masked_fill(~mask, -1e4)[:, None, None, :].to(kind)


def joined(one, others, chance):
    """A source among one or two others of its language: what is looked for is seldom alone in a passage."""
    parts = [one["text"], *(other["text"] for other in chance.sample(others, chance.randint(1, 2)))]
    chance.shuffle(parts)
    return "\n".join(parts)


def pairs(chance):
    """Questions with their passages: {question, passage, group}; of the same group never one against the other."""
    made = []
    learnt = [one for place, one in enumerate(sources()) if not is_held_back(place)]
    by_language = collections.defaultdict(list)
    for one in learnt:
        by_language[one["language"]].append(one)
    for one in learnt:
        passages = [one["text"], joined(one, by_language[one["language"]], chance)]
        for n, ask in enumerate(one["asks"]):
            made.append((f"query: {ask}", f"passage: {passages[n % 2]}", one["id"]))
    answers, questions = insurance()
    for at, (question, right) in enumerate(questions):
        if at % FOLDS >= HELD_FOLDS:
            for place in right:
                made.append((f"query: {question}", f"passage: {answers[place]}", f"bank {at}"))
    return made


def batches(rows, vectors, chance):
    """Batches of neighbours: in the order of a random direction of the passages' vectors, within random parts."""
    while True:
        order = list(range(len(rows)))
        chance.shuffle(order)
        cut = []
        for start in range(0, len(order), 2048):
            part = order[start : start + 2048]
            line = torch.randn(8, 384) @ vectors[part].T
            # Eight directions give 256 corners: neighbours are often in the same.
            corner = sum((line[k] > line[k].median()).long() << k for k in range(8)).tolist()
            place = sorted(range(len(part)), key=lambda i: corner[i])
            sorted_part = [part[i] for i in place]
            cut += [sorted_part[i : i + BATCH] for i in range(0, len(sorted_part), BATCH)]
        chance.shuffle(cut)
        yield from (one for one in cut if len(one) > 1)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--out", required=True)
    options.add_argument("--minutes", type=float, default=40)
    options.add_argument("--lr", type=float, default=4e-5)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--threads", type=int, default=2)
    chosen = options.parse_args()
    chance = random.Random(chosen.seed)
    torch.manual_seed(chosen.seed)
    torch.set_num_threads(chosen.threads)
    rows = pairs(chance)
    model = Encoder()
    passages = sorted({passage for _, passage, _ in rows})
    place = {passage: at for at, passage in enumerate(passages)}
    before = model.all(passages)
    of_row = torch.tensor([place[passage] for _, passage, _ in rows])
    for layer in model.top:
        layer.drop = 0.1
    body = [q for layer in model.top for q in layer.parameters()]
    optimiser = torch.optim.AdamW(body, lr=chosen.lr, weight_decay=0.01, betas=(0.9, 0.98))
    print(len(rows), "questions with passages,", len(passages), "passages", flush=True)
    start, seen, running = time.time(), 0, None
    model.train()
    for step, chunk in enumerate(batches(rows, before[of_row], chance)):
        share = (time.time() - start) / 60 / chosen.minutes
        if share >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = chosen.lr * min(1, (step + 1) / 60) * (1 - 0.97 * share)
        made = model([rows[at][0] for at in chunk] + [rows[at][1] for at in chunk])
        asked, said = made[: len(chunk)], made[len(chunk) :]
        logits = asked @ said.T / TEMPERATURE
        old = before[of_row[chunk]]
        same = torch.tensor([[rows[a][2] == rows[b][2] for b in chunk] for a in chunk]) | (old @ old.T > ALIKE)
        logits = logits.masked_fill(same & ~torch.eye(len(chunk), dtype=torch.bool), -1e4)
        target = torch.arange(len(chunk))
        lost = F.cross_entropy(logits, target) + 0.5 * F.cross_entropy(logits.T, target)
        optimiser.zero_grad()
        lost.backward()
        torch.nn.utils.clip_grad_norm_(body, 1.0)
        optimiser.step()
        seen += len(chunk)
        running = lost.item() if running is None else 0.97 * running + 0.03 * lost.item()
        if step % 40 == 0:
            print(f"{share:.2f} step {step} seen {seen}, {seen / (time.time() - start):.0f}/s, loss {running:.3f}", flush=True)
            torch.save({"top": model.top.state_dict()}, chosen.out)
    torch.save({"top": model.top.state_dict()}, chosen.out)
    print("end", seen, f"loss {running:.3f}", flush=True)


if __name__ == "__main__":
    main()
