# SPDX-License-Identifier: MIT
"""A real IPython shell with the extension loaded."""

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from .jupyter import Jupyter


class Notebook:
    """Runs cells as a front end would and keeps what a person would see."""

    def __init__(self) -> None:
        InteractiveShell.clear_instance()
        self.shell = InteractiveShell.instance()
        self.shell.history_manager.enabled = False
        self.run("%load_ext mtlpy_nb\nimport numpy as np\nfrom mtlpy_nb import output, show")

    def run(self, cell: str):
        """Run a cell that must succeed; gives its value."""
        result = self.shell.run_cell(cell)
        result.raise_error()
        return result.result

    def see(self, cell: str) -> str:
        """Run a cell; gives all that it prints, errors included."""
        with capture_output() as shown:
            self.shell.run_cell(cell)
        return shown.stdout + shown.stderr

    def outputs(self, cell: str) -> list:
        """Run a cell; gives the MIME bundles that it shows, its value's last."""
        with capture_output() as shown:
            value = self.run(cell)
        last = [] if value is None else [self.shell.display_formatter.format(value)[0]]
        return [item.data for item in shown.outputs] + last


@pytest.fixture(scope="session")
def shared_jupyter():
    """One ipykernel for all tests that need one."""
    made = Jupyter()
    yield made
    made.close()


@pytest.fixture(scope="module")
def jupyter(shared_jupyter):
    """An ipykernel where only the tests of this file have run cells."""
    shared_jupyter.run("%reset -f")
    shared_jupyter.load()
    return shared_jupyter


@pytest.fixture
def notebook():
    made = Notebook()
    yield made
    made.shell.run_line_magic("unload_ext", "mtlpy_nb")
    InteractiveShell.clear_instance()
