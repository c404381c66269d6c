# SPDX-License-Identifier: MIT
"""Kernels ready to run, and the encoder that dispatches them."""

from .._native import (
    AttributeDescriptor,
    AttributeDescriptorArray,
    BufferLayoutDescriptor,
    BufferLayoutDescriptorArray,
    ComputeCommandEncoder,
    ComputePipelineDescriptor,
    ComputePipelineState,
    StageInputOutputDescriptor,
)

__all__ = [
    "AttributeDescriptor",
    "AttributeDescriptorArray",
    "BufferLayoutDescriptor",
    "BufferLayoutDescriptorArray",
    "ComputeCommandEncoder",
    "ComputePipelineDescriptor",
    "ComputePipelineState",
    "StageInputOutputDescriptor",
]
