# SPDX-License-Identifier: MIT
"""The compiler as a command and as a service, without the rest of the package."""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
import struct
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest


def find_compiler() -> str | None:
    """Look where the package looks: $MTLPY_COMPILER, the package's folder, PATH."""
    if path := os.environ.get("MTLPY_COMPILER"):
        return path
    spec = importlib.util.find_spec("mtlpy_nb")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        if (candidate := Path(folder) / "metal-compiler").exists():
            return str(candidate)
    return shutil.which("metal-compiler")


@pytest.fixture(scope="session")
def compiler() -> str:
    path = find_compiler()
    if path is None:
        pytest.skip("metal-compiler is not built: set MTLPY_COMPILER")
    return path


class Service:
    """`metal-compiler --serve`, spoken to as metal-cpp/compiler/protocol.hpp says."""

    version, library, pipeline, information, completion = 9, 0, 1, 2, 3

    def __init__(self, compiler: str, seconds: int = 10) -> None:
        self.socket, theirs = socket.socketpair()
        self.process = subprocess.Popen(
            [compiler, "--serve", str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "MTLPY_COMPILE_SECONDS": str(seconds)},
        )
        theirs.close()

    def open(self) -> socket.socket:
        """Ask for a child; the socket to talk to it."""
        ours, theirs = socket.socketpair()
        socket.send_fds(self.socket, [b"x"], [theirs.fileno()])
        theirs.close()
        return ours

    def ask(self, kind: int, body: bytes, version: int = version) -> bytes | None:
        """The reply's bytes; None when the child ended without one."""
        with self.open() as channel:
            frame = struct.pack("<IBQ", version, kind, len(body)) + body
            channel.sendall(struct.pack("<Q", len(frame)) + frame)
            with channel.makefile("rb") as stream:
                head = stream.read(8)
                return stream.read(struct.unpack("<Q", head)[0]) if len(head) == 8 else None

    def compile(self, source: str | bytes, math_mode: int = 1, language_version: int = 0) -> tuple[bool, str] | None:
        """Compile a library: whether it is fine, and the log."""
        text = source if isinstance(source, bytes) else source.encode()
        body = struct.pack("<Q", len(text)) + text + struct.pack("<IBBQQQB", language_version, math_mode, 0, 0, 0, 0, 0)
        reply = self.ask(self.library, body)
        if reply is None:
            return None
        (size,) = struct.unpack("<Q", reply[1:9])
        return bool(reply[0]), reply[9 : 9 + size].decode(errors="replace")

    def close(self) -> tuple[int, bytes]:
        """End the service: its exit status and what it printed."""
        self.socket.close()
        output, _ = self.process.communicate(timeout=120)
        return self.process.returncode, output


@pytest.fixture(scope="session")
def service(compiler: str) -> Iterator[Service]:
    served = Service(compiler)
    yield served
    assert served.close() == (0, b"")


@pytest.fixture
def run(compiler: str, service: Service, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Compile a source that messages call `program_source`.

    Without options the service does it, which has read the standard headers; the command says the same, and reads them
    each time (`test_diagnostics.py` asks both).
    """

    def run_compiler(source: str, *options: str) -> subprocess.CompletedProcess[str]:
        if not options:
            answer = service.compile(source)
            assert answer is not None, "the compiler gave up"
            return subprocess.CompletedProcess([compiler], 0 if answer[0] else 1, "", answer[1])
        return run_command(compiler, tmp_path, source, *options)

    return run_compiler


def run_command(compiler: str, folder: Path, source: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Compile a source by the command."""
    (folder / "program_source").write_text(source)
    command = [compiler, "program_source", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
