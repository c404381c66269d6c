// SPDX-License-Identifier: MIT
//
// Frames on a socket (uint64 length, then bytes) and descriptors passed over one; see protocol.hpp.

#pragma once

#include <optional>

#include "wire.hpp"

namespace metal_compiler {

/// Nothing when the other end is gone or the length is beyond what a request can be.
std::optional<wire::Bytes> readFrame(int socket);

bool writeFrame(int socket, const wire::Bytes& bytes);

/// Waits for a descriptor; -1 when the other end is gone.
int receiveDescriptor(int socket);

}  // namespace metal_compiler
