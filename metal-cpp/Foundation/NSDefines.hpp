// SPDX-License-Identifier: MIT

#pragma once

/// Marks what a shared library built from this code shows to its users. Everything else stays hidden.
#define _NS_EXPORT __attribute__((visibility("default")))
