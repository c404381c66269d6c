# SPDX-License-Identifier: MIT
"""MLX's kernels: those in the headers that the wheel `mlx-metal` brings."""
