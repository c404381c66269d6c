// SPDX-License-Identifier: MIT

#pragma once

#include <Metal/Metal.hpp>
#include <memory>
#include <string>

#include "handle.hpp"

namespace mtlpy {

/// A library and what the compiler said while making it, which Metal gives once.
struct Library {
    NS::SharedPtr<MTL::Library> metal;
    std::string diagnostics;
    live::Noted noted{this};
};

/// Throws a CompileError. Releases the GIL while it compiles.
std::shared_ptr<Library> compileLibrary(MTL::Device& device, const std::string& source, MTL::CompileOptions* options);

}  // namespace mtlpy
