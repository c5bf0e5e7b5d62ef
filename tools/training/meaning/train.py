"""Trains the entailment layers: a frozen trunk of six layers, five layers and a head of its own."""

import sys, json, time, random, math, argparse
import numpy as np, torch

torch.set_num_threads(1)
from paths import WORK
from model import *
from vocabulary import P, tokenizer

a = argparse.ArgumentParser()
a.add_argument("--data")
a.add_argument("--out")
a.add_argument("--init")
a.add_argument("--minutes", type=float)
a.add_argument("--lr", type=float, default=1e-4)
a.add_argument("--seed", type=int, default=1)
a.add_argument("--decay", type=int, default=1)
A = a.parse_args() if __name__ == "__main__" else a.parse_args([])
random.seed(A.seed)
torch.manual_seed(A.seed)
kept = json.load(open(WORK / "kept.json"))
tk = tokenizer([P.pieces[i] for i in kept], P.scores[kept], 3)
MAXC, MAXT = 56, 128


def encode(p, h):
    c = tk.encode(h).ids[:MAXC]
    e = tk.encode(p).ids[: MAXT - 4 - len(c)]
    return [0] + c + [2, 2] + e + [2], [0] * (len(c) + 2) + [1] * (len(e) + 2)


class Judge(nn.Module):
    def __init__(s):
        super().__init__()
        m = load(kept, list(range(11)))
        s.emb = m.emb
        s.trunk = m.layers[:6]
        s.top = m.layers[6:]
        s.segment = nn.Embedding(2, 384)
        nn.init.zeros_(s.segment.weight)
        s.pool = nn.Linear(768, 384)
        s.out = nn.Linear(384, 3)
        for q in (*s.emb.parameters(), *s.trunk.parameters()):
            q.requires_grad_(False)
        for l in s.top:
            l.drop = 0.1

    def forward(s, ids, seg, mask):
        bias = torch.zeros(mask.shape).masked_fill(~mask, -1e4)[:, None, None, :]
        with torch.no_grad():
            x = s.emb(ids)
            for l in s.trunk:
                x = l(x, bias.to(x.dtype))
        x = x + s.segment(seg)
        for l in s.top:
            x = l(x, bias.to(x.dtype))
        w = (mask & (seg == 0)).unsqueeze(2).to(x.dtype)
        mean = (x * w).sum(1) / w.sum(1)
        return s.out(torch.tanh(s.pool(torch.cat([x[:, 0], mean], 1))))


def batch(rows):
    enc = [encode(r["p"], r["h"]) for r in rows]
    T = max(len(e[0]) for e in enc)
    ids = torch.ones(len(enc), T, dtype=torch.long)
    seg = torch.ones_like(ids)
    mask = torch.zeros(len(enc), T, dtype=torch.bool)
    for i, (x, g) in enumerate(enc):
        ids[i, : len(x)] = torch.tensor(x)
        seg[i, : len(x)] = torch.tensor(g)
        mask[i, : len(x)] = True
    return ids, seg, mask, torch.tensor([r["y"] for r in rows])


def loss(logits, y):
    lp = F.log_softmax(logits.float(), 1)
    three = y < 3
    o = torch.zeros(len(y))
    t = torch.where(three, y, torch.zeros_like(y))
    o = -lp.gather(1, t[:, None])[:, 0] * 0.95 - lp.mean(1) * 0.05
    no = -torch.logsumexp(lp[:, 1:], 1)
    return torch.where(three, o, no).mean()


def evaluate(m, sets):
    m.eval()
    res = {}
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
        for name, rows in sets.items():
            ps = []
            ys = []
            for i in range(0, len(rows), 64):
                ids, seg, mask, y = batch(rows[i : i + 64])
                ps.append(m(ids, seg, mask).float().softmax(1))
                ys.append(y)
            p = torch.cat(ps)
            y = torch.cat(ys)
            e = p[:, 0] > 0.5
            t = y == 0
            ba = ((e & t).sum() / t.sum() + ((~e) & (~t)).sum() / (~t).sum()) / 2
            s = p[:, 0]
            pos = s[t]
            neg = s[~t]
            auc = ((pos[:, None] > neg[None]).float() + 0.5 * (pos[:, None] == neg[None]).float()).mean()
            res[name] = f"{ba:.3f}/{auc:.3f}"
    m.train()
    return res


if __name__ == "__main__":
    data = [json.loads(l) for l in open(A.data)]
    train = [r for r in data if r["split"] == "train"]
    held = {}
    for r in data:
        if r["split"] == "held":
            held.setdefault(r["set"], []).append(r)
    held = {k: random.Random(0).sample(v, min(110, len(v))) for k, v in held.items()}
    m = Judge()
    if A.init:
        m.load_state_dict(torch.load(A.init)["model"])
    body = [q for l in m.top for q in l.parameters()]
    head = [*m.segment.parameters(), *m.pool.parameters(), *m.out.parameters()]
    opt = torch.optim.AdamW(
        [{"params": body, "lr": A.lr, "base": A.lr}, {"params": head, "lr": A.lr * 5, "base": A.lr * 5}],
        weight_decay=0.01,
        betas=(0.9, 0.98),
    )
    start = time.time()
    step = 0
    seen = 0
    run = 0
    nextsave = 5
    nextlog = 0
    end = False
    epoch = 0
    print(len(train), {k: len(v) for k, v in held.items()}, flush=True)
    m.train()
    while not end:
        epoch += 1
        order = [r for r in train for _ in range(int(r.get("w", 1)) + (random.random() < r.get("w", 1) % 1))]
        random.shuffle(order)
        pool = []
        for i in range(0, len(order), 1024):
            chunk = sorted(order[i : i + 1024], key=lambda r: len(r["p"]) + len(r["h"]))
            bs = [chunk[j : j + 32] for j in range(0, len(chunk), 32)]
            random.shuffle(bs)
            for b in bs:
                el = (time.time() - start) / 60
                f = min(1, el / A.minutes)
                if f >= 1:
                    end = True
                    break
                scale = min(1, (step + 1) / 100) * ((1 - f * 0.95) if A.decay else 1)
                for g in opt.param_groups:
                    g["lr"] = g["base"] * scale
                ids, seg, mask, y = batch(b)
                with torch.autocast("cpu", torch.bfloat16):
                    lo = m(ids, seg, mask)
                l = loss(lo, y)
                opt.zero_grad()
                l.backward()
                torch.nn.utils.clip_grad_norm_(body + head, 1.0)
                opt.step()
                step += 1
                seen += len(b)
                run = 0.98 * run + 0.02 * l.item() if step > 1 else l.item()
                if step == 20:
                    print("speed", seen / (time.time() - start), flush=True)
                if el >= nextsave and el < 8:
                    nextsave += 5
                    torch.save({"model": m.state_dict(), "step": step, "seen": seen}, A.out + ".part")
                    import os

                    os.replace(A.out + ".part", A.out)
                    print(
                        f"{el:.1f} min step {step} seen {seen} epoch {epoch} loss {run:.3f}",
                        evaluate(m, held) if 24 < el < 30 else "",
                        flush=True,
                    )
            if end:
                break
    torch.save({"model": m.state_dict(), "step": step, "seen": seen}, A.out)
    print("end", step, seen, epoch, f"{run:.3f}", flush=True)
