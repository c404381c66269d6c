# SPDX-License-Identifier: MIT
"""Prints Metal's words as src/words.json has them, so that JupyterLab, Pygments and completion share one list."""

import json
import runpy
from pathlib import Path

ATOMS = ("true", "false", "nullptr")
FLAGS = ("--no-preamble", "--quiet")  # of %%metal's options those that take no value


def main() -> None:
    """Print them."""
    module = runpy.run_path(str(Path(__file__).parent.parent / "_msl_words.py"))
    words = {kind: sorted(set(module["WORDS"][kind])) for kind in ("keyword", "type", "function")}
    words["atom"] = list(ATOMS)
    words["flag"] = list(FLAGS)
    words["keyword"] = [word for word in words["keyword"] if word not in ATOMS]
    print(json.dumps(words, indent=1))


if __name__ == "__main__":
    main()
