# SPDX-License-Identifier: MIT
"""The Metal headers in torch's wheel: all of them compile, and their functions agree with SciPy and NumPy."""
