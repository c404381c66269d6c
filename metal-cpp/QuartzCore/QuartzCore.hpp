// SPDX-License-Identifier: MIT
//
// Layers and drawables need a window system; this device has none, so there is nothing to declare.

#pragma once

#include "../Metal/Metal.hpp"
