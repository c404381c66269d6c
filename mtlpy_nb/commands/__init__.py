# SPDX-License-Identifier: MIT
"""The parts of the command ``mtlpy-nb``: one file for each of its words, and what they share."""

from __future__ import annotations
