# SPDX-License-Identifier: MIT
"""The committed headers are what their generator writes."""

import pathlib
import subprocess
import sys

INCLUDE = pathlib.Path(__file__).parents[2] / "metal-cpp" / "compiler" / "include"


def test_vector_header_is_what_its_generator_writes():
    subprocess.run([sys.executable, INCLUDE / "generate_vectors.py", "--check"], check=True)
