// SPDX-License-Identifier: MIT
//
// What the software device can do and Apple's Metal has no word for. portable*.cpp alone know whether it is there; on a
// Mac the functions here answer "nothing" or throw a MetalError that says "not available on this device".

#pragma once

#include <Metal/Metal.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "reflection.hpp"

namespace mtlpy::portable {

bool isSoftware(const MTL::Device* device);

/// Throws a ResourceError in a forked child that has the device from its parent. Nothing on a Mac.
void checkProcess(const MTL::Device* device);

/// How long a person who pressed Ctrl-C waits for a kernel to end; one behind another in its queue ends later.
inline constexpr double stopSeconds = 0.2;

/// Ends what the command buffer runs, as Ctrl-C wants it, and waits so long for that; nothing on a Mac.
void stop(MTL::CommandBuffer* commandBuffer, double seconds = stopSeconds);

/// Without the GIL: waits until the queue can give one more command buffer at once; false when the time passed first.
/// On a Mac always true: there the queue itself waits.
bool waitForRoom(MTL::CommandQueue* queue, std::chrono::nanoseconds time);

/// Copies bytes without the GIL, with several threads where that is quicker. The ranges may overlap.
void copyMemory(const MTL::Device* device, void* to, const void* from, std::size_t size);

/// Whether `wait` is there. Elsewhere only a completed handler tells the end of a command buffer.
extern const bool canWait;

/// Without the GIL: waits for the end of a command buffer and of its handlers; false when the time passed first.
bool wait(MTL::CommandBuffer* commandBuffer, std::chrono::nanoseconds time);

/// While it lives, Ctrl-C ends what this thread compiles, and Python's exception is then set. Made and destroyed with
/// the GIL held; the compiling itself goes on without. On a Mac the interrupt waits for the compiler.
class Interruptible {
public:
    Interruptible();
    ~Interruptible();
    Interruptible(const Interruptible&) = delete;
    Interruptible& operator=(const Interruptible&) = delete;
};

/// Runs `compile` without the GIL, interruptible. Throws Python's exception when it was interrupted.
template <class F>
auto interruptible(F&& compile) {
    const Interruptible scope;
    auto result = [&] {
        ReleasedGil release;
        return compile();
    }();
    if (PyErr_Occurred()) throw nb::python_error();
    return result;
}

/// Adds to an argument what Apple's reflection doesn't say.
void describe(const MTL::Binding* binding, ArgumentInfo& info);

/// Null on a Mac.
std::shared_ptr<FunctionInfo> functionInfo(MTL::Function* function);

/// Empty on a Mac.
std::vector<std::shared_ptr<FunctionInfo>> functions(MTL::Library* library);

/// Nothing on a Mac.
void setKeptOnDisk(MTL::CompileOptions* options, bool isKept);

/// Without the GIL: waits for command buffers that are captured and can go on; false when the time passed first.
bool waitForCapture(std::chrono::nanoseconds time);

/// How a capture ended; on a Mac nobody says.
struct CaptureEnd {
    std::string path, error;
    unsigned unfinished = 0;  // command buffers that had not ended
    std::uint64_t bytes = 0;
};
CaptureEnd stopCapture();

void setHeaders(MTL::CompileOptions* options, const std::map<std::string, std::string>& headers,
                const std::vector<std::string>& directories);

}  // namespace mtlpy::portable
