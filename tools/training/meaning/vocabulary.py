"""Chooses the vocabulary pieces of six languages: those covering a share of each one's frequent words, and those of the
given texts. `python vocabulary.py 0.985 5 37300` (share, minimum count, maximum pieces) writes kept.json in the work
folder.
"""

import sys, collections, glob, json, re

import numpy as np
from packed import Packed
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers
from wordfreq import top_n_list, word_frequency
from paths import DATA, PACKED, REPOSITORY, WORK

P = Packed(PACKED)


def tokenizer(pieces, scores, unk):
    t = Tokenizer(models.Unigram([(p, float(s)) for p, s in zip(pieces, scores)], unk_id=unk))
    t.normalizer = normalizers.Sequence(
        [normalizers.NFKC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Strip()]
    )
    t.pre_tokenizer = pre_tokenizers.Metaspace()
    return t


if __name__ == "__main__":
    n = len(P.pieces)
    dup = len(set(P.pieces))
    print(n, dup)
    full = tokenizer(P.pieces, P.scores, P.unk)
    need = collections.Counter()
    for lang in ("en", "cs", "sk", "de", "pl", "hu"):
        words = [w for w in top_n_list(lang, 60000)]
        uses = collections.Counter()
        for w in words:
            f = word_frequency(w, lang)
            for form, share in ((w, 0.8), (w.capitalize(), 0.2)):
                for i in full.encode(form).ids:
                    uses[i] += f * share
        total = sum(uses.values())
        acc = 0
        kept = 0
        for i, c in uses.most_common():
            acc += c
            kept += 1
            need[i] += c / total
            if acc / total > float(sys.argv[1]):
                break
        print(lang, len(uses), kept)
    texts = []
    for f in glob.glob(f"{DATA}/faithfulness/*.jsonl"):
        for l in open(f):
            r = json.loads(l)
            texts += [r["question"], r["response"], *r["sources"]]
    for f in glob.glob(f"{DATA}/insurance-documents/*.md") + glob.glob(
        f"{REPOSITORY}/src/knowledge/corpus/starter/*.md"
    ):
        texts += open(f).read().split("\n")
    own = collections.Counter()
    for e in full.encode_batch(texts):
        own.update(e.ids)
    ins = collections.Counter()
    kept = set(i for i in need) | {i for i, c in own.items() if c >= int(sys.argv[2])}
    alphabet = (
        set(map(chr, range(33, 127)))
        | set("áčďéěíňóřšťúůýžäöüßąćęłńóśźżőűôĺľŕàâçèêëîïñòøåæ§°%€£„“”‚‘’«»–—…•")
        | set("áčďéěíňóřšťúůýžäöüąćęłńśźżőűôĺľŕ".upper())
    )
    for i, p in enumerate(P.pieces):
        if len(p) == 1 and p in alphabet or (len(p) == 2 and p[0] == "▁" and p[1] in alphabet):
            kept.add(i)
    kept = sorted(kept | {0, 1, 2, 3} | {P.pieces.index("▁")})
    kept = [i for i in kept if i < n]
    # Drops the rarest pieces of more than two characters first.
    spare = max(0, len(kept) - int(sys.argv[3]))
    drop = set(sorted(i for i in kept if len(P.pieces[i]) > 2)[-spare:]) if spare else set()
    kept = [i for i in kept if i not in drop]
    print("kept", len(kept), "own tokens", len(own), "own>=3", sum(c >= 3 for c in own.values()))
    json.dump(kept, open(WORK / "kept.json", "w"))
