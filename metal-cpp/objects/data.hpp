// SPDX-License-Identifier: MIT

#pragma once

#include <string>
#include <string_view>

#include "runtime.hpp"

namespace metal_objects {

class DataObject final : public Implements<NS::Data> {
public:
    std::string bytes;

private:
    NS::UInteger hashValue() const override;
    bool equals(const NS::Object* other) const override;
    NS::Object* duplicate() const override;
};

NS::Data* makeData(std::string_view bytes);  // +1

}  // namespace metal_objects
