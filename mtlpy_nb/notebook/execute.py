# SPDX-License-Identifier: MIT
"""Execute a notebook and write its pictures to files."""

# nbformat has no types.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

__all__ = ["execute_notebook"]


def execute_notebook(path: Path, folder: Path, timeout: float = 600) -> list[Path]:
    """Execute a notebook; write the executed copy and every picture in it to `folder`.

    Returns
    -------
    list of Path
        The files written: the notebook first, then the pictures in the order of the cells.

    Raises
    ------
    nbclient.exceptions.CellExecutionError
        If a cell fails that is not marked ``raises-exception``.
    """
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=timeout,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent or ".")}},
        # Newer kernels warn on the terminal of every connection that is not encrypted, which this one need not be.
        extra_arguments=["--IPKernelApp.log_level=ERROR"],
        record_timing=False,
        store_widget_state=False,
    )
    client.execute()
    _leave_out_widgets(notebook)
    folder.mkdir(parents=True, exist_ok=True)
    executed = folder / path.name
    nbformat.write(notebook, executed)
    return [executed, *_write_pictures(notebook, folder, path.stem)]


def _leave_out_widgets(notebook: Any) -> None:
    """Take out what nothing can show: the widgets lived in a kernel that is gone. What stands beside them stays."""
    for cell in notebook.cells:
        for result in cell.get("outputs", []):
            result.get("data", {}).pop("application/vnd.jupyter.widget-view+json", None)


def _write_pictures(notebook: Any, folder: Path, stem: str) -> list[Path]:
    written: list[Path] = []
    for cell in notebook.cells:
        for result in cell.get("outputs", []):
            png = result.get("data", {}).get("image/png")
            if png is not None:
                picture = folder / f"{stem}-{len(written) + 1}.png"
                picture.write_bytes(base64.b64decode(png))
                written.append(picture)
    return written
