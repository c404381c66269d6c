// SPDX-License-Identifier: MIT
//
// Buffers, textures, samplers, events, and the copies between resources. No kernel is compiled.

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

#include "metal.hpp"

namespace {

std::string lastMistake;

void rememberMistakes() {
    MTL::Portable::setValidationHandler([](const char* message) { lastMistake = message; });
}

std::vector<std::uint8_t> counting(std::size_t count) {
    std::vector<std::uint8_t> bytes(count);
    std::iota(bytes.begin(), bytes.end(), std::uint8_t{1});
    return bytes;
}

MTL::TextureDescriptor* descriptor(MTL::PixelFormat format, NS::UInteger width, NS::UInteger height) {
    return MTL::TextureDescriptor::texture2DDescriptor(format, width, height, false);
}

NS::SharedPtr<MTL::Texture> makeTexture(const MTL::TextureDescriptor* descriptor) {
    return NS::TransferPtr(device()->newTexture(descriptor));
}

void testDeviceTellsItsFacts() {
    CHECK(contains(device()->name(), "mtlpy software device"));
    CHECK(device()->maxThreadsPerThreadgroup().width == 1024);
    CHECK(device()->maxThreadgroupMemoryLength() == 32768);
    CHECK(MTL::Portable::isSoftware(device()) && device()->hasUnifiedMemory());
    auto all = NS::TransferPtr(MTL::CopyAllDevices());
    CHECK(all->count() == 1 && all->object(0) == device());
}

void testBufferMemoryIsZeroedAndCounted() {
    const NS::UInteger before = device()->currentAllocatedSize();
    auto shared = buffer(1 << 20);
    CHECK(device()->currentAllocatedSize() >= before + (1 << 20));
    CHECK(shared->length() == 1 << 20 && static_cast<char*>(shared->contents())[99] == 0);
    CHECK(shared->gpuAddress() == reinterpret_cast<MTL::GPUAddress>(shared->contents()));
    shared.reset();
    CHECK(device()->currentAllocatedSize() == before);
    CHECK(buffer(16, MTL::ResourceStorageModePrivate)->contents() == nullptr);
}

void testBuffersThatCannotBe() {
    CHECK(device()->newBuffer(0, 0) == nullptr && lastMistake.find("length is 0") != std::string::npos);
    CHECK(device()->newBuffer(device()->maxBufferLength() + 1, 0) == nullptr);
    CHECK(lastMistake.find("this device allows") != std::string::npos);
    CHECK(device()->newBuffer("abc", 3, MTL::ResourceStorageModePrivate) == nullptr);
    CHECK(device()->newBuffer("abc", 3, 0, nullptr) == nullptr);
    CHECK(lastMistake.find("page size") != std::string::npos);
}

void testManagedBuffersNeedToBeTold() {
    auto managed = buffer(64, MTL::ResourceStorageModeManaged);
    auto shared = buffer(64);
    const auto bytes = counting(64);
    std::memcpy(managed->contents(), bytes.data(), 64);
    const auto copyOut = [&](MTL::BlitCommandEncoder* e) { e->copyFromBuffer(managed.get(), 0, shared.get(), 0, 64); };
    CHECK(hasCompleted(blit(copyOut)));
    CHECK(static_cast<std::uint8_t*>(shared->contents())[5] == 0);
    managed->didModifyRange(NS::Range(0, 6));
    CHECK(hasCompleted(blit(copyOut)));
    CHECK(static_cast<std::uint8_t*>(shared->contents())[5] == 6);
    CHECK(static_cast<std::uint8_t*>(shared->contents())[6] == 0);

    blit([&](MTL::BlitCommandEncoder* e) { e->fillBuffer(managed.get(), NS::Range(0, 64), 9); });
    CHECK(static_cast<std::uint8_t*>(managed->contents())[0] == 1);
    blit([&](MTL::BlitCommandEncoder* e) { e->synchronizeResource(managed.get()); });
    CHECK(static_cast<std::uint8_t*>(managed->contents())[0] == 9);
    managed->didModifyRange(NS::Range(60, 5));
    CHECK(lastMistake.find("didModifyRange") != std::string::npos);
}

void testNoCopyBufferGivesMemoryBack() {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    void* memory = std::aligned_alloc(page, page);
    std::memset(memory, 7, page);
    static int freed = 0;
    freed = 0;
    auto wrapped = NS::TransferPtr(device()->newBuffer(memory, page, 0, [](void* pointer, NS::UInteger) {
        std::free(pointer);
        ++freed;
    }));
    CHECK(wrapped->contents() == memory);
    auto target = buffer(page);
    MTL::CommandBuffer* copy = blit([&](MTL::BlitCommandEncoder* e) {
        e->copyFromBuffer(wrapped.get(), 0, target.get(), 0, page);
        wrapped.reset();
    });
    CHECK(hasCompleted(copy) && static_cast<char*>(target->contents())[page - 1] == 7);
    CHECK(freed == 1);
}

void testUsedResourcesLiveUntilTheEnd() {
    auto source = buffer(16);
    auto target = buffer(16);
    auto event = NS::TransferPtr(device()->newSharedEvent());
    MTL::CommandBuffer* commandBuffer = queue()->commandBuffer();
    commandBuffer->encodeWait(event.get(), 1);
    MTL::BlitCommandEncoder* encoder = commandBuffer->blitCommandEncoder();
    encoder->copyFromBuffer(source.get(), 0, target.get(), 0, 16);
    encoder->endEncoding();
    commandBuffer->commit();
    CHECK(source->retainCount() == 2);
    CHECK(!MTL::Portable::wait(commandBuffer, 0.01));
    event->setSignaledValue(1);
    CHECK(MTL::Portable::wait(commandBuffer, 10));
    CHECK(source->retainCount() == 1);
    CHECK(hasCompleted(commandBuffer));
}

void testBlitMistakesFailTheCommandBuffer() {
    auto small = buffer(16);
    auto large = buffer(32);
    std::memset(large->contents(), 5, 32);
    MTL::CommandBuffer* commandBuffer = blit([&](MTL::BlitCommandEncoder* e) {
        e->fillBuffer(large.get(), NS::Range(0, 32), 1);
        e->copyFromBuffer(large.get(), 0, small.get(), 8, 16);
    });
    CHECK(hasFailed(commandBuffer, "destinationOffset(8) + size(16) must be <= the destination's length(16)"));
    CHECK(commandBuffer->error()->domain()->isEqualToString(text("MTLCommandBufferErrorDomain")));
    CHECK(static_cast<char*>(large->contents())[0] == 5);  // nothing of it ran
    CHECK(hasFailed(blit([&](MTL::BlitCommandEncoder* e) { e->fillBuffer(small.get(), NS::Range(8, 9), 1); }),
                    "fillBuffer"));
}

void testEncodersMustEnd() {
    MTL::CommandBuffer* commandBuffer = queue()->commandBuffer();
    MTL::BlitCommandEncoder* encoder = commandBuffer->blitCommandEncoder();
    CHECK(commandBuffer->computeCommandEncoder() == nullptr);
    encoder->endEncoding();
    lastMistake.clear();
    encoder->endEncoding();
    CHECK(lastMistake.find("has ended encoding") != std::string::npos);
    commandBuffer->commit();
    commandBuffer->waitUntilCompleted();
    CHECK(hasFailed(commandBuffer, "has not ended encoding"));
    lastMistake.clear();
    commandBuffer->commit();
    CHECK(lastMistake.find("committed already") != std::string::npos);

    MTL::CommandBuffer* unfinished = queue()->commandBuffer();
    unfinished->blitCommandEncoder();
    unfinished->commit();
    unfinished->waitUntilCompleted();
    CHECK(hasFailed(unfinished, "has not ended encoding"));
}

void testTexturesKeepTheirTexels() {
    constexpr MTL::PixelFormat formats[] = {
        MTL::PixelFormatR8Unorm,     MTL::PixelFormatRGBA8Unorm, MTL::PixelFormatR8Uint,
        MTL::PixelFormatRGBA8Uint,   MTL::PixelFormatBGRA8Unorm, MTL::PixelFormatBGRA8Unorm_sRGB,
        MTL::PixelFormatR16Uint,     MTL::PixelFormatRGBA16Uint, MTL::PixelFormatR16Float,
        MTL::PixelFormatRGBA16Float, MTL::PixelFormatR32Float,   MTL::PixelFormatRGBA32Float,
        MTL::PixelFormatR32Uint,     MTL::PixelFormatRGBA32Uint};
    constexpr std::size_t sizes[] = {1, 4, 1, 4, 4, 4, 2, 8, 2, 8, 4, 16, 4, 16};
    for (std::size_t i = 0; i < std::size(formats); ++i) {
        auto texture = makeTexture(descriptor(formats[i], 5, 3));
        const std::size_t row = 5 * sizes[i];
        const auto bytes = counting(row * 3);
        texture->replaceRegion(MTL::Region(0, 0, 5, 3), 0, bytes.data(), row);
        std::vector<std::uint8_t> back(2 * sizes[i] * 2);
        texture->getBytes(back.data(), 2 * sizes[i], MTL::Region(3, 1, 2, 2), 0);
        CHECK(std::memcmp(back.data(), bytes.data() + row + 3 * sizes[i], 2 * sizes[i]) == 0);
        CHECK(std::memcmp(back.data() + 2 * sizes[i], bytes.data() + 2 * row + 3 * sizes[i], 2 * sizes[i]) == 0);
    }
}

void testTexturesOfOtherShapes() {
    auto* volume = descriptor(MTL::PixelFormatR8Unorm, 2, 3);
    volume->setTextureType(MTL::TextureType3D);
    volume->setDepth(4);
    auto texture = makeTexture(volume);
    const auto bytes = counting(24);
    texture->replaceRegion(MTL::Region(0, 0, 0, 2, 3, 4), 0, 0, bytes.data(), 2, 6);
    std::uint8_t texel = 0;
    texture->getBytes(&texel, 1, 1, MTL::Region(1, 2, 3, 1, 1, 1), 0, 0);
    CHECK(texel == bytes[3 * 6 + 2 * 2 + 1]);

    auto* array = descriptor(MTL::PixelFormatR8Unorm, 2, 2);
    array->setTextureType(MTL::TextureType2DArray);
    array->setArrayLength(3);
    texture = makeTexture(array);
    texture->replaceRegion(MTL::Region(0, 0, 2, 2), 0, 2, bytes.data(), 2, 4);
    texture->getBytes(&texel, 1, 1, MTL::Region(1, 1, 1, 1), 0, 2);
    CHECK(texel == bytes[3]);
    texture->getBytes(&texel, 1, 1, MTL::Region(1, 1, 1, 1), 0, 1);
    CHECK(texel == 0);
}

void testTexturesRefuse() {
    auto* wrong = descriptor(MTL::PixelFormatRGBA8Unorm, 0, 4);
    CHECK(device()->newTexture(wrong) == nullptr && lastMistake.find("width is 0") != std::string::npos);
    wrong = descriptor(MTL::PixelFormatBC1_RGBA, 4, 4);
    CHECK(device()->newTexture(wrong) == nullptr &&
          lastMistake.find("pixelFormat is MTLPixelFormatBC1_RGBA, a compressed") != std::string::npos);
    wrong = descriptor(MTL::PixelFormatRGBA8Unorm, 4, 4);
    wrong->setMipmapLevelCount(4);
    CHECK(device()->newTexture(wrong) == nullptr && lastMistake.find("must be 1 to 3") != std::string::npos);

    auto* hidden = descriptor(MTL::PixelFormatRGBA8Unorm, 4, 4);
    hidden->setStorageMode(MTL::StorageModePrivate);
    std::uint8_t bytes[64] = {};
    makeTexture(hidden)->replaceRegion(MTL::Region(0, 0, 4, 4), 0, bytes, 16);
    CHECK(lastMistake.find("replaceRegion: the texture's storage is private") != std::string::npos);
    auto texture = makeTexture(descriptor(MTL::PixelFormatRGBA8Unorm, 4, 4));
    texture->getBytes(bytes, 16, MTL::Region(2, 0, 3, 1), 0);
    CHECK(lastMistake.find("region's origin(2) + width(3) must be <= the texture's(4)") != std::string::npos);
    texture->getBytes(bytes, 15, MTL::Region(0, 0, 4, 4), 0);
    CHECK(lastMistake.find("bytesPerRow(15)") != std::string::npos);
    texture->getBytes(bytes, 16, MTL::Region(0, 0, 4, 4), 1);
    CHECK(lastMistake.find("level(1)") != std::string::npos);
}

void testTexelsTravelThroughBlits() {
    auto* hidden = descriptor(MTL::PixelFormatRGBA8Unorm, 4, 2);
    hidden->setStorageMode(MTL::StorageModePrivate);
    auto texture = makeTexture(hidden);
    auto shown = makeTexture(descriptor(MTL::PixelFormatRGBA8Unorm, 4, 2));
    auto source = buffer(64);
    auto target = buffer(64);
    const auto bytes = counting(32);
    std::memcpy(source->contents(), bytes.data(), 32);
    const MTL::Size size(4, 2, 1);
    const MTL::Origin origin(0, 0, 0);
    CHECK(hasCompleted(blit([&](MTL::BlitCommandEncoder* e) {
        e->copyFromBuffer(source.get(), 0, 16, 32, size, texture.get(), 0, 0, origin);
        e->copyFromTexture(texture.get(), shown.get());
        e->copyFromTexture(texture.get(), 0, 0, origin, size, target.get(), 0, 32, 64);
    })));
    std::vector<std::uint8_t> back(32);
    shown->getBytes(back.data(), 16, MTL::Region(0, 0, 4, 2), 0);
    CHECK(back == bytes);
    CHECK(std::memcmp(static_cast<char*>(target->contents()) + 32, bytes.data() + 16, 16) == 0);
    CHECK(hasFailed(blit([&](MTL::BlitCommandEncoder* e) {
                        e->copyFromBuffer(source.get(), 48, 16, 32, size, texture.get(), 0, 0, origin);
                    }),
                    "must be <= the buffer's length(64)"));
}

void testLevelsAreMeans() {
    auto texture = makeTexture(MTL::TextureDescriptor::texture2DDescriptor(MTL::PixelFormatR32Float, 4, 2, true));
    CHECK(texture->mipmapLevelCount() == 3);
    const float texels[] = {1, 2, 3, 4, 5, 6, 7, 8};
    texture->replaceRegion(MTL::Region(0, 0, 4, 2), 0, texels, 16);
    CHECK(hasCompleted(blit([&](MTL::BlitCommandEncoder* e) { e->generateMipmaps(texture.get()); })));
    float level[2] = {};
    texture->getBytes(level, 8, MTL::Region(0, 0, 2, 1), 1);
    CHECK(level[0] == 3.5f && level[1] == 5.5f);
    texture->getBytes(level, 4, MTL::Region(0, 0, 1, 1), 2);
    CHECK(level[0] == 4.5f);
}

void testTextureOnABuffer() {
    auto bytes = buffer(256);
    auto* linear = descriptor(MTL::PixelFormatR8Unorm, 5, 4);
    auto texture = NS::TransferPtr(bytes->newTexture(linear, 16, 32));
    CHECK(texture->buffer() == bytes.get() && texture->bufferOffset() == 16 && texture->bufferBytesPerRow() == 32);
    const std::uint8_t texel = 77;
    texture->replaceRegion(MTL::Region(4, 3, 1, 1), 0, &texel, 1);
    CHECK(static_cast<std::uint8_t*>(bytes->contents())[16 + 3 * 32 + 4] == 77);
    CHECK(bytes->newTexture(linear, 8, 32) == nullptr);
    CHECK(bytes->newTexture(linear, 160, 32) == nullptr);
}

void testSharedEventsAreWaitedFor() {
    auto event = NS::TransferPtr(device()->newSharedEvent());
    CHECK(!event->waitUntilSignaledValue(3, 1));
    MTL::CommandBuffer* commandBuffer = queue()->commandBuffer();
    commandBuffer->encodeSignalEvent(event.get(), 3);
    commandBuffer->commit();
    CHECK(event->waitUntilSignaledValue(3, 5000) && event->signaledValue() == 3);
    auto handle = NS::TransferPtr(event->newSharedEventHandle());
    auto same = NS::TransferPtr(device()->newSharedEvent(handle.get()));
    same->setSignaledValue(9);
    CHECK(event->signaledValue() == 9);
}

void testHandlersAreCalledInOrder() {
    static std::string calls;
    calls.clear();
    MTL::CommandBuffer* commandBuffer = queue()->commandBuffer();
    commandBuffer->addScheduledHandler([](MTL::CommandBuffer*) { calls += 's'; });
    commandBuffer->addCompletedHandler(
        [](MTL::CommandBuffer* ended) { calls += ended->status() == MTL::CommandBufferStatusCompleted ? 'c' : '?'; });
    commandBuffer->addCompletedHandler([](MTL::CommandBuffer*) { calls += 'd'; });
    CHECK(commandBuffer->status() == MTL::CommandBufferStatusNotEnqueued);
    commandBuffer->commit();
    commandBuffer->waitUntilCompleted();
    CHECK(calls == "scd");
    CHECK(commandBuffer->GPUEndTime() >= commandBuffer->GPUStartTime() && commandBuffer->GPUStartTime() > 0);
}

void testQueueLimitsWhatIsInFlight() {
    auto narrow = NS::TransferPtr(device()->newCommandQueue(2));
    auto event = NS::TransferPtr(device()->newSharedEvent());
    for (int i = 0; i < 2; ++i) {
        MTL::CommandBuffer* commandBuffer = narrow->commandBuffer();
        commandBuffer->encodeWait(event.get(), 1);
        commandBuffer->commit();
    }
    std::thread later([&] { event->setSignaledValue(1); });
    MTL::CommandBuffer* third = narrow->commandBuffer();  // waits for one of the two
    CHECK(event->signaledValue() == 1);
    third->commit();
    third->waitUntilCompleted();
    later.join();
    CHECK(hasCompleted(third));
}

void testDescriptorsCopy() {
    auto original = NS::TransferPtr(MTL::SamplerDescriptor::alloc()->init());
    original->setMinFilter(MTL::SamplerMinMagFilterLinear);
    auto copy = NS::TransferPtr(original->copy());
    original->setMinFilter(MTL::SamplerMinMagFilterNearest);
    CHECK(copy.get() != original.get() && copy->minFilter() == MTL::SamplerMinMagFilterLinear);
    copy->setLabel(text("name"));
    auto sampler = NS::TransferPtr(device()->newSamplerState(copy.get()));
    CHECK(sampler->label()->isEqualToString(text("name")));
    copy->setMaxAnisotropy(17);
    CHECK(device()->newSamplerState(copy.get()) == nullptr);
}

}  // namespace

int main() {
    rememberMistakes();
    RUN(testDeviceTellsItsFacts);
    RUN(testBufferMemoryIsZeroedAndCounted);
    RUN(testBuffersThatCannotBe);
    RUN(testManagedBuffersNeedToBeTold);
    RUN(testNoCopyBufferGivesMemoryBack);
    RUN(testUsedResourcesLiveUntilTheEnd);
    RUN(testBlitMistakesFailTheCommandBuffer);
    RUN(testEncodersMustEnd);
    RUN(testTexturesKeepTheirTexels);
    RUN(testTexturesOfOtherShapes);
    RUN(testTexturesRefuse);
    RUN(testTexelsTravelThroughBlits);
    RUN(testLevelsAreMeans);
    RUN(testTextureOnABuffer);
    RUN(testSharedEventsAreWaitedFor);
    RUN(testHandlersAreCalledInOrder);
    RUN(testQueueLimitsWhatIsInFlight);
    RUN(testDescriptorsCopy);
    return failures != 0;
}
