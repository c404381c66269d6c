// SPDX-License-Identifier: MIT

#pragma once

#include <string>

#include "runtime.hpp"

namespace metal_objects {

class StringObject final : public Implements<NS::String> {
public:
    std::string text;  // UTF-8; does not change after init

private:
    NS::UInteger hashValue() const override;
    bool equals(const NS::Object* other) const override;
    NS::String* describe() const override;
};

}  // namespace metal_objects
