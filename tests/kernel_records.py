# SPDX-License-Identifier: MIT
"""The records of metal-cpp/executor/kernel_abi.h, for tests that run compiled code without the package."""

from __future__ import annotations

import ctypes


class Stage(ctypes.Structure):
    """metal_stage of kernel_abi.h."""

    _fields_ = [
        ("inputs", ctypes.POINTER(ctypes.c_void_p)),
        ("outputs", ctypes.POINTER(ctypes.c_void_p)),
        ("coverage", ctypes.c_void_p),
        ("remaining_coverage", ctypes.c_void_p),
        ("sample_positions", ctypes.c_void_p),
        ("sample_count", ctypes.c_uint32),
    ]


class Launch(ctypes.Structure):
    """metal_launch of kernel_abi.h."""

    _fields_ = [
        ("arguments", ctypes.POINTER(ctypes.c_void_p)),
        ("threads_per_grid", ctypes.c_uint32 * 3),
        ("threads_per_threadgroup", ctypes.c_uint32 * 3),
        ("threadgroups_per_grid", ctypes.c_uint32 * 3),
        ("grid_origin", ctypes.c_uint32 * 3),
        ("stage", ctypes.POINTER(Stage)),
        ("log", ctypes.c_void_p),
        ("grid_size", ctypes.c_uint32 * 3),
    ]


class Info(ctypes.Structure):
    """metal_kernel_info of kernel_abi.h."""

    _fields_ = [
        ("abi_version", ctypes.c_uint32),
        ("static_threadgroup_memory", ctypes.c_uint32),
        ("scratch_size", ctypes.c_uint64),
        ("lane_mapping", ctypes.c_uint32),
        ("lane_width", ctypes.c_uint32),
        ("max_total_threads", ctypes.c_uint32),
        ("uses_barrier", ctypes.c_uint32),
        ("uses_simdgroup", ctypes.c_uint32),
        ("stage", ctypes.c_uint32),
        ("fragment_uses", ctypes.c_uint32),
        ("used_slots", ctypes.c_uint64 * 4),
        ("uses_log", ctypes.c_uint32),
    ]


class Level(ctypes.Structure):
    """metal_texture_level of kernel_abi.h."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("bytes_per_image", ctypes.c_uint64),
        ("bytes_per_row", ctypes.c_uint32),
        ("width", ctypes.c_uint32),
        ("height", ctypes.c_uint32),
        ("depth", ctypes.c_uint32),
    ]


class TextureRecord(ctypes.Structure):
    """metal_texture of kernel_abi.h."""

    _fields_ = [
        ("pixel_format", ctypes.c_uint32),
        ("texture_type", ctypes.c_uint32),
        ("bytes_per_pixel", ctypes.c_uint32),
        ("array_length", ctypes.c_uint32),
        ("level_count", ctypes.c_uint32),
        ("sample_count", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32 * 2),
        ("levels", Level * 16),
    ]
