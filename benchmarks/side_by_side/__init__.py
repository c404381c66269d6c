# SPDX-License-Identifier: MIT
"""Kernels in Metal beside the same in OpenCL C (PoCL), NumPy, Numba and others, in one process."""
