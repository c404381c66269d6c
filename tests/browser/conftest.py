# SPDX-License-Identifier: MIT
"""One server and one browser for all tests here; each test has notebooks of its own."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from .server import Server, find_chromium

_ROOT = Path(__file__).parents[2]
_PATIENCE = 180_000  # milliseconds: for a busy machine; each wait ends when what it waits for is there
_SIZE = {"width": 1100, "height": 900}


def _missing() -> str | None:
    for module in ("playwright", "jupyterlab", "notebook"):
        if importlib.util.find_spec(module) is None:
            return f"the Python package {module}"
    return None if find_chromium() else "Chromium"


@pytest.fixture(autouse=True, scope="package")
def _needed() -> None:
    missing = _missing()
    if missing is None:
        return
    if os.environ.get("CI"):
        pytest.fail(f"{missing} is missing", pytrace=False)
    pytest.skip(f"{missing} is missing")


@pytest.fixture(scope="package")
def screenshots() -> Path:
    """Where pictures of pages are kept."""
    folder = _ROOT / "out" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="package")
def server(_needed, tmp_path_factory) -> Iterator[Server]:
    """The Jupyter server."""
    made = Server(tmp_path_factory.mktemp("jupyter"))
    yield made
    made.close()


@pytest.fixture(scope="package")
def browser(_needed):
    """The browser."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=_PATIENCE)
    with sync_playwright() as playwright:
        # In a container without user namespaces Chromium's own sandbox can't be made; only our server is visited.
        made = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        yield made
        made.close()


def _page(browser, server, screenshots):
    from .page import NotebookPage

    page = browser.new_page(viewport=_SIZE)
    page.set_default_timeout(_PATIENCE)
    return NotebookPage(page, server, screenshots)


@pytest.fixture(scope="package")
def _jupyterlab(browser, server, screenshots):
    made = _page(browser, server, screenshots)
    made.page.goto(f"{server.url}/lab?reset")
    made.page.wait_for_function("window.jupyterapp && jupyterapp.restored.then(() => true)")
    yield made
    made.page.close()


@pytest.fixture
def lab(request, _jupyterlab):
    """JupyterLab with nothing open, in its light theme."""
    _jupyterlab.theme("Light")
    yield _jupyterlab
    _keep_failure(request, _jupyterlab)
    _jupyterlab.close()
    assert _jupyterlab.complaints == []


@pytest.fixture
def notebook7(request, browser, server, screenshots):
    """A page for Notebook 7, with nothing in it yet."""
    made = _page(browser, server, screenshots)
    yield made
    _keep_failure(request, made)
    made.close()
    made.page.close()
    assert made.complaints == []


_FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Remember that a test has failed, for the picture that is taken then."""
    report = yield
    if report.when == "call":
        item.stash[_FAILED] = report.failed
    return report


def _keep_failure(request, page) -> None:
    if request.node.stash.get(_FAILED, False):
        page.screenshot(f"failed-{request.node.name}")
