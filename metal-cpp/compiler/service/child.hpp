// SPDX-License-Identifier: MIT
//
// One request, in a process of its own: limits on memory and time, a deep stack, an end as soon as nobody waits for it.

#pragma once

#include "frontend/invocation.hpp"
#include "targets/target.hpp"

namespace metal_compiler {

class Session;

/// What the service prepared before it forked.
struct Prepared {
    Target* target = nullptr;
    TargetDescription description;
    Session* session = nullptr;  // headers parsed
};

/// The machine that code is for, as the front end needs it.
TargetDescription describe(const Target& target);

/// Answers the request that comes over `socket` and ends the process. Call in the forked child.
[[noreturn]] void serveRequest(int socket, const Prepared& prepared);

}  // namespace metal_compiler
