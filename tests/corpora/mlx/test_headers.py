# SPDX-License-Identifier: MIT
"""Every header parses, every kernel in them compiles, and none is left out."""

from __future__ import annotations

import re

import pytest

import mtlpy_nb

from .conftest import FOLDER
from .instantiations import HEADERS

# For matrix units of newer GPUs, by Metal 4's tensors and MetalPerformancePrimitives: tied to that hardware.
TENSOR_HEADERS = re.compile(r"nax")
_KERNEL = re.compile(r"\[\[\s*kernel\b[^\]]*\]\]\s*void\s+(\w+)\s*\(")


def headers_of(include_folder):
    folder = include_folder / FOLDER.partition("include/")[2]
    return {str(path.relative_to(folder))[:-2]: path.read_text() for path in sorted(folder.rglob("*.h"))}


@pytest.mark.parametrize("header", HEADERS, ids=lambda header: header.name)
def test_every_kernel_of_a_header_compiles(kernels, header, record_property):
    library = kernels.library(header)
    names = {instance.host_name for instance in header.instances}
    assert len(names) == len(header.instances)
    assert names <= set(library.functions)
    assert all(isinstance(library[name], mtlpy_nb.Kernel) for name in names)
    record_property("mlx compiled", f"{header.family}:{len(names)}")


def test_no_kernel_is_left_out(include_folder):
    texts = {name: text for name, text in headers_of(include_folder).items() if not TENSOR_HEADERS.search(name)}
    there = {(name, kernel) for name, text in texts.items() for kernel in _KERNEL.findall(text)}
    made = {(header.name, instance.function) for header in HEADERS for instance in header.instances}
    # reduce.h and the like only include what holds their kernels.
    inner = {"reduction/reduce_all", "reduction/reduce_col", "reduction/reduce_init", "reduction/reduce_row"}
    there = {("reduce" if name in inner else name, kernel) for name, kernel in there}
    assert there == made
    assert len(there) > 130


@pytest.mark.parametrize("part", ["", "steel/gemm", "steel/conv", "steel/attn"])
def test_every_other_header_parses(kernels, include_folder, part):
    others = [name for name in headers_of(include_folder) if not TENSOR_HEADERS.search(name)]
    with_kernels = {header.name for header in HEADERS}
    # Headers of two parts may have functions of one name, so each part is a program of its own.
    folder = "steel/utils" if part == "" else part
    names = [
        name
        for name in others
        if name not in with_kernels and (name.startswith(folder) or (part == "" and name.count("/") < 2))
    ]
    assert len(names) > 3
    first = ["utils", "reduce_utils", *([f"{part}/{part[6:]}"] if part else ["fft/radix"])]
    includes = "".join(f'#include "mlx/backend/metal/kernels/{name}.h"\n' for name in [*first, *names])
    kernels.compile(f"#include <metal_stdlib>\n#include <metal_simdgroup>\n{includes}")


@pytest.mark.parametrize("name", ["steel/gemm/nax", "steel/attn/nax", "gated_delta_nax_ops"])
def test_tensor_headers_fail_with_a_clear_error(kernels, name):
    with pytest.raises(mtlpy_nb.CompileError, match="MetalPerformancePrimitives"):
        kernels.compile(
            f'#include "mlx/backend/metal/kernels/utils.h"\n#include "mlx/backend/metal/kernels/{name}.h"\n'
        )
