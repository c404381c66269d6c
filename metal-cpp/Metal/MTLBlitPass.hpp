// SPDX-License-Identifier: MIT

#pragma once

#include "../Foundation/Foundation.hpp"

namespace MTL {

class BlitPassDescriptor : public NS::Copying<BlitPassDescriptor> {
public:
    static BlitPassDescriptor* alloc();
    static BlitPassDescriptor* blitPassDescriptor();
    BlitPassDescriptor* init();
};

}  // namespace MTL
