// SPDX-License-Identifier: MIT
//
// What the software device can do and Apple's Metal has no word for. portable.cpp alone knows whether it is there; on a
// Mac the functions here answer "nothing" or throw a MetalError that says "not available on this device".

#pragma once

#include <Metal/Metal.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "reflection.hpp"

namespace mtlpy::portable {

bool isSoftware(const MTL::Device* device);

/// Ends what the command buffer runs, as Ctrl-C wants it; nothing on a Mac.
void stop(MTL::CommandBuffer* commandBuffer);

/// Adds to an argument what Apple's reflection doesn't say.
void describe(const MTL::Binding* binding, ArgumentInfo& info);

/// Null on a Mac.
std::shared_ptr<FunctionInfo> functionInfo(MTL::Function* function);

/// Empty on a Mac.
std::vector<std::shared_ptr<FunctionInfo>> functions(MTL::Library* library);

void setHeaders(MTL::CompileOptions* options, const std::map<std::string, std::string>& headers,
                const std::vector<std::string>& directories);

}  // namespace mtlpy::portable
