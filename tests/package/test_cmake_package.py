# SPDX-License-Identifier: MIT
"""Programs in C++ built with CMake from the installed package, as anybody builds theirs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from mtlpy_nb.commands.cmake_dir import cmake_folder

_EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "cpp"
_PACKAGE = cmake_folder()
# What pip installed comes first.
_PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
_CMAKE, _NINJA = (shutil.which(program, path=_PATH) for program in ("cmake", "ninja"))

pytestmark = [
    pytest.mark.skipif(_PACKAGE is None, reason="this installation has no C++ library"),
    pytest.mark.skipif(_CMAKE is None, reason="there is no CMake"),
    pytest.mark.timeout(600),
]


def _run(*words: object, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=300, **options)


def _configure(source: Path, build: Path, *options: str) -> subprocess.CompletedProcess[str]:
    generator = ("-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={_NINJA}") if _NINJA else ()
    return _run(_CMAKE, "-S", source, "-B", build, *generator, f"-DCMAKE_PREFIX_PATH={_PACKAGE}", *options)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The examples, and one with a mistake, built where nothing has to do with this repository's own build."""
    source, build = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("build")
    shutil.copytree(_EXAMPLES, source, dirs_exist_ok=True)
    right = (source / "triangle.cpp").read_text()
    wrong = right.replace("MTL::StoreActionStore)", "MTL::StoreActionDontCare)")
    assert wrong != right
    (source / "forgetful.cpp").write_text(wrong)
    with (source / "CMakeLists.txt").open("a") as listing:
        listing.write("add_executable(forgetful forgetful.cpp)\n")
        listing.write("target_link_libraries(forgetful PRIVATE metal-cpp-portable::metal-cpp ZLIB::ZLIB)\n")
    configured = _configure(source, build)
    assert configured.returncode == 0, configured.stderr
    made = _run(_CMAKE, "--build", build, "--parallel", "2")
    assert made.returncode == 0, made.stdout
    return build


@pytest.fixture
def alone(monkeypatch, tmp_path):
    """An environment in which nothing but the package says where the compiler is."""
    monkeypatch.delenv("MTLPY_COMPILER", raising=False)
    monkeypatch.setenv("MTLPY_CACHE_DIR", "")
    monkeypatch.chdir(tmp_path)
    return {name: value for name, value in os.environ.items() if name != "PATH"} | {"PATH": "/usr/bin:/bin"}


def test_the_command_says_where_the_package_is(capsys):
    from mtlpy_nb.__main__ import main

    assert main(["cmake-dir"]) == 0
    assert capsys.readouterr().out == f"{_PACKAGE}\n"
    assert (_PACKAGE / "metal-cpp-portable-config.cmake").is_file()


def test_a_program_finds_the_compiler_and_runs(built, alone):
    done = _run(built / "reduction", env=alone)
    assert (done.returncode, done.stderr) == (0, "")
    device, result = done.stdout.splitlines()
    assert device.startswith("device: ")
    assert result == "sum: 499500000, expected: 499500000"


def test_a_program_draws_a_triangle(built, alone, tmp_path):
    done = _run(built / "triangle", "drawn.png", env=alone)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "drawn.png: 256 x 192 pixels\n"
    with Image.open(tmp_path / "drawn.png") as picture:
        pixels = np.asarray(picture)
    # Where pixels' centres are, as weights of the three corners: the corners' own colours.
    rows, columns = np.mgrid[0:192, 0:256] + 0.5
    x, y = columns / 128 - 1, 1 - rows / 96
    red = (y + 0.8) / 1.6
    blue = ((x + 0.8) / 0.8 - red) / 2
    weights = np.dstack([red, 1 - red - blue, blue])
    inside = (weights >= 0).all(axis=-1)
    np.testing.assert_array_equal((pixels[..., :3] != 255).any(axis=-1), inside)
    assert np.abs(pixels[inside][:, :3] - 255 * weights[inside]).max() <= 1
    assert (pixels[..., 3] == 255).all()


def test_the_debug_layer_tells_of_a_pass_that_keeps_nothing(built, alone):
    said = "colorAttachments[0] draws into a texture of 256 x 192 without a label and its storeAction is DontCare"
    watched = {**alone, "MTL_DEBUG_LAYER": "1"}
    assert said in _run(built / "forgetful", env=watched).stderr
    assert "storeAction" not in _run(built / "triangle", env=watched).stderr
    assert _run(built / "forgetful", env=alone).stderr == ""


def test_a_compiler_beside_the_program_comes_first(built, alone, tmp_path):
    program = shutil.copy(built / "reduction", tmp_path)
    (tmp_path / "metal-compiler").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "metal-compiler").chmod(0o755)
    done = _run(program, env=alone)
    assert done.returncode == 1
    assert "compiler" in done.stderr


def test_the_headers_are_the_packages_and_hide_what_is_inside(built):
    include = _PACKAGE.parents[2] / "include" / "metal-cpp-portable"
    assert sorted(folder.name for folder in include.iterdir()) == [
        "CoreGraphics",
        "Foundation",
        "Metal",
        "MetalPortable",
        "QuartzCore",
    ]
    inside = [path for path in include.rglob("*") if path.is_file() and b"executor/" in path.read_bytes()]
    assert inside == []


@pytest.mark.parametrize(("wanted", "fits"), [("0.1", True), ("0.2", False), ("1.0", False)])
def test_versions(wanted, fits, tmp_path):
    """Asked as find_package asks, without a project and its compilers."""
    major, minor = wanted.split(".")
    script = tmp_path / "version.cmake"
    script.write_text(
        f"set(PACKAGE_FIND_VERSION {wanted})\n"
        f"set(PACKAGE_FIND_VERSION_MAJOR {major})\n"
        f"set(PACKAGE_FIND_VERSION_MINOR {minor})\n"
        f'include("{_PACKAGE}/metal-cpp-portable-config-version.cmake")\n'
        'message(NOTICE "${PACKAGE_VERSION} ${PACKAGE_VERSION_COMPATIBLE}")\n'
    )
    assert _run(_CMAKE, "-P", script).stderr == f"0.1.0 {'TRUE' if fits else 'FALSE'}\n"
