// SPDX-License-Identifier: MIT
#include "frontend/reflection.hpp"

#include "frontend/entries.hpp"
#include "frontend/session.hpp"

namespace metal_compiler {

void reflect(Session&, const std::vector<Kernel>& kernels, protocol::LibraryReply& reply) {
    for (const Kernel& kernel : kernels) {
        protocol::Function function;
        function.name = kernel.function->getNameAsString();
        function.entry = kernel.entry;
        reply.functions.push_back(function);
    }
}

}  // namespace metal_compiler
