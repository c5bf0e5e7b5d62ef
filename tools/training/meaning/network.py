"""The models as torch modules: BERT layers over rows of the pruned embedding table, as multilingual-e5-small has them.

Trunk (layers 1 to 3), encoder (4 to 12) and reader (eight layers of its own) have the same structure as in the product.
"""

import torch
import torch.nn.functional as F
from torch import nn

WIDTH, HEADS, INNER, POSITIONS = 384, 12, 1536, 512
# Number of layers of the trunk, and of the reader on top of it.
SHARED, OWN = 3, 8
# Index of the layer before which segments (claim, passage) are added, counted from the trunk's first.
TOLD_APART = 6


class Norm(nn.LayerNorm):
    def __init__(self):
        super().__init__(WIDTH, 1e-12)

    def forward(self, x):
        if not torch.is_autocast_enabled(x.device.type):
            return super().forward(x)
        with torch.autocast(x.device.type, enabled=False):
            return F.layer_norm(x.bfloat16(), (WIDTH,), self.weight.bfloat16(), self.bias.bfloat16(), self.eps)


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.n1, self.n2 = Norm(), Norm()
        self.fi, self.fo = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.drop = 0.0

    def forward(self, x, mask):
        """`mask` marks the tokens that are not padding."""
        count, length, _ = x.shape
        q, k, v = (made.view(count, length, HEADS, WIDTH // HEADS).transpose(1, 2) for made in (self.q(x), self.k(x), self.v(x)))
        a = F.scaled_dot_product_attention(q, k, v, attn_mask=mask[:, None, None, :])
        a = self.o(a.transpose(1, 2).reshape(count, length, WIDTH))
        x = self.n1(x + F.dropout(a, self.drop, self.training))
        return self.n2(x + F.dropout(self.fo(F.gelu(self.fi(x))), self.drop, self.training))


class Embeddings(nn.Module):
    def __init__(self, words):
        super().__init__()
        self.word = nn.Embedding(words, WIDTH)
        self.pos = nn.Embedding(POSITIONS, WIDTH)
        self.norm = Norm()

    def forward(self, ids):
        return self.norm(self.word(ids) + self.pos.weight[: ids.shape[1]])


class Trunk(nn.Module):
    """The frozen lower layers shared by both models."""

    def __init__(self, words):
        super().__init__()
        self.emb = Embeddings(words)
        self.layers = nn.ModuleList(Layer() for _ in range(SHARED))

    @torch.no_grad()
    def forward(self, ids, mask):
        x = self.emb(ids)
        for layer in self.layers:
            x = layer(x, mask)
        return x


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Layer() for _ in range(12 - SHARED))

    def forward(self, x, mask):
        """Returns unit-length vectors: the mean over all tokens."""
        for layer in self.layers:
            x = layer(x, mask)
        return F.normalize((x.float() * mask[..., None]).sum(1), dim=1)


class Reader(nn.Module):
    """Returns logits: entailed, not said, denied, and whether the passage answers."""

    def __init__(self):
        super().__init__()
        self.top = nn.ModuleList(Layer() for _ in range(OWN))
        self.segment = nn.Embedding(2, WIDTH)
        self.pool = nn.Linear(2 * WIDTH, WIDTH)
        self.out = nn.Linear(WIDTH, 4)

    def forward(self, x, segment, mask):
        for place, layer in enumerate(self.top, SHARED):
            if place == TOLD_APART:
                x = x + self.segment(segment).to(x.dtype)
            x = layer(x, mask)
        own = (mask & (segment == 0)).unsqueeze(2).to(x.dtype)
        mean = (x * own).sum(1) / own.sum(1)
        return self.out(torch.tanh(self.pool(torch.cat([x[:, 0], mean], 1))))
