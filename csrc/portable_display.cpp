// SPDX-License-Identifier: MIT

#include "portable_display.hpp"

#if __has_include(<MetalPortable/MetalPortable.hpp>)
#include <MetalPortable/MetalPortable.hpp>

namespace mtlpy::portable {

NS::SharedPtr<CA::MetalDrawable> shownDrawable(CA::MetalLayer* layer) {
    return shared(MTL::Portable::shownDrawable(layer));
}

bool waitForDrawable(CA::MetalLayer* layer, std::chrono::nanoseconds time) {
    return MTL::Portable::waitForDrawable(layer, std::chrono::duration<double>(time).count());
}

}  // namespace mtlpy::portable

#else

namespace mtlpy::portable {

NS::SharedPtr<CA::MetalDrawable> shownDrawable(CA::MetalLayer*) {
    return {};
}

bool waitForDrawable(CA::MetalLayer*, std::chrono::nanoseconds) {
    return true;
}

}  // namespace mtlpy::portable

#endif
