// SPDX-License-Identifier: MIT

#pragma once

#include "../Foundation/Foundation.hpp"

namespace MTL {

class Device;

/// Orders the encoders of a queue that share untracked resources.
class Fence : public NS::Referencing<Fence> {
public:
    Device* device() const;
    NS::String* label() const;
    void setLabel(const NS::String* label);
};

}  // namespace MTL
