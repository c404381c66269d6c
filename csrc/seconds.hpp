// SPDX-License-Identifier: MIT

#pragma once

#include "errors.hpp"

namespace mtlpy {

/// The value of a parameter that says when or how long; throws a ValidationError for what cannot.
inline double checkedSeconds(const char* where, const char* name, double value) {
    if (!(value >= 0 && value < 1e9))
        fail(ErrorKind::validation, concat(where, ": ", name, " is ", value, ", must be 0 or more seconds"));
    return value;
}

}  // namespace mtlpy
