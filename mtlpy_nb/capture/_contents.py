# SPDX-License-Identifier: MIT
"""What memory held: pieces of bytes, read from the file when somebody looks at them."""

from __future__ import annotations

import os
import re
from collections import OrderedDict
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType
from typing import Any

import numpy as np

from .._arrays import Array
from ._archive import Archive
from ._checked import damaged

__all__ = ["Contents"]

_NAME = re.compile(r"[0-9a-f]{32}")
_MOST_BLOCK = 1 << 26
_KEPT_BYTES = 1 << 28  # of pieces
_KEPT_JOINED = 1 << 27  # of what was put together of them
_TOGETHER = 16  # blocks that are unpacked at once
_FEWEST_TOGETHER = 4
_MOST_READERS = 4


def _most_bytes() -> int:
    """Bound what one array may take: a small file can claim any size by naming one block again and again."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2


class Contents:
    """All contents of a capture, by their numbers."""

    def __init__(self, archive: Archive, value: Any, block_size: int) -> None:
        if not 0 < block_size <= _MOST_BLOCK:
            raise damaged(f"manifest.json: 'block_size' is {block_size}, must be 1 to {_MOST_BLOCK}")
        self._archive = archive
        self._block_size = block_size
        self._entries = _entries(value, block_size)
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._kept_bytes = 0
        # What one command has left is what the next one finds.
        self._arrays: OrderedDict[tuple[int, int, int], Array] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    def size(self, number: int) -> int:
        """Bytes of a content."""
        return self._entries[number][0]

    def blocks(self, number: int) -> list[str]:
        """Names of its pieces: equal names are equal bytes."""
        return self._entries[number][1]

    def differing(self, number: int, other: int) -> list[tuple[int, int]]:
        """List the parts, by their first byte and the one behind the last, outside of which two contents are the same.

        Nothing is read.
        """
        (size, one), (other_size, two) = self._entries[number], self._entries[other]
        if size != other_size:
            return [(0, max(size, other_size))]
        step = self._block_size
        found: list[tuple[int, int]] = []
        for i in (i for i, (a, b) in enumerate(zip(one, two, strict=True)) if a != b):
            begin, end = i * step, min((i + 1) * step, size)
            if found and found[-1][1] == begin:
                begin = found.pop()[0]
            found.append((begin, end))
        return found

    def read(self, number: int, offset: int = 0, size: int | None = None) -> Array:
        """Read bytes of a content, all of it by default. The array cannot be written."""
        whole, blocks = self._entries[number]
        size = whole - offset if size is None else size
        if offset < 0 or size < 0 or offset + size > whole:
            raise damaged(f"content {number} has {whole} bytes; {size} at {offset} were looked for")
        if size > _most_bytes():
            raise damaged(f"content {number} claims {whole} bytes, too much for this computer's memory")
        first, step = offset // self._block_size, self._block_size
        if size and (offset + size - 1) // step == first:
            data: Array = np.frombuffer(self._block(blocks[first], min(step, whole - first * step)), np.uint8)
            return data[offset - first * step :][:size]
        key = number, offset, size
        kept = self._arrays.get(key)
        if kept is not None:
            self._arrays.move_to_end(key)
            return kept
        found = self._joined(whole, blocks, offset, size)
        self._keep(key, found)
        return found

    def _joined(self, whole: int, blocks: list[str], offset: int, size: int) -> Array:
        """Put together what is in several blocks."""
        first, step = offset // self._block_size, self._block_size
        found = np.empty(size, np.uint8)
        end_block = -(-(offset + size) // step)
        unpacked: Mapping[str, bytes] = {}
        for i in range(first, end_block):
            if (i - first) % _TOGETHER == 0:
                unpacked = self._unpacked(blocks[i : min(i + _TOGETHER, end_block)])
            begin = i * step
            block = np.frombuffer(self._block(blocks[i], min(step, whole - begin), unpacked), np.uint8)
            start, end = max(offset, begin), min(offset + size, begin + len(block))
            found[start - offset : end - offset] = block[start - begin : end - begin]
        found.flags.writeable = False
        return found

    def _keep(self, key: tuple[int, int, int], found: Array) -> None:
        self._arrays[key] = found
        total = sum(array.nbytes for array in self._arrays.values())
        while total > _KEPT_JOINED and self._arrays:
            total -= self._arrays.popitem(last=False)[1].nbytes

    def _unpacked(self, names: list[str]) -> dict[str, bytes]:
        """Unpack several blocks at once, on several processors; nothing where there are few to unpack."""
        missing = [name for name in dict.fromkeys(names) if name not in self._kept]
        if len(missing) < _FEWEST_TOGETHER:
            return {}
        with ThreadPoolExecutor(min(_MOST_READERS, os.cpu_count() or 1)) as pool:
            return dict(zip(missing, pool.map(self._from_file, missing), strict=True))

    def _from_file(self, name: str) -> bytes:
        return self._archive.read(f"blocks/{name}", self._block_size)

    def _block(self, name: str, size: int, unpacked: Mapping[str, bytes] = MappingProxyType({})) -> bytes:
        data = self._kept.get(name)
        if data is None:
            data = unpacked[name] if name in unpacked else self._from_file(name)
            self._kept[name] = data
            self._kept_bytes += len(data)
            while self._kept_bytes > _KEPT_BYTES and len(self._kept) > 1:
                self._kept_bytes -= len(self._kept.popitem(last=False)[1])
        else:
            self._kept.move_to_end(name)
        if len(data) != size:
            raise damaged(f"block {name} has {len(data)} bytes, should have {size}")
        return data


def _entries(value: Any, block_size: int) -> list[tuple[int, list[str]]]:
    if not isinstance(value, list):
        raise damaged("contents.json is no list")
    entries = []
    for i, entry in enumerate(value):
        if not (isinstance(entry, list) and len(entry) == 2 and type(entry[0]) is int and isinstance(entry[1], list)):
            raise damaged(f"contents.json[{i}] is no pair of a size and a list of blocks")
        size, blocks = entry
        if size < 0 or len(blocks) != -(-size // block_size):
            raise damaged(f"contents.json[{i}]: {size} bytes cannot be {len(blocks)} blocks of {block_size}")
        if not all(isinstance(name, str) and _NAME.fullmatch(name) for name in blocks):
            raise damaged(f"contents.json[{i}] has a block whose name is no hash")
        entries.append((size, blocks))
    return entries
