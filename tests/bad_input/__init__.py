# SPDX-License-Identifier: MIT
"""Wrong and hostile input through the public API: the right exception, and process and device go on."""
