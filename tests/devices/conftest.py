# SPDX-License-Identifier: MIT
"""A process of its own, in which the software device is split in two."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

import mtlpy_nb

# Runs what it is sent, statement by statement, and answers with what went wrong: class, its bases' names and text.
WORKER = """
import json, sys
names = {}
for line in sys.stdin:
    try:
        exec(json.loads(line), names)
        answer = None
    except BaseException as error:
        answer = [[c.__name__ for c in type(error).__mro__], str(error)]
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture(autouse=True, scope="package")
def _software_device():
    if not mtlpy_nb.Device(cache_path=False).is_software:
        pytest.skip("only the software device can be split")


def shared_memory():
    """Name what lies in the system's shared memory; multiprocessing's semaphores come and go with other tests."""
    return {name for name in os.listdir("/dev/shm") if not name.startswith("sem.")}


class Process:
    """Python with other environment variables, that runs one piece of code after the other."""

    def __init__(self, **environment: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-W", "error", "-c", WORKER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **environment},
        )

    def answer(self, code: str) -> list | None:
        self.process.stdin.write(json.dumps(code) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def run(self, code: str) -> None:
        answer = self.answer(code)
        assert answer is None, answer

    def fails(self, code: str) -> tuple[list[str], str]:
        """Run what must fail; gives the names of the error's classes, and its text."""
        answer = self.answer(code)
        assert answer is not None, f"{code} did not fail"
        return answer[0], answer[1]

    def end(self) -> None:
        self.process.stdin.close()
        self.process.stdout.close()
        assert self.process.wait(120) == 0


@pytest.fixture(scope="module")
def two(_software_device):
    """Run code in a process where the software device is two devices."""
    process = Process(MTLPY_SOFTWARE_DEVICES="2", MTLPY_NUM_THREADS="3")
    process.run(
        "import gc, numpy as np, mtlpy_nb\nfrom mtlpy_nb import metal as pm\n"
        "a, b = mtlpy_nb.Device(0, cache_path=False), mtlpy_nb.Device(1, cache_path=False)"
    )
    yield process
    process.end()
