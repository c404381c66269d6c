// SPDX-License-Identifier: MIT
//
// Inside of fault.cpp that other parts of the executor need.

#pragma once

#include "fault.hpp"

namespace metal_executor {

/// The real-time signal that stops a kernel; one that nobody handled when the handlers were installed.
int stopSignal();

/// Fills in `message` from the rest.
void describe(Fault& fault);

}  // namespace metal_executor
