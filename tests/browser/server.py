# SPDX-License-Identifier: MIT
"""A Jupyter server of the tests' own: a free port, folders that are thrown away, and an end for sure."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

# Long for a busy machine: nothing waits this long unless something is wrong.
_PATIENCE = 120


class Server:
    """JupyterLab and Notebook behind one address; notebooks lie in `folder`."""

    def __init__(self, base: Path) -> None:
        self.folder = base / "notebooks"
        self._runtime = base / "runtime"
        self._log = base / "server.log"
        for folder in (self.folder, self._runtime):
            folder.mkdir()
        self._write_settings(base / "settings")
        self._write_configuration(base / "config")
        self._process = self._start(base)
        try:
            self.url = self._wait()
        except BaseException:
            self.close()
            raise

    def _start(self, base: Path) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--expose-app-in-browser"]
        if sys.platform == "linux":
            command[:0] = ["setpriv", "--pdeathsig", "TERM"]  # should the tests themselves be killed
        command += [
            "--ip=127.0.0.1",
            "--IdentityProvider.token=",
            f"--ServerApp.root_dir={self.folder}",
            "--ServerApp.jpserver_extensions={'notebook': True, 'jupyter_lsp': False}",
            "--JupyterNotebookApp.expose_app_in_browser=True",
            # A port that is taken meanwhile is left for the next.
            "--ServerApp.port=18888",
            "--ServerApp.port_retries=200",
        ]
        private = {
            "JUPYTER_RUNTIME_DIR": self._runtime,
            "JUPYTER_CONFIG_DIR": base / "config",
            "JUPYTER_DATA_DIR": base / "data",
            "JUPYTERLAB_SETTINGS_DIR": base / "settings",
            "JUPYTERLAB_WORKSPACES_DIR": base / "workspaces",
            "IPYTHONDIR": base / "ipython",
        }
        environment = {**os.environ, **{name: str(path) for name, path in private.items()}}
        with self._log.open("wb") as log:
            return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)

    @staticmethod
    def _write_settings(folder: Path) -> None:
        """Answer what a new person is asked, and ask the Internet nothing."""
        path = folder / "@jupyterlab" / "apputils-extension" / "notification.jupyterlab-settings"
        path.parent.mkdir(parents=True)
        path.write_text('{"fetchNews": "false", "checkForUpdates": false}')

    @staticmethod
    def _write_configuration(folder: Path) -> None:
        """Do what the documentation says of exporting notebooks with Metal's colours."""
        folder.mkdir()
        configuration = {"HighlightMagicsPreprocessor": {"languages": {"%%metal": "metal"}}}
        (folder / "jupyter_config.json").write_text(json.dumps(configuration))

    def _wait(self) -> str:
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            if self._process.poll() is not None:
                break
            for path in self._runtime.glob("jpserver-*.json"):
                with contextlib.suppress(OSError, ValueError):
                    url = json.loads(path.read_text())["url"].rstrip("/")
                    urllib.request.urlopen(f"{url}/api/status", timeout=_PATIENCE).close()
                    return url
            time.sleep(0.05)
        raise RuntimeError(f"Jupyter didn't start:\n{self.log()}")

    def log(self) -> str:
        """What the server has said."""
        return self._log.read_text(errors="replace")

    def close(self) -> None:
        """End the server and its kernels; kernels end by themselves when their server is gone."""
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def find_chromium() -> str | None:
    """Find a Chromium or Chrome of the system."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    found = next((path for path in map(shutil.which, names) if path), None)
    mac = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
    return found or (mac if Path(mac).exists() else None)
