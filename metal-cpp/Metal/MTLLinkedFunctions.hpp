// SPDX-License-Identifier: MIT

#pragma once

#include "../Foundation/Foundation.hpp"

namespace MTL {

/// Visible functions that a pipeline's kernel can call through tables.
class LinkedFunctions : public NS::Copying<LinkedFunctions> {
public:
    static LinkedFunctions* alloc();

    /// Of Function.
    NS::Array* functions() const;

    LinkedFunctions* init();
    static LinkedFunctions* linkedFunctions();

    /// Of Function: linked like functions(), but they have no handles.
    NS::Array* privateFunctions() const;

    void setFunctions(const NS::Array* functions);
    void setPrivateFunctions(const NS::Array* privateFunctions);
};

}  // namespace MTL
