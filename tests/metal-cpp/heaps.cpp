// SPDX-License-Identifier: MIT
//
// Heaps: what is made in them, where it lies, when it gives its bytes back, and what is refused.

#include <cstring>

#include "metal.hpp"

namespace {

std::string lastMistake;

bool said(std::string_view why) {
    const bool isRight = lastMistake.find(why) != std::string::npos;
    if (!isRight) std::fprintf(stderr, "said: %s\n", lastMistake.c_str());
    lastMistake.clear();
    return isRight;
}

NS::SharedPtr<MTL::HeapDescriptor> descriptor(NS::UInteger size, MTL::HeapType type = MTL::HeapTypeAutomatic,
                                              MTL::StorageMode storage = MTL::StorageModeShared) {
    auto descriptor = NS::TransferPtr(MTL::HeapDescriptor::alloc()->init());
    descriptor->setSize(size);
    descriptor->setType(type);
    descriptor->setStorageMode(storage);
    return descriptor;
}

NS::SharedPtr<MTL::Heap> heap(NS::UInteger size, MTL::HeapType type = MTL::HeapTypeAutomatic,
                              MTL::StorageMode storage = MTL::StorageModeShared) {
    return NS::TransferPtr(device()->newHeap(descriptor(size, type, storage).get()));
}

template <class Resource>
NS::SharedPtr<Resource> take(Resource* resource) {
    return NS::TransferPtr(resource);
}

MTL::TextureDescriptor* picture(NS::UInteger width, NS::UInteger height) {
    auto* picture = MTL::TextureDescriptor::texture2DDescriptor(MTL::PixelFormatR32Float, width, height, true);
    picture->setUsage(MTL::TextureUsageShaderRead | MTL::TextureUsageShaderWrite);
    return picture;
}

void testDescriptorsAreWhatTheyAreTold() {
    auto plain = NS::TransferPtr(MTL::HeapDescriptor::alloc()->init());
    CHECK(plain->storageMode() == MTL::StorageModePrivate && plain->type() == MTL::HeapTypeAutomatic);
    CHECK(plain->size() == 0 && plain->cpuCacheMode() == MTL::CPUCacheModeDefaultCache);
    plain->setCpuCacheMode(MTL::CPUCacheModeWriteCombined);
    plain->setHazardTrackingMode(MTL::HazardTrackingModeTracked);
    CHECK(plain->resourceOptions() == (MTL::ResourceCPUCacheModeWriteCombined | MTL::ResourceStorageModePrivate |
                                       MTL::ResourceHazardTrackingModeTracked));
    auto copy = NS::TransferPtr(plain->copy());
    plain->setSize(9);
    CHECK(copy->size() == 0 && copy->hazardTrackingMode() == MTL::HazardTrackingModeTracked);
}

void testResourcesLieInOneBlock() {
    const NS::UInteger before = device()->currentAllocatedSize();
    auto whole = heap(1 << 20);
    CHECK(whole->size() >= 1 << 20 && whole->usedSize() == 0 && whole->currentAllocatedSize() == whole->size());
    CHECK(whole->allocatedSize() == whole->size() && whole->storageMode() == MTL::StorageModeShared);
    CHECK(whole->hazardTrackingMode() == MTL::HazardTrackingModeUntracked);
    const NS::UInteger with = device()->currentAllocatedSize();
    CHECK(with >= before + whole->size());
    auto first = take(whole->newBuffer(1000, MTL::ResourceStorageModeShared));
    auto second = take(whole->newBuffer(5000, MTL::ResourceStorageModeShared));
    auto texture = take(whole->newTexture(picture(64, 32)));
    CHECK(first && second && texture && device()->currentAllocatedSize() == with);
    CHECK(first->heap() == whole.get() && second->heapOffset() >= 1000 && first->length() == 1000);
    CHECK(static_cast<char*>(second->contents()) - static_cast<char*>(first->contents()) ==
          static_cast<std::ptrdiff_t>(second->heapOffset()) - static_cast<std::ptrdiff_t>(first->heapOffset()));
    const auto sizes = device()->heapBufferSizeAndAlign(1000, 0).size + device()->heapBufferSizeAndAlign(5000, 0).size +
                       device()->heapTextureSizeAndAlign(picture(64, 32)).size;
    CHECK(whole->usedSize() == sizes);
    CHECK(first->hazardTrackingMode() == MTL::HazardTrackingModeUntracked);

    const float value = 3;
    texture->replaceRegion(MTL::Region(63, 31, 1, 1), 0, &value, 4);
    std::memset(second->contents(), 0x55, 5000);
    float back = 0;
    texture->getBytes(&back, 4, MTL::Region(63, 31, 1, 1), 0);
    CHECK(back == 3);

    // A resource is enough to keep the block.
    const void* address = second->contents();
    whole.reset();
    texture.reset();
    first.reset();
    CHECK(device()->currentAllocatedSize() == with && static_cast<const char*>(address)[4999] == 0x55);
    second.reset();
    CHECK(device()->currentAllocatedSize() == before);
}

void testUsedSizeFallsWithTheLastReference() {
    auto whole = heap(1 << 16);
    auto source = take(whole->newBuffer(256, MTL::ResourceStorageModeShared));
    auto target = take(whole->newBuffer(512, MTL::ResourceStorageModeShared));
    CHECK(whole->usedSize() == 768);
    auto view = take(whole->newTexture(picture(8, 8)));
    auto level =
        take(view->newTextureView(MTL::PixelFormatR32Float, MTL::TextureType2D, NS::Range(1, 1), NS::Range(0, 1)));
    CHECK(level->heap() == whole.get());
    const NS::UInteger both = whole->usedSize();
    view.reset();
    CHECK(whole->usedSize() == both);
    level.reset();
    CHECK(whole->usedSize() == 768);
    {
        NS::AutoreleasePool* pool = NS::AutoreleasePool::alloc()->init();
        MTL::CommandBuffer* commands = queue()->commandBuffer();
        MTL::BlitCommandEncoder* encoder = commands->blitCommandEncoder();
        encoder->copyFromBuffer(source.get(), 0, target.get(), 0, 256);
        encoder->endEncoding();
        source.reset();
        CHECK(whole->usedSize() == 768);  // the command buffer has a reference
        commands->commit();
        commands->waitUntilCompleted();
        pool->release();
    }
    CHECK(whole->usedSize() == 512);
    target.reset();
    CHECK(whole->usedSize() == 0 && whole->maxAvailableSize(0) == whole->size());
}

void testAFullHeapGivesNothing() {
    auto whole = heap(4096);
    const NS::UInteger size = whole->size();
    auto most = take(whole->newBuffer(size - 256, MTL::ResourceStorageModeShared));
    CHECK(most && whole->maxAvailableSize(256) == 256);
    CHECK(whole->newBuffer(257, MTL::ResourceStorageModeShared) == nullptr && lastMistake.empty());
    CHECK(whole->newTexture(picture(64, 64)) == nullptr && lastMistake.empty());
    auto rest = take(whole->newBuffer(256, MTL::ResourceStorageModeShared));
    CHECK(rest && whole->maxAvailableSize(0) == 0);
    whole->maxAvailableSize(3);
    CHECK(said("power of two"));
}

void testAliasableBytesAreGivenToOthers() {
    auto whole = heap(4096);
    const NS::UInteger size = whole->size();
    auto first = take(whole->newBuffer(size, MTL::ResourceStorageModeShared));
    std::memset(first->contents(), 7, size);
    CHECK(!first->isAliasable());
    first->makeAliasable();
    CHECK(first->isAliasable() && whole->usedSize() == 0);
    auto second = take(whole->newBuffer(size, MTL::ResourceStorageModeShared));
    CHECK(second && second->contents() == first->contents() && static_cast<char*>(second->contents())[9] == 7);
    first.reset();
    CHECK(whole->usedSize() == size);
    buffer(16)->makeAliasable();
    CHECK(said("not in a heap"));
    second->makeAliasable();
    auto texture = take(whole->newTexture(picture(8, 8)));
    auto view = take(texture->newTextureView(MTL::PixelFormatR32Float));
    view->makeAliasable();
    CHECK(said("is a view") && !texture->isAliasable());
}

void testPlacement() {
    auto whole = heap(1 << 16, MTL::HeapTypePlacement);
    const auto needed = device()->heapBufferSizeAndAlign(1000, MTL::ResourceStorageModeShared);
    CHECK(needed.size == 1024 && needed.align == 256);
    auto low = take(whole->newBuffer(1000, MTL::ResourceStorageModeShared, 0));
    auto high = take(whole->newBuffer(1000, MTL::ResourceStorageModeShared, 512));
    CHECK(low && high && high->heapOffset() == 512);
    CHECK(static_cast<char*>(low->contents()) + 512 == high->contents());
    CHECK(whole->usedSize() == 512 + 1024);
    auto texture = take(whole->newTexture(picture(16, 16), 8192));
    CHECK(texture && texture->heapOffset() == 8192);
    CHECK(whole->newBuffer(1000, MTL::ResourceStorageModeShared) == nullptr && said("give an offset"));
    CHECK(whole->newBuffer(1000, MTL::ResourceStorageModeShared, 100) == nullptr && said("a multiple of 256"));
    CHECK(whole->newBuffer(1000, MTL::ResourceStorageModeShared, 1 << 16) == nullptr && said("<= the heap's size"));
    CHECK(whole->newTexture(picture(16, 16)) == nullptr && said("give an offset"));
    auto automatic = heap(4096);
    CHECK(automatic->newBuffer(16, MTL::ResourceStorageModeShared, 0) == nullptr && said("heap for placement"));
}

void testWhatAHeapCannotBe() {
    const auto no = [](const MTL::HeapDescriptor* wrong, std::string_view why) {
        return device()->newHeap(wrong) == nullptr && said(why);
    };
    CHECK(no(descriptor(0).get(), "size is 0"));
    CHECK(no(descriptor(device()->maxBufferLength() + 1).get(), "this device allows"));
    CHECK(no(descriptor(4096, MTL::HeapTypeAutomatic, MTL::StorageModeManaged).get(), "managed"));
    CHECK(no(descriptor(4096, MTL::HeapTypeAutomatic, MTL::StorageModeMemoryless).get(), "not known"));
    CHECK(no(descriptor(4096, MTL::HeapTypeSparse).get(), "type is 2"));
}

void testResourcesAreAsTheirHeap() {
    auto hidden = heap(1 << 16, MTL::HeapTypeAutomatic, MTL::StorageModePrivate);
    auto own = take(hidden->newBuffer(256, MTL::ResourceStorageModePrivate));
    CHECK(own && own->contents() == nullptr && own->storageMode() == MTL::StorageModePrivate);
    CHECK(hidden->newBuffer(256, MTL::ResourceStorageModeShared) == nullptr &&
          said("storageMode is 0, the heap's is 2"));
    CHECK(hidden->newTexture(picture(4, 4)) == nullptr && said("storageMode is 0, the heap's is 2"));
    CHECK(hidden->newBuffer(256, MTL::ResourceStorageModePrivate | MTL::ResourceCPUCacheModeWriteCombined) == nullptr &&
          said("cpuCacheMode is 1"));
    CHECK(hidden->newBuffer(256, MTL::ResourceStorageModePrivate | MTL::ResourceHazardTrackingModeTracked) == nullptr &&
          said("hazardTrackingMode is 2"));
    CHECK(hidden->newBuffer(0, MTL::ResourceStorageModePrivate) == nullptr && said("length is 0"));
    CHECK(hidden->newBuffer(NS::UIntegerMax, MTL::ResourceStorageModePrivate) == nullptr && said("the heap's size"));
    auto compressed = MTL::TextureDescriptor::texture2DDescriptor(MTL::PixelFormatBC1_RGBA, 4, 4, false);
    CHECK(device()->heapTextureSizeAndAlign(compressed).size == 0 && said("MTLPixelFormatBC1_RGBA, a compressed"));
}

void testPurgeableState() {
    auto whole = heap(4096);
    auto own = take(whole->newBuffer(64, MTL::ResourceStorageModeShared));
    static_cast<char*>(own->contents())[3] = 9;
    CHECK(whole->setPurgeableState(MTL::PurgeableStateVolatile) == MTL::PurgeableStateNonVolatile);
    CHECK(own->setPurgeableState(MTL::PurgeableStateKeepCurrent) == MTL::PurgeableStateVolatile);
    own->setPurgeableState(MTL::PurgeableStateEmpty);
    CHECK(said("of which only the whole") && static_cast<char*>(own->contents())[3] == 9);
    CHECK(whole->setPurgeableState(MTL::PurgeableStateEmpty) == MTL::PurgeableStateVolatile);
    CHECK(static_cast<char*>(own->contents())[3] == 0);
    CHECK(whole->setPurgeableState(MTL::PurgeableStateNonVolatile) == MTL::PurgeableStateEmpty);

    auto alone = buffer(64);
    static_cast<char*>(alone->contents())[3] = 9;
    CHECK(alone->setPurgeableState(MTL::PurgeableStateVolatile) == MTL::PurgeableStateNonVolatile);
    CHECK(alone->setPurgeableState(MTL::PurgeableStateEmpty) == MTL::PurgeableStateVolatile);
    CHECK(static_cast<char*>(alone->contents())[3] == 0);
}

void testUseHeapKeepsIt() {
    const NS::UInteger before = device()->currentAllocatedSize();
    {
        NS::AutoreleasePool* pool = NS::AutoreleasePool::alloc()->init();
        auto whole = heap(1 << 16);
        const NS::UInteger size = whole->size();
        MTL::CommandBuffer* commands = queue()->commandBuffer();
        MTL::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
        const MTL::Heap* heaps[] = {whole.get()};
        encoder->useHeaps(heaps, 1);
        encoder->endEncoding();
        whole.reset();
        CHECK(device()->currentAllocatedSize() >= before + size);
        commands->commit();
        commands->waitUntilCompleted();
        CHECK(hasCompleted(commands));
        pool->release();
    }
    CHECK(device()->currentAllocatedSize() == before);
    CHECK(
        hasFailed(compute([](MTL::ComputeCommandEncoder* encoder) { encoder->useHeap(nullptr); }), "must not be nil"));
}

}  // namespace

int main() {
    MTL::Portable::setValidationHandler([](const char* message) { lastMistake = message; });
    RUN(testDescriptorsAreWhatTheyAreTold);
    RUN(testResourcesLieInOneBlock);
    RUN(testUsedSizeFallsWithTheLastReference);
    RUN(testAFullHeapGivesNothing);
    RUN(testAliasableBytesAreGivenToOthers);
    RUN(testPlacement);
    RUN(testWhatAHeapCannotBe);
    RUN(testResourcesAreAsTheirHeap);
    RUN(testPurgeableState);
    RUN(testUseHeapKeepsIt);
    return failures != 0;
}
