# SPDX-License-Identifier: MIT
"""The compiler program and its cache: used by many at once, killed, and given a folder full of rubbish."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import numpy as np
import pytest

import mtlpy_nb

from . import scripts
from .conftest import HEADER, works

pytestmark = [
    pytest.mark.alone,
    pytest.mark.timeout(180),
    pytest.mark.skipif(not mtlpy_nb.Device().is_software, reason="Apple's compiler and cache are Apple's"),
]


def source(number: int) -> str:
    return f"{HEADER}kernel void k(device int* x, uint i [[thread_position_in_grid]]) {{ x[i] += {number}; }}"


def test_eight_threads_compile_at_once(device):
    outcomes: list[object] = [None] * 8
    ready = threading.Barrier(8)

    def work(number: int) -> None:
        try:
            ready.wait()
            for turn in range(3):
                x = np.zeros(4, np.int32)
                # Every other round all threads want the same kernel.
                value = 1000 + turn if turn % 2 else 10 * number + turn
                device.library(source(value))["k"](x)
                assert x.tolist() == [value] * 4
                with pytest.raises(mtlpy_nb.CompileError, match=f"missing{number}"):
                    device.library(f"{HEADER}kernel void k() {{ missing{number}(); }}")
            outcomes[number] = "right"
        except BaseException as error:
            outcomes[number] = error

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == ["right"] * 8


WAITING = """
    def children(parent):
        found = []
        for entry in os.listdir("/proc"):
            if entry.isdigit():
                try:
                    fields = open(f"/proc/{entry}/stat").read().rpartition(")")[2].split()
                except OSError:
                    continue
                if int(fields[1]) == parent and fields[0] != "Z":
                    found.append(int(entry))
        return found

    device = mtlpy_nb.Device(cache_path=False)
    check(device)
    def compile():
        try:
            library(SLOW, device)
            print("compiled")
        except mtlpy_nb.CompileError as error:
            print("CompileError", "compiler" in str(error))
        except BaseException as error:
            print(type(error).__name__, error)
    (service,) = children(os.getpid())
"""

KILLING = (
    WAITING
    + """
    thread = threading.Thread(target=compile)
    thread.start()
    while not children(service): time.sleep(0.005)
    time.sleep(0.1)
"""
)


def test_compiler_killed_while_it_compiles():
    """The child that works on the request."""
    ended = scripts.run(
        KILLING
        + """
    for child in children(service): os.kill(child, signal.SIGKILL)
    thread.join()
    check(device)
    print("works")
    """
    )
    assert ended.lines == ["CompileError True", "works"], ended


def test_compiler_service_killed_while_it_compiles():
    """The service itself and its child; a new one starts."""
    ended = scripts.run(
        KILLING
        + """
    for process in [service, *children(service)]: os.kill(process, signal.SIGKILL)
    thread.join()
    check(device)
    print("works", children(os.getpid()) != [service])
    """
    )
    assert ended.lines == ["CompileError True", "works True"], ended


def test_compiler_service_killed_between_requests():
    ended = scripts.run(
        WAITING
        + """
    os.kill(service, signal.SIGKILL)
    time.sleep(0.2)
    check(device)
    print("works")
    """
    )
    assert ended.lines == ["works"], ended


def test_compiler_ends_with_the_process():
    ended = scripts.run(WAITING + "    print(service)\n    os.kill(os.getpid(), signal.SIGKILL)\n")
    service = int(ended.lines[0])
    for _ in range(100):
        if (
            not Path(f"/proc/{service}").exists()
            or "Z" in Path(f"/proc/{service}/stat").read_text().rpartition(")")[2][:3]
        ):
            return
        threading.Event().wait(0.1)
    os.kill(service, 9)
    pytest.fail("the compiler outlived the process that used it")


def test_compiler_that_is_not_there():
    ended = scripts.run(
        """
    try:
        check(mtlpy_nb.Device())
    except mtlpy_nb.MetalError as error:
        print(type(error).__name__, "/nowhere/metal-compiler" in str(error))
    """,
        MTLPY_COMPILER="/nowhere/metal-compiler",
        MTLPY_CACHE_DIR="",
    )
    assert ended.lines == ["CompileError True"], ended


@pytest.mark.parametrize("program", ["/bin/true", "/bin/cat", "/etc/passwd"])
def test_compiler_that_is_another_program(program):
    ended = scripts.run(
        """
    try:
        check(mtlpy_nb.Device())
    except mtlpy_nb.CompileError as error:
        print("CompileError")
    """,
        timeout=60,
        MTLPY_COMPILER=program,
        MTLPY_CACHE_DIR="",
    )
    assert ended.lines == ["CompileError"], ended


# ---- The folder of compiled code ----

TWICE = """
    check(mtlpy_nb.Device(), 1)
    check(mtlpy_nb.Device(), 2)
    print("works")
"""


def works_with(folder: str) -> None:
    ended = scripts.run(TWICE, MTLPY_CACHE_DIR=folder)
    assert ended.lines == ["works"], ended
    assert ended.err == "", "a cache that cannot be used is nobody's concern"


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_cache_folder_that_does_not_exist_is_made(tmp_path):
    folder = tmp_path / "not" / "there" / "yet"
    works_with(str(folder))
    assert files(folder)


def test_cache_folder_that_cannot_be_written(tmp_path):
    works_with("/proc/nothing/here")
    tmp_path.chmod(0o500)
    works_with(str(tmp_path / "cache"))
    tmp_path.chmod(0o700)


def test_cache_folder_that_is_a_file(tmp_path):
    file = tmp_path / "cache"
    file.write_text("not a folder")
    works_with(str(file))
    assert file.read_text() == "not a folder"


def test_cache_folder_that_cannot_be_read(tmp_path):
    works_with(str(tmp_path))
    for path in [*files(tmp_path), tmp_path]:
        path.chmod(0)
    works_with(str(tmp_path))
    tmp_path.chmod(0o700)


def rubbish(path: Path, kind: str) -> None:
    data = path.read_bytes()
    match kind:
        case "empty":
            path.write_bytes(b"")
        case "cut":
            path.write_bytes(data[: len(data) // 2])
        case "one byte short":
            path.write_bytes(data[:-1])
        case "zeros":
            path.write_bytes(bytes(len(data)))
        case "text":
            path.write_text("rubbish " * 100)
        case "flipped":
            for at in range(len(data) // 3, len(data), max(1, len(data) // 7)):
                data = data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]
            path.write_bytes(data)
        case "longer":
            path.write_bytes(data + data)
        case "folder":
            path.unlink()
            path.mkdir()
            (path / "inside").write_text("x")
        case "dangling link":
            path.unlink()
            path.symlink_to("/nowhere/at/all")
        case "pipe":
            path.unlink()
            os.mkfifo(path)


KINDS = ["empty", "cut", "one byte short", "zeros", "text", "flipped", "longer", "folder", "dangling link", "pipe"]


@pytest.mark.parametrize("kind", KINDS)
def test_cache_full_of_rubbish(tmp_path, kind):
    works_with(str(tmp_path))
    kept = files(tmp_path)
    assert kept
    for path in kept:
        rubbish(path, kind)
    (tmp_path / "stranger.txt").write_text("keep me")
    works_with(str(tmp_path))
    assert (tmp_path / "stranger.txt").read_text() == "keep me"
    works_with(str(tmp_path))


def test_entries_swapped_with_each_other(tmp_path):
    """An entry under another's name is not that other: the answer would be another kernel's code."""
    works_with(str(tmp_path))
    kept = sorted(files(tmp_path), key=lambda path: path.stat().st_size)
    contents = [path.read_bytes() for path in kept]
    for path, data in zip(kept, contents[1:] + contents[:1], strict=True):
        path.write_bytes(data)
    works_with(str(tmp_path))


def test_many_processes_share_a_cache(tmp_path):
    processes = [scripts.start(TWICE, MTLPY_CACHE_DIR=str(tmp_path)) for _ in range(4)]
    assert [scripts.end(process).lines for process in processes] == [["works"]] * 4
    works_with(str(tmp_path))


def test_device_without_cache_works(device):
    assert works(mtlpy_nb.Device(cache_path=False))
