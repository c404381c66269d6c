// SPDX-License-Identifier: MIT

#pragma once

#include <functional>
#include <memory>
#include <string>

#include "../compiler/client/client.hpp"
#include "error.hpp"

namespace metal_objects {

/// What every request of this thread is made with: MTL::Portable::setInterrupted's function.
metal_compiler_client::RequestOptions requestOptions(std::string name, bool useDisk = true);

/// Runs `work` on a thread of its own; what it autoreleases ends with it.
void inBackground(std::function<void()> work);

/// The reply, or null and an error of `domain` that says why there is none.
template <class Reply>
std::shared_ptr<const Reply> answered(const metal_compiler_client::Answer<Reply>& answer, const char* domain,
                                      NS::Error** error) {
    if (answer) return answer.reply;
    constexpr NS::Integer internalError = 2;  // of both domains that compile
    const bool isInterrupted = answer.outcome == metal_compiler_client::Outcome::interrupted;
    report(error, makeError(domain, internalError, isInterrupted ? "compilation was interrupted" : answer.error));
    return nullptr;
}

inline constexpr const char* libraryErrorDomain = "MTLLibraryErrorDomain";
inline constexpr const char* pipelineErrorDomain = "CompilerError";

}  // namespace metal_objects
