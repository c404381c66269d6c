# SPDX-License-Identifier: MIT
"""What words of the Metal Shading Language mean, one sentence each, for help where a cursor stands on one."""

from __future__ import annotations

import re

__all__ = ["meaning_of"]

_ATTRIBUTES = """
buffer(n): binds the argument to index n among the buffers.
texture(n): binds the argument to index n among the textures.
sampler(n): binds the argument to index n among the samplers.
threadgroup(n): binds the argument to memory of the threadgroup, at index n.
id(n): the member's index in an argument buffer.
function_constant(n): a value that is given when the function is made ready to run, not in the source.
stage_in: the argument is put together from vertex attributes or from what the vertex function returned.
attribute(n): the member comes from vertex attribute n.
thread_position_in_grid: where this thread is in the whole grid; uint, uint2 or uint3.
thread_position_in_threadgroup: where this thread is in its threadgroup; uint, uint2 or uint3.
thread_index_in_threadgroup: the number of this thread in its threadgroup, counted along x, then y, then z.
thread_index_in_simdgroup: the number of this thread in its SIMD-group, the threads that run in lockstep.
thread_index_in_quadgroup: the number of this thread in its quad, 0 to 3.
threadgroup_position_in_grid: where this threadgroup is among the threadgroups.
threadgroups_per_grid: how many threadgroups there are in x, y and z.
threads_per_grid: how many threads there are in x, y and z.
threads_per_threadgroup: how many threads this threadgroup has; those at the grid's edge may have fewer.
dispatch_threads_per_threadgroup: how many threads a threadgroup was asked to have, at the grid's edge too.
threads_per_simdgroup: how many threads a SIMD-group has.
thread_execution_width: how many threads run in lockstep.
simdgroup_index_in_threadgroup: the number of this SIMD-group in its threadgroup.
simdgroups_per_threadgroup: how many SIMD-groups the threadgroup has.
quadgroup_index_in_threadgroup: the number of this quad in its threadgroup.
grid_origin: where the grid begins.
kernel: the function runs once for each thread of a grid.
vertex: the function runs once for each vertex.
fragment: the function runs once for each pixel that a triangle, line or point covers.
visible: the function can be called through a visible_function_table.
host_name("..."): the name by which a program asks for the function; each instantiation of a template needs its own.
max_total_threads_per_threadgroup(n): the function is never run with more threads in a threadgroup than n.
early_fragment_tests: depth and stencil are tested before the function runs.
position: the vertex's place in clip space; in a fragment function, the pixel's place.
point_size: how many pixels wide a point is.
clip_distance: what is negative is cut away.
user(name): matches an output of the vertex function with an input of the fragment function by name.
flat: not interpolated; the first vertex's value.
color(n): the colour of render target n.
depth(any): the depth that the fragment function chooses.
sample_id: which sample of the pixel this is.
sample_mask: which samples of the pixel are covered.
front_facing: whether the triangle shows its front.
point_coord: where in the point the pixel is, 0 to 1.
primitive_id: the number of the triangle, line or point.
barycentric_coord: the weights of the triangle's three corners at this pixel.
vertex_id: the number of the vertex.
instance_id: the number of the instance.
base_vertex: the number that vertices count from.
base_instance: the number that instances count from.
"""

_KEYWORDS = """
kernel: begins a function that runs once for each thread of a grid; it returns void.
vertex: begins a function that runs once for each vertex.
fragment: begins a function that runs once for each pixel covered.
device: memory that all threads may read and write; what device arrays are in.
constant: memory that all threads may only read; for arguments that are the same for every thread.
threadgroup: memory that the threads of one threadgroup share, for as long as that runs.
thread: memory of one thread alone; what local variables are in.
constexpr: the value is known when the source is compiled.
static_assert(condition, text): stops compiling with the text where the condition is false.
"""

_FUNCTIONS = """
abs(x): the absolute value.
absdiff(x, y): |x - y| without overflow.
acos(x): the arc cosine.
acosh(x): the inverse hyperbolic cosine.
addsat(x, y): x + y, kept within the type's range.
all(x): whether every component is true.
any(x): whether some component is true.
as_type<T>(x): the same bits as another type of the same size.
asin(x): the arc sine.
asinh(x): the inverse hyperbolic sine.
atan(x): the arc tangent.
atan2(y, x): the angle of the point (x, y), -pi to pi.
atanh(x): the inverse hyperbolic tangent.
atomic_compare_exchange_weak_explicit(p, expected, wanted, ...): stores wanted if *p is *expected; says whether.
atomic_exchange_explicit(p, x, order): stores x and gives what was there.
atomic_fetch_add_explicit(p, x, order): adds x and gives what was there.
atomic_fetch_and_explicit(p, x, order): ands x and gives what was there.
atomic_fetch_max_explicit(p, x, order): keeps the larger and gives what was there.
atomic_fetch_min_explicit(p, x, order): keeps the smaller and gives what was there.
atomic_fetch_or_explicit(p, x, order): ors x and gives what was there.
atomic_fetch_sub_explicit(p, x, order): subtracts x and gives what was there.
atomic_fetch_xor_explicit(p, x, order): xors x and gives what was there.
atomic_load_explicit(p, order): reads an atomic; order is memory_order_relaxed.
atomic_store_explicit(p, x, order): writes an atomic; order is memory_order_relaxed.
ceil(x): the next whole number up.
clamp(x, low, high): x, but not below low and not above high.
clz(x): how many zero bits are on top.
copysign(x, y): x with the sign of y.
cos(x): the cosine of x in radians.
cosh(x): the hyperbolic cosine.
cospi(x): the cosine of pi times x.
cross(a, b): the cross product of two vectors of three.
ctz(x): how many zero bits are at the bottom.
determinant(m): the determinant of a square matrix.
distance(a, b): the length of a - b.
distance_squared(a, b): the square of the length of a - b.
divide(x, y): x / y, as exact as precise:: or fast:: says.
dot(a, b): the dot product.
exp(x): e to the power x.
exp10(x): 10 to the power x.
exp2(x): 2 to the power x.
extract_bits(x, offset, bits): some bits of x, moved to the bottom.
fabs(x): the absolute value.
faceforward(n, i, r): n, turned so that it faces against i.
fdim(x, y): x - y where that is positive, else 0.
fma(a, b, c): a * b + c, rounded once.
fmax(x, y): the larger; the other one where one is NaN.
fmin(x, y): the smaller; the other one where one is NaN.
floor(x): the next whole number down.
fmod(x, y): what x / y leaves, with the sign of x.
fract(x): what is behind the point, x - floor(x).
frexp(x, exponent): the mantissa, 0.5 to 1; the exponent goes to the second argument.
hadd(x, y): (x + y) / 2 without overflow, rounded down.
ilogb(x): the exponent of x as an int.
insert_bits(base, x, offset, bits): base with some of its bits taken from x.
isfinite(x): whether it is neither infinite nor NaN.
isinf(x): whether it is infinite.
isnan(x): whether it is NaN.
isnormal(x): whether it is neither 0, denormal, infinite nor NaN.
ldexp(x, n): x times 2 to the power n.
length(v): the length of a vector.
length_squared(v): the square of a vector's length.
log(x): the natural logarithm.
log10(x): the logarithm to base 10.
log2(x): the logarithm to base 2.
mad24(x, y, z): x * y + z of numbers that fit into 24 bits.
madhi(x, y, z): the upper half of x * y, plus z.
madsat(x, y, z): x * y + z, kept within the type's range.
max(x, y): the larger.
max3(x, y, z): the largest of three.
median3(x, y, z): the middle one of three.
min(x, y): the smaller.
min3(x, y, z): the smallest of three.
mix(x, y, a): x where a is 0, y where a is 1, and between them in between: x + (y - x) * a.
modf(x, whole): what is behind the point; the whole number goes to the second argument.
mul24(x, y): x * y of numbers that fit into 24 bits.
mulhi(x, y): the upper half of x * y.
nextafter(x, y): the number next to x towards y.
normalize(v): the vector of the same direction and length 1.
popcount(x): how many bits are 1.
pow(x, y): x to the power y.
powr(x, y): x to the power y, for x of 0 or more.
quad_broadcast(x, n): the value that thread n of the quad has.
quad_shuffle(x, n): the value that thread n of the quad has; n may differ from thread to thread.
quad_sum(x): the sum over the quad.
reflect(i, n): the direction i, mirrored at a surface with the normal n.
refract(i, n, eta): the direction i, bent at a surface with the normal n.
reverse_bits(x): the bits from back to front.
rhadd(x, y): (x + y) / 2 without overflow, rounded up.
rint(x): the nearest whole number; halves go to the even one.
rotate(x, n): the bits moved up by n; those that fall out come in at the bottom.
round(x): the nearest whole number; halves go away from 0.
rsqrt(x): 1 / sqrt(x).
saturate(x): x, but not below 0 and not above 1.
select(a, b, c): b where c is true, a where it is false.
sign(x): 1, -1, or 0.
simd_all(x): whether it is true in every thread of the SIMD-group.
simd_any(x): whether it is true in some thread of the SIMD-group.
simd_ballot(x): a simd_vote with a bit for each thread of the SIMD-group where x is true.
simd_broadcast(x, n): the value that thread n of the SIMD-group has; n is the same in all.
simd_max(x): the largest in the SIMD-group.
simd_min(x): the smallest in the SIMD-group.
simd_prefix_exclusive_sum(x): the sum over the threads before this one.
simd_prefix_inclusive_sum(x): the sum over the threads up to this one.
simd_shuffle(x, n): the value that thread n of the SIMD-group has; n may differ from thread to thread.
simd_shuffle_down(x, n): the value of the thread n further on.
simd_shuffle_up(x, n): the value of the thread n before.
simd_shuffle_xor(x, mask): the value of the thread whose number is this one's, xored with mask.
simd_sum(x): the sum over the SIMD-group.
simdgroup_barrier(flags): waits for the threads of the SIMD-group.
sin(x): the sine of x in radians.
sincos(x, cosine): the sine; the cosine goes to the second argument.
sinh(x): the hyperbolic sine.
sinpi(x): the sine of pi times x.
smoothstep(low, high, x): 0 below low, 1 above high, and a smooth curve between.
sqrt(x): the square root.
step(edge, x): 0 where x is below edge, else 1.
subsat(x, y): x - y, kept within the type's range.
tan(x): the tangent of x in radians.
tanh(x): the hyperbolic tangent.
tanpi(x): the tangent of pi times x.
threadgroup_barrier(flags): waits until every thread of the threadgroup is here and its writes are seen.
transpose(m): the matrix with rows and columns exchanged.
trunc(x): the whole number without what is behind the point.
"""

_TYPES = """
bool: true or false.
char: a signed integer of 8 bits.
uchar: an unsigned integer of 8 bits.
short: a signed integer of 16 bits.
ushort: an unsigned integer of 16 bits.
int: a signed integer of 32 bits.
uint: an unsigned integer of 32 bits.
long: a signed integer of 64 bits.
ulong: an unsigned integer of 64 bits.
half: a floating-point number of 16 bits.
bfloat: a floating-point number of 16 bits with the range of float.
float: a floating-point number of 32 bits; Metal has no double.
sampler: how textures are read between pixels and beyond edges.
array<T, N>: N values that can be passed and copied whole.
atomic_int: an int for atomic functions.
atomic_uint: a uint for atomic functions.
atomic_float: a float for atomic functions.
atomic_bool: a bool for atomic functions.
atomic_ulong: a ulong for the atomic minimum and maximum.
simd_vote: a bit for each thread of a SIMD-group.
texture_buffer<T, access>: texels in a buffer, read and written by index.
"""

_VECTOR = re.compile(r"(packed_)?(bool|u?char|u?short|u?int|u?long|half|bfloat|float)([234])")
_MATRIX = re.compile(r"(half|float)([234])x([234])")
_TEXTURE = re.compile(r"(texture|depth)(1d|2d|3d|cube)(_ms)?(_array)?")
_SIZES = {"1d": "one dimension", "2d": "two dimensions", "3d": "three dimensions", "cube": "the six sides of a cube"}


def meaning_of(word: str, *, is_attribute: bool = False) -> str:
    """Say what a word means, as ``"clamp(x, low, high): x, but ..."``; empty where nobody knows.

    Parameters
    ----------
    word : str
    is_attribute : bool
        Whether it stands between ``[[`` and ``]]``.
    """
    if is_attribute:
        return _ATTRIBUTE_MEANINGS.get(word, "")
    return _MEANINGS.get(word) or _vector(word) or _matrix(word) or _texture(word)


def _read(text: str) -> dict[str, str]:
    return {re.split(r"[(<:]", line, maxsplit=1)[0]: line for line in text.strip().splitlines()}


def _vector(word: str) -> str:
    match = _VECTOR.fullmatch(word)
    if match is None:
        return ""
    packed, scalar, size = match.groups()
    text = f"{word}: a vector of {size} {scalar}"
    if packed:
        return f"{text}, without gaps in memory."
    return f"{text}{', which takes the room of 4' if size == '3' else ''}."


def _matrix(word: str) -> str:
    match = _MATRIX.fullmatch(word)
    return f"{word}: a matrix of {match[2]} columns, each {match[1]}{match[3]}." if match else ""


def _texture(word: str) -> str:
    match = _TEXTURE.fullmatch(word)
    if match is None:
        return ""
    what = "a depth texture" if match[1] == "depth" else "a texture"
    many = "an array of textures" if match[4] else what
    samples = ", several samples a pixel" if match[3] else ""
    return f"{word}<T, access>: {many} with {_SIZES[match[2]]}{samples}."


_ATTRIBUTE_MEANINGS = _read(_ATTRIBUTES)
_MEANINGS = {**_read(_TYPES), **_read(_FUNCTIONS), **_read(_KEYWORDS)}
