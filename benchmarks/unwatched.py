# SPDX-License-Identifier: MIT
"""A Chromium that nobody listens to while something is measured, and the processor's time of all that takes part.

Playwright has the browser report everything that comes over a websocket, pictures included. That takes more of the
processor than the pictures themselves, so it is disconnected meanwhile: the page does by itself what is measured, and
is asked for what it has found afterwards.
"""

from __future__ import annotations

import collections
import os
import re
import subprocess
import time
from pathlib import Path
from typing import Any

from tests.browser.page import NotebookPage
from tests.browser.server import Server, find_chromium

__all__ = ["Chromium", "processor_times"]

_PATIENCE = 120_000  # milliseconds
_TICKS = os.sysconf("SC_CLK_TCK")


class Chromium:
    """A browser with one tab, to which Playwright is connected now and then."""

    def __init__(self, playwright: Any, server: Server, folder: Path) -> None:
        self._playwright, self._server, self._folder = playwright, server, folder
        program = find_chromium()
        assert program is not None, "Chromium is missing"
        profile = folder / "chromium"
        flags = ["--headless", "--no-sandbox", "--no-first-run", "--window-size=1100,900", f"--user-data-dir={profile}"]
        # What goes to the background is slowed down, and without a window all is.
        flags += ["--disable-renderer-backgrounding", "--disable-background-timer-throttling"]
        flags += ["--disable-backgrounding-occluded-windows"]
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(
            [program, *flags, "--remote-debugging-port=0", "about:blank"], stdout=quiet, stderr=quiet
        )
        self._port_file = profile / "DevToolsActivePort"
        self._connection: Any = None

    def connect(self) -> NotebookPage:
        """Give the tab, as it is now."""
        end = time.monotonic() + _PATIENCE / 1000
        while not (self._port_file.exists() and "\n" in self._port_file.read_text()):
            assert self._process.poll() is None, "Chromium has ended"
            assert time.monotonic() < end, "Chromium did not begin"
            time.sleep(0.05)
        port = self._port_file.read_text().split()[0]
        self._connection = self._playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}")
        tab = self._connection.contexts[0].pages[0]
        tab.set_default_timeout(_PATIENCE)
        return NotebookPage(tab, self._server, self._folder)

    def let_go(self) -> None:
        """Disconnect; the tab goes on."""
        self._connection.close()

    def close(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait(60)


def processor_times() -> dict[str, float]:
    """Give milliseconds that this program's children have had, by what they are; Linux only, elsewhere nothing."""
    if not Path("/proc/self/stat").exists():
        return {}
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
                command = (folder / "cmdline").read_text().replace("\0", " ")
            except OSError:  # it has ended meanwhile
                continue
            found[int(folder.name)] = int(fields[1]), (int(fields[11]) + int(fields[12])) / _TICKS * 1e3, command
    children = collections.defaultdict(list)
    for number, (parent, _, _) in found.items():
        children[parent].append(number)
    times: dict[str, float] = collections.defaultdict(float)
    left = list(children[os.getpid()])
    while left:
        number = left.pop()
        left += children[number]
        times[_kind(found[number][2])] += found[number][1]
    return dict(times)


def _kind(command: str) -> str:
    if "ipykernel" in command:
        return "kernel"
    if "jupyterlab" in command:
        return "server"
    if "chromium" not in command and "chrome" not in command.lower():
        return "other"
    found = re.search(r"--type=([\w-]+)", command)
    return f"browser's {found[1]}" if found else "browser"
