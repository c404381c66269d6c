# SPDX-License-Identifier: MIT
"""Sources that nobody would write: mutated real files and legal but absurd kernels."""
