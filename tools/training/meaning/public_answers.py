"""Writes `data/answers.jsonl` in the work folder from public sets of model- and human-written texts about a source.

`python public_answers.py`. Each set is read from a snapshot of a public repository, as in public.py. A claim's passage is
the one that the product would read: the sentences of the source nearest by their words.

Rows: {set, p, h, y}; y: 0 entailed, 1 not said, 2 denied, 3 either 1 or 2.
"""

import collections
import difflib
import json
import math
import random
import re
import subprocess

from paths import DATA, WORK

# Maximum rows per set, characters per passage and sentences per passage; minimum words per claim.
MOST, LONGEST, SENTENCES, WORDS = 15000, 700, 5, 4
# Minimum weighted share of a claim's words in a passage if the label applies only to the whole document.
COVERED = 0.55

STOP = set(
    "a an the of to in on at by for from with as and or but that this these those is are was were be been being has have "
    "had do does did it its he she they them his her their who which what when where how not no will would can could may "
    "might should into than then there also".split()
)
ABBREVIATED = re.compile(
    r"\b(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|etc|No|Inc|Ltd|Co|Corp|Gen|Sen|Rep|Gov|Lt|Col|Sgt|Capt|al|Fig|Sec|Art|approx|"
    r"i\.e|e\.g|cf|[A-Z]|U\.S|U\.K|a\.m|p\.m|Jan|Feb|Mar|Apr|Aug|Sept|Sep|Oct|Nov|Dec)\.$"
)


# Pages without content.
NOTICE = re.compile(r"reCAPTCHA|unusual traffic|enable JavaScript|JavaScript enabled|Access Denied", re.I)


def shown(repository, path):
    """Returns a file's text from a repository's snapshot."""
    command = ["git", f"--git-dir={WORK / 'public' / repository.replace('/', '+')}", "show", f"HEAD:{path}"]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.decode("utf-8-sig")


def records(text):
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def tidy(text):
    """Returns a detokenized text with single spaces."""
    for token, mark in {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "``": '"', "''": '"'}.items():
        text = text.replace(token, mark)
    text = re.sub(r" +([.,;:!?%)\]])", r"\1", text)
    text = re.sub(r"([(\[]) +", r"\1", text)
    text = re.sub(r" +(n't|'s|'re|'ve|'ll|'d|'m)\b", r"\1", text)
    return " ".join(text.replace(" -- ", " – ").split())


def pieces(sentence, longest=450):
    """Splits an overlong sentence (lists, tables, pages without full stops)."""
    if len(sentence) <= longest:
        return [sentence]
    words, parts = sentence.split(), []
    while words:
        end = min(60, len(words))
        # Prefers a clause boundary that is late enough.
        end = next((i for i in range(end, 30, -1) if words[i - 1].endswith((";", ":", ","))), end)
        parts.append(" ".join(words[:end]))
        words = words[end:]
    return parts


def sentences(text):
    """Returns the sentences of a text, in order."""
    found = []
    for line in re.split(r"\n+", text):
        kept = ""
        for part in re.split(r"(?<=[.!?])(?=\s)|(?<=[.!?][\"'”’)\]])(?=\s)", line):
            kept += part
            following = line[len(kept) :].lstrip() if line.startswith(kept) else ""
            if ABBREVIATED.search(kept) or (following and following[0].islower()):
                continue
            found.append(kept)
            line, kept = line[len(kept) :], ""
        found.append(kept)
    return [piece for one in found if (plain := " ".join(one.split())) for piece in pieces(plain)]


def terms(text):
    """Returns the content words, without their endings."""
    words = re.findall(r"[^\W_]+(?:[.,]\d+)*", text.lower())
    return {re.sub(r"(?:ing|ed|es|s|ly)$", "", w)[:7] if len(w) > 4 else w for w in words if w not in STOP}


class Document:
    """A source split into sentences, with a weight for each word."""

    def __init__(self, parts):
        self.parts = list(parts)
        self.terms = [terms(part) for part in self.parts]
        counts = collections.Counter(term for one in self.terms for term in one)
        self.weights = {term: math.log(1 + len(self.parts) / n) for term, n in counts.items()}

    def weight(self, term):
        return self.weights.get(term, math.log(1 + max(1, len(self.parts))))

    def near(self, claim, given=()):
        """Returns the indices of the sentences nearest to a claim, after those `given`, up to the passage limits."""
        wanted = terms(claim)
        scores = [sum(map(self.weight, wanted & one)) / (1 + len(one)) ** 0.25 for one in self.terms]
        # Skips titles and duplicates.
        others = {i for part, i in {part: i for i, part in enumerate(self.parts)}.items() if len(self.terms[i]) > 2}
        order = [*given, *sorted(others - set(given), key=lambda i: -scores[i])]
        chosen, length = [], 0
        for i in order:
            enough = len(chosen) >= 3 and scores[i] == 0
            if not enough and len(chosen) < SENTENCES and length + len(self.parts[i]) + 1 <= LONGEST:
                chosen.append(i)
                length += len(self.parts[i]) + 1
        return sorted(chosen)

    def passage(self, claim, given=()):
        return " ".join(self.parts[i] for i in self.near(claim, given))

    def covered(self, claim, passage):
        """Returns the weighted share of a claim's words that a passage contains."""
        wanted, had = terms(claim), terms(passage)
        total = sum(map(self.weight, wanted))
        return sum(map(self.weight, wanted & had)) / total if total else 0


def row(passage, claim, label):
    return {"p": tidy(passage), "h": tidy(claim), "y": label}


def numbers(text):
    return set(re.findall(r"\d+(?:[.,]\d+)*", text))


def judged(document, claim, label, covered=COVERED):
    """
    Yields a row for a claim labelled against the whole document. Skips a claim whose passage has too few of its words,
    since that would give the label away, and an entailed claim with numbers that the passage lacks.
    """
    passage = document.passage(claim)
    if re.search(r"[,:?]$", claim) or NOTICE.search(passage) or document.covered(claim, passage) < covered:
        return
    if label != 0 or not numbers(claim) - numbers(passage):
        yield row(passage, claim, label)


def changed(before, after):
    """Returns the only sentence of `after` that is not in `before`, or None if there is not exactly one."""
    old = {" ".join(one.split()) for one in before}
    new = [one for one in after if " ".join(one.split()) not in old]
    return new[0] if len(new) == 1 and len(before) == len(after) else None


# Contracts: evidence is marked, so it comes first in the passage, before sentences near by words.


def opening(text, spans, i):
    """Returns the span that opens the list of an item, if there is one nearby."""
    item = re.match(r"\s*(?:[-•*]|\(?[a-zA-Z0-9]{1,4}[.)])\s", text[slice(*spans[i])]) or text[spans[i][0]].islower()
    if not item:
        return None
    return next((j for j in range(i - 1, max(-1, i - 8), -1) if text[slice(*spans[j])].rstrip().endswith(":")), None)


def contract(document, hypotheses):
    text, spans = document["text"], document["spans"]
    parts = Document(" ".join(text[a:b].split()) for a, b in spans)
    for key, found in document["annotation_sets"][0]["annotations"].items():
        claim = hypotheses[key]["hypothesis"]
        label = {"Entailment": 0, "NotMentioned": 1, "Contradiction": 2}[found["choice"]]
        # Marked spans repeat each other: take the nearest two, each after the opening of its list.
        marked = [i for i in parts.near(claim, found["spans"]) if i in found["spans"]] if found["spans"] else []
        marked = sorted(marked, key=lambda i: -len(terms(claim) & parts.terms[i]))[:2]
        given = [j for i in marked for j in (opening(text, spans, i), i) if j is not None]
        if label == 1 or marked:
            yield row(parts.passage(claim, dict.fromkeys(given)), claim, label)


def contractnli():
    for part in ("train_truncated", "dev", "test"):
        data = json.loads(shown("TAOC0002/contract-nli", f"data/contract-nli/{part}.json"))
        for document in data["documents"]:
            yield from contract(document, data["labels"])


# Summaries edited in one place by a model or a person.


def edited(one):
    """Returns the row for the one edited sentence of a SummEdits summary."""
    kinds = set(one["edit_types"] or [])
    if kinds and kinds <= {"entity_modification", "antonym_swap", "negation_insertion"}:
        return 2
    return 1 if kinds == {"hallucinated_fact_insertion"} else 3


def summedits(domain):
    def rows():
        data = json.loads(shown("salesforce/factualNLG", f"data/summedits/summedits_{domain}.json"))
        documents = {one["doc"]: Document(sentences(one["doc"])) for one in data}
        for one in data:
            document = documents[one["doc"]]
            parts = sentences(one["summary"])
            if one["label"] == 1:
                for part in parts:
                    yield from judged(document, part, 0)
            elif one.get("original_summary") and (part := changed(sentences(one["original_summary"]), parts)):
                yield from judged(document, part, edited(one))

    return rows


def bump():
    for task in ("task1", "task2"):
        for one in json.loads(shown("dataminr-ai/BUMP", f"data/{task}_dataset.json")):
            document = Document(sentences(re.sub(r"^\((?:CNN|Reuters)\)\s*(?:--\s*)?", "", one["article"])))
            before = sentences(tidy(one["reference_summary"]))
            after = sentences(tidy(one["edited_summary"]))
            kind = one.get("corrected_error_type") or one["error_type"]
            for part in before:
                yield from judged(document, part, 0)
            if (part := changed(before, after)) and "Coreference" not in kind:
                yield from judged(document, part, 2 if "Intrinsic" in kind else 3)


def bamboo():
    """Abstracts of papers, original and edited by a model; only sentences present in both versions."""
    papers = collections.defaultdict(lambda: {True: [], False: []})
    for file in ("abshallu_4k", "senhallu_4k"):
        for one in records(shown("RUCAIBox/BAMBOO", f"datasets/{file}.jsonl")):
            papers[one["content"]][one["answer"]].append(sentences(one["hypothesis"].replace("..", ".")))
    for content, found in papers.items():
        document, true = Document(sentences(content)), {part for parts in found[True] for part in parts}
        for part in true:
            if not re.search(r"[*†‡]|\d ?\.$", part):
                yield from judged(document, part, 0, covered=0.7)
        for parts in found[False]:
            for part in parts if true else ():
                like = difflib.get_close_matches(part, true, 1, 0.6)
                if like and part not in true and like[0] not in parts:
                    yield from judged(document, part, 3)


# Claims with the text they cite, or that a search found.


def wice():
    """Wikipedia claims, and parts of them, with the cited pages, in which supporting sentences are marked."""
    files = [f"entailment_retrieval/claim/{part}" for part in ("dev", "test")]
    files += [f"non_supported_tokens/{part}" for part in ("train", "dev", "test")]
    for file in files:
        for one in records(shown("ryokamoi/wice", f"data/{file}.jsonl")):
            plain = [" ".join(re.sub(r"^\(meta data\) [A-Z ]+:|^#+", "", part).split()) for part in one["evidence"]]
            kept = {i: part for i, part in enumerate(plain) if len(part) < LONGEST / 2}
            places = {i: place for place, i in enumerate(kept)}
            best = min(one.get("supporting_sentences") or [[]], key=len)
            given = [places[i] for i in best if i in places]
            label = 0 if one["label"] == "supported" else 3
            if label == 0 and len(given) < len(best):
                continue
            yield row(Document(kept.values()).passage(one["claim"], given), one["claim"], label)


def fever():
    """FEVER's claims with sentences of Wikipedia, in two classes."""
    for part in ("test", "dev"):
        for line in shown("salesforce/DocNLI", f"Data/binary-FEVER-NLI/{part}.txt").split("\n"):
            if line.count("\t") == 2:
                label, evidence, claim = line.split("\t")
                document = Document(sentences(tidy(evidence)))
                yield from judged(document, claim, 0 if label == "entailment" else 3)


DOMAINS = ("news", "sales_email", "sales_call", "ectsum", "scitldr")
SETS = {
    "contractnli": contractnli,
    **{f"summedits-{domain.replace('_', '-')}": summedits(domain) for domain in DOMAINS},
    "bump": bump,
    "bamboo": bamboo,
    "wice": wice,
    "fever-nli": fever,
}


def runs(text):
    """Returns all sequences of ten words."""
    words = re.findall(r"\w+", text.lower())
    return {tuple(words[at : at + 10]) for at in range(len(words) - 9)}


def measured():
    """Returns the sources of the labelled answers that the engines are evaluated on."""
    files = (DATA / "faithfulness").glob("*.jsonl")
    return {run for path in files for one in records(path.read_text()) for text in one["sources"] for run in runs(text)}


def kept(rows, known):
    """Returns deduplicated, shuffled pairs with long enough claims, without sources used for evaluation."""
    once = {}
    for made in rows:
        if made["p"] and len(made["h"].split()) >= WORDS and known.isdisjoint(runs(made["p"])):
            once.setdefault((made["p"], made["h"]), made)
    found = list(once.values())
    random.Random(1).shuffle(found)
    return found[:MOST]


def main():
    known = measured()
    with open(WORK / "data/answers.jsonl", "w", encoding="utf-8") as out:
        for name, rows in SETS.items():
            found = kept(rows(), known)
            print(name, len(found), dict(sorted(collections.Counter(made["y"] for made in found).items())), flush=True)
            for made in found:
                out.write(json.dumps({"set": name, **made}, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
