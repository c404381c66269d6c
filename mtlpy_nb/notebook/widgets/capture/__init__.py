# SPDX-License-Identifier: MIT
"""The capture view: a frame debugger in the notebook. ``answers.py`` tells what a front end asks."""
