# SPDX-License-Identifier: MIT
"""Widgets: pictures that change while one looks. Each is a static picture, too, where there are no widgets."""
