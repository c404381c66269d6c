// SPDX-License-Identifier: MIT
//
// The end of a capture, of which the software device tells more than Apple's does.

#include "portable.hpp"

#if __has_include(<MetalPortable/MetalPortable.hpp>)
#include <MetalPortable/MetalPortable.hpp>
#define MTLPY_SOFTWARE 1
#else
#define MTLPY_SOFTWARE 0
#endif

namespace mtlpy::portable {

#if MTLPY_SOFTWARE

bool waitForCapture(std::chrono::nanoseconds time) {
    return MTL::Portable::waitForCapture(std::chrono::duration<double>(time).count());
}

CaptureEnd stopCapture() {
    const MTL::Portable::CaptureEnd end = MTL::Portable::stopCapture();
    return {end.path, end.error, end.unfinished, end.bytes};
}

#else

bool waitForCapture(std::chrono::nanoseconds) {
    return true;
}

CaptureEnd stopCapture() {
    MTL::CaptureManager::sharedCaptureManager()->stopCapture();
    return {};
}

#endif

}  // namespace mtlpy::portable
