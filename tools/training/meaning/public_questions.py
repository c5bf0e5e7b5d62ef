"""Writes `data/qa.jsonl` in the work folder from public question sets, as public.py writes nli.jsonl.

`python public_questions.py`. Rows: {set, lang, q, passage, y}; y: 1 the passage answers the question, 0 it does not.
If a set has only answered questions, negatives are taken from near the answer, or by shared words.
"""

import collections
import csv
import json
import math
import random
import re
import typing

from public import COLLECTED, MESH, read, shown, table, write

# In words: the window of a passage around its answer, and the cut-off for a single longer sentence.
WINDOW, LONGEST = 120, 150


def window(passage, at, chance, most=WINDOW):
    """Returns whole sentences of a passage around the character `at`, or anywhere, up to `most` words. The numbers of
    sentences before and after are random, so that an answer's position gives nothing away."""
    found = re.finditer(r""".+?(?:[.!?]["”»)\]]*(?=\s|$)|\n+|$)""", passage, re.S)
    spans = [one.span() for one in found if one.group().strip()]
    lengths = [len(passage[start:end].split()) for start, end in spans]
    if at is not None:
        first = next((n for n, (_, end) in enumerate(spans) if at < end), len(spans) - 1)
    else:
        first = chance.randrange(len(spans)) if len(passage.split()) > most else 0
    last, total = first, lengths[first]
    while True:
        sides = [n for n in (first - 1, last + 1) if 0 <= n < len(spans) and total + lengths[n] <= most]
        if not sides:
            break
        side = chance.choice(sides)
        first, last, total = min(first, side), max(last, side), total + lengths[side]
    return " ".join(passage[spans[first][0] : spans[last][1]].split()[:LONGEST])


def says(passage, answer):
    """Whether a passage contains the text of an answer; false if the answer is unknown."""
    return answer is not None and answer.lower().strip() in passage.lower()


def elsewhere(passages, at, answer, chance):
    """Returns text without the answer: one of the article's nearest passages, or else a part of the same passage."""
    rest = [n for n, passage in enumerate(passages) if n != at and not says(passage, answer)]
    near = sorted(rest, key=lambda n: abs(n - at))[:4]
    if near:
        return window(passages[chance.choice(near)], None, chance)
    passage = passages[at]
    # In a shorter passage, a part without the answer would often be an empty line.
    for _ in range(6 if len(passage.split()) > 200 else 0):
        part = window(passage, chance.randrange(len(passage)), chance, most=80)
        if len(part.split()) > 25 and not says(part, answer):
            return part
    return None


def asked(articles, chance, with_elsewhere=True):
    """Yields rows (question, passage, label) of SQuAD-format articles. An unanswerable question keeps its passage,
    where an answer would be looked for; an answerable one is also paired with text that does not contain the answer."""
    for article in articles:
        passages = [paragraph["context"] for paragraph in article["paragraphs"]]
        for at, paragraph in enumerate(article["paragraphs"]):
            for one in paragraph["qas"]:
                if one.get("is_impossible"):
                    plausible = one.get("plausible_answers")
                    place = plausible[0]["answer_start"] if plausible else None
                    yield one["question"], window(passages[at], place, chance), 0
                elif one.get("answers"):
                    answer = one["answers"][0]
                    yield one["question"], window(passages[at], answer["answer_start"], chance), 1
                    other = elsewhere(passages, at, answer["text"], chance) if with_elsewhere else None
                    if other:
                        yield one["question"], other, 0


class Answered(typing.NamedTuple):
    question: str
    passage: str
    answer: str | None
    # The beginning of the full text that contains the passage.
    origin: str


def answered(articles, chance):
    for article in articles:
        for paragraph in article["paragraphs"]:
            context = paragraph["context"]
            for one in paragraph["qas"]:
                if one.get("answers") and not one.get("is_impossible"):
                    answer = one["answers"][0]
                    passage = window(context, answer["answer_start"], chance)
                    yield Answered(one["question"], passage, answer["text"], context[:60])


def words(text):
    # Sorted, because the order of a floating-point sum affects its last digits and thus the ranking.
    return sorted(set(re.findall(r"\w{3,}", text.lower())))


def alike(found, chance, share=1.0):
    """Yields rows for a share of the answered questions with a passage of another text that does not answer them,
    although it shares the most and rarest words: one of the top three."""
    origins = {}
    for one in found:
        origins.setdefault(one.passage, one.origin)
    passages = list(origins)
    having = collections.defaultdict(list)
    for n, passage in enumerate(passages):
        for word in words(passage):
            having[word].append(n)
    for one in found:
        if chance.random() > share:
            continue
        scores = collections.Counter()
        for word in words(one.question):
            # Too frequent a word to be informative.
            if len(having[word]) <= 200:
                for n in having[word]:
                    scores[n] += math.log(len(passages) / len(having[word]))
        best = [passages[n] for n, _ in scores.most_common(12)]
        best = [other for other in best if origins[other] != one.origin and not says(other, one.answer)]
        other = chance.choice(best[:3]) if best else passages[chance.randrange(len(passages))]
        if not says(other, one.answer):
            yield one.question, other, 0


def with_alike(found, chance):
    return [(one.question, one.passage, 1) for one in found] + list(alike(found, chance))


def articles_of(repository, path, revision="HEAD"):
    return json.loads(shown(repository, path, revision).decode("utf-8-sig"))["data"]


def qnli():
    for row in table(read(COLLECTED, "nli_datasets/qnli/dev.csv"), ",", csv.QUOTE_MINIMAL):
        sentence = " ".join(row["hypothesis"].split()[:LONGEST])
        yield row["premise"], sentence, int(row["label"] == "entailment")


def poquad():
    """Two releases, deduplicated by question. Articles have one passage each, so negatives are found by words."""
    # The November release: the next one has no file that is small enough.
    articles = articles_of("dudiiiiiiii/poquad", "poquad_dev.json", "8f31dfe")
    articles += articles_of("ipipan/poquad", "data.json")
    seen = set()
    for article in articles:
        for paragraph in article["paragraphs"]:
            new = []
            for one in paragraph["qas"]:
                key = (one["question"], paragraph["context"][:60])
                if key not in seen:
                    seen.add(key)
                    new.append(one)
            paragraph["qas"] = new
    chance = random.Random(1)
    rows = list(asked(articles, chance))
    return rows + list(alike(list(answered(articles, chance)), chance, 0.6))


def mlqa_dev(language):
    chance = random.Random(1)
    path = f"data/mlqa/MLQA_V1/dev/dev-context-{language}-question-{language}.json"
    return with_alike(list(answered(articles_of(MESH, path), chance)), chance)


def mlqa_test_files(names):
    for name in names:
        for article in articles_of(MESH, f"data/mlqa/MLQA_V1/test/test-{name}.json"):
            yield from article["paragraphs"]


def mlqa_test():
    """German questions joined by id to German passages, which the snapshot only has with other languages. Answers
    are blank, so short passages are taken whole, and a similar one may happen to answer."""

    german = [f"context-{language}-question-de" for language in ("es", "vi", "zh")]
    questions = {one["id"]: one["question"] for paragraph in mlqa_test_files(german) for one in paragraph["qas"]}
    beside = [f"context-de-question-{language}" for language in ("es", "hi", "vi", "ar", "zh")]
    found = {}
    for paragraph in mlqa_test_files(beside):
        passage = " ".join(paragraph["context"].split())
        for one in paragraph["qas"]:
            if one["id"] in questions and len(passage.split()) <= WINDOW:
                found[one["id"]] = Answered(questions[one["id"]], passage, None, passage[:60])
    return with_alike(list(found.values()), random.Random(1))


def tydiqa():
    chance = random.Random(1)
    path = "data/tydiqa/tydiqa-goldp-v1.1-train/tydiqa.goldp.en.train.json"
    # A few answers are longer than the window, or spaced differently.
    found = [one for one in answered(articles_of(MESH, path), chance) if says(one.passage, one.answer)]
    return with_alike(found, chance)


def did_you_know():
    """Polish questions with passages judged by people."""
    for part in ("train", "dev"):
        for line in read("trybalad/BERT", f"data/klej_dyk/{part}.tsv").splitlines():
            _, question, answer, label = line.split("\t")
            question, passage, y = question.strip(), answer.split(), int(label)
            # A longer passage's answer may be in the part cut off.
            if not y or len(passage) <= LONGEST:
                yield question[0].upper() + question[1:], " ".join(passage[:LONGEST]), y


def questions():
    """Returns all question sets: (set, language) to rows (question, passage, label)."""
    xquad = {language: articles_of("google-deepmind/xquad", f"xquad.{language}.json") for language in ("de", "en")}
    squad = articles_of("chrischute/squad", "data/dev-v2.0.json")
    return {
        ("xquad-de", "de"): asked(xquad["de"], random.Random(1)),
        ("xquad-en", "en"): asked(xquad["en"], random.Random(1)),
        # It already has enough unanswered questions.
        ("squad2-dev", "en"): asked(squad, random.Random(1), with_elsewhere=False),
        # The part of SQuAD 2.0's training split that the snapshot contains.
        ("squad2-part", "en"): asked(
            articles_of("PhongNTDo/guide_train_MRC_transformers", "train-v2.0.json"), random.Random(1), with_elsewhere=False
        ),
        ("qnli-dev", "en"): qnli(),
        ("poquad", "pl"): poquad(),
        ("mlqa-dev-de", "de"): mlqa_dev("de"),
        ("mlqa-dev-en", "en"): mlqa_dev("en"),
        ("mlqa-test-de", "de"): mlqa_test(),
        ("tydiqa-goldp-en", "en"): tydiqa(),
        ("klej-dyk", "pl"): did_you_know(),
    }


def main():
    write("qa.jsonl", questions(), ("q", "passage"))


if __name__ == "__main__":
    main()
