# SPDX-License-Identifier: MIT
"""Metal that others published, from package registries."""
