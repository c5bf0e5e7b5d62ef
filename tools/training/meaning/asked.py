"""Makes what answering.py learns from: questions with what the product would read of a passage, and whether it answers.

`python asked.py --encoder encoder.pt > asked.jsonl`, from the questions on the sources written by hand
(`asks/`, `near/`, `more/`, `abroad/`, and with their sources in `examples/` and `later/`), on sections of documents (`sections/`), and
from what public_questions.py and evidence.ts have put into the work folder. Every seventh source and section is held back.
Rows are those of train.py, and of questions by hand `b`, the log-odds that manner.py gives their words.
"""

import argparse
import collections
import json
import random
import re
import sys

import torch

import manner
from mix import clean, lines
from paths import WORK
from search import Encoder, is_held_back, rows_of, sources
from train import ANSWERS, NO_ANSWER, NOT_ENTAILED

# A question is put to one of so many other sources, the nearest of its language.
NEAREST = 4
# Of public sets, the share that is learned from, and how many are held back of the first three.
PUBLIC = {
    "squad2-dev": 0.5,
    "poquad": 0.4,
    "mlqa-test-de": 0.3,
    "squad2-part": 0.2,
    "xquad-de": 0.2,
    "mlqa-dev-de": 0.3,
    "mlqa-dev-en": 0.1,
    "tydiqa-goldp-en": 0.1,
    "klej-dyk": 0.2,
    "qnli-dev": 0.1,
}
HELD_BACK = 150
# Windows of a section that a question is put to, and characters of one: as the assistant reads them.
WINDOWS = 2
LONGEST_WINDOW = 480
ARTICLE = re.compile(r"((?:Article|Artikel|§|Článok|Čl\.|Článek|Art\.|Section|Ziffer|Bod|Odst\.)\s?[\dIVX.]+[a-z]?\.?\s[^.\n]{3,60})\. ")


def split_of(place):
    return "held" if is_held_back(place) else "train"


def row(passage, text, y, split, kind, w=1.0):
    return {"p": clean(passage), "h": clean(text), "y": y, "split": split, "set": kind, "w": w}


def claims(split):
    """Claims of the same sources, whatever is true of them: what the reader says of them is to stay."""
    for folder in ("examples", "later"):
        for one in rows_of(folder):
            for kind in ("true", "unsaid", "denied"):
                for claim in one[kind]:
                    yield row(one["source"], claim, NOT_ENTAILED, split[one["id"]], "claims", 0.25)


def unanswered():
    """What a source does not answer. The questions of `later/` are told by their style, and left out."""
    near = {one["id"]: list(one["near"]) for one in rows_of("near")}
    for one in rows_of("examples"):
        near.setdefault(one["id"], []).extend(one["asks_not"])
    return near


def nearest(every, asks, most, may, encoder):
    """Of each source's questions the nearest other sources, by their places, of the languages that `may` allows it."""
    vectors = encoder.all([f"passage: {one['text']}" for one in every])
    asked = encoder.all([f"query: {ask}" for of in asks for ask in of])
    places = [place for place, of in enumerate(asks) for _ in of]
    left_out = torch.tensor([[at == place or not may(place, one["language"]) for at, one in enumerate(every)] for place in places])
    return iter((asked @ vectors.T).masked_fill(left_out, -1).topk(most).indices.tolist())


def across_languages(chance, every, encoder):
    """A question in another language than the passage, answered and not, so that the languages do not give the label away."""
    foreign = {one["id"]: one["other"] for one in rows_of("asks")}
    unsaid = {one["id"]: one["ask"] for one in rows_of("abroad")}
    asks = [[foreign[one["id"]]["ask"]] for one in every]
    others = nearest(every, asks, 2 * NEAREST, lambda place, language: language != foreign[every[place]["id"]]["language"], encoder)
    for place, one in enumerate(every):
        split, ask = split_of(place), asks[place][0]
        yield row(one["text"], ask, ANSWERS, split, "across")
        yield from (row(every[at]["text"], ask, NO_ANSWER, split, "across") for at in chance.sample(next(others), 2))
        yield row(one["text"], unsaid[one["id"]], NO_ANSWER, split, "abroad", 1.2)


def on_sources(chance, encoder):
    every, near = sources(), unanswered()
    asks = [one["asks"][:2] for one in every]
    others = nearest(every, asks, NEAREST, lambda place, language: language == every[place]["language"], encoder)
    more = {one["id"]: one for one in rows_of("more")}
    for place, one in enumerate(every):
        text, split, written = one["text"], split_of(place), more.get(one["id"], {"answered": [], "unanswered": []})
        yield from (row(text, ask, ANSWERS, split, "near") for ask in one["asks"])
        yield from (row(text, ask, NO_ANSWER, split, "near") for ask in near.get(one["id"], []))
        yield from (row(text, ask, ANSWERS, split, "more") for ask in written["answered"])
        yield from (row(text, ask, NO_ANSWER, split, "more") for ask in written["unanswered"])
        for ask in asks[place]:
            yield row(every[chance.choice(next(others))]["text"], ask, NO_ANSWER, split, "other", 0.6)
    yield from across_languages(chance, every, encoder)
    yield from claims({one["id"]: split_of(place) for place, one in enumerate(every)})


def sentences(text):
    for line in text:
        held = ""
        for part in re.split(r"(?<=[.!?;])\s+(?=[\"„»(\dA-ZÁČĎÉĚÍĽŇÓŘŠŤÚŮÝŽÄÖÜŁŚŻŹŐŰ–-])", line):
            held = f"{held} {part}".strip()
            if len(held) > 25:
                yield held
                held = ""
        if held:
            yield held


def windows(section):
    """What the assistant would read of a section: each sentence between its neighbours, under the heading."""
    text = [line.strip() for line in section.split("\n") if line.strip()]
    heading, article = "", ARTICLE.match(text[0])
    if len(text) > 1 and len(text[0]) < 90 and not text[0].endswith((".", ";", ",")):
        heading = text.pop(0).rstrip(":")
    elif article:
        heading, text[0] = article.group(1), text[0][article.end() :]
    found = list(sentences(text))
    near = [" ".join(found[max(0, at - 1) : at + 2]) for at in range(len(found))]
    said = [one if len(one) <= LONGEST_WINDOW else found[at] for at, one in enumerate(near)]
    return list(dict.fromkeys(f"{heading}: {one}" if heading else one for one in said))


def on_sections(chance, encoder):
    """An answered question goes with windows that have the marked sentence, and with others of the same section, so that
    nothing but the passage tells. One that is not answered goes with the windows nearest to it."""
    every = rows_of("sections")
    parts = [[clean(one) for one in windows(section["section"])] for section in every]
    vectors = iter(encoder.all([f"passage: {one}" for of in parts for one in of]))
    places = [torch.stack([next(vectors) for _ in of]) for of in parts]
    asked = iter(encoder.all([f"query: {ask}" for section in every for ask in section["unanswered"]]))
    for at, section in enumerate(every):
        split = split_of(at)
        for ask, marks in zip(section["answered"], section["where"]):
            says = [any(clean(mark) in one for mark in marks) for one in parts[at]]
            for y, w in ((ANSWERS, 1.0), (NO_ANSWER, 0.8)):
                of = [one for one, is_said in zip(parts[at], says) if is_said == (y == ANSWERS)]
                yield from (row(one, ask, y, split, "section", w) for one in chance.sample(of, min(WINDOWS, len(of))))
        for ask in section["unanswered"]:
            near = (places[at] @ next(asked)).topk(min(WINDOWS, len(parts[at]))).indices.tolist()
            yield from (row(parts[at][n], ask, NO_ANSWER, split, "section", 0.5) for n in near)


def elsewhere(chance):
    """Public questions, and labelled answers as claims."""
    sets = collections.defaultdict(list)
    for one in lines(WORK / "data/qa.jsonl"):
        sets[one["set"]].append(one)
    for n, (name, share) in enumerate(PUBLIC.items()):
        chance.shuffle(sets[name])
        held = HELD_BACK if n < 3 else 0
        for at, one in enumerate(sets[name][: held + int(share * len(sets[name]))]):
            y = ANSWERS if one["y"] else NO_ANSWER
            yield row(one["passage"], one["q"], y, "held" if at < held else "train", name)
    for one in lines(WORK / "evidence.jsonl"):
        yield row(one["p"], one["h"], NOT_ENTAILED, one["split"], "evidence")


def with_manner(rows):
    """Gives each question by hand the log-odds of its words, from questions on other passages. None where it is put both to
    what answers and to what does not."""
    for name in ("near", "more", "section"):
        own, answered = collections.defaultdict(list), {one["h"] for one in rows if one["set"] == name and one["y"] == ANSWERS}
        for one in rows:
            if one["set"] == name:
                own[one["h"]].append(one)
        # Those on one source or section follow each other.
        folds = [at // 40 % manner.FOLDS for at in range(len(own))]
        odds = manner.log_odds(list(own), [ask in answered for ask in own], folds)
        for same, b in zip(own.values(), odds):
            if len({one["y"] for one in same}) == 1:
                for one in same:
                    one["b"] = round(float(b), 3)
    return rows


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--encoder", required=True)
    chosen = options.parse_args()
    chance, encoder = random.Random(1), Encoder()
    encoder.take(chosen.encoder, 0.8)
    rows = [*on_sources(chance, encoder), *on_sections(chance, encoder), *elsewhere(chance)]
    for one in with_manner(rows):
        print(json.dumps(one, ensure_ascii=False))
    print(collections.Counter((one["set"], one["split"]) for one in rows), file=sys.stderr)


if __name__ == "__main__":
    main()
