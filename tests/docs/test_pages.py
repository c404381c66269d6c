# SPDX-License-Identifier: MIT
"""Every program of every page runs, and shows what the page says; `pages.py` tells how."""

from __future__ import annotations

from pathlib import Path

import pytest
from notebooks.perceptual import differences, is_flat, look_at

from mtlpy_nb import Timing
from mtlpy_nb.timing import Samples

from .pages import ROOT, Example, examples, matches, run_as_a_reader, run_examples, sanitised

_DOCS = ROOT / "docs"
# The README is run by tests/test_readme.py.
_PAGES = [page for page in sorted(_DOCS.rglob("*.md")) if "notebooks" not in page.relative_to(_DOCS).parts]
_WITH_PROGRAMS = [page for page in _PAGES if examples(page)]


@pytest.mark.parametrize("page", _WITH_PROGRAMS, ids=lambda page: page.relative_to(_DOCS).as_posix())
def test_programs_do_what_the_page_says(page, tmp_path):
    problems = run_as_a_reader(page, tmp_path)
    assert not problems, "\n\n".join(problems)
    for stored in (example.picture for example in examples(page) if example.picture):
        made = look_at(tmp_path / stored.name)
        assert differences(made, look_at(stored)) == [], stored.name
        assert not is_flat(made)


@pytest.mark.parametrize("page", _WITH_PROGRAMS, ids=lambda page: page.relative_to(_DOCS).as_posix())
def test_programs_write_to_no_place_that_all_share(page):
    """They name files of the current folder, so that two who run a page at once do not meet."""
    assert [str(example) for example in examples(page) if "/tmp" in example.code] == []


def test_every_picture_of_the_pages_is_shown_and_made():
    """Those of the previews' page are made by its own programs."""
    stored = set((_DOCS / "pictures").glob("previews-*.png"))
    assert stored == {example.picture for example in examples(_DOCS / "previews.md") if example.picture}


def _results(tmp_path: Path, text: str) -> list[str | None]:
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    return [result.problem() for result in run_examples(page)]


@pytest.mark.parametrize(
    "page",
    [
        "```python\nprint(2 + 2)  # 4\n```\n",
        "```python\nx = 3\n```\n\n```python\nx + 1\n```\n```text\n4\n```\n",
        "```python\n1 / 0\n```\n```text\n...ZeroDivisionError: division by zero\n```\n",
        "<!-- not run: it needs a file -->\n```python\nopen('nowhere')\n```\n",
        "```python\nprint('a'); 5\n```\n```text\na\n5\n```\n",
    ],
)
def test_a_page_that_tells_the_truth(page, tmp_path):
    assert all(problem is None for problem in _results(tmp_path, page))


@pytest.mark.parametrize(
    "page",
    [
        "```python\nprint(2 + 2)  # 5\n```\n",
        "```python\nprint(2 + 2)\n```\n",
        "```python\nx = 3  # 3\n```\n\n```python\nx + 1\n```\n```text\n5\n```\n",
        "```python\n1 / 0\n```\n",
        "```python\nundefined\n```\n```text\n4\n```\n",
        "```python\nprint(1)  # 1\nprint(2)\n```\n",
    ],
)
def test_a_page_that_does_not(page, tmp_path):
    assert any(_results(tmp_path, page))


def test_an_example_knows_its_place(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# Title\n\n```python\nx = 1\n```\n", encoding="utf-8")
    assert examples(page) == [Example(page, 4, "x = 1\n", None, None)]


def test_what_is_compared():
    assert matches("a b c", "a ... c")
    assert not matches("a b d", "a ... c")
    assert sanitised("3.25 ms, 4.1 GB/s  \n") == "TIME, RATE"


def test_no_number_of_a_timing_is_compared():
    def timing(times: tuple[float, ...], nbytes: int) -> str:
        made = Timing("blur", Samples(times), Samples(times), (times[0],), 0.5, (), nbytes, "as given", 1e6)
        return f"{made!r}\n{made}"

    fast, slow = timing((1.1e-6, 2e-6, 5e-7), 10), timing((1.5, 2.25, 3.0, 1e-3), 10)
    assert fast != slow
    assert sanitised(fast) == sanitised(slow)
