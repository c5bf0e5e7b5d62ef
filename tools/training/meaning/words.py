"""Writes words.bin.zst: pieces with their scores, their packed rows of the embedding table, and the positions."""

import sys, json, struct
import numpy as np
from vocabulary import P
from paths import WORK, shelve

kept = json.load(open(WORK / "kept.json"))
n = len(kept)
blob = b""
lengths = []
for i in kept:
    b = P.pieces[i].encode()
    blob += b
    lengths.append(len(b))
assert max(lengths) < 256
rows = P.raw("emb.word").reshape(-1, 216)[kept]
pos = (P.floats("emb.pos").reshape(-1, 384)[:256] + P.floats("emb.type")[:384]).astype(np.float16)
head = b"ASWM" + struct.pack("<III", n, len(blob), 256)
pad = lambda b: b + b"\0" * (-len(b) % 4)
out = head + P.scores[kept].astype("<f4").tobytes() + pad(bytes(lengths)) + pad(blob) + pos.tobytes() + rows.tobytes()
print(n, "pieces")
shelve("words.bin", out)
