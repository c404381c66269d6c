# SPDX-License-Identifier: MIT
"""Metal as people write it: files of many kinds, made for these tests."""
