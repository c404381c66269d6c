# SPDX-License-Identifier: MIT
"""Which kernels of which header are made for which types.

MLX's headers hold templates; what they are made for stands in files that the wheel does not have. So these lists are
our own: each kernel for a type of each class that it is meant for, and for every value of those arguments that choose
another path.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

FLOATS = ("float", "half", "bfloat16_t")
INTEGERS = ("uint8_t", "uint16_t", "uint32_t", "uint64_t", "int8_t", "int16_t", "int32_t", "int64_t")
NUMBERS = (*INTEGERS, *FLOATS, "complex64_t")
TYPES = ("bool", *NUMBERS)


@dataclass(frozen=True)
class Instance:
    """A kernel template with arguments."""

    function: str
    arguments: tuple[object, ...]

    @property
    def host_name(self) -> str:
        """Name of the kernel in the library."""
        words = "_".join(_text(argument) for argument in self.arguments)
        for letter in "<>, ":
            words = words.replace(letter, "")
        return f"{self.function.rpartition('::')[2]}_{words}" if words else self.function

    @property
    def declaration(self) -> str:
        """What makes it, by the macro of MLX's defines.h; nothing for a kernel that is no template."""
        arguments = ", ".join(map(_text, self.arguments))
        return f'instantiate_kernel("{self.host_name}", {self.function}, {arguments})\n' if arguments else ""


def _text(argument: object) -> str:
    return str(argument).lower() if isinstance(argument, bool) else str(argument)


def of(functions: str, *choices: object) -> Iterator[Instance]:
    """Make each function for each combination; a tuple is a choice of arguments, anything else the only one."""
    columns = [choice if isinstance(choice, tuple) else (choice,) for choice in choices]
    for function in functions.split():
        for arguments in itertools.product(*columns):
            yield Instance(function, arguments)


UNARY_OF_FLOATS = (
    "Abs ArcCos ArcCosh ArcSin ArcSinh ArcTan ArcTanh Ceil Cos Cosh Erf ErfInv Exp Expm1 Floor Log Log2 Log10 Log1p "
    "Negative Round Sigmoid Sign Sin Sinh Square Sqrt Rsqrt Tan Tanh"
)
UNARY_OF_COMPLEX = (
    "Abs ArcCos ArcSin ArcTan Conjugate Cos Cosh Exp Log Log2 Log10 Log1p Negative Round Sign Sin Sinh Square Sqrt "
    "Rsqrt Tan Tanh"
)


def unary() -> Iterator[Instance]:
    for names, types in (
        (UNARY_OF_FLOATS, FLOATS),
        (UNARY_OF_COMPLEX, ("complex64_t",)),
        ("Abs Ceil Floor Negative Sign Square BitwiseInvert", INTEGERS),
        ("LogicalNot Abs", ("bool",)),
    ):
        for name, kind in itertools.product(names.split(), types):
            yield from of("unary_v", kind, kind, name)
    for kind in TYPES:
        name = "LogicalNot" if kind == "bool" else "Negative"
        yield from of("unary_v2", kind, kind, name)
        yield from of("unary_g", kind, kind, name, (1, 4), ("int", "int64_t"))
    yield from of("unary_v", "complex64_t", "float", ("Real", "Imag"))
    yield from of("unary_v", FLOATS, "uint8_t", "ToFP8")
    yield from of("unary_v", "uint8_t", FLOATS, "FromFP8")


def binary() -> Iterator[Instance]:
    every = "binary_ss binary_sv binary_vs binary_vv binary_sv2 binary_vs2 binary_vv2"
    strided = "binary_g_nd1 binary_g_nd2 binary_g_nd3"
    for names, types, result in (
        ("Add Divide FloorDivide Remainder Maximum Minimum Multiply Power Subtract", NUMBERS, None),
        ("LogAddExp", (*FLOATS, "complex64_t"), None),
        ("ArcTan2", FLOATS, None),
        ("BitwiseAnd BitwiseOr BitwiseXor LeftShift RightShift", INTEGERS, None),
        ("LogicalAnd LogicalOr", ("bool",), None),
        ("Equal NotEqual Greater GreaterEqual Less LessEqual", TYPES, "bool"),
        ("NaNEqual", (*FLOATS, "complex64_t"), "bool"),
    ):
        for name, kind in itertools.product(names.split(), types):
            if (name, kind) == ("FloorDivide", "complex64_t"):
                continue
            yield from of("binary_vv", kind, result or kind, name)
    for kind in TYPES:
        name = "LogicalOr" if kind == "bool" else "Add"
        yield from (i for i in of(every, kind, kind, name) if i.function != "binary_vv")
        yield from of(strided, kind, kind, name, ("int", "int64_t"))
        yield from of("binary_g", kind, kind, name, (1, 2), ("int", "int64_t"))


def binary_two() -> Iterator[Instance]:
    every = "binary_ss binary_sv binary_vs binary_vv binary_sv2 binary_vs2 binary_vv2"
    for kind in NUMBERS[:-1]:
        yield from of(every, kind, kind, "DivMod")
        yield from of("binary_g_nd1 binary_g_nd2 binary_g_nd3", kind, kind, "DivMod", "int")
        yield from of("binary_g", kind, kind, "DivMod", 2, "int")


def ternary() -> Iterator[Instance]:
    yield from of("ternary_v ternary_v2", TYPES, "Select", (False, True), (False, True))
    yield from of("ternary_g_nd1 ternary_g_nd2 ternary_g_nd3", TYPES, "Select", ("int", "int64_t"))
    yield from of("ternary_g", TYPES, "Select", (1, 2), "int")


def copy() -> Iterator[Instance]:
    yield from of("copy_v", TYPES, TYPES)
    for kind, other in [(kind, kind) for kind in TYPES] + [("half", "bfloat16_t"), ("float", "bool")]:
        yield from of("copy_s copy_s2 copy_v2", kind, other)
        yield from of("copy_g_nd1 copy_g_nd2 copy_g_nd3 copy_gg_nd1 copy_gg_nd2 copy_gg_nd3", kind, other, "int")
        yield from of("copy_gg_dynamic_nd1 copy_gg_dynamic_nd2 copy_gg_dynamic_nd3", kind, other, "int64_t")
        yield from of("copy_g copy_gg copy_gg_dynamic", kind, other, (1, 2), "int")


def reduce() -> Iterator[Instance]:
    for kind in TYPES:
        for name in ("And", "Or") if kind == "bool" else ("Sum", "Prod", "Min", "Max"):
            if kind == "complex64_t" and name == "Prod":
                continue  # MLX has none: no exchange of products of 64 bits
            operation = f"{name}<{kind}>"
            yield from of("init_reduce", kind, operation)
            yield from of("all_reduce row_reduce_simple", kind, kind, operation, "int64_t")
            yield from of("row_reduce_looped row_reduce_small", kind, kind, operation, "int", (1, 5))
            yield from of("col_reduce_small col_reduce_longcolumn", kind, kind, operation, "int", (1, 2))
            yield from of("col_reduce_looped col_reduce_2pass", kind, kind, operation, "int", (1, 2), 32, 32)
    yield from of("all_reduce", ("int8_t", "uint8_t", "bool"), "int32_t", "Sum<int32_t>", "int64_t")


def softmax() -> Iterator[Instance]:
    yield from of("softmax_single_row softmax_looped", FLOATS, "float")
    yield from of("softmax_single_row softmax_looped", ("half", "bfloat16_t"))


def scan() -> Iterator[Instance]:
    for kind in TYPES:
        names = ["CumSum", "CumProd", "CumMax", "CumMin"] + ["CumLogaddexp"] * (kind in FLOATS)
        reads = 2 if kind in ("uint64_t", "int64_t", "complex64_t") else 4
        for name in names:
            if (kind, name) == ("bool", "CumSum") or (kind == "complex64_t" and name != "CumSum"):
                continue
            yield from of(
                "contiguous_scan strided_scan", kind, kind, f"{name}<{kind}>", reads, (True, False), (True, False)
            )
    yield from of("contiguous_scan strided_scan", "bool", "int32_t", "CumSum<int32_t>", 4, True, False)


def sort() -> Iterator[Instance]:
    for kind in TYPES:
        threads = 128 if kind == "complex64_t" or kind.endswith("64_t") else 256
        yield from of("block_sort block_sort_nc", kind, kind, False, threads, 4)
        yield from of("block_sort block_sort_nc", kind, "uint", True, threads, 8)
        yield from of("mb_block_sort mb_block_partition mb_block_merge", kind, "uint", True, threads, 4)


def attention_vector() -> Iterator[Instance]:
    yield from of("sdpa_vector", FLOATS, (64, 128), (64, 128))
    yield from of("sdpa_vector_2pass_1", FLOATS, 64, 64)
    yield from of("sdpa_vector_2pass_1_gqa", FLOATS, 64, 64, 4, 2)
    yield from of("sdpa_vector_2pass_2", FLOATS, (64, 128))


def gemv() -> Iterator[Instance]:
    kinds = (*FLOATS, "complex64_t")
    shape = (1, 8, 1, 32, 4, 4)
    yield from of("gemv", kinds, 4, 1, 1, 32, 4, 4, (False, True), (False, True))
    yield from of("gemv_t", kinds, 1, 8, 8, 4, 4, 4, (False, True), (False, True))
    yield from of("gemv_gather", kinds, *shape)
    yield from of("gemv_t_gather", kinds, 1, 8, 8, 4, 4, 4)
    yield from of("gemv_wide gemv_wide_gather", FLOATS, 4, 8)


def gemv_masked() -> Iterator[Instance]:
    for out, operand in (("bool", "bool"), ("T", "nomask_t"), ("nomask_t", "bool"), ("T", "T")):
        for kind in FLOATS:
            masks = (kind if out == "T" else out, kind if operand == "T" else operand)
            yield from of("gemv_masked", kind, *masks, 4, 1, 4, 8, 2, 4, (False, True))
            yield from of("gemv_t_masked", kind, *masks, 1, 1, 8, 4, 4, 8, (False, True))


BOOLEANS = (False, True)


def steel_gemm() -> Iterator[Instance]:
    yield from of("gemm", FLOATS, 32, 32, 16, 2, 2, BOOLEANS, BOOLEANS, "float")
    yield from of("gemm", FLOATS, 64, 64, 16, 1, 2, False, True, "float")


def steel_gemm_splitk() -> Iterator[Instance]:
    yield from of("gemm_splitk", FLOATS, "float", 32, 32, 16, 2, 2, BOOLEANS, BOOLEANS, True, (True, False))
    yield from of("gemm_splitk", "float", "float", 16, 32, 16, 2, 2, False, BOOLEANS, False, False)
    yield from of("gemm_splitk_accum gemm_splitk_accum_axpby", "float", FLOATS)


def steel_gemm_masked() -> Iterator[Instance]:
    for kind in FLOATS:
        for masks in (("bool", "bool"), (kind, "nomask_t"), ("nomask_t", kind)):
            yield from of("block_masked_gemm", kind, *masks, 32, 32, 16, 2, 2, BOOLEANS, BOOLEANS, BOOLEANS, True)


def steel_gemm_gather() -> Iterator[Instance]:
    yield from of("gather_mm_rhs", FLOATS, 16, 64, 16, 1, 2, False, BOOLEANS, "float")
    yield from of("gather_mm", FLOATS, 32, 32, 16, 2, 2, BOOLEANS, BOOLEANS, "float")


def steel_gemm_segmented() -> Iterator[Instance]:
    yield from of("segmented_mm", FLOATS, 32, 32, 16, 2, 2, BOOLEANS, BOOLEANS, "float")


def steel_attention() -> Iterator[Instance]:
    for kind in FLOATS:
        yield from of("attention", kind, 32, 32, 64, 64, 4, 1, (kind, "bool"), "float")
        yield from of("attention", kind, 32, 16, 128, 128, 4, 1, kind, "float")


def steel_conv() -> Iterator[Instance]:
    yield from of("implicit_gemm_conv_2d", FLOATS, 32, 32, 16, 2, 2, (0, 1, 2, 3, 4), False)
    yield from of("implicit_gemm_conv_2d", FLOATS, 32, 8, 16, 4, 1, 0, True)


def affine_quantized() -> Iterator[Instance]:
    for kind, bits in [(kind, 4) for kind in FLOATS] + [("float", bits) for bits in (2, 3, 5, 6, 8)]:
        yield from of("affine_qmv_quad", kind, 64, bits, (64, 128), BOOLEANS)
        yield from of("affine_qmv_fast affine_qmv affine_qvm", kind, 64, bits, BOOLEANS)
        yield from of("affine_qmv_wide", kind, 64, bits, 4, 8, BOOLEANS)
        yield from of("affine_qvm_split_k", kind, 64, bits, (8, 32))
        yield from of("affine_qmm_t", kind, 64, bits, BOOLEANS, BOOLEANS)
        yield from of("affine_qmm_t_splitk", kind, 64, bits, BOOLEANS)
        yield from of("affine_qmm_n", kind, 64, bits, BOOLEANS)
        yield from of("affine_gather_qmv_fast affine_gather_qmv affine_gather_qvm affine_gather_qmm_n", kind, 64, bits)
        yield from of("affine_gather_qmm_t", kind, 64, bits, BOOLEANS)
        yield from of("affine_gather_qmm_rhs", kind, 64, bits, 16, 32, 32, 1, 2, BOOLEANS)
        yield from of("affine_quantize affine_dequantize", kind, (32, 64, 128), bits)


def fp_quantized() -> Iterator[Instance]:
    for kind, group, bits in itertools.product(FLOATS, (16, 32), (4, 8)):
        if (group, bits) == (16, 8):
            continue
        yield from of("fp_qmv_quad", kind, group, bits, (64, 128), BOOLEANS)
        yield from of("fp_qmv_fast fp_qmv fp_qvm fp_qmm_n", kind, group, bits, BOOLEANS)
        yield from of("fp_qmv_wide", kind, group, bits, 4, 8, BOOLEANS)
        yield from of("fp_qvm_split_k", kind, group, bits, (8, 32))
        yield from of("fp_qmm_t", kind, group, bits, BOOLEANS, BOOLEANS)
        yield from of("fp_qmm_t_splitk fp_gather_qmm_t", kind, group, bits, BOOLEANS)
        yield from of("fp_gather_qmv_fast fp_gather_qmv fp_gather_qvm fp_gather_qmm_n", kind, group, bits)
        yield from of("fp_gather_qmm_rhs", kind, group, bits, 16, 32, 32, 1, 2, BOOLEANS)
        scaled = (False, True) if group == 16 else (False,)
        yield from of("fp_quantize fp_dequantize fp_quantize_dequantize", kind, group, bits, scaled)


def fft() -> Iterator[Instance]:
    for kind in ("float", "half"):
        pair = f"vec<{kind}, 2>"
        real = ((kind, pair), (pair, kind)) if kind == "float" else ()
        for types in ((pair, pair), *real):
            yield from of("fft rader_fft bluestein_fft", (256, 1024), *types)
        yield from of("four_step_fft", 1024, pair, pair, (0, 1), False)
    yield Instance("generate_bluestein_twiddles", ())


def gated_delta() -> Iterator[Instance]:
    yield from of("gated_delta_fused_chunk", FLOATS, 32, 32, 2, 2, 8)
    yield from of("gated_delta_seq", FLOATS, 32, 32, 2, 2, (4, 16))


@dataclass(frozen=True)
class Header:
    """A header with kernels, what must be included before it, and what its kernels are made for."""

    name: str
    family: str
    before: tuple[str, ...]
    instances: tuple[Instance, ...]
    text: str = ""

    @property
    def source(self) -> str:
        """The program that makes them all."""
        includes = "".join(f'#include "mlx/backend/metal/kernels/{name}.h"\n' for name in (*self.before, self.name))
        declarations = "".join(instance.declaration for instance in self.instances)
        prelude = "#include <metal_stdlib>\n#include <metal_simdgroup>\n#include <metal_simdgroup_matrix>\n"
        return prelude + self.text + includes + declarations


def _header(
    name: str,
    family: str,
    before: Iterable[str],
    instances: Callable[[], Iterator[Instance]] | Iterator[Instance],
    text: str = "",
) -> Header:
    made = instances() if callable(instances) else instances
    return Header(name, family, tuple(before), tuple(made), text)


def _updates(kind: str) -> tuple[str, ...]:
    # A value of 64 bits that is no number of C++ cannot be exchanged whole.
    plain = () if kind == "complex64_t" else ("None",)
    return (*plain, "Or<bool>" if kind == "bool" else f"Sum<{kind}>")


_STEEL = ("utils", "steel/gemm/gemm")
_REDUCE = ("utils", "reduce_utils")

# A transform of 12 points, in the place where MLX puts the codelet that it writes when it runs.
HADAMARD_12 = """
METAL_FUNC void hadamard_radix_m(thread float *x) {
    constexpr int signs[12] = {-1, 1, -1, 1, 1, 1, -1, -1, -1, 1, -1, 0};
    float y[12];
    for (int i = 0; i < 12; i++) {
        y[i] = 0;
        for (int j = 0; j < 12; j++) {
            bool plus = i == 0 || j == 0 || (i != j && signs[(j - i + 11) % 11] > 0);
            y[i] += plus ? x[j] : -x[j];
        }
    }
    for (int i = 0; i < 12; i++) x[i] = y[i];
}
"""

HEADERS = (
    _header("arange", "arange", ["utils"], of("arange", NUMBERS[:-1])),
    _header("unary", "unary", ["utils", "unary_ops"], unary),
    _header("binary", "binary", ["utils", "binary_ops"], binary),
    _header("binary_two", "binary", ["utils", "binary_ops"], binary_two),
    _header("ternary", "ternary", ["utils", "ternary_ops"], ternary),
    _header("copy", "copy", ["utils"], copy),
    _header("reduce", "reduce", _REDUCE, reduce),
    _header("softmax", "softmax", ["utils"], softmax),
    _header("logsumexp", "logsumexp", ["utils"], of("logsumexp logsumexp_looped", FLOATS, "float")),
    _header("cross_entropy", "cross entropy", ["utils"], of("cross_entropy cross_entropy_vjp", FLOATS, "float")),
    _header("scan", "scan", ["utils"], scan),
    _header("sort", "sort", ["utils"], sort),
    _header("searchsorted", "sort", ["utils", "sort"], of("searchsorted", TYPES, (False, True))),
    _header("dot", "gemv", [], of("dot_product", FLOATS, 32, 256, 8)),
    _header("gemv", "gemv", ["utils"], gemv),
    _header("gemv_masked", "gemv", ["utils", "steel/utils"], gemv_masked),
    _header(
        "hadamard",
        "hadamard",
        ["utils"],
        (
            i
            for group in (
                of("hadamard_n", FLOATS, 512, 8, 2),
                of("hadamard_n", "float", 64, 16, 4, (1, 12)),
                of("hadamard_m", FLOATS, 64, 12, 2),
            )
            for i in group
        ),
        HADAMARD_12,
    ),
    _header("sdpa_blocked", "attention", ["utils"], of("sdpa_blocked_scale_copy sdpa_blocked_causal_mask", FLOATS)),
    _header("sdpa_vector", "attention", ["utils"], attention_vector),
    _header("steel/attn/kernels/steel_attention", "attention", ["utils", "steel/attn/attn"], steel_attention),
    _header("indexing/masked_scatter", "indexing", ["utils"], of("masked_assign_impl", TYPES, BOOLEANS)),
    _header(
        "indexing/gather_axis",
        "indexing",
        ["utils"],
        (of("gather_axis", TYPES, ("uint32_t", "int8_t"), ("int", "int64_t"), True, BOOLEANS)),
    ),
    _header(
        "indexing/gather_front", "indexing", ["utils"], (of("gather_front", TYPES, ("int32_t", "uint64_t"), "int", 2))
    ),
    _header(
        "indexing/scatter_axis",
        "indexing",
        _REDUCE,
        (
            i
            for kind in TYPES
            if kind not in ("int64_t", "uint64_t")
            for i in of(  # no atomics of 64 bits
                "scatter_axis",
                kind,
                ("int32_t", "uint8_t"),
                "int",
                _updates(kind),
                True,
                BOOLEANS,
            )
        ),
    ),
    _header(
        "indexing/scatter",
        "indexing",
        _REDUCE,
        (
            i
            for kind in TYPES
            for i in of(
                "slice_update_op_impl",
                kind,
                "int",
                "Or<bool>" if kind == "bool" else f"Sum<{kind}>",
                BOOLEANS,
                BOOLEANS,
                False,
                2,
                (1, 2, 3, 4),
            )
        ),
    ),
    _header("steel/gemm/kernels/steel_gemm_fused", "steel gemm", _STEEL, steel_gemm),
    _header("steel/gemm/kernels/steel_gemm_splitk", "steel gemm", _STEEL, steel_gemm_splitk),
    _header("steel/gemm/kernels/steel_gemm_masked", "steel gemm", _STEEL, steel_gemm_masked),
    _header("steel/gemm/kernels/steel_gemm_gather", "steel gemm", _STEEL, steel_gemm_gather),
    _header("steel/gemm/kernels/steel_gemm_segmented", "steel gemm", _STEEL, steel_gemm_segmented),
    _header("steel/conv/kernels/steel_conv", "convolution", ["utils", "steel/conv/conv"], steel_conv),
    _header(
        "steel/conv/kernels/steel_conv_3d",
        "convolution",
        ["utils", "steel/conv/conv"],
        (of("implicit_gemm_conv_3d", FLOATS, 32, 32, 16, 2, 2, BOOLEANS)),
    ),
    _header(
        "steel/conv/kernels/steel_conv_general",
        "convolution",
        ["utils", "steel/conv/conv"],
        (of("implicit_gemm_conv_2d_general", FLOATS, 32, 32, 16, 2, 2)),
    ),
    _header("quantized", "quantized", ["utils", "steel/gemm/gemm", "quantized_utils"], affine_quantized),
    _header("fp_quantized", "quantized", ["utils", "steel/gemm/gemm", "quantized_utils"], fp_quantized),
    _header("fft", "fft", ["utils"], fft),
    _header("gated_delta_update", "gated delta", ["utils"], gated_delta),
    _header(
        "gated_delta_update_vjp",
        "gated delta",
        ["utils", "atomic"],
        (of("gated_delta_vjp_seq", FLOATS, 32, 32, 2, 2, 4)),
    ),
)
