"""Evaluates the models on held-back data."""

import numpy as np

# Maximum rows per set.
MOST = 2000


def area(right, wrong):
    """Returns the AUROC: how often a right one ranks above a wrong one."""
    if not len(right) or not len(wrong):
        return float("nan")
    every = np.concatenate([right, wrong])
    _, place, counts = np.unique(every, return_inverse=True, return_counts=True)
    rank = (np.cumsum(counts) - (counts - 1) / 2)[place]
    return (rank[: len(right)].sum() - len(right) * (len(right) + 1) / 2) / (len(right) * len(wrong))


def said(name, figures):
    print(f"{name}:", ", ".join(f"{key} {value:.3f}" for key, value in figures.items()), flush=True)


def recall(asked, passages, right, most):
    """Returns how often one of the right passages is among the first."""
    best = (asked @ passages.T).topk(most, 1).indices.cpu().numpy()
    return np.mean([bool(np.isin(row, own).any()) for row, own in zip(best, right)])


def tell_encoder(models, encoder, name):
    rounds, data = models.rounds, models.data
    bank = {text: at for at, text in enumerate(data["bank"])}
    vectors = models.vectors(encoder, data["bank"], "passage")
    held = data["insurance"][data["insurance"][:, 3] == 1]
    questions = {}
    for text, answer, place, _ in held:
        questions.setdefault((place, text), []).append(bank[answer])
    asked = models.vectors(encoder, [text for _, text in questions], "query")
    figures = {"InsuranceQA, first ten": recall(asked, vectors, list(questions.values()), 10)}
    own = np.flatnonzero(rounds.is_held & rounds.is_answered)
    vectors = models.vectors(encoder, rounds.passages[:, 0], "passage")
    asked = models.vectors(encoder, rounds.text[own], "query")
    is_abroad = rounds.language[own] != rounds.passages[rounds.passage[own], 2]
    for key, chosen in (("passages, first five", ~is_abroad), ("across languages", is_abroad)):
        figures[key] = recall(asked[np.flatnonzero(chosen)], vectors, rounds.passage[own][chosen][:, None], 5)
    said(f"encoder {name}", figures)


def tell_questions(models, reader):
    """AUROC by folder, on a question's best score over the four nearest parts of its passage."""
    rounds = models.rounds
    held = np.flatnonzero(rounds.is_held)
    parts = [rounds.parts[rounds.first[at] + rounds.order[at][:4]] for at in held]
    counts = [len(one) for one in parts]
    read = models.logits(reader, np.repeat(rounds.text[held], counts), np.concatenate(parts))[:, 3]
    best = np.maximum.reduceat(read, np.cumsum([0, *counts[:-1]]))
    for place, folder in enumerate(models.data["folders"]):
        own = rounds.folder[held] == place
        yield folder, area(best[own & rounds.is_answered[held]], best[own & ~rounds.is_answered[held]])


def tell_rest(models, reader):
    asked, claims = models.data["asked"], models.data["claims"].astype(np.int64)
    for place, name in enumerate(models.data["asked_sets"]):
        rows = asked[(asked[:, 3] == place) & (asked[:, 4] == 1)][:MOST]
        if len(rows):
            read = models.logits(reader, rows[:, 0], rows[:, 1])[:, 3]
            yield name, area(read[rows[:, 2] == 1], read[rows[:, 2] != 1])
    for place, name in enumerate(models.data["claim_sets"]):
        rows = claims[(claims[:, 3] == place) & (claims[:, 4] == 1)]
        rows = rows[:: 1 + len(rows) // MOST]
        if len(rows):
            read = models.logits(reader, rows[:, 1], rows[:, 0])
            true = read[:, 0] - np.logaddexp(read[:, 1], read[:, 2])
            yield name, area(true[rows[:, 2] == 0], true[rows[:, 2] != 0])


def tell_reader(models, reader, name):
    """Returns the AUROC of each set, and their mean."""
    figures = dict([*tell_questions(models, reader), *tell_rest(models, reader)])
    said(f"reader {name}", figures)
    return np.nanmean(list(figures.values()))
