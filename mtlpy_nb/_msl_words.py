# SPDX-License-Identifier: MIT
"""Words of the Metal Shading Language, for colours, and for completion where there is no compiler to ask."""

from __future__ import annotations

__all__ = ["WORDS"]


def _vectors() -> list[str]:
    scalars = ["bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "bfloat", "float"]
    names = list(scalars)
    for scalar in scalars:
        names += [f"{scalar}{n}" for n in (2, 3, 4)] + [f"packed_{scalar}{n}" for n in (2, 3, 4)]
    for scalar in ("half", "float"):
        names += [f"{scalar}{columns}x{rows}" for columns in (2, 3, 4) for rows in (2, 3, 4)]
    return names


_TEXTURES = """
texture1d texture1d_array texture2d texture2d_array texture2d_ms texture2d_ms_array texture3d texturecube
texturecube_array texture_buffer depth2d depth2d_array depth2d_ms depth2d_ms_array depthcube depthcube_array sampler
array atomic_int atomic_uint atomic_bool atomic_float atomic_ulong simdgroup_float8x8 simdgroup_half8x8 simd_vote
"""

_FUNCTIONS = """
abs absdiff acos acosh addsat all any as_type asin asinh atan atan2 atanh atomic_compare_exchange_weak_explicit
atomic_exchange_explicit atomic_fetch_add_explicit atomic_fetch_and_explicit atomic_fetch_max_explicit
atomic_fetch_min_explicit atomic_fetch_or_explicit atomic_fetch_sub_explicit atomic_fetch_xor_explicit
atomic_load_explicit atomic_store_explicit ceil clamp clz copysign cos cosh cospi cross ctz determinant distance
distance_squared divide dot exp exp10 exp2 extract_bits fabs faceforward fdim fma fmax fmin fmod floor fract frexp hadd
ilogb insert_bits isfinite isinf isnan isnormal ldexp length length_squared log log10 log2 mad24 madhi madsat max
max3 median3 min min3 mix modf mul24 mulhi nextafter normalize pack_float_to_unorm4x8 popcount pow powr
quad_broadcast quad_shuffle quad_sum reflect refract reverse_bits rhadd rint rotate round rsqrt saturate select sign
simd_all simd_any simd_ballot simd_broadcast simd_max simd_min simd_prefix_exclusive_sum simd_prefix_inclusive_sum
simd_shuffle simd_shuffle_down simd_shuffle_up simd_shuffle_xor simd_sum simdgroup_barrier sin sincos sinh sinpi
smoothstep sqrt step subsat tan tanh tanpi threadgroup_barrier transpose trunc unpack_unorm4x8_to_float
"""

_KEYWORDS = """
kernel vertex fragment device constant threadgroup thread const volatile constexpr static inline extern mutable
alignas explicit template typename using namespace struct union enum class typedef auto operator friend public private
protected this if else for while do switch case default break continue return goto true false nullptr sizeof alignof
decltype noexcept static_assert static_cast reinterpret_cast const_cast
"""

_ATTRIBUTES = """
buffer texture sampler threadgroup id function_constant stage_in attribute thread_position_in_grid
thread_position_in_threadgroup thread_index_in_threadgroup thread_index_in_simdgroup thread_index_in_quadgroup
threadgroup_position_in_grid threadgroups_per_grid threads_per_grid threads_per_threadgroup threads_per_simdgroup
thread_execution_width simdgroup_index_in_threadgroup simdgroups_per_threadgroup quadgroup_index_in_threadgroup
dispatch_threads_per_threadgroup grid_origin kernel vertex fragment visible host_name
max_total_threads_per_threadgroup early_fragment_tests position point_size clip_distance user flat center_perspective
center_no_perspective centroid_perspective centroid_no_perspective sample_perspective sample_no_perspective color depth
stencil sample_mask sample_id front_facing point_coord primitive_id barycentric_coord vertex_id instance_id
base_vertex base_instance render_target_array_index viewport_array_index raster_order_group
"""

# By kind, in the order in which they are offered.
WORDS = {
    "keyword": _KEYWORDS.split(),
    "type": ["void", "signed", "unsigned", *_vectors(), *_TEXTURES.split()],
    "function": _FUNCTIONS.split(),
    "attribute": _ATTRIBUTES.split(),
}
