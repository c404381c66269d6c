# SPDX-License-Identifier: MIT
"""The judge: random small kernels, run compiled and by a slow reference executor, compared bit for bit."""
