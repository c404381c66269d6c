# SPDX-License-Identifier: MIT
"""Metal that Halide generates for pipelines of ours, beside the same pipelines on Halide's own CPU code."""
