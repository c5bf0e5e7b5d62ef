"""One round of training: questions with answering and non-answering parts, and claims."""

import random

import numpy as np

from texts import on

ANSWERED, UNANSWERED = 4, 5
# Negatives from other passages: number of nearest parts considered, maximum logit of answering (unless they are of the
# same document), and probability; then the part count below which a passage is short, and the probability for those.
ELSEWHERE, TAKEN, SHARE_ELSEWHERE = 6, 0.8, 0.3
FEW_PARTS, SHARE_OF_FEW = 3, 0.8
# Negatives from the passage itself: the number of nearest parts to choose from, by whether it answers the question.
NEAR_ANSWERED, NEAR_UNANSWERED = 5, 4
# Probabilities of a second part, and of a public question, per round.
SECOND_ANSWERED, SECOND_UNANSWERED, PUBLIC = 0.5, 0.4, 0.35
BARE = 0.08
# Repetitions of a plain question per round: there are few, and without them shared words count against an answer.
PLAIN = 3
# Probability of reading a part without its document's title.
UNTITLED = 0.15


class Rounds:
    def __init__(self, data):
        self.data = data
        self.passages, self.questions = data["passages"], data["questions"]
        self.parts, self.untitled = data["parts"].T
        self.text, self.passage, self.is_answered, self.language, self.folder = self.questions[:, :5].T
        self.is_answered = self.is_answered.astype(bool)
        self.is_held = self.passages[self.passage, 3].astype(bool)
        self.says = [data["says"][start:end] for start, end in self.questions[:, 5:7]]
        self.first, self.end = self.passages[self.passage, 4], self.passages[self.passage, 5]

    def searched(self):
        """For the encoder: questions, the passages that answer them, and groups of mutual non-negatives."""
        own = self.is_answered & ~self.is_held
        second = (np.arange(len(own)) % 2).astype(int)
        texts = self.passages[self.passage, second]
        insurance = self.data["insurance"][self.data["insurance"][:, 3] == 0]
        columns = (self.text[own], texts[own], self.passage[own]), (insurance[:, 0], insurance[:, 1], -1 - insurance[:, 2])
        return tuple(np.concatenate(pair) for pair in zip(*columns))

    def mine(self, vectors, answers):
        """Orders each passage's parts by similarity to the question, and finds near parts of other passages."""
        asked, said = vectors(self.text, "query"), vectors(self.parts, "passage")
        of_part = np.repeat(np.arange(len(self.passages)), self.passages[:, 5] - self.passages[:, 4])
        passage, language, name = on(of_part), on(self.passages[of_part, 2]), on(self.passages[:, 6])
        document = self.passages[:, 7]
        is_held = on(self.passages[of_part, 3].astype(bool))
        self.order, elsewhere = [], []
        for start in range(0, len(asked), 2048):
            likeness = asked[start : start + 2048] @ said.T
            for at, row in enumerate(likeness.cpu().numpy(), start):
                self.order.append(np.argsort(-row[self.first[at] : self.end[at]]))
            own = on(self.passage[start : start + 2048])[:, None]
            is_none = (name[passage] == name[own]) | is_held | (language != on(self.passages[:, 2])[own])
            elsewhere.append(likeness.masked_fill(is_none, -1).topk(ELSEWHERE, 1).indices.cpu().numpy())
        places = np.concatenate(elsewhere)
        texts = self.parts[places]
        read = answers(np.repeat(self.text, ELSEWHERE), texts.reshape(-1)).reshape(texts.shape)
        is_beside = document[of_part[places]] == document[self.passage][:, None]
        self.elsewhere = [row[chosen] for row, chosen in zip(texts, (read < TAKEN) | is_beside)]

    def guessed(self, answers):
        """Returns, for answered questions without a marked part, the part that the reader rates highest."""
        which = [at for at in range(len(self.text)) if self.is_answered[at] and len(self.says[at]) == 0]
        spans = [np.arange(self.first[at], self.end[at]) for at in which]
        if not which:
            return {}
        read = answers(np.repeat(self.text[which], [len(one) for one in spans]), self.parts[np.concatenate(spans)])
        cut = np.split(read, np.cumsum([len(one) for one in spans])[:-1])
        return {at: np.array([row.argmax()]) for at, row in zip(which, cut)}

    def put(self, chance, at, guessed):
        """Returns the parts paired with a question, with labels."""
        texts = self.untitled if chance.random() < UNTITLED else self.parts
        order, own = self.order[at], texts[self.first[at] : self.end[at]]
        says = self.says[at] if len(self.says[at]) else guessed.get(at, ())
        if not self.is_answered[at] and len(says):
            # Only the title makes the difference.
            rows = [(self.parts[self.first[at] + chance.choice(says)], UNANSWERED)]
        elif not self.is_answered[at]:
            count = 2 if chance.random() < SECOND_UNANSWERED else 1
            rows = [(own[place], UNANSWERED) for place in chance.permutation(order[:NEAR_UNANSWERED])[:count]]
        else:
            count = 2 if chance.random() < SECOND_ANSWERED else 1
            rows = [(own[place], ANSWERED) for place in chance.permutation(says)[:count]]
            rest = [place for place in order if place not in says][:NEAR_ANSWERED]
            # The guessed part may be wrong and the nearest other part right; only the last is safely a negative.
            if len(self.says[at]) and rest:
                rows.append((own[chance.choice(rest)], UNANSWERED))
            elif len(rest) > 2:
                rows.append((own[rest[-1]], UNANSWERED))
        share = SHARE_OF_FEW if len(own) <= FEW_PARTS else SHARE_ELSEWHERE
        if len(self.elsewhere[at]) and chance.random() < share:
            rows.append((chance.choice(self.elsewhere[at]), UNANSWERED))
        return rows

    def by_hand(self, chance, guessed):
        """Returns questions, parts and labels."""
        is_plain = self.folder == list(self.data["folders"]).index("plain")
        places = np.repeat(np.arange(len(self.text)), np.where(self.is_held, 0, np.where(is_plain, PLAIN, 1)))
        rows = [(self.text[at], part, label) for at in places for part, label in self.put(chance, at, guessed)]
        return np.array(rows).T

    def next(self, chance, answers):
        """Returns one round: questions or claims, passages, labels."""

        def drawn(weights):
            return np.repeat(np.arange(len(weights)), np.floor(weights + chance.random(len(weights))).astype(int))

        by_hand = self.by_hand(chance, self.guessed(answers))
        asked = self.data["asked"][~self.data["asked"][:, 4].astype(bool)]
        asked = asked[drawn(np.full(len(asked), PUBLIC))]
        claims = self.data["claims"][self.data["claims"][:, 4] == 0]
        claims = claims[drawn(claims[:, 5])].astype(np.int64)
        columns = (
            by_hand,
            (asked[:, 0], asked[:, 1], np.where(asked[:, 2] == 1, ANSWERED, UNANSWERED)),
            (claims[:, 1], claims[:, 0], claims[:, 2]),
        )
        return tuple(np.concatenate(column) for column in zip(*columns))

    def batches(self, chance, rows, size):
        """Yields batches of pairs of similar length, with some questions stripped of accents."""
        claims, passages, labels = rows
        is_bare = (chance.random(len(claims)) < BARE) & (labels >= ANSWERED)
        claims = np.where(is_bare, self.data["bare"][claims], claims)
        order, cut = chance.permutation(len(claims)), []
        lengths = self.data.pair_lengths(claims, passages)
        for start in range(0, len(order), 32 * size):
            part = order[start : start + 32 * size]
            part = part[np.argsort(lengths[part])]
            cut += [part[at : at + size] for at in range(0, len(part), size)]
        random.Random(int(order[0])).shuffle(cut)
        for one in cut:
            yield claims[one], passages[one], labels[one]
