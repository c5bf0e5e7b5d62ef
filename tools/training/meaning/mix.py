"""Mixes what train.py learns from: public sets up to a cap each, generated pairs, real sentences turned, labelled answers.
`mix.jsonl` in the work folder; spaces before punctuation are taken out, since in one set they give the label away.
"""

from paths import WORK
from public import load
import json, random, collections

R = random.Random(12)
B = str(WORK) + "/"
rd = lambda f: [json.loads(l) for l in open(B + f)]
out = []
caps = {
    "esnli-dev": 700,
    "conj": 700,
    "help": 150,
    "med": 300,
    "breaking": 100,
    "monli": 100,
    "sick-train": 450,
    "pawsx-dev": 300,
    "pawsx-test": 300,
    "xnli-en": 1300,
    "xnli-de-test": 1000,
    "xnli-de-train": 400,
    "hurte-train": 800,
    "feversym-dev": 500,
    "esnli-test": 600,
}
by = collections.defaultdict(list)
held = {"esnli-test", "sick-test", "feversym-test", "conj-dev", "hurte-dev", "xnli-de-dev"}
for s, lang, p, h, y in load():
    by[s, "held" if s in held else "train"].append(
        dict(set=s, lang=lang, p=p, h=h, y=y, split="held" if s in held else "train")
    )
for (s, sp), rows in by.items():
    R.shuffle(rows)
    if s == "hurte-train":
        for r in rows:
            r["w"] = 1
    out += rows[: caps.get(s, 99999)] if sp == "train" else rows
pairs = rd("pairs.jsonl")
tr = [r for r in pairs if r["split"] == "train"]
R.shuffle(tr)
out += tr[:6500]
out += [r for r in pairs if r["split"] == "held"]
docs = rd("documents.jsonl")
R.shuffle(docs)
for i, r in enumerate(docs):
    r["split"] = "held" if i < 400 else "train"
out += docs[:6000]
for r in rd("evidence.jsonl"):
    if r["split"] == "train":
        r["w"] = 1
    out.append(r)
c = collections.Counter()
h = collections.Counter()
for r in out:
    if r["split"] == "train":
        c[r["set"]] += r.get("w", 1)
    else:
        h[r["set"]] += 1
print(sum(c.values()), c, h)
import re


def clean(t):
    t = re.sub(r"\s+", " ", t).strip()
    t = re.sub(r" ([.,;:!?)%\]]|n't\b|'s\b)", r"\1", t)
    return re.sub(r"([(\[]) ", r"\1", t)


for r in out:
    r["p"] = clean(r["p"])
    r["h"] = clean(r["h"])
R.shuffle(out)
open(B + "mix.jsonl", "w").write("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in out))
