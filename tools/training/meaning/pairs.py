"""Generates minimal pairs in six languages from the templates in frames/: paraphrases, and the same with one detail
altered: amount, currency, time, unit, actor, peril, object, place, cause, condition dropped, scope widened, inverted.

`python pairs.py --each 250 > pairs.jsonl`. Rows: {set, lang, kind, p, h, y, split}; y: 0 entailed, 1 not said, 2 denied.
Whole frames are held out (`split: held`), so that no model is evaluated on templates it was trained on. The same seed
gives the same file.
"""

import argparse
import json
import pathlib
import random
import re

HELD = {"excess", "place"}
LANGUAGES = ("en", "cs", "sk", "de", "pl", "hu")
ALIASES = [
    {"Kč", "CZK"},
    {"EUR", "eur", "euro", "Euro", "euró"},
    {"zł", "PLN", "zlotých"},
    {"forint", "Ft", "HUF"},
]
GROUPING = {"en": ",", "de": ".", "cs": " ", "sk": " ", "pl": " ", "hu": " "}


def alias_of(currency):
    return next((group for group in ALIASES if currency in group), {currency})


def read(language):
    """Returns a language's fillers by name, and its frames: {name: {S, T, N, D, P}}."""
    fillers, frames, frame = {}, {}, None
    for line in (pathlib.Path(__file__).parent / "frames" / f"{language}.txt").read_text("utf-8").splitlines():
        if line.startswith("#") or not line:
            continue
        if line.startswith("frame "):
            frame = frames.setdefault(line[6:], {key: [] for key in "STNDP"})
        elif frame is not None:
            frame[line[0]].append(line[2:])
        else:
            name, value = line.split(": ", 1)
            parts = value.split(" ") if name == "currency" else value.split("|")
            if name in ("money", "days", "per", "currency"):
                fillers[name] = parts
            else:
                fillers.setdefault(name, []).append(parts if name != "equal" else value.split("="))
    return fillers, frames


def number(value, language, chance):
    if value < 1000:
        return str(value)
    mark = chance.choice([GROUPING[language], GROUPING[language], " ", ""])
    return f"{value:,}".replace(",", mark)


class Binding:
    """One choice of fillers; `changed` returns a copy with one of them replaced."""

    def __init__(self, fillers, language, chance):
        self.fillers, self.language, self.chance = fillers, language, chance
        self.values = {name: chance.choice(fillers[name]) for name in ("peril", "object", "cond", "cause", "place")}
        self.values["actor"], self.values["other"] = chance.sample(fillers["actor"], 2)
        self.values["amount"] = chance.choice([1, 2, 3, 4, 5, 8, 12, 15, 25, 40, 50, 75]) * chance.choice(
            [100, 1000, 10000]
        )
        self.values["currency"] = chance.choice(fillers["currency"])
        self.values["per"] = chance.choice(fillers["per"])
        self.values["n"] = chance.choice([3, 5, 7, 8, 10, 12, 14, 15, 20, 24, 30, 48, 60, 90])
        self.values["unit"] = chance.choice(fillers["days"])
        if chance.random() < 0.2:
            said = chance.choice(fillers["equal"])[0].split(" ", 1)
            self.values["n"], self.values["unit"] = int(said[0]), "{n} " + said[1]
        self.values["pct"], self.values["age"] = chance.choice([5, 10, 15, 20, 25, 30]), chance.choice(
            [18, 21, 24, 25, 26]
        )

    def changed(self, slot):
        other = Binding.__new__(Binding)
        other.__dict__.update(self.__dict__)
        other.values = dict(self.values)
        values, chance = other.values, self.chance
        if slot == "actor":
            values["actor"], values["other"] = values["other"], values["actor"]
        elif slot == "amount":
            values["amount"] = chance.choice(
                [
                    v
                    for v in (values["amount"] * 2, values["amount"] * 10, values["amount"] + 500, values["amount"] * 3)
                    if v
                ]
            )
        elif slot == "currency":
            values["currency"] = chance.choice(
                [c for c in self.fillers["currency"] + ["CHF", "EUR", "CZK"] if c not in alias_of(values["currency"])]
            )
        elif slot in ("n", "pct", "age"):
            values[slot] = values[slot] + chance.choice([1, 2, 5, 10, 30])
        elif slot == "unit":
            values["unit"] = chance.choice([u for u in self.fillers["days"] if u != values["unit"]])
        else:
            rest = [v for v in self.fillers[slot] if v != values[slot] and v[-1] != values[slot][-1]]
            if not rest:
                return None
            values[slot] = chance.choice(rest)
        return other

    def money(self, equal):
        currency = self.values["currency"]
        if equal:
            currency = self.chance.choice(sorted(alias_of(currency)))
        return (
            self.chance.choice(self.fillers["money"])
            .replace("{n}", number(self.values["amount"], self.language, self.chance))
            .replace("{c}", currency)
        )

    def time(self, equal):
        said = self.values["unit"].replace("{n}", str(self.values["n"]))
        for one, same in self.fillers["equal"]:
            if equal and said == one:
                return same
        return said

    def fill(self, template, equal=False):
        def put(match):
            name, at = match.group(1), match.group(2)
            low = name[0].lower() + name[1:]
            if low == "money":
                text = self.money(equal)
            elif low == "days":
                text = self.time(equal)
            else:
                value = self.values[low]
                text = value if not isinstance(value, list) else value[int(at)] if at else value[0]
            text = str(text)
            return text[0].upper() + text[1:] if name[0].isupper() else text

        text = re.sub(r"\{([A-Za-z]+)(?:\.(\d))?\}", put, template)
        return text[0].upper() + text[1:]


SLOTS = {
    "amount": (r"\{money\}", 2),
    "currency": (r"\{money\}", 2),
    "n": (r"\{days\}", 2),
    "unit": (r"\{days\}", 2),
    "actor": (r"\{[Aa]ctor", 2),
    "peril": (r"\{[Pp]eril", 1),
    "object": (r"\{[Oo]bject", 1),
    "place": (r"\{place\.0", 2),
    "cause": (r"\{cause", 1),
    "cond": (r"\{cond", 1),
    "pct": (r"\{pct", 2),
    "age": (r"\{age", 2),
}
KINDS = {"N": ("inverted", 2), "D": ("widened", 1), "P": ("period", 1)}


def claims(frame, binding, said, chance):
    """Returns claims about one premise: (kind, text, label)."""
    made = [("paraphrase", binding.fill(t, equal=chance.random() < 0.5), 0) for t in frame["T"]]
    made += [("paraphrase", binding.fill(chance.choice(frame["S"]), equal=chance.random() < 0.4), 0)]
    for slot, (pattern, label) in SLOTS.items():
        able = [t for t in frame["T"] + frame["S"] if re.search(pattern, t)]
        other = binding.changed(slot) if able else None
        if other:
            # Half of the altered claims keep the premise's wording, so that only the altered detail gives them away.
            same = said if re.search(pattern, said) and chance.random() < 0.5 else chance.choice(able)
            made.append((slot, other.fill(same), label))
    for key, (kind, label) in KINDS.items():
        made += [(kind, binding.fill(t), label) for t in frame[key]]
    # The premise's own sentence without its condition.
    return made


def rows(language, each, seed):
    chance = random.Random(f"{seed} {language}")
    fillers, frames = read(language)
    for name, frame in frames.items():
        for _ in range(each if name not in HELD else max(1, each // 8)):
            binding = Binding(fillers, language, chance)
            said = chance.choice(frame["S"])
            premise = binding.fill(said)
            aside = frames[chance.choice(sorted(frames))] if name not in HELD else frame
            beside = Binding(fillers, language, chance).fill(chance.choice(aside["S"])) if aside is not frame else None
            if beside and chance.random() < 0.6:
                premise = f"{beside} {premise}" if chance.random() < 0.5 else f"{premise} {beside}"
            made = claims(frame, binding, said, chance)
            true = [one for one in made if one[2] == 0]
            false = [one for one in made if one[2] != 0]
            for kind, text, label in chance.sample(true, min(2, len(true))) + chance.sample(false, min(3, len(false))):
                yield {
                    "set": f"pairs-{language}",
                    "lang": language,
                    "frame": name,
                    "kind": kind,
                    "p": premise,
                    "h": text,
                    "y": label,
                    "split": "held" if name in HELD else "train",
                }


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--each", type=int, default=150)
    options.add_argument("--seed", default="assay-1")
    chosen = options.parse_args()
    for language in LANGUAGES:
        for row in rows(language, chosen.each, chosen.seed):
            print(json.dumps(row, ensure_ascii=False))


if __name__ == "__main__":
    main()
