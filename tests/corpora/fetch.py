# SPDX-License-Identifier: MIT
"""Packages whose Metal the tests compile: downloaded when first asked for, kept in a folder, never committed."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import platformdirs


def fetch(project: str, version: str, *, platform: str | None = None, only: str = "") -> Path:
    """Give the folder with the unpacked package.

    Parameters
    ----------
    project, version : str
        As the registry names them.
    platform : str, optional
        Of the wheel, such as ``"macosx_14_0_arm64"``; without it the source distribution is taken.
    only : str
        The beginning of the names of those files that are unpacked.
    """
    home = Path(os.environ.get("MTLPY_CORPORA_DIR") or Path(platformdirs.user_cache_dir("mtlpy_nb")) / "corpora")
    place = home / f"{project}-{version}"
    home.mkdir(parents=True, exist_ok=True)
    with _only_one(home / f"{project}-{version}.lock"):
        if not place.exists():
            # What a process leaves when it is killed must not look like the package.
            half_done = home / f"{project}-{version}.part"
            shutil.rmtree(half_done, ignore_errors=True)
            _unpack(_download(project, version, platform, half_done / "archive"), half_done / "files", only)
            (half_done / "files").rename(place)
            shutil.rmtree(half_done)
    return place


@contextmanager
def _only_one(path: Path) -> Iterator[None]:
    with open(path, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _download(project: str, version: str, platform: str | None, folder: Path) -> Path:
    kind = ["--no-binary", project, "--no-build-isolation"] if platform is None else ["--only-binary", ":all:"]
    options = [] if platform is None else ["--platform", platform]
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--quiet", "--disable-pip-version-check"]
    target = ["--dest", str(folder), f"{project}=={version}"]
    run = subprocess.run([*command, *kind, *options, *target], capture_output=True, text=True, check=False, timeout=600)
    if run.returncode != 0:
        raise RuntimeError(f"{project} {version} cannot be downloaded:\n{run.stdout}{run.stderr}")
    (archive,) = folder.iterdir()
    return archive


def _unpack(archive: Path, folder: Path, only: str) -> None:
    folder.mkdir(parents=True)
    if archive.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(archive) as wheel:
            wheel.extractall(folder, [name for name in wheel.namelist() if name.startswith(only)])
        return
    with tarfile.open(archive) as sources:
        # A source distribution is one folder, which is left out.
        for member in sources.getmembers():
            member.name = member.name.partition("/")[2]
            if member.name and member.name.startswith(only):
                sources.extract(member, folder, filter="data")
