# SPDX-License-Identifier: MIT
# Changes of the generated stub. `None` is no name that a class may define in Python; getattr alone finds it.
\.None$:

