# SPDX-License-Identifier: MIT
"""Slang by way of its own compiler's Metal, each shader beside what Slang means by it, in NumPy."""
