# SPDX-License-Identifier: MIT
# Changes of the generated stub. `None` is no name that a class may define in Python; getattr alone finds it.
\.None$:

# Before Python 3.12 the buffer protocol has no name in Python.
mtlpy_nb._native.Exporter$:
    class Exporter:
        """
        Base of classes with the buffer protocol, for the array that `_exported()` gives.
        """

        __slots__ = ()

        def __buffer__(self, flags: int, /) -> memoryview: ...

