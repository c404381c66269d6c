// SPDX-License-Identifier: MIT

#pragma once

#include <Metal/Metal.hpp>

#include "handle.hpp"

namespace mtlpy {

/// A dict of function constants, names or indices to Python values, as Metal takes them. `function` declares their
/// types. Throws a ValidationError that names the constant.
NS::SharedPtr<MTL::FunctionConstantValues> constantValues(const MTL::Function* function, const nb::dict& values);

}  // namespace mtlpy
