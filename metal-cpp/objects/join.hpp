// SPDX-License-Identifier: MIT

#pragma once

#include <sstream>
#include <string>

namespace metal_objects {

/// Texts and numbers, one after the other, as a message.
template <class... Parts>
std::string join(const Parts&... parts) {
    std::ostringstream text;
    (text << ... << parts);
    return text.str();
}

}  // namespace metal_objects
