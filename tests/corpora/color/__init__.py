# SPDX-License-Identifier: MIT
"""Metal that OpenColorIO writes for transforms of colours, beside the same transforms on OpenColorIO's own CPU path."""
