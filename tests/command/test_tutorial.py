# SPDX-License-Identifier: MIT
"""The tutorial's notebooks: copied, never over somebody's own, and opened."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from mtlpy_nb.commands import tutorial

_NOTEBOOKS = sorted(path.name for path in tutorial.notebook_folder().glob("*.ipynb"))


def test_copies_every_notebook(command, tmp_path):
    done = command("tutorial", "lessons", "--copy-only")
    assert done.returncode == 0
    assert done.stdout.splitlines() == [f"lessons/{name}: copied" for name in _NOTEBOOKS]
    assert "01_first_kernel.ipynb" in _NOTEBOOKS
    for name in _NOTEBOOKS:
        original = tutorial.notebook_folder() / name
        assert (tmp_path / "lessons" / name).read_bytes() == original.read_bytes()


def _change(path: Path, edit) -> str:
    notebook = json.loads(path.read_text())
    edit(notebook)
    path.write_text(json.dumps(notebook))
    return path.read_text()


def test_leaves_a_changed_notebook_and_says_so(command, tmp_path):
    command("tutorial", "--copy-only")
    first = tmp_path / _NOTEBOOKS[0]
    mine = _change(first, lambda notebook: notebook["cells"].pop())
    done = command("tutorial", "--copy-only")
    assert f"{first.name}: kept as it is, changed; --fresh copies the original" in done.stdout
    assert first.read_text() == mine
    assert f"{_NOTEBOOKS[-1]}: is there already" in done.stdout or len(_NOTEBOOKS) == 1


def test_running_a_notebook_is_no_change(command, tmp_path):
    command("tutorial", "--copy-only")
    run = _change(tmp_path / _NOTEBOOKS[0], lambda notebook: notebook["cells"][1].update(outputs=[], execution_count=7))
    done = command("tutorial", "--copy-only")
    assert f"{_NOTEBOOKS[0]}: is there already" in done.stdout
    assert (tmp_path / _NOTEBOOKS[0]).read_text() == run


def test_fresh_puts_ones_own_aside(command, tmp_path):
    command("tutorial", "--copy-only")
    first = tmp_path / _NOTEBOOKS[0]
    texts = []
    for _ in range(2):
        texts.append(_change(first, lambda notebook: notebook["cells"].pop()))
        done = command("tutorial", "--copy-only", "--fresh")
        assert done.returncode == 0
    asides = [first.with_name(f"{first.stem}-mine-{n}.ipynb") for n in (1, 2)]
    assert [path.read_text() for path in asides] == texts
    assert f"{first.name}: copied; yours is now {asides[1].name}" in done.stdout
    assert first.read_bytes() == (tutorial.notebook_folder() / first.name).read_bytes()


def test_a_file_of_that_name_that_is_no_notebook_is_kept(command, tmp_path):
    (tmp_path / _NOTEBOOKS[0]).write_text("my notes")
    assert "kept as it is" in command("tutorial", "--copy-only").stdout
    assert (tmp_path / _NOTEBOOKS[0]).read_text() == "my notes"


def test_a_folder_that_cannot_be_made(command, tmp_path):
    (tmp_path / "file").write_text("")
    done = command("tutorial", "file/lessons", "--copy-only")
    assert done.returncode == 1
    assert done.stderr == "mtlpy-nb tutorial: file/lessons: Not a directory\n"


def test_without_jupyterlab_it_says_what_to_install(monkeypatch, tmp_path, capsys):
    from mtlpy_nb.__main__ import main

    monkeypatch.setattr(tutorial.importlib.util, "find_spec", lambda name: None if name == "jupyterlab" else object())
    assert main(["tutorial", str(tmp_path)]) == 2
    assert capsys.readouterr().err == "mtlpy-nb tutorial needs jupyterlab: pip install 'mtlpy_nb[notebooks]'\n"


def test_root_is_told_what_jupyterlab_wants(monkeypatch, tmp_path, capsys):
    from mtlpy_nb.__main__ import main

    monkeypatch.setattr(tutorial, "_is_root", lambda: True)
    assert main(["tutorial", str(tmp_path)]) == 2
    assert capsys.readouterr().err.endswith("add -- --allow-root\n")
    started = []
    monkeypatch.setattr(tutorial.os, "execv", lambda _, command: started.append(command))
    main(["tutorial", str(tmp_path), "--", "--allow-root"])
    assert started[0][-1] == "--allow-root"


@pytest.mark.parametrize("name", ["tutorial", "notebooks"])
def test_notebooks_are_found_in_a_wheel_and_in_the_repository(tmp_path, monkeypatch, name):
    package = tmp_path / "site" / "mtlpy_nb"
    folder = package / "tutorial" if name == "tutorial" else package.parent / "notebooks"
    folder.mkdir(parents=True)
    monkeypatch.setattr(tutorial, "__file__", str(package / "commands" / "tutorial.py"))
    assert tutorial.notebook_folder() is None
    (folder / "01.ipynb").write_text("{}")
    assert tutorial.notebook_folder() == folder


def test_opens_jupyterlab(tmp_path):
    command = [sys.executable, "-m", "mtlpy_nb", "tutorial", "lessons", "--no-browser", "--"]
    options = ["--allow-root", "--port=0", "--ServerApp.ip=127.0.0.1", "--IdentityProvider.token=secret"]
    environment = {**os.environ, "JUPYTER_RUNTIME_DIR": str(tmp_path), "JUPYTER_CONFIG_DIR": str(tmp_path)}
    log = tmp_path / "log"
    with log.open("w") as stream:
        process = subprocess.Popen([*command, *options], cwd=tmp_path, env=environment, stderr=stream, stdout=stream)
    try:
        address = _address(log, process)
        with urllib.request.urlopen(f"{address}/api/contents?token=secret", timeout=120) as answer:
            contents = json.load(answer)["content"]
        assert {item["name"] for item in contents} == set(_NOTEBOOKS)
        with urllib.request.urlopen(f"{address}/?token=secret", timeout=120) as answer:
            assert answer.url.partition("?")[0] == f"{address}/lab/tree/{_NOTEBOOKS[0]}"
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=120)


def _address(log: Path, process: subprocess.Popen) -> str:
    end = time.monotonic() + 180
    while time.monotonic() < end and process.poll() is None:
        found = re.search(r"(http://127\.0\.0\.1:\d+)/lab", log.read_text())
        if found:
            return found[1]
        time.sleep(0.1)
    raise AssertionError(log.read_text())
