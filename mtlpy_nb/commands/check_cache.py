# SPDX-License-Identifier: MIT
"""Whether compiled kernels can be kept on disk; when they cannot, they run all the same and compile each time."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import struct
import tempfile
from pathlib import Path

from .. import _native as mtl
from .finding import Finding, good, warning

__all__ = ["examine_cache"]

_SUFFIXES = (".library", ".so")
# The end of an entry, as metal-cpp/compiler/client/disk_cache.cpp writes it: two sizes, a hash, the key, a mark.
_TRAILER = struct.Struct("<QQQ16s8s")
_MARK = b"MTLPYNB1"
_LITTLE_ROOM = 100_000_000  # bytes
_EACH_TIME = "kernels run, but are compiled again in every process"


def examine_cache() -> Finding:
    """Look at the folder of compiled kernels: can it be written, is there room, are its entries whole."""
    folder = mtl.cache_path()
    if not folder:
        named = "MTLPY_CACHE_DIR" in os.environ
        reason = "MTLPY_CACHE_DIR is empty" if named else "neither MTLPY_CACHE_DIR, XDG_CACHE_HOME nor HOME is set"
        remedy = "unset MTLPY_CACHE_DIR" if named else "set MTLPY_CACHE_DIR to a folder"
        return warning("cache", f"none, since {reason}: {_EACH_TIME}", remedy, folder="")
    problem = _problem_of_writing(folder)
    if problem:
        text, remedy = problem
        return warning("cache", f"{text}: {_EACH_TIME}", remedy, folder=folder)
    room = shutil.disk_usage(folder).free
    size = mtl.cache_size()
    facts: dict[str, object] = {"folder": folder, "bytes": size, "free_bytes": room}
    text = f"{size / 1e6:.1f} MB in {folder}, {room / 1e9:.1f} GB free"
    if room < _LITTLE_ROOM:
        return warning("cache", f"{text}: it will soon be full", _more_room(folder), **facts)
    damaged, foreign = _bad_entries(Path(folder))
    facts |= {"damaged": damaged, "foreign": foreign}
    bad = [f"{damaged} of its files are damaged"] * (damaged > 0)
    bad += [f"{foreign} of its files can be changed by other users, so their code is not run"] * (foreign > 0)
    if bad:
        return warning(
            "cache",
            f"{text}; {' and '.join(bad)}; such files are passed over and written again when needed",
            "`%metal cache clear` in a notebook empties it",
            **facts,
        )
    return good("cache", text, **facts)


def _problem_of_writing(folder: str) -> tuple[str, str] | None:
    """Write a small file there; give what stands in the way, and what to do."""
    elsewhere = "set MTLPY_CACHE_DIR to a folder that you may write to"
    if os.path.exists(folder) and not os.path.isdir(folder):
        return f"{folder} is a file, not a folder", "remove it, or set MTLPY_CACHE_DIR to a folder"
    try:
        os.makedirs(folder, mode=stat.S_IRWXU, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return f"there is no room left in {folder}", _more_room(folder)
        if error.errno == errno.EROFS:
            return f"{folder} is on a file system that is mounted read-only", elsewhere
        if error.errno in (errno.EACCES, errno.EPERM):
            return f"{folder} may not be written to", f"chmod u+rwx {folder}, if it is yours\n{elsewhere}"
        return f"{folder} cannot be used ({error.strerror})", elsewhere
    return None


def _more_room(folder: str) -> str:
    return f"make room on the disk of {folder}, or set MTLPY_CACHE_DIR to a folder on another one"


def _bad_entries(folder: Path) -> tuple[int, int]:
    """Count entries that are not whole, and entries that somebody else could have written."""
    damaged = foreign = 0
    for path in folder.iterdir():
        if path.suffix not in _SUFFIXES or not path.is_file():
            continue
        facts = path.lstat()
        if facts.st_uid != os.geteuid() or facts.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            foreign += 1
        elif not _is_whole(path, facts.st_size):
            damaged += 1
    return damaged, foreign


def _is_whole(path: Path, size: int) -> bool:
    if size < _TRAILER.size:
        return False
    try:
        with path.open("rb") as file:
            file.seek(-_TRAILER.size, os.SEEK_END)
            object_size, facts_size, _, key, mark = _TRAILER.unpack(file.read())
    except OSError:
        return False
    return bool(mark == _MARK and object_size + facts_size + _TRAILER.size == size and len(key) == 16)
