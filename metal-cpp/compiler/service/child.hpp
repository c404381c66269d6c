// SPDX-License-Identifier: MIT
//
// One request, in a process of its own: limits on memory and time, a deep stack, an end as soon as nobody waits for it.

#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "frontend/invocation.hpp"
#include "frontend/session.hpp"
#include "targets/target.hpp"

namespace metal_compiler {

/// What the service prepared before it forked.
struct Prepared {
    Target* target = nullptr;
    TargetDescription description;
    Session* session = nullptr;  // headers parsed, in the mode that most programs use
    std::vector<std::pair<Mode, std::unique_ptr<Session>>> others;  // and in modes that were asked for
    int wishes = -1;  // where a child writes the mode that it had no session for

    Session* sessionFor(const Mode& mode) const;
};

/// A mode as the byte that goes through `wishes`, and back.
unsigned char byteOf(const Mode& mode);
Mode modeOf(unsigned char byte);

/// The machine that code is for, as the front end needs it.
TargetDescription describe(const Target& target);

/// Answers the request that comes over `socket` and ends the process. Call in the forked child.
[[noreturn]] void serveRequest(int socket, const Prepared& prepared);

}  // namespace metal_compiler
