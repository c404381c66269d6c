// SPDX-License-Identifier: MIT

#pragma once

#include <functional>

#include "../Foundation/Foundation.hpp"

namespace MTL {

class Drawable;

using DrawablePresentedHandlerFunction = std::function<void(Drawable*)>;

/// Something that can be shown on a display, once.
class Drawable : public NS::Referencing<Drawable> {
public:
    /// Called from another thread when it has been shown; before present.
    void addPresentedHandler(const DrawablePresentedHandlerFunction& function);

    /// A number of its own among the drawables of its layer.
    NS::UInteger drawableID() const;

    /// Shows it as soon as the command buffers that use its texture, and are committed, have completed.
    void present();

    /// The same, but not before the drawable that is shown before it has been so for `duration` seconds.
    void presentAfterMinimumDuration(CFTimeInterval duration);

    /// The same, but not before `presentationTime`, in seconds of the clock that GPUStartTime() has.
    void presentAtTime(CFTimeInterval presentationTime);

    /// When it was shown, in seconds of that clock; zero before, and for ever if it never is.
    CFTimeInterval presentedTime() const;
};

}  // namespace MTL
