// SPDX-License-Identifier: MIT

#pragma once

#include <vector>

#include "runtime.hpp"

namespace metal_objects {

class ArrayObject final : public Implements<NS::Array> {
public:
    std::vector<NS::SharedPtr<NS::Object>> items;

private:
    NS::UInteger hashValue() const override { return items.size(); }
    bool equals(const NS::Object* other) const override;
    NS::String* describe() const override;
};

/// An array of what `items` points at, which it retains. +1
template <class Class>
NS::Array* makeArray(const std::vector<NS::SharedPtr<Class>>& items) {
    auto* array = new ArrayObject;
    array->items.assign(items.begin(), items.end());
    return array;
}

/// The entries of a dictionary, in order.
using Entries = std::vector<std::pair<NS::SharedPtr<NS::Object>, NS::SharedPtr<NS::Object>>>;  // key, object
const Entries& entries(const NS::Dictionary* dictionary);

}  // namespace metal_objects
