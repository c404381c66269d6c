# SPDX-License-Identifier: MIT
"""The stub that type checkers read is the one that the module generates."""

import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

import mtlpy_nb

ROOT = Path(mtlpy_nb.__file__).parent


def has_nanobind(series):
    try:
        return version("nanobind").startswith(series)
    except PackageNotFoundError:
        return False


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="other versions of Python write it a little differently")
@pytest.mark.skipif(not has_nanobind("3.1."), reason="nanobind 3.1 wrote it")
def test_the_stub_is_up_to_date():
    from nanobind import stubgen

    patterns = Path(__file__).parents[2] / "csrc" / "_native.pat"
    from mtlpy_nb import _native

    generator = stubgen.StubGen(_native, patterns=stubgen.load_pattern_file(str(patterns)), quiet=True)
    generator.put(_native)
    generated = generator.get()
    written = (ROOT / "_native.pyi").read_text()
    if generated != written:
        copy = ROOT.parent / "build" / "_native.pyi"
        copy.parent.mkdir(exist_ok=True)
        copy.write_text(generated)
        pytest.fail(f"csrc/ has changed: copy {copy} to {ROOT / '_native.pyi'}")
