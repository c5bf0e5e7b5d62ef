"""Generates minimal pairs from sentences of policy wordings and laws. A sentence as written is entailed; with another
number, currency or negation it is denied; without its condition or exception, or paired with another sentence, not said.

`python documents.py FILE.md… > documents.jsonl`. No text of the documents becomes part of the project. The same seed
gives the same file.
"""

import argparse
import json
import pathlib
import random
import re

CONDITION = re.compile(
    r",? (?:if|unless|provided that|except|as long as|pokud|jestliže|ledaže|s výjimkou|kromě|není-li|ak|pokiaľ|ibaže|okrem"
    r"|wenn|sofern|es sei denn|außer|soweit|jeżeli|chyba że|z wyjątkiem|ha|kivéve) .{12,}?(?=[.;]|$)"
)
NEGATED = [
    (r"\bis not\b", "is"),
    (r"\bare not\b", "are"),
    (r"\bis\b", "is not"),
    (r"\bare\b", "are not"),
    (r"\bwill\b", "will not"),
    (r"\bnení\b", "je"),
    (r"\bnejsou\b", "jsou"),
    (r"\bje\b", "není"),
    (r"\bjsou\b", "nejsou"),
    (r"\bmá\b", "nemá"),
    (r"\bnie je\b", "je"),
    (r"\bnie sú\b", "sú"),
    (r"\bsú\b", "nie sú"),
    (r"\bist nicht\b", "ist"),
    (r"\bist\b", "ist nicht"),
    (r"\bsind\b", "sind nicht"),
    (r"\bhat\b", "hat nicht"),
    (r"\bmoże\b", "nie może"),
    (r"\bmůže\b", "nemůže"),
    (r"\bmuss\b", "muss nicht"),
    (r"\bmust\b", "must not"),
    (r"\bjest\b", "nie jest"),
]
CURRENCIES = ["Kč", "EUR", "CZK", "€", "Euro", "eur", "GBP", "£"]


def sentences(path):
    text = re.sub(r"^---.*?---", "", path.read_text("utf-8"), flags=re.S)
    found = []
    for line in text.splitlines():
        line = re.sub(r"[*_`|]", "", re.sub(r"^[#>\-\s\d.()]+", "", line)).strip()
        for one in re.split(r"(?<=[.;])\s+(?=[A-ZÁČĎÉĚÍŇÓŘŠŤÚŽÄÖÜŁŚŻ])", line):
            if 45 <= len(one) <= 230:
                found.append(one)
    return found


def turned(sentence, chance):
    """Yields claims derived from a sentence: (kind, text, label)."""
    numbers = list(re.finditer(r"\d+", sentence))
    if numbers:
        at = chance.choice(numbers)
        other = (
            str(int(at.group()) + chance.choice([1, 2, 5, 10, 50])) if len(at.group()) < 6 else at.group()[::-1] + "1"
        )
        yield "number", sentence[: at.start()] + other + sentence[at.end() :], 2
    for currency in CURRENCIES:
        if re.search(r"\d ?" + re.escape(currency), sentence):
            yield "currency", sentence.replace(
                currency, chance.choice([c for c in ("USD", "CHF", "EUR") if c != currency])
            ), 2
            break
    for pattern, instead in NEGATED:
        if re.search(pattern, sentence):
            yield "negation", re.sub(pattern, instead, sentence, count=1), 2
            break
    without = CONDITION.sub("", sentence)
    if without != sentence and len(without) > 30:
        yield "condition", without.rstrip(" ,") + ("" if without.endswith((".", ";")) else "."), 1


def main():
    options = argparse.ArgumentParser()
    options.add_argument("files", nargs="+", type=pathlib.Path)
    options.add_argument("--seed", default="assay-1")
    options.add_argument("--most", type=int, default=160)
    chosen = options.parse_args()
    chance = random.Random(chosen.seed)
    for path in chosen.files:
        found = sentences(path)
        for at in sorted(chance.sample(range(len(found)), min(chosen.most, len(found)))):
            sentence = found[at]
            near = found[at - 1] if at and chance.random() < 0.5 else found[at + 1] if at + 1 < len(found) else ""
            premise = f"{near} {sentence}" if chance.random() < 0.5 else f"{sentence} {near}"
            made = list(turned(sentence, chance))
            kept = chance.sample(made, min(2, len(made)))
            words = set(re.findall(r"\w{5,}", sentence.lower()))
            rest = [one for one in found if one != sentence and one != near]
            alike = max(
                chance.sample(rest, min(40, len(rest))),
                key=lambda one: len(words & set(re.findall(r"\w{5,}", one.lower()))),
            )
            if chance.random() < 0.4:
                kept.append(("other", alike, 1))
            for kind, text, label in [("verbatim", sentence, 0), *kept]:
                print(
                    json.dumps(
                        {
                            "set": "documents",
                            "kind": kind,
                            "p": premise.strip(),
                            "h": text,
                            "y": label,
                            "split": "train",
                        },
                        ensure_ascii=False,
                    )
                )


if __name__ == "__main__":
    main()
