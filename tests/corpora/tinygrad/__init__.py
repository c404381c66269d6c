# SPDX-License-Identifier: MIT
"""What tinygrad writes for Metal, compiled and run here."""
