"""Writes `data/nli.jsonl` in the work folder from public entailment sets; public_questions.py handles questions.

`python public.py`. Each set is read from a snapshot of a public repository: a git repository at `public/OWNER+NAME` in
the work folder, as listed in README.md; nothing is fetched. Most are development and test splits, because the training
splits are too large for the snapshots. The same snapshots give the same file.

Rows: {set, lang, p, h, y}; y: 0 entailed, 1 not said, 2 denied, 3 either 1 or 2.
"""

import collections
import csv
import io
import json
import random
import re
import subprocess
import typing
import zipfile

from paths import WORK

# Maximum rows per set. Rule-generated sets have more rows than are useful.
MOST = {"conjnli-adv": 12000}

THREE = {"entailment": 0, "neutral": 1, "contradiction": 2, "SUPPORTS": 0, "REFUTES": 2}
TWO = {"1": 0, "0": 3}


class Source(typing.NamedTuple):
    """Files of one format that make up a set, or a part of it if several sources have the same name."""

    name: str
    language: str
    repository: str
    paths: tuple
    form: str
    # Columns of the premise, the hypothesis and the label. Rows whose label is not in `labels` are left out.
    columns: tuple
    labels: dict = THREE
    # Whether the text is tokenized, so that punctuation must be reattached.
    tokens: bool = False
    encoding: str = "utf-8-sig"


COLLECTED = "felipessalvatore/NLI_datasets"
COUNTERFACTUAL = "acmi-lab/counterfactually-augmented-data"
SYMMETRIC = "TalSchuster/FeverSymmetric"
NEGATION = "mosharafhossain/negation-and-nli"
CLEAN = "data/new_benchmarks/clean_data"
MESH = "GautamGupta17/MESH"

PAIR = ("premise", "hypothesis", "label")
SENTENCES = ("sentence1", "sentence2", "gold_label")
CONJUNCTION = ("Premise", "Hypothesis", "Label")
NEGATED = ("Text", "Hypothesis", "gold_label")
MONOTONE = ("ori_sentence", "new_sentence", "gold_label")
PARAPHRASE = ("sentence1", "sentence2", "label")

SOURCES = [
    Source("multinli-dev", "en", COLLECTED, ("nli_datasets/mnli/dev.csv",), "csv", PAIR),
    Source("snli-dev", "en", COLLECTED, ("nli_datasets/snli/dev.csv",), "csv", PAIR),
    Source(
        "snli-counterfactual",
        "en",
        COUNTERFACTUAL,
        ("NLI/all_combined/train.tsv", "NLI/all_combined/dev.tsv", "NLI/all_combined/test.tsv"),
        "tsv",
        SENTENCES,
    ),
    Source(
        "fever-symmetric",
        "en",
        SYMMETRIC,
        ("symmetric_v0.2/fever_symmetric_dev.jsonl", "symmetric_v0.2/fever_symmetric_test.jsonl"),
        "jsonl",
        ("evidence", "claim", "gold_label"),
        tokens=True,
    ),
    Source(
        "fever-symmetric",
        "en",
        SYMMETRIC,
        ("symmetric_v0.1/fever_symmetric_full.jsonl",),
        "jsonl",
        ("evidence_sentence", "claim", "label"),
        tokens=True,
    ),
    Source("conjnli-dev", "en", "swarnaHub/ConjNLI", ("data/NLI/conj_dev.tsv",), "tsv", CONJUNCTION),
    Source("conjnli-adv", "en", "swarnaHub/ConjNLI", ("data/NLI/adversarial_train_15k.tsv",), "tsv", CONJUNCTION),
    Source("med", "en", "verypluming/MED", ("MED.tsv",), "tsv", SENTENCES),
    Source(
        "help-and-or",
        "en",
        "verypluming/HELP",
        ("output_en/leskexppmb_and.tsv", "output_en/leskexppmb_or.tsv"),
        "tsv",
        MONOTONE,
        tokens=True,
    ),
    Source("breaking-nli", "en", "BIU-NLP/Breaking_NLI", ("breaking_nli_dataset.zip",), "zip", SENTENCES),
    Source("negnli-mnli", "en", NEGATION, (f"{CLEAN}/MNLI.txt",), "tsv", NEGATED, encoding="cp1252"),
    Source("negnli-snli", "en", NEGATION, (f"{CLEAN}/SNLI.txt",), "tsv", NEGATED, encoding="cp1252"),
    Source("pawsx-de", "de", MESH, ("data/pawsx/dev-de.tsv",), "cells", (0, 1, 2), TWO, tokens=True),
    Source("pawsx-de", "de", MESH, ("data/pawsx/tsv_files/test-de.tsv",), "tsv", PARAPHRASE, TWO, tokens=True),
    Source("pawsx-en", "en", MESH, ("data/pawsx/dev-en.tsv",), "cells", (0, 1, 2), TWO, tokens=True),
    Source("hurte", "hu", "nytud/HuRTE", ("data/rte_train.json", "data/rte_dev.json"), "json", PAIR, TWO),
    Source("huwnli", "hu", "nytud/HuWNLI", ("data/train.json", "data/dev.json"), "json", PARAPHRASE, TWO),
    Source("hucb", "hu", "nytud/HuCommitmentBank", ("data/hucb_train.json", "data/hucb_dev.json"), "json", PAIR),
]


def shown(repository, path, revision="HEAD"):
    """Returns a file's bytes from a repository's snapshot."""
    folder = WORK / "public" / repository.replace("/", "+")
    command = ["git", "-C", str(folder), "show", f"{revision}:{path}"]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout


def read(repository, path, encoding="utf-8-sig"):
    return shown(repository, path).decode(encoding)


def records(text):
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def table(text, delimiter, quoting):
    return list(csv.DictReader(io.StringIO(text), delimiter=delimiter, quoting=quoting))


def entries(source, path):
    """Returns a file's rows as mappings from column to value."""
    if source.form == "zip":
        packed = zipfile.ZipFile(io.BytesIO(shown(source.repository, path)))
        name = next(n for n in packed.namelist() if n.endswith(".jsonl") and not n.startswith("__MACOSX"))
        return records(packed.read(name).decode())
    text = read(source.repository, path, source.encoding)
    if source.form == "csv":
        return table(text, ",", csv.QUOTE_MINIMAL)
    if source.form == "tsv":
        return table(text, "\t", csv.QUOTE_NONE)
    if source.form == "cells":
        # No header line.
        return [dict(enumerate(line.split("\t"))) for line in text.splitlines()]
    return json.loads(text) if source.form == "json" else records(text)


def joined(text):
    """Rebuilds a text from tokens: reattaches brackets, quotes, punctuation and English contractions."""
    for token, mark in {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "``": '"', "''": '"', "~": " "}.items():
        text = text.replace(token, mark)
    text = re.sub(r" +([.,;:!?%)\]])", r"\1", text)
    text = re.sub(r"([(\[]) +", r"\1", text)
    text = re.sub(r" +(n't|'s|'re|'ve|'ll|'d|'m)\b", r"\1", text)
    return text.replace(" -- ", " – ")


def pairs(source):
    premise, hypothesis, label = source.columns
    tidy = joined if source.tokens else str
    for path in source.paths:
        for row in entries(source, path):
            y = source.labels.get((row.get(label) or "").strip())
            if y is not None:
                yield tidy(row[premise]), tidy(row[hypothesis]), y


def snli_test():
    """SNLI's test split as in e-SNLI: premises, hypotheses and labels in three parallel files."""
    files = [read("OanaMariaCamburu/e-SNLI", f"dataset/eSNLI/{part}.test") for part in ("s1", "s2", "labels")]
    for premise, hypothesis, label in zip(*(text.splitlines() for text in files), strict=True):
        yield joined(premise), joined(hypothesis), THREE[label.strip()]


def fool_me_twice():
    """Deceptive claims with the evidence sentences chosen by their authors, joined."""
    for part in ("dev", "test"):
        for row in records(read("google-research/fool-me-twice", f"dataset/{part}.jsonl")):
            yield " ".join(one["text"] for one in row["gold_evidence"]), row["text"], THREE[row["label"]]


def entailment():
    """Returns all entailment sets: (set, language) to rows (premise, hypothesis, label)."""
    sets = collections.defaultdict(list)
    for source in SOURCES:
        sets[source.name, source.language] += pairs(source)
    sets["snli-test", "en"] += snli_test()
    sets["fool-me-twice", "en"] += fool_me_twice()
    return sets


def kept(name, rows):
    """Returns a set's rows, deduplicated by text pair, shuffled, up to the set's maximum."""
    once = {}
    for first, second, y in rows:
        first, second = " ".join(first.split()), " ".join(second.split())
        if first and second:
            once.setdefault((first, second), y)
    found = list(once.items())
    random.Random(1).shuffle(found)
    return found[: MOST.get(name)]


def write(file, sets, keys):
    (WORK / "data").mkdir(parents=True, exist_ok=True)
    with open(WORK / "data" / file, "w", encoding="utf-8") as out:
        for (name, language), rows in sets.items():
            found = kept(name, rows)
            print(name, len(found), dict(sorted(collections.Counter(y for _, y in found).items())))
            for texts, y in found:
                row = {"set": name, "lang": language, **dict(zip(keys, texts)), "y": y}
                out.write(json.dumps(row, ensure_ascii=False) + "\n")


def main():
    write("nli.jsonl", entailment(), ("p", "h"))


if __name__ == "__main__":
    main()
