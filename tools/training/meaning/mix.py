"""Mixes what train.py learns from: public sets up to a cap each, generated pairs, real sentences turned, labelled answers,
and the examples written by hand. `python mix.py [--without-authored] > mix.jsonl`, from files in the work folder.

Spaces before punctuation are taken out, since in one set they give the label away. A third of the public evidence gets a
sentence of another example beside it: what is looked for is seldom alone.
"""

import argparse
import collections
import json
import pathlib
import random
import re

from paths import WORK

# Rows of a set at most, and how many of them are held back.
PUBLIC = {
    "multinli": 4000,
    "snli-dev": 900,
    "snli-test": 900,
    "snli-counterfactual": 1500,
    "negnli": 500,
    "conjnli": 700,
    "med": 500,
    "help": 400,
    "breaking-nli": 500,
    "pawsx": 900,
    "fever": 1000,
    "fool": 1500,
    "hurte": 1500,
    "squad2": 1200,
    "poquad": 1500,
    "qnli": 800,
    "tydiqa": 600,
    "klej": 800,
    "mlqa": 700,
    "xquad": 700,
    # Their texts' licences are uncertain.
    "wice": 0,
    "scitail": 0,
}
OTHERWISE = 3000
HELD_BACK = 160
BESIDE = 0.33
# Of the length of what is true of the same source.
SHORT = 0.75


def clean(text):
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r" ([.,;:!?)%\]]|n't\b|'s\b)", r"\1", text)
    return re.sub(r"([(\[]) ", r"\1", text)


def lines(path):
    return [json.loads(line) for line in open(path, encoding="utf-8")] if pathlib.Path(path).exists() else []


def cap_of(name):
    return next((most for start, most in PUBLIC.items() if name.startswith(start)), OTHERWISE)


def held_back(rows, chance, cap):
    """The rows of one public set: a few held back, up to a cap to learn from, labels as even as they come."""
    chance.shuffle(rows)
    held, rest = rows[:HELD_BACK], rows[HELD_BACK:]
    if len(rows) < 5 * HELD_BACK:
        held, rest = [], rows
    by_label = collections.defaultdict(list)
    for row in rest:
        by_label[row["y"]].append(row)
    kept = [row for of in by_label.values() for row in of[: cap // len(by_label)]]
    if cap == 0:
        return []
    return [row | {"split": "held"} for row in held] + [row | {"split": "train"} for row in kept]


def public(chance):
    sets = collections.defaultdict(list)
    for row in lines(WORK / "data/nli.jsonl"):
        sets[row["set"]].append({"set": row["set"], "lang": row["lang"], "p": row["p"], "h": row["h"], "y": row["y"]})
    for row in lines(WORK / "data/qa.jsonl"):
        made = {"set": row["set"], "lang": row["lang"], "p": row["passage"], "h": row["q"], "y": 4 if row["y"] else 5}
        sets[row["set"]].append(made)
    for name, rows in sorted(sets.items()):
        made = held_back(rows, chance, cap_of(name))
        others = [row["p"] for row in rows if len(row["p"].split()) < 40]
        for row in made:
            short = row["y"] < 4 and len(row["p"].split()) < 40
            if short and others and chance.random() < BESIDE:
                both = [row["p"], chance.choice(others)]
                chance.shuffle(both)
                row["p"] = " ".join(both)
        yield from made


def authored(chance):
    """Examples written by hand, one source each; every seventh source is held back with all that is said of it."""
    for path in sorted((pathlib.Path(__file__).parent / "examples").glob("*.jsonl")):
        language = path.stem.split("-")[0]
        found = lines(path)
        for at, one in enumerate(found):
            base = {"lang": language, "p": one["source"], "split": "held" if at % 7 == 3 else "train", "w": 2}
            if at + 1 < len(found) and chance.random() < BESIDE:
                both = [one["source"], re.split(r"(?<=[.!?]) ", found[at + 1]["source"])[0]]
                chance.shuffle(both)
                base["p"] = " ".join(both)
            usual = sum(map(len, one["true"])) / len(one["true"])
            for key, y in (("true", 0), ("unsaid", 1), ("denied", 2), ("asks", 4), ("asks_not", 5)):
                kind = "asked" if y >= 4 else "written"
                for text in one[key]:
                    # What is not true was written shorter on the whole: nothing but the meaning must tell.
                    if y in (1, 2) and len(text) < SHORT * usual and chance.random() < 0.5:
                        continue
                    yield base | {"set": f"{kind}-{language}", "h": text, "y": y}
            # What is asked of another source is seldom answered by this one.
            other = found[(at + 5) % len(found)]
            yield base | {"set": f"asked-{language}", "h": other["asks"][0], "y": 5, "w": 1}


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--without-authored", action="store_true")
    chosen = options.parse_args()
    chance = random.Random(12)
    out = list(public(chance))
    pairs = lines(WORK / "pairs.jsonl")
    train = [row for row in pairs if row["split"] == "train"]
    chance.shuffle(train)
    out += train[:2500] + [row for row in pairs if row["split"] == "held"]
    documents = lines(WORK / "documents.jsonl")
    chance.shuffle(documents)
    out += documents[:2000]
    out += [row | ({"w": 2} if row["split"] == "train" else {}) for row in lines(WORK / "evidence.jsonl")]
    if not chosen.without_authored:
        out += authored(chance)
    for row in out:
        row["p"], row["h"] = clean(row["p"]), clean(row["h"])
        print(json.dumps(row, ensure_ascii=False))


if __name__ == "__main__":
    main()
