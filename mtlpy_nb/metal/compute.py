# SPDX-License-Identifier: MIT
"""Kernels ready to run, and the encoder that dispatches them."""

from .._native import (
    ComputeCommandEncoder,
    ComputePipelineDescriptor,
    ComputePipelineState,
)

__all__ = [
    "ComputeCommandEncoder",
    "ComputePipelineDescriptor",
    "ComputePipelineState",
]
