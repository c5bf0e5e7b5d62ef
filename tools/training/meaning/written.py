"""Reads the hand-written data: passages split into parts as the assistant reads them, their questions and their claims.

A passage is a source of a few sentences (`examples/`, `later/`), a section of an invented document (`sections/`), or a
short passage of an invented (`notes/`) or a starter document (`starter/`). The questions on every seventh of them are
held back from training, except on the starter documents, for which `test/bench` has other authors' questions. claims.py
holds back the claims on other passages: the questions or claims on a text are held back, not the text itself.
"""

import dataclasses
import json
import pathlib
import re

HERE = pathlib.Path(__file__).parent
# Maximum characters of a part, as the assistant reads it.
LONGEST_PART = 480
ARTICLE = re.compile(
    r"((?:Article|Artikel|§|Článok|Čl\.|Článek|Art\.|Section|Ziffer|Bod|Odst\.)\s?[\dIVX.]+[a-z]?\.?\s[^.\n]{3,60})\. "
)
# A line that cites a note's source.
ATTRIBUTION = re.compile(r"\s*(?:Zdroj|Pramen|Prameň|Source|Quelle|Źródło)\s*:")
SENTENCE = re.compile(r"(?<=[.!?;])\s+(?=[\"„»(\dA-ZÁČĎÉĚÍĽŇÓŘŠŤÚŮÝŽÄÖÜŁŚŻŹŐŰ–-])")


@dataclasses.dataclass
class Question:
    text: str
    language: str
    folder: str
    is_answered: bool
    # Indices of the parts that answer, or would under another title; empty if not marked.
    says: list


@dataclasses.dataclass
class Passage:
    # The name of the text, whatever its title, and the name of its document.
    name: str
    document: str
    language: str
    title: str
    text: str
    parts: list
    is_held_back: bool
    questions: list

    def titled(self):
        """Returns the parts as the assistant reads them, prefixed with the document's title."""
        return [clean(f"{self.title}: {part}") if self.title else part for part in self.parts]


def clean(text):
    """Removes spaces before punctuation, which give the label away in one public set. `model.ts` does the same."""
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r" ([.,;:!?%)\]]|n't\b|'s\b)", r"\1", text)
    return re.sub(r"([(\[]) ", r"\1", text)


def rows_in(path):
    return [json.loads(line) for line in open(path, encoding="utf-8") if line.strip()]


def files_of(folder):
    return sorted((HERE / folder).glob("*.jsonl"))


def rows_of(folder):
    return {row["id"]: row for path in files_of(folder) for row in rows_in(path)}


def sentences(lines):
    for line in lines:
        held = ""
        for part in SENTENCE.split(line):
            held = f"{held} {part}".strip()
            if len(held) > 25:
                yield held
                held = ""
        if held:
            yield held


def headed(section):
    """Returns a section's heading and its lines."""
    lines = [line.strip() for line in section.split("\n") if line.strip()]
    heading, article = "", ARTICLE.match(lines[0])
    if len(lines) > 1 and len(lines[0]) < 90 and not lines[0].endswith((".", ";", ",")):
        heading = lines.pop(0).rstrip(":")
    elif article:
        heading, lines[0] = article.group(1), lines[0][article.end() :]
    return heading, lines


def parts_of(heading, lines):
    """Returns each sentence with its neighbours, under the heading."""
    found = list(sentences(lines))
    near = [" ".join(found[max(0, at - 1) : at + 2]) for at in range(len(found))]
    said = [one if len(one) <= LONGEST_PART else found[at] for at, one in enumerate(near)]
    return [clean(f"{heading}: {one}" if heading else one) for one in dict.fromkeys(said)]


def sources():
    """Yields the short sources. The unanswered questions of `later/` are recognisable by their style and left out."""
    asks, near, more, abroad = (rows_of(folder) for folder in ("asks", "near", "more", "abroad"))
    examples = [(one, one["asks_not"]) for one in rows_of("examples").values()]
    later = [(one, []) for one in rows_of("later").values()]
    for place, (one, unanswered) in enumerate([*examples, *later]):
        name, language = one["id"], one["id"][:2]
        passage = Passage(name, name, language, "", clean(one["source"]), [clean(one["source"])], place % 7 == 0, [])

        def add(folder, is_answered, texts, of=language):
            for text in texts:
                passage.questions.append(Question(clean(text), of, folder, is_answered, [0] if is_answered else []))

        add("near", True, [*one["asks"], *asks[name]["asks"]])
        add("near", False, [*unanswered, *near[name]["near"]])
        add("more", True, more[name]["answered"])
        add("more", False, more[name]["unanswered"])
        add("abroad", True, [asks[name]["other"]["ask"]], asks[name]["other"]["language"])
        add("abroad", False, [abroad[name]["ask"]], "other")
        yield passage


def marked(parts, marks):
    return [place for place, part in enumerate(parts) if any(clean(mark) in part for mark in marks)]


def ask(passage, row, folder):
    """Adds a row's questions to a passage, except those whose marked answer is in no part."""

    def add(text, marks, language, of, is_answered):
        says = marked(passage.parts, marks or [])
        if says or not marks:
            passage.questions.append(Question(clean(text), language, of, is_answered, says if is_answered else []))

    for text, marks in zip(row["answered"], row["where"]):
        add(text, marks, passage.language, folder, True)
    for text in row["unanswered"]:
        add(text, None, passage.language, folder, False)
    abroad = row.get("abroad", [])
    for one in [abroad] if isinstance(abroad, dict) else abroad:
        add(one["answered"], one.get("where"), one["language"], f"{folder}, abroad", True)
        add(one["unanswered"], None, one["language"], f"{folder}, abroad", False)


def ask_whose(passage, other, asked):
    """Adds questions that name the document to the passage that answers them, and to the same under another title."""
    for one in asked:
        says = marked(passage.parts, one["where"])
        if says:
            passage.questions.append(Question(clean(one["ask"]), passage.language, "whose", True, says))
            other.questions.append(Question(clean(one["ask"]), passage.language, "whose", False, says))


def sections():
    """
    Yields sections of documents with the questions of their author, of a second one (`second/`), and of one who names the
    document (`whose/`): the last are answered under one title and unanswered under the other.
    """
    titles, whose, plain = (rows_of(folder) for folder in ("titles", "whose", "plain"))
    for path in files_of("sections"):
        second = HERE / "second" / path.name
        others = {row["id"]: row for row in rows_in(second)} if second.exists() else {}
        for at, row in enumerate(rows_in(path)):
            name, parts = row["id"], parts_of(*headed(row["section"]))
            title, text = titles[name]["title"], clean(row["section"])
            passage = Passage(name, name, path.name[:2], title, text, parts, at % 7 == 0, [])
            ask(passage, row, "sections")
            if name in others:
                ask(passage, others[name], "second")
            if name in plain:
                ask(passage, plain[name], "plain")
            if name in whose:
                other = dataclasses.replace(passage, title=whose[name]["title"], questions=[])
                ask_whose(passage, other, whose[name]["own"])
                ask_whose(other, passage, whose[name]["other"])
                yield other
            yield passage


def noted(row, document, language, is_held):
    """Returns a short passage under a heading, in a document with that title."""
    lines = [line.strip() for line in row["section"].split("\n") if line.strip() and not ATTRIBUTION.match(line)]
    return Passage(
        row["id"], document, language, row["title"], clean(row["section"]), parts_of(row["heading"], lines), is_held, []
    )


def notes():
    """Yields short passages of invented documents, and the starter documents' passages with their questions."""
    plain = rows_of("plain")
    for path in files_of("notes"):
        for at, row in enumerate(rows_in(path)):
            passage = noted(row, row["id"], path.name[:2], at % 7 == 0)
            ask(passage, row, "notes")
            if row["id"] in plain:
                ask(passage, plain[row["id"]], "plain")
            yield passage
    authors = [{row["id"]: row for row in rows_in(path)} for path in files_of("starter/questions")]
    for row in rows_in(HERE / "starter/passages.jsonl"):
        passage = noted(row, row["title"], row["language"], False)
        for asked in authors:
            if row["id"] in asked:
                ask(passage, asked[row["id"]], "starter")
        if row["id"] in plain:
            ask(passage, plain[row["id"]], "plain")
        yield passage
