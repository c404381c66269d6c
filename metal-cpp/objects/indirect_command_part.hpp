// SPDX-License-Identifier: MIT

#pragma once

#include "indirect_commands.hpp"

namespace metal_objects {

/// A place in an indirect command buffer that the processor writes.
class CommandPart {
public:
    CommandPart(IndirectBufferObject* buffer, NS::UInteger index) : buffer(NS::RetainPtr(buffer)), index(index) {}

    template <class Command>
    Command& as() const {
        return *reinterpret_cast<Command*>(buffer->command(index));
    }
    template <class Command>
    BoundBuffer* bindings() const {
        return reinterpret_cast<BoundBuffer*>(&as<Command>() + 1);
    }

    /// Says so, and changes nothing, where there is no room for the binding or the offset is not in the buffer.
    void bind(const char* call, BoundBuffer* bindings, NS::UInteger limit, NS::UInteger place, const MTL::Buffer* given,
              NS::UInteger offset, NS::UInteger stride, NS::UInteger at) const;

    // Where a command's objects are held: bindings by their index, and what follows.
    static constexpr NS::UInteger fragmentPlace = 100, pipelinePlace = 1000, indexPlace = 1001,
                                  depthStencilPlace = 1002;

    const NS::SharedPtr<IndirectBufferObject> buffer;
    const NS::UInteger index;
};

}  // namespace metal_objects
