# SPDX-License-Identifier: MIT
"""ggml's Metal file: compiled whole, its kernels run as its own host code runs them."""
