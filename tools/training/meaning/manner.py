"""What the words of a question alone tell of whether a passage answers it: what authors ask differently where it does not.

A reader that is trained beside it need not learn it. See "Don't Take the Easy Way Out" (Clark, Yatskar, Zettlemoyer,
2019): in training its log-odds are added to the reader's, in use they are not.
"""

import zlib

import numpy as np

# Folds, rounds over the questions, places for their parts, and how fast is learned.
FOLDS, ROUNDS, PLACES, RATE = 5, 5, 1 << 18, 0.06


def parts_of(question):
    """Pieces of three to five letters, words, pairs of words, length and marks, by hashed places."""
    low = f"^{question.lower()}$"
    words = low[1:-1].split()
    found = {low[i : i + n] for n in (3, 4, 5) for i in range(len(low) - n + 1)}
    found.update(f"w{word}" for word in words)
    found.update(f"{a}_{b}" for a, b in zip(words, words[1:]))
    found.add(f"length {min(30, len(words)) // 3}")
    found.add(f"marks {question.count('.')} {question.count('?')} {question[:1].isupper()}")
    return np.array(sorted({zlib.crc32(one.encode()) % PLACES for one in found}))


def scale(parts):
    return 3 / np.sqrt(len(parts))


def fit(questions):
    """Weights of a logistic regression, and its bias."""
    weights, bias, chance = np.zeros(PLACES), 0.0, np.random.default_rng(0)
    for _ in range(ROUNDS):
        for at in chance.permutation(len(questions)):
            parts, answered = questions[at]
            k = scale(parts)
            wrong = 1 / (1 + np.exp(-np.clip(weights[parts].sum() * k + bias, -20, 20))) - answered
            weights[parts] -= RATE * wrong * k
            bias -= RATE / 6 * wrong
    return weights, bias


def calibrated(scores, answered):
    slope, shift = 1.0, 0.0
    for _ in range(3000):
        wrong = 1 / (1 + np.exp(-(slope * scores + shift))) - answered
        slope -= 0.02 * (wrong * scores).mean()
        shift -= 0.05 * wrong.mean()
    return slope * scores + shift


def log_odds(questions, answered, folds):
    """Of each question, from the questions of other folds."""
    parts = [parts_of(one) for one in questions]
    answered, scores = np.array(answered, dtype=float), np.zeros(len(parts))
    for fold in range(FOLDS):
        learned = [(one, y) for one, y, other in zip(parts, answered, folds) if other != fold]
        weights, bias = fit(learned)
        for at, one in enumerate(parts):
            if folds[at] == fold:
                scores[at] = weights[one].sum() * scale(one) + bias
    return calibrated(scores, answered)
