"""Gathers the input of learn.py, so that it can run on a machine with only numpy and torch.

`python gather.py` writes two files into the work folder. `start.npz` contains the published layers, and encoder and
reader as shipped; `data.npz` the tokenized texts, passages with their parts and questions, public questions, claims, and
InsuranceQA's answers.
"""

import json
import random
import unicodedata

import numpy as np

import claims
from packed import Packed
from paths import DATA, PACKED, WORK
from restore import shipped_encoder, shipped_reader
from vocabulary import tokenizer
from written import clean, notes, rows_in, sections, sources

# Folds of InsuranceQA's questions that are held back: positions 0 and 1 of each five.
FOLDS, HELD_FOLDS = 5, 2
LANGUAGES = ("cs", "sk", "en", "de", "pl", "hu", "other")
MATRICES = {"q": (384, 384), "k": (384, 384), "v": (384, 384), "o": (384, 384), "fi": (1536, 384), "fo": (384, 1536)}
PUBLISHED = {"o": "ao", "n1": "aln", "n2": "oln"}


class Texts:
    """Stores each text once and returns its index."""

    def __init__(self):
        self.places = {}

    def place(self, text):
        return self.places.setdefault(text, len(self.places))


def without_accents(text):
    bare = "".join(one for one in unicodedata.normalize("NFD", text) if not unicodedata.combining(one))
    return bare.replace("ł", "l").replace("ß", "ss")


def joined(passage, others, chance):
    """Combines a source with one or two others of its language and split: evidence is rarely alone in a passage."""
    alike = [other for other in others if other is not passage and other.is_held_back == passage.is_held_back]
    texts = [passage.text, *(other.text for other in chance.sample(alike, chance.randint(1, 2)))]
    chance.shuffle(texts)
    return "\n".join(texts)


def passages(texts):
    """Columns of passages, of their parts with and without title, and of their questions with the answering parts."""
    chance = random.Random(1)
    short, long = list(sources()), [*sections(), *notes()]
    by_language = {language: [one for one in short if one.language == language] for language in LANGUAGES}
    folders = sorted({question.folder for one in [*short, *long] for question in one.questions})
    of_passages, parts, questions, says, names, documents = [], [], [], [], {}, {}
    for place, one in enumerate([*short, *long]):
        second = joined(one, by_language[one.language], chance) if place < len(short) else one.text
        row = (texts.place(one.text), texts.place(clean(second)), LANGUAGES.index(one.language), one.is_held_back)
        name, document = names.setdefault(one.name, len(names)), documents.setdefault(one.document, len(documents))
        of_passages.append((*row, len(parts), len(parts) + len(one.parts), name, document))
        parts += [(texts.place(with_title), texts.place(part)) for with_title, part in zip(one.titled(), one.parts)]
        for asked in one.questions:
            where = (len(says), len(says) + len(asked.says))
            says += asked.says
            language = LANGUAGES.index(asked.language)
            questions.append((texts.place(asked.text), place, asked.is_answered, language, folders.index(asked.folder), *where))
    return {
        "passages": np.array(of_passages),
        "parts": np.array(parts),
        "questions": np.array(questions),
        "says": np.array(says),
        "folders": np.array(folders),
    }


def public_questions(texts):
    """Rows: question, passage, is answered, set, is held back."""
    sets, rows, counts = [], [], {}
    for one in rows_in(WORK / "data/qa.jsonl"):
        name = one["set"]
        if name not in counts:
            sets.append(name)
        counts[name] = counts.get(name, 0) + 1
        held = counts[name] <= 150 and name in ("squad2-dev", "poquad", "mlqa-test-de")
        rows.append((texts.place(clean(one["q"])), texts.place(clean(one["passage"])), one["y"], sets.index(name), held))
    return {"asked": np.array(rows), "asked_sets": np.array(sets)}


def all_claims(texts):
    """Rows: passage, claim, label, set, is held back, weight."""
    sets, rows = [], []
    for passage, claim, y, name, held, weight in claims.all_claims():
        if name not in sets:
            sets.append(name)
        rows.append((texts.place(passage), texts.place(claim), y, sets.index(name), held, weight))
    return {"claims": np.array(rows), "claim_sets": np.array(sets)}


def insurance(texts):
    """InsuranceQA's bank, and rows: question, answer, index of the question, is held back."""
    answers = rows_in(DATA / "insuranceqa/answers.jsonl")
    place = {row["id"]: texts.place(clean(row["text"])) for row in answers}
    rows = [
        (texts.place(clean(row["question"])), place[one], at, at % FOLDS < HELD_FOLDS)
        for at, row in enumerate(rows_in(DATA / "insuranceqa/questions-valid.jsonl"))
        for one in row["gold"]
        if one in place
    ]
    return {"bank": np.array(list(place.values())), "insurance": np.array(rows)}


def tokens_of(texts, tokens):
    encoded = [one.ids for one in tokens.encode_batch(list(texts.places))]
    return {
        "tokens": np.array([piece for one in encoded for piece in one], dtype=np.uint16),
        "offsets": np.cumsum([0, *map(len, encoded)]).astype(np.int32),
        "query": np.array(tokens.encode("query:").ids),
        "passage": np.array(tokens.encode("passage:").ids),
    }


def bare_questions(texts, columns):
    """Returns, for each question, the index of its text without accents, as many people type; for others its own."""
    asked = {*columns["questions"][:, 0], *columns["asked"][:, 0], *columns["insurance"][:, 0]}
    known = list(texts.places)
    bare = [texts.place(without_accents(text)) if at in asked else at for at, text in enumerate(known)]
    return {"bare": np.array([*bare, *range(len(known), len(texts.places))])}


def data(packed, kept):
    texts = Texts()
    columns = {**passages(texts), **public_questions(texts), **all_claims(texts), **insurance(texts)}
    columns |= bare_questions(texts, columns)
    print(len(texts.places), "texts;", {name: len(column) for name, column in columns.items()})
    return columns | tokens_of(texts, tokenizer([packed.pieces[i] for i in kept], packed.scores[kept], 3))


def blocks(packed, name, rows, keep=slice(None)):
    """Returns a published 4-bit matrix: values from 0 to 15, and a scale per 32 values."""
    raw = packed.raw(name).reshape(rows, -1, 18)[keep]
    scales, pairs = raw[:, :, :2].copy().view(np.float16)[..., 0], raw[:, :, 2:]
    return {"values": np.concatenate([pairs & 15, pairs >> 4], 2), "scales": scales}


def published(packed, kept):
    def put(key, matrix):
        made.update({f"{key}|{part}": column for part, column in matrix.items()})

    made = {
        "emb.pos.weight": packed.floats("emb.pos").reshape(-1, 384) + packed.floats("emb.type")[:384],
        "emb.norm.weight": packed.floats("emb.ln.w"),
        "emb.norm.bias": packed.floats("emb.ln.b"),
    }
    put("emb.word.weight", blocks(packed, "emb.word", packed.dir["emb.word"][1] // packed.H, kept))
    for layer in range(packed.NL):
        for name, (rows, _) in MATRICES.items():
            where = f"l{layer}.{PUBLISHED.get(name, name)}"
            put(f"layers.{layer}.{name}.weight", blocks(packed, f"{where}.w", rows))
            made[f"layers.{layer}.{name}.bias"] = packed.floats(f"{where}.b")
        for name in ("n1", "n2"):
            where = f"l{layer}.{PUBLISHED[name]}"
            made[f"layers.{layer}.{name}.weight"] = packed.floats(f"{where}.w")
            made[f"layers.{layer}.{name}.bias"] = packed.floats(f"{where}.b")
    return made


def main():
    packed, kept = Packed(PACKED), json.load(open(WORK / "kept.json"))
    np.savez(WORK / "data.npz", **data(packed, kept))
    states = {"reader": shipped_reader(), "encoder": shipped_encoder()}
    shipped = {f"{kind}.{name}": value.half().numpy() for kind, state in states.items() for name, value in state.items()}
    np.savez(WORK / "start.npz", **published(packed, kept), **shipped)


if __name__ == "__main__":
    main()
