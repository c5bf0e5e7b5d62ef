"""Reads public entailment sets, each file saved under `data` of the work folder as README.md says."""

import json, csv, random, re, glob
from paths import WORK

D = str(WORK / "data") + "/"
L = {"entailment": 0, "neutral": 1, "contradiction": 2, "ENTAILMENT": 0, "NEUTRAL": 1, "CONTRADICTION": 2}


def lines(f):
    return open(D + f, encoding="utf-8-sig").read().split("\n")


def tsv(f):
    rows = [l.split("\t") for l in lines(f) if l]
    h = rows[0]
    return [dict(zip(h, r)) for r in rows[1:]]


def clean(s):
    return re.sub(r"\s+([.,;:!?)])", r"\1", s.strip())


def add(out, set_, lang, p, h, y):
    if p and h and y is not None:
        out.append((set_, lang, clean(p), clean(h), y))


def load():
    o = []
    for s in ("dev", "test"):
        for p, h, y in zip(lines(f"esnli-s1.{s}"), lines(f"esnli-s2.{s}"), lines(f"esnli-labels.{s}")):
            add(o, "esnli-" + s, "en", p, h, L.get(y))
    for s in ("train", "test"):
        for r in tsv(f"sick-{s}.txt"):
            add(o, "sick-" + s, "en", r["sentence_A"], r["sentence_B"], L.get(r["entailment_judgment"].strip()))
    for r in tsv("med.tsv"):
        add(o, "med", "en", r["sentence1"], r["sentence2"], L.get(r["gold_label"]))
    for f in ("help.tsv", "help-or.tsv"):
        for r in tsv(f):
            add(o, "help", "en", r["ori_sentence"], r["new_sentence"], L.get(r["gold_label"]))
    for f in ("pmonli.jsonl", "nmonli.jsonl"):
        for l in lines(f):
            if l:
                r = json.loads(l)
                add(o, "monli", "en", r["sentence1"], r["sentence2"], L.get(r["gold_label"]))
    for f in ("conj.tsv",):
        for r in tsv(f):
            add(o, "conj", "en", r.get("Premise"), r.get("Hypothesis"), L.get(r.get("Label")))
    for r in tsv("conj-dev.tsv"):
        add(o, "conj-dev", "en", r.get("Premise"), r.get("Hypothesis"), L.get(r.get("Label")))
    seen = set()
    for f in glob.glob(D + "xnli-*_*.tsv"):
        for r in tsv(f.split("/")[-1]):
            if r["language"] == "en":
                add(o, "xnli-en", "en", r["sentence1"], r["sentence2"], L.get(r["gold_label"]))
    for s in ("train", "dev", "test"):
        for l in lines(f"xnli-de-{s}.txt"):
            r = l.split("\t")
            if len(r) == 3:
                add(o, "xnli-de-" + s, "de", r[0], r[1], L.get(r[2]))
    for s in ("train", "dev"):
        for r in json.load(open(D + f"hurte-{s}.json")):
            add(o, "hurte-" + s, "hu", r["premise"], r["hypothesis"], 0 if str(r["label"]) == "1" else 3)
    for s in ("dev", "test"):
        for r in tsv(f"pawsx-de-{s}.tsv"):
            add(o, "pawsx-" + s, "de", r["sentence1"], r["sentence2"], 0 if r["label"] == "1" else 3)
        for l in lines(f"feversym-{s}.jsonl"):
            if l:
                r = json.loads(l)
                add(o, "feversym-" + s, "en", r["evidence"], r["claim"], {"SUPPORTS": 0, "REFUTES": 2}.get(r["label"]))
    for l in lines("data/dataset.jsonl"):
        if l:
            r = json.loads(l)
            add(o, "breaking", "en", r["sentence1"], r["sentence2"], L.get(r["gold_label"]))
    return o


if __name__ == "__main__":
    import collections

    o = load()
    c = collections.Counter((x[0], x[4]) for x in o)
    for k, v in sorted(c.items()):
        print(k, v)
    for x in random.Random(1).sample(o, 10):
        print(x)
