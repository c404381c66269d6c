// SPDX-License-Identifier: MIT
//
// Layers and drawables: the pool, the display's pace, the order in which pictures are shown.

#include <QuartzCore/QuartzCore.hpp>

#include <atomic>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "metal.hpp"

namespace {

constexpr double period = 1.0 / 60;

const char* paint = R"(
#include <metal_stdlib>
using namespace metal;
kernel void paint(texture2d<float, access::write> target, constant float& value, uint2 p [[thread_position_in_grid]])
{
    target.write(float4(value), p);
}
)";

CA::MetalLayer* layerOfSize(double width, double height, bool isPaced = false) {
    CA::MetalLayer* layer = CA::MetalLayer::layer();
    layer->setDevice(device());
    layer->setDrawableSize(CGSize{width, height});
    layer->setFramebufferOnly(false);
    layer->setDisplaySyncEnabled(isPaced);
    return layer;
}

/// What has been shown, in order; waits for it.
class Shown {
public:
    void expect(MTL::Drawable* drawable) {
        drawable->addPresentedHandler([this](MTL::Drawable* shown) {
            std::lock_guard lock(mutex_);
            order_.push_back(shown->drawableID());
            times_.push_back(shown->presentedTime());
            more_.notify_all();
        });
    }
    const std::vector<NS::UInteger>& waitFor(std::size_t count) {
        std::unique_lock lock(mutex_);
        more_.wait(lock, [&] { return order_.size() >= count; });
        return order_;
    }
    const std::vector<double>& times() const { return times_; }

private:
    std::mutex mutex_;
    std::condition_variable more_;
    std::vector<NS::UInteger> order_;
    std::vector<double> times_;
};

void aLayerBeginsAsApples() {
    CA::MetalLayer* layer = CA::MetalLayer::layer();
    CHECK(layer->device() == nullptr);
    CHECK(layer->pixelFormat() == MTL::PixelFormatBGRA8Unorm);
    CHECK(layer->framebufferOnly());
    CHECK(layer->drawableSize().width == 0 && layer->drawableSize().height == 0);
    CHECK(layer->maximumDrawableCount() == 3);
    CHECK(layer->displaySyncEnabled());
    CHECK(layer->allowsNextDrawableTimeout());
    CHECK(layer->colorspace() == nullptr);
    CHECK(layer->nextDrawable() == nullptr);
    layer->setDevice(device());
    CHECK(layer->nextDrawable() == nullptr);
}

void whatALayerCannotBe() {
    CA::MetalLayer* layer = CA::MetalLayer::layer();
    std::vector<std::string> said;
    auto before = MTL::Portable::setValidationHandler([&](const char* message) { said.push_back(message); });
    layer->setMaximumDrawableCount(4);
    layer->setPixelFormat(MTL::PixelFormatR8Unorm);
    for (const CGSize size : {CGSize{16385, 4}, CGSize{4, -1}, CGSize{std::nan(""), 4}}) layer->setDrawableSize(size);
    MTL::Portable::setValidationHandler(before);
    CHECK(said.size() == 5);
    CHECK(said.at(2).find("drawableSize is (16385") != std::string::npos);
    CHECK(layer->drawableSize().width == 0 && layer->drawableSize().height == 0);
    CHECK(layer->maximumDrawableCount() == 3);
    CHECK(layer->pixelFormat() == MTL::PixelFormatBGRA8Unorm);
}

void aDrawablesTextureIsTheLayers() {
    CA::MetalLayer* layer = layerOfSize(20, 10);
    layer->setPixelFormat(MTL::PixelFormatRGBA16Float);
    CA::MetalDrawable* drawable = layer->nextDrawable();
    CHECK(drawable->layer() == layer);
    CHECK(drawable->texture()->width() == 20 && drawable->texture()->height() == 10);
    CHECK(drawable->texture()->pixelFormat() == MTL::PixelFormatRGBA16Float);
    CHECK(drawable->texture()->usage() & MTL::TextureUsageShaderWrite);
    CHECK(!drawable->texture()->isFramebufferOnly());
    layer->setFramebufferOnly(true);
    CHECK(layer->nextDrawable()->texture()->usage() == MTL::TextureUsageRenderTarget);
    CHECK(layer->nextDrawable()->texture()->isFramebufferOnly());
}

void theLayerHasAsManyDrawablesAsItIsTold() {
    CA::MetalLayer* layer = layerOfSize(4, 4);
    layer->setMaximumDrawableCount(2);
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    auto first = NS::RetainPtr(layer->nextDrawable());
    auto second = NS::RetainPtr(layer->nextDrawable());
    pool.reset();
    CHECK(!MTL::Portable::waitForDrawable(layer, 0));
    CHECK(!MTL::Portable::waitForDrawable(layer, std::nan("")));
    CHECK(layer->nextDrawable() == nullptr);  // after a second
    MTL::Texture* texture = first->texture();
    first.reset();
    CHECK(MTL::Portable::waitForDrawable(layer, 0));
    CA::MetalDrawable* third = layer->nextDrawable();
    CHECK(third->texture() == texture);
    CHECK(third->drawableID() != second->drawableID());
}

void aThreadWaitsForADrawable() {
    CA::MetalLayer* layer = layerOfSize(4, 4);
    layer->setMaximumDrawableCount(2);
    layer->setAllowsNextDrawableTimeout(false);
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    auto first = NS::RetainPtr(layer->nextDrawable());
    auto second = NS::RetainPtr(layer->nextDrawable());
    pool.reset();
    std::atomic<bool> hasOne = false;
    std::thread waiting([&] {
        auto inner = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
        hasOne = layer->nextDrawable() != nullptr;
    });
    CHECK(!MTL::Portable::waitForDrawable(layer, 0.02));
    first.reset();
    waiting.join();
    CHECK(hasOne);
}

void anotherSizeEndsTheWait() {
    CA::MetalLayer* layer = layerOfSize(4, 4);
    layer->setMaximumDrawableCount(2);
    auto first = NS::RetainPtr(layer->nextDrawable());
    auto second = NS::RetainPtr(layer->nextDrawable());
    layer->setDrawableSize(CGSize{8, 8});
    CA::MetalDrawable* next = layer->nextDrawable();
    CHECK(next != nullptr && next->texture()->width() == 8);
}

void theDisplayKeepsWhatItShows() {
    CA::MetalLayer* layer = layerOfSize(4, 4);
    CHECK(MTL::Portable::shownDrawable(layer) == nullptr);
    layer->setMaximumDrawableCount(2);
    MTL::Texture *first = nullptr, *second = nullptr;
    {
        auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
        CA::MetalDrawable* drawable = layer->nextDrawable();
        first = drawable->texture();
        CHECK(drawable->presentedTime() == 0);
        drawable->present();
        CHECK(drawable->presentedTime() > 0);
        pool.reset();
        auto inner = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
        CHECK(MTL::Portable::shownDrawable(layer)->texture() == first);
        drawable = layer->nextDrawable();
        second = drawable->texture();
        CHECK(second != first);
        drawable->present();
    }
    CHECK(MTL::Portable::shownDrawable(layer)->texture() == second);
    CHECK(layer->nextDrawable()->texture() == first);  // free again
}

void presentingTwiceIsAMistake() {
    CA::MetalLayer* layer = layerOfSize(4, 4);
    CA::MetalDrawable* drawable = layer->nextDrawable();
    std::vector<std::string> said;
    auto before = MTL::Portable::setValidationHandler([&](const char* message) { said.push_back(message); });
    drawable->present();
    drawable->present();
    MTL::CommandBuffer* commandBuffer = queue()->commandBuffer();
    commandBuffer->commit();
    commandBuffer->presentDrawable(drawable);
    MTL::Portable::setValidationHandler(before);
    commandBuffer->waitUntilCompleted();
    CHECK(said.size() == 2);
}

/// The picture is shown with what the work drew, though present() is called while the work has not even begun.
void theDisplayWaitsForTheWork() {
    auto painting = pipeline(paint, "paint");
    auto event = NS::TransferPtr(device()->newSharedEvent());
    CA::MetalLayer* layer = layerOfSize(16, 16);
    Shown shown;
    for (const bool isOfTheBuffer : {true, false}) {
        CA::MetalDrawable* drawable = layer->nextDrawable();
        shown.expect(drawable);
        MTL::CommandBuffer* commandBuffer = queue()->commandBuffer();
        commandBuffer->encodeWait(event.get(), event->signaledValue() + 1);
        MTL::ComputeCommandEncoder* encoder = commandBuffer->computeCommandEncoder();
        const float value = 1;
        encoder->setComputePipelineState(painting.get());
        encoder->setTexture(drawable->texture(), 0);
        encoder->setBytes(&value, sizeof value, 0);
        encoder->dispatchThreads(MTL::Size(16, 16, 1), MTL::Size(16, 16, 1));
        encoder->endEncoding();
        if (isOfTheBuffer) commandBuffer->presentDrawable(drawable);
        commandBuffer->commit();
        if (!isOfTheBuffer) drawable->present();
        CHECK(drawable->presentedTime() == 0);
        event->setSignaledValue(event->signaledValue() + 1);
        commandBuffer->waitUntilCompleted();
        CHECK(hasCompleted(commandBuffer));
        CHECK(drawable->presentedTime() >= commandBuffer->GPUEndTime());
        shown.waitFor(isOfTheBuffer ? 1 : 2);
        CHECK(MTL::Portable::shownDrawable(layer)->texture() == drawable->texture());
    }
}

void aPacedDisplayShowsOneAtATime() {
    CA::MetalLayer* layer = layerOfSize(4, 4, true);
    Shown shown;
    for (int i = 0; i < 5; ++i) {
        auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
        CA::MetalDrawable* drawable = layer->nextDrawable();  // waits for the display from the fourth on
        CHECK(drawable != nullptr);
        shown.expect(drawable);
        drawable->present();
    }
    const auto& order = shown.waitFor(5);
    for (std::size_t i = 1; i < order.size(); ++i) CHECK(order[i] > order[i - 1]);
    // A thread that wakes late shows late, but the fifth can't come before four periods are over.
    CHECK(shown.times()[4] - shown.times()[0] > 2 * period);
}

void timesAreWaitedFor() {
    CA::MetalLayer* layer = layerOfSize(4, 4);
    Shown shown;
    CA::MetalDrawable* first = layer->nextDrawable();
    CA::MetalDrawable* second = layer->nextDrawable();
    CA::MetalDrawable* third = layer->nextDrawable();
    for (MTL::Drawable* drawable : {first, second, third}) shown.expect(drawable);
    first->present();
    const double start = first->presentedTime();
    second->presentAtTime(start + 0.05);
    third->presentAfterMinimumDuration(0.03);
    CHECK((shown.waitFor(3) == std::vector<NS::UInteger>{0, 1, 2}));
    CHECK(second->presentedTime() >= start + 0.05);
    CHECK(third->presentedTime() >= start + 0.08);
}

void aLayerKeepsItsColorSpace() {
    CA::MetalLayer* layer = CA::MetalLayer::layer();
    CGColorSpaceRef space = CGColorSpaceCreateWithName(kCGColorSpaceDisplayP3);
    layer->setColorspace(space);
    CGColorSpaceRelease(space);
    CHECK(layer->colorspace() == space);
    layer->setColorspace(nullptr);
    CHECK(layer->colorspace() == nullptr);
    CHECK(CGColorSpaceCreateWithName(nullptr) == nullptr);
}

}  // namespace

int main() {
    RUN(aLayerBeginsAsApples);
    RUN(whatALayerCannotBe);
    RUN(aDrawablesTextureIsTheLayers);
    RUN(theLayerHasAsManyDrawablesAsItIsTold);
    RUN(aThreadWaitsForADrawable);
    RUN(anotherSizeEndsTheWait);
    RUN(theDisplayKeepsWhatItShows);
    RUN(presentingTwiceIsAMistake);
    RUN(theDisplayWaitsForTheWork);
    RUN(aPacedDisplayShowsOneAtATime);
    RUN(timesAreWaitedFor);
    RUN(aLayerKeepsItsColorSpace);
    return failures == 0 ? 0 : 1;
}
