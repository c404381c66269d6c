# SPDX-License-Identifier: MIT
"""Whether the tools of a notebook are here, and of a version that works."""

from __future__ import annotations

import importlib
import json
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

from .finding import Finding, fault, good, warning

__all__ = ["EXTENSION", "examine_extension", "examine_ipython", "examine_jupyter"]

# The name that the labextension's package.json has.
EXTENSION = "mtlpy-nb"
_OLDEST_LAB = 4
_NOTEBOOKS = "pip install 'mtlpy_nb[notebooks]'"


def examine_ipython() -> Finding:
    """Look for IPython, which the magics belong to."""
    try:
        version = str(importlib.import_module("IPython").__version__)
    except ImportError as error:
        problem = "is missing" if error.name == "IPython" else f"cannot be imported ({error})"
        return fault("IPython", f"it {problem}, and the magics need it", "pip install ipython", version=None)
    return good("IPython", version, version=version)


def examine_jupyter() -> Finding:
    """Look for what opens notebooks here."""
    versions: dict[str, Any] = {name: _installed(name) for name in ("jupyterlab", "ipykernel", "scikit-image")}
    missing = [name for name, version in versions.items() if version is None]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        text = f"{' and '.join(missing)} {verb} missing, which the tutorial's notebooks need"
        return warning("notebooks", text, _NOTEBOOKS, **versions)
    text = f"JupyterLab {versions['jupyterlab']}, ipykernel {versions['ipykernel']}"
    if int(versions["jupyterlab"].partition(".")[0]) < _OLDEST_LAB:
        return warning("notebooks", f"{text}; JupyterLab {_OLDEST_LAB} or newer is needed", _NOTEBOOKS, **versions)
    return good("notebooks", text, **versions)


def examine_extension() -> Finding:
    """Look for the extension that colours ``%%metal`` cells in JupyterLab and Notebook."""
    folders = extension_folders()
    for folder in folders:
        package = folder / EXTENSION / "package.json"
        if package.is_file():
            version = json.loads(package.read_text(encoding="utf-8")).get("version", "of no version")
            return good("colours", f"labextension {version} in {package.parent}", path=str(package.parent))
    return warning(
        "colours",
        f"the labextension {EXTENSION} is in no folder where JupyterLab looks, so %%metal cells have Python's colours",
        "install mtlpy_nb into the environment that JupyterLab runs in: its wheel carries the extension",
        folders=[str(folder) for folder in folders],
    )


def extension_folders() -> list[Path]:
    """List the folders where JupyterLab looks for extensions."""
    try:
        from jupyter_core.paths import jupyter_path
    except ImportError:
        return []
    return [Path(folder) for folder in jupyter_path("labextensions")]


def _installed(name: str) -> str | None:
    try:
        return version_of(name)
    except PackageNotFoundError:
        return None
