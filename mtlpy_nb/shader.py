# SPDX-License-Identifier: MIT
"""Metal source of the kernels behind a Buffer's operators, as functions of the element type.

Each function gives a whole source with one kernel, whose name is the function's without ``_kernel`` (functions of one
argument, such as :func:`sqrt_kernel`, name theirs ``sqrt_op`` and so on, since Metal has a ``sqrt`` of its own). `t` is
a Metal type's name, such as ``"float"``; :func:`mtlpy_nb.utils.to_metal` gives the one for a NumPy type.

Arguments are numbered alike everywhere:

- two operands: ``buffer(0)`` and ``buffer(1)``, result in ``buffer(2)``;
- a scalar: it is ``buffer(1)``, a ``constant T&``;
- one operand: ``buffer(0)``, result in ``buffer(1)``;
- one round of a reduction: ``buffer(0)``, result in ``buffer(1)``, the number of elements in ``buffer(2)``.

Run them with one thread for each element of the result.
"""

from __future__ import annotations

from .errors import ValidationError

__all__ = [
    "add_kernel",
    "add_scalar_kernel",
    "cast_kernel",
    "cos_kernel",
    "div_kernel",
    "div_scalar_kernel",
    "eq_kernel",
    "eq_scalar_kernel",
    "exp_kernel",
    "ge_kernel",
    "ge_scalar_kernel",
    "gt_kernel",
    "gt_scalar_kernel",
    "le_kernel",
    "le_scalar_kernel",
    "log_kernel",
    "lt_kernel",
    "lt_scalar_kernel",
    "mul_kernel",
    "mul_scalar_kernel",
    "ne_kernel",
    "ne_scalar_kernel",
    "negate_kernel",
    "rdiv_scalar_kernel",
    "reduce_max_kernel",
    "reduce_min_kernel",
    "reduce_sum_kernel",
    "rsub_scalar_kernel",
    "sin_kernel",
    "sqrt_kernel",
    "sub_kernel",
    "sub_scalar_kernel",
    "tan_kernel",
    "texture_to_buffer_kernel",
    "texture_type",
]


def _source(name: str, parameters: str, body: str) -> str:
    return (
        "#include <metal_stdlib>\n"
        "using namespace metal;\n"
        f"kernel void {name}({parameters}, uint i [[thread_position_in_grid]])\n"
        "{\n"
        f"    {body}\n"
        "}\n"
    )


def _two(name: str, expression: str, t: str, result: str) -> str:
    parameters = (
        f"device const {t}* a [[buffer(0)]], device const {t}* b [[buffer(1)]], device {result}* out [[buffer(2)]]"
    )
    return _source(name, parameters, f"out[i] = {expression};")


def _with_scalar(name: str, expression: str, t: str, result: str) -> str:
    parameters = (
        f"device const {t}* a [[buffer(0)]], constant {t}& scalar [[buffer(1)]], device {result}* out [[buffer(2)]]"
    )
    return _source(name, parameters, f"out[i] = {expression};")


def _one(name: str, expression: str, t: str, result: str) -> str:
    parameters = f"device const {t}* a [[buffer(0)]], device {result}* out [[buffer(1)]]"
    return _source(name, parameters, f"out[i] = {expression};")


def _binary(name: str, op: str, t: str) -> str:
    return _two(name, f"a[i] {op} b[i]", t, t)


def _scalar(name: str, op: str, t: str, reflected: bool = False) -> str:
    return _with_scalar(name, f"scalar {op} a[i]" if reflected else f"a[i] {op} scalar", t, t)


def _compare(name: str, op: str, t: str) -> str:
    return _two(name, f"a[i] {op} b[i]", t, "bool")


def _compare_scalar(name: str, op: str, t: str) -> str:
    return _with_scalar(name, f"a[i] {op} scalar", t, "bool")


def _unary(name: str, fn: str, t: str) -> str:
    # Metal's functions take half and float; an integer is taken through float, and the result cut to an integer.
    argument = "a[i]" if t in ("half", "float") else "float(a[i])"
    return _one(name, f"{t}({fn}({argument}))", t, t)


def _negate(t: str) -> str:
    return _one("negate", "-a[i]", t, t)


def _cast(src_t: str, dst_t: str) -> str:
    return _one("cast", f"{dst_t}(a[i])", src_t, dst_t)


def _reduce_pair(name: str, combine: str, t: str) -> str:
    parameters = f"device const {t}* a [[buffer(0)]], device {t}* out [[buffer(1)]], constant uint& n [[buffer(2)]]"
    body = (
        "uint first = 2 * i, second = 2 * i + 1;\n"
        "    if (first >= n) return;\n"
        f"    out[i] = second < n ? {t}({combine}) : a[first];"
    )
    return _source(name, parameters, body)


def add_kernel(t: str) -> str:
    """``add``: a + b."""
    return _binary("add", "+", t)


def sub_kernel(t: str) -> str:
    """``sub``: a - b."""
    return _binary("sub", "-", t)


def mul_kernel(t: str) -> str:
    """``mul``: a * b."""
    return _binary("mul", "*", t)


def div_kernel(t: str) -> str:
    """``div``: a / b; towards zero for integers."""
    return _binary("div", "/", t)


def add_scalar_kernel(t: str) -> str:
    """``add_scalar``: a + scalar."""
    return _scalar("add_scalar", "+", t)


def sub_scalar_kernel(t: str) -> str:
    """``sub_scalar``: a - scalar."""
    return _scalar("sub_scalar", "-", t)


def rsub_scalar_kernel(t: str) -> str:
    """``rsub_scalar``: scalar - a."""
    return _scalar("rsub_scalar", "-", t, reflected=True)


def mul_scalar_kernel(t: str) -> str:
    """``mul_scalar``: a * scalar."""
    return _scalar("mul_scalar", "*", t)


def div_scalar_kernel(t: str) -> str:
    """``div_scalar``: a / scalar."""
    return _scalar("div_scalar", "/", t)


def rdiv_scalar_kernel(t: str) -> str:
    """``rdiv_scalar``: scalar / a."""
    return _scalar("rdiv_scalar", "/", t, reflected=True)


def negate_kernel(t: str) -> str:
    """``negate``: -a."""
    return _negate(t)


def eq_kernel(t: str) -> str:
    """``eq``: a == b, as bool."""
    return _compare("eq", "==", t)


def ne_kernel(t: str) -> str:
    """``ne``: a != b, as bool."""
    return _compare("ne", "!=", t)


def lt_kernel(t: str) -> str:
    """``lt``: a < b, as bool."""
    return _compare("lt", "<", t)


def le_kernel(t: str) -> str:
    """``le``: a <= b, as bool."""
    return _compare("le", "<=", t)


def gt_kernel(t: str) -> str:
    """``gt``: a > b, as bool."""
    return _compare("gt", ">", t)


def ge_kernel(t: str) -> str:
    """``ge``: a >= b, as bool."""
    return _compare("ge", ">=", t)


def eq_scalar_kernel(t: str) -> str:
    """``eq_scalar``: a == scalar, as bool."""
    return _compare_scalar("eq_scalar", "==", t)


def ne_scalar_kernel(t: str) -> str:
    """``ne_scalar``: a != scalar, as bool."""
    return _compare_scalar("ne_scalar", "!=", t)


def lt_scalar_kernel(t: str) -> str:
    """``lt_scalar``: a < scalar, as bool."""
    return _compare_scalar("lt_scalar", "<", t)


def le_scalar_kernel(t: str) -> str:
    """``le_scalar``: a <= scalar, as bool."""
    return _compare_scalar("le_scalar", "<=", t)


def gt_scalar_kernel(t: str) -> str:
    """``gt_scalar``: a > scalar, as bool."""
    return _compare_scalar("gt_scalar", ">", t)


def ge_scalar_kernel(t: str) -> str:
    """``ge_scalar``: a >= scalar, as bool."""
    return _compare_scalar("ge_scalar", ">=", t)


def sqrt_kernel(t: str) -> str:
    """``sqrt_op``: square root."""
    return _unary("sqrt_op", "sqrt", t)


def cos_kernel(t: str) -> str:
    """``cos_op``: cosine of radians."""
    return _unary("cos_op", "cos", t)


def sin_kernel(t: str) -> str:
    """``sin_op``: sine of radians."""
    return _unary("sin_op", "sin", t)


def tan_kernel(t: str) -> str:
    """``tan_op``: tangent of radians."""
    return _unary("tan_op", "tan", t)


def exp_kernel(t: str) -> str:
    """``exp_op``: e to the power of a."""
    return _unary("exp_op", "exp", t)


def log_kernel(t: str) -> str:
    """``log_op``: natural logarithm."""
    return _unary("log_op", "log", t)


def cast_kernel(src: str, dst: str) -> str:
    """``cast``: a as another type, converted as Metal's constructors do.

    Parameters
    ----------
    src, dst : str
        Types of the elements and of the result.
    """
    return _cast(src, dst)


def reduce_sum_kernel(t: str) -> str:
    """``reduce_sum``: one round, of neighbours: half as many elements, rounded up."""
    return _reduce_pair("reduce_sum", "a[first] + a[second]", t)


def reduce_max_kernel(t: str) -> str:
    """``reduce_max``: one round, of neighbours: half as many elements, rounded up."""
    return _reduce_pair("reduce_max", "max(a[first], a[second])", t)


def reduce_min_kernel(t: str) -> str:
    """``reduce_min``: one round, of neighbours: half as many elements, rounded up."""
    return _reduce_pair("reduce_min", "min(a[first], a[second])", t)


def texture_type(dims: int, scalar_t: str, access: str = "read_write") -> str:
    """Name Metal's texture type of 1, 2 or 3 dimensions.

    Parameters
    ----------
    dims : int
        1, 2 or 3.
    scalar_t : str
        What kernels read of it: ``"float"``, ``"half"``, ``"int"`` or ``"uint"``, say.
    access : str
        ``"read"``, ``"write"``, ``"read_write"`` or ``"sample"``.

    Raises
    ------
    ValueError
        If `dims` is another number.
    """
    if dims not in (1, 2, 3):
        raise ValidationError(f"dims must be 1, 2, or 3, got {dims}")
    return f"texture{dims}d<{scalar_t}, access::{access}>"


def texture_to_buffer_kernel(dims: int, read_t: str, store_t: str, channels: int, normalized: bool = False) -> str:
    """``texture_to_buffer``: the pixels of ``texture(0)``, as kernels read them, into ``buffer(0)``, channels last.

    Run it with one thread for each pixel, in as many dimensions as the texture has.

    Parameters
    ----------
    dims : int
        Dimensions of the texture.
    read_t : str
        What the texture gives: ``"float"``, ``"int"`` or ``"uint"``.
    store_t : str
        Type of the buffer's elements.
    channels : int
        How many of a pixel's channels are kept.
    normalized : bool
        Whether 1.0 is stored as the largest integer of `store_t`.
    """
    kind = texture_type(dims, read_t, "read")
    position_type = "uint" if dims == 1 else f"uint{dims}"
    inside, index = {
        1: ("p < t.get_width()", "p"),
        2: ("p.x < t.get_width() && p.y < t.get_height()", "p.y * t.get_width() + p.x"),
        3: (
            "p.x < t.get_width() && p.y < t.get_height() && p.z < t.get_depth()",
            "(p.z * t.get_height() + p.y) * t.get_width() + p.x",
        ),
    }[dims]
    stored = "{t}(rint(v[c] * float(numeric_limits<{t}>::max())))" if normalized else "{t}(v[c])"
    return (
        "#include <metal_stdlib>\n"
        "using namespace metal;\n"
        f"kernel void texture_to_buffer({kind} t [[texture(0)]], device {store_t}* out [[buffer(0)]],\n"
        f"                              {position_type} p [[thread_position_in_grid]])\n"
        "{\n"
        f"    if (!({inside})) return;\n"
        f"    vec<{read_t}, 4> v = t.read(p);\n"
        f"    ulong first = ulong({index}) * {channels};\n"
        f"    for (uint c = 0; c < {channels}; ++c) out[first + c] = {stored.format(t=store_t)};\n"
        "}\n"
    )
