"""Reads the reader's claims: public sets, generated and altered ones, labelled answers, and hand-written ones.

Rows are (passage, claim, label, set, is held back, weight). Labels: 0 entailed, 1 not said, 2 denied, 3 either 1 or 2.
"""

import random
import re

from paths import WORK
from written import clean, files_of, rows_in, rows_of

# Expected number of times that a row of each kind occurs in a round.
WEIGHTS = {
    "public": 0.35,
    "answers": 1.0,
    "generated": 0.05,
    "documents": 0.5,
    "evidence": 2.0,
    "by hand": 1.0,
    "twins": 1.5,
}
# The same for public sets with repetitive claims (17 on all contracts) or mostly partly supported ones.
SELDOM = {"contractnli": 0.25, "fever-nli": 0.25, "wice": 0.5}
# Number of rows held back, and the public sets that they are held back from.
HELD_BACK, HELD_SETS = 100, ("multinli-dev", "fool-me-twice", "hurte", "pawsx-de")
# Labelled answers not used in training; they measure the reader on summaries.
HELD_ANSWERS = ("aggrefact",)
# A third of the short evidence gets another text next to it, since evidence is rarely alone in a passage.
BESIDE, SHORT_WORDS = 0.33, 40
# A false claim shorter than this share of the mean length of its source's true ones is left out half the time, because
# the false claims in `examples/` are shorter on average.
SHORT_CLAIM = 0.75


def beside(chance, text, other):
    both = [text, other]
    chance.shuffle(both)
    return " ".join(both)


def public(chance):
    sets = {}
    for row in rows_in(WORK / "data/nli.jsonl"):
        sets.setdefault(row["set"], []).append(row)
    for name, rows in sets.items():
        short = [row["p"] for row in rows if len(row["p"].split()) < SHORT_WORDS]
        for at, row in enumerate(rows):
            is_short = len(row["p"].split()) < SHORT_WORDS
            passage = beside(chance, row["p"], chance.choice(short)) if is_short and chance.random() < BESIDE else row["p"]
            yield passage, row["h"], row["y"], name, at < HELD_BACK and name in HELD_SETS, WEIGHTS["public"]


def answers(_):
    """Yields what models and people wrote about longer sources, with the nearest sentences of the source."""
    for row in rows_in(WORK / "data/answers.jsonl"):
        yield row["p"], row["h"], row["y"], row["set"], False, SELDOM.get(row["set"], WEIGHTS["answers"])


def made(_):
    for row in rows_in(WORK / "pairs.jsonl"):
        yield row["p"], row["h"], row["y"], "generated", row["split"] == "held", WEIGHTS["generated"]
    for row in rows_in(WORK / "documents.jsonl"):
        yield row["p"], row["h"], row["y"], "documents", False, WEIGHTS["documents"]
    for row in rows_in(WORK / "evidence.jsonl"):
        is_held = row["split"] == "held" or row["set"] in HELD_ANSWERS
        yield row["p"], row["h"], row["y"], row["set"], is_held, WEIGHTS["evidence"]


def kinds_of(row):
    return ((0, row["true"]), (1, row["unsaid"]), (2, row["denied"]))


def by_hand(chance):
    """Yields `examples/`: claims with their source alone and with another text. Held back as in `read-examples.ts`."""
    for path in files_of("examples"):
        rows = rows_in(path)
        for at, row in enumerate(rows):
            is_held, usual = at % 7 == 3, sum(map(len, row["true"])) / len(row["true"])
            other = re.split(r"(?<=[.!?]) ", rows[(at + 1) % len(rows)]["source"])[0]
            passages = [row["source"]] if is_held else [row["source"], beside(chance, row["source"], other)]
            for y, claims in kinds_of(row):
                for claim in claims:
                    if y and not is_held and len(claim) < SHORT_CLAIM * usual and chance.random() < 0.5:
                        continue
                    for passage in passages:
                        yield passage, claim, y, "examples", is_held, WEIGHTS["by hand"]


def around(chance, source, section):
    """Returns a source with the preceding sentence of its section, the following one, both or neither."""
    at = section.find(source)
    if at < 0:
        return source
    before, behind = (re.split(r"(?<=[.!?;]) ", text.strip()) for text in (section[:at], section[at + len(source) :]))
    chosen = [before[-1] if chance.random() < 0.6 else "", source, behind[0] if chance.random() < 0.6 else ""]
    return " ".join(filter(None, chosen))


def twins(chance):
    """Yields `claims/`: claims on sentences of sections; false ones resemble the true ones in all but meaning."""
    sections = {name: clean(row["section"]) for name, row in rows_of("sections").items()}
    for path in files_of("claims"):
        for at, row in enumerate(rows_in(path)):
            is_held, source = at % 9 == 4, clean(row["source"])
            passages = dict.fromkeys([source] if is_held else [source, around(chance, source, sections.get(row["id"], ""))])
            for y, claims in kinds_of(row):
                for claim in claims:
                    for passage in passages:
                        yield passage, claim, y, "twins", is_held, WEIGHTS["twins"]


def summaries(_):
    """Yields `summaries/`: sentences of summaries, and false ones as a careless model would write them."""
    for path in files_of("summaries"):
        for at, row in enumerate(rows_in(path)):
            for y, claims in kinds_of(row):
                for claim in claims:
                    yield row["source"], claim, y, "summaries", at % 8 == 5, WEIGHTS["twins"]


def later(_):
    """Yields `later/`, which is not used in training."""
    for row in rows_of("later").values():
        for y, claims in kinds_of(row):
            for claim in claims:
                yield row["source"], claim, y, "later", True, 0.0


def all_claims():
    chance = random.Random(3)
    for kind in (public, answers, made, by_hand, twins, summaries, later):
        for passage, claim, *rest in kind(chance):
            yield (clean(passage), clean(claim), *rest)
