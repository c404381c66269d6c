// SPDX-License-Identifier: MIT

#pragma once

#include "CAMetalDrawable.hpp"
#include "CAMetalLayer.hpp"
