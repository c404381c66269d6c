// SPDX-License-Identifier: MIT

#pragma once

#include "../Foundation/Foundation.hpp"
#include "MTLDataType.hpp"

namespace MTL {

/// Values for the `[[function_constant(n)]]` of a library, by index or by name.
class FunctionConstantValues : public NS::Copying<FunctionConstantValues> {
public:
    static FunctionConstantValues* alloc();
    FunctionConstantValues* init();
    void reset();
    void setConstantValue(const void* value, DataType type, NS::UInteger index);
    void setConstantValue(const void* value, DataType type, const NS::String* name);
    void setConstantValues(const void* values, DataType type, NS::Range range);
};

}  // namespace MTL
