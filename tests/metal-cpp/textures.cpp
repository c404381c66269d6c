// SPDX-License-Identifier: MIT
//
// Textures of every type: slices, levels, views, what is refused, and how they reach kernels.

#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "metal.hpp"

namespace {

std::string lastMistake;

bool refuses(const MTL::Texture* texture, std::string_view why) {
    const bool isRight = texture == nullptr && lastMistake.find(why) != std::string::npos;
    if (!isRight) std::fprintf(stderr, "said: %s\n", lastMistake.c_str());
    lastMistake.clear();
    return isRight;
}

struct Makings {
    MTL::TextureType type = MTL::TextureType2D;
    NS::UInteger width = 1, height = 1, depth = 1, length = 1, levels = 1, samples = 1;
    MTL::PixelFormat format = MTL::PixelFormatR32Float;
    MTL::TextureUsage usage = MTL::TextureUsageShaderRead | MTL::TextureUsageShaderWrite;
};

NS::SharedPtr<MTL::TextureDescriptor> descriptor(const Makings& makings) {
    auto descriptor = NS::TransferPtr(MTL::TextureDescriptor::alloc()->init());
    descriptor->setTextureType(makings.type);
    descriptor->setPixelFormat(makings.format);
    descriptor->setWidth(makings.width);
    descriptor->setHeight(makings.height);
    descriptor->setDepth(makings.depth);
    descriptor->setArrayLength(makings.length);
    descriptor->setMipmapLevelCount(makings.levels);
    descriptor->setSampleCount(makings.samples);
    descriptor->setUsage(makings.usage);
    return descriptor;
}

NS::SharedPtr<MTL::Texture> make(const Makings& makings) {
    return NS::TransferPtr(device()->newTexture(descriptor(makings).get()));
}

float texel(MTL::Texture* texture, NS::UInteger slice, NS::UInteger level, NS::UInteger x, NS::UInteger y,
            NS::UInteger z = 0) {
    float value = -1;
    texture->getBytes(&value, 4, 4, MTL::Region(x, y, z, 1, 1, 1), level, slice);
    return value;
}

void fill(MTL::Texture* texture, NS::UInteger slice, NS::UInteger level, float first) {
    const NS::UInteger width = std::max<NS::UInteger>(texture->width() >> level, 1);
    const NS::UInteger height = std::max<NS::UInteger>(texture->height() >> level, 1);
    const NS::UInteger depth = std::max<NS::UInteger>(texture->depth() >> level, 1);
    std::vector<float> values(width * height * depth);
    std::iota(values.begin(), values.end(), first);
    texture->replaceRegion(MTL::Region(0, 0, 0, width, height, depth), level, slice, values.data(), width * 4,
                           width * height * 4);
}

void testSlicesAndLevelsAreApart() {
    for (const auto& [makings, slices] : {
             std::pair{Makings{.type = MTL::TextureType1DArray, .width = 8, .length = 3}, 3},
             std::pair{Makings{.type = MTL::TextureType2DArray, .width = 8, .height = 4, .length = 3, .levels = 4}, 3},
             std::pair{Makings{.type = MTL::TextureTypeCube, .width = 8, .height = 8, .levels = 3}, 6},
             std::pair{Makings{.type = MTL::TextureTypeCubeArray, .width = 4, .height = 4, .length = 2, .levels = 2},
                       12},
             std::pair{Makings{.type = MTL::TextureType3D, .width = 8, .height = 4, .depth = 2, .levels = 4}, 1},
         }) {
        auto texture = make(makings);
        CHECK(texture);
        for (NS::UInteger level = 0; level < makings.levels; ++level)
            for (int slice = 0; slice < slices; ++slice)
                fill(texture.get(), NS::UInteger(slice), level, float(10000 * level + 500 * NS::UInteger(slice)));
        for (NS::UInteger level = 0; level < makings.levels; ++level) {
            const NS::UInteger width = std::max<NS::UInteger>(makings.width >> level, 1);
            for (int slice = 0; slice < slices; ++slice) {
                const float first = float(10000 * level + 500 * NS::UInteger(slice));
                CHECK(texel(texture.get(), NS::UInteger(slice), level, 0, 0) == first);
                CHECK(texel(texture.get(), NS::UInteger(slice), level, width - 1, 0) == first + float(width - 1));
            }
        }
    }
}

void testViewsShareTexels() {
    auto array = make({.type = MTL::TextureType2DArray, .width = 8, .height = 8, .length = 12, .levels = 3});
    for (NS::UInteger slice = 0; slice < 12; ++slice)
        for (NS::UInteger level = 0; level < 3; ++level)
            fill(array.get(), slice, level, float(1000 * slice + level * 100));
    const auto view = [&](MTL::TextureType type, NS::Range levels, NS::Range slices) {
        return NS::TransferPtr(array->newTextureView(MTL::PixelFormatR32Float, type, levels, slices));
    };
    auto cube = view(MTL::TextureTypeCube, NS::Range(1, 2), NS::Range(3, 6));
    CHECK(cube->textureType() == MTL::TextureTypeCube && cube->width() == 4 && cube->mipmapLevelCount() == 2);
    CHECK(cube->arrayLength() == 1 && cube->parentTexture() == array.get() && cube->rootResource() == array.get());
    CHECK(cube->parentRelativeLevel() == 1 && cube->parentRelativeSlice() == 3 && cube->allocatedSize() == 0);
    CHECK(texel(cube.get(), 2, 0, 1, 0) == 5101 && texel(cube.get(), 5, 1, 1, 1) == 8203);
    auto cubes = view(MTL::TextureTypeCubeArray, NS::Range(0, 1), NS::Range(0, 12));
    CHECK(cubes->arrayLength() == 2 && texel(cubes.get(), 11, 0, 0, 0) == 11000);
    auto one = view(MTL::TextureType2D, NS::Range(0, 3), NS::Range(7, 1));
    fill(one.get(), 0, 1, 5);
    CHECK(texel(array.get(), 7, 1, 2, 0) == 7);
    auto inner = NS::TransferPtr(
        cubes->newTextureView(MTL::PixelFormatR32Float, MTL::TextureType2DArray, NS::Range(0, 1), NS::Range(6, 2)));
    CHECK(texel(inner.get(), 1, 0, 0, 0) == 7000 && inner->rootResource() == array.get());

    CHECK(refuses(view(MTL::TextureType3D, NS::Range(0, 1), NS::Range(0, 1)).get(), "textureType is 7"));
    CHECK(refuses(view(MTL::TextureTypeCube, NS::Range(0, 1), NS::Range(0, 5)).get(), "must be 6"));
    CHECK(refuses(view(MTL::TextureType2DArray, NS::Range(1, 3), NS::Range(0, 5)).get(), "levelRange(1, 3)"));
    CHECK(refuses(view(MTL::TextureType2DArray, NS::Range(0, 1), NS::Range(9, 4)).get(), "sliceRange(9, 4)"));
}

void testViewsInAnotherFormat() {
    auto plain = make({.width = 2, .format = MTL::PixelFormatRGBA8Unorm});
    auto curved = NS::TransferPtr(plain->newTextureView(MTL::PixelFormatRGBA8Unorm_sRGB));
    CHECK(curved && curved->pixelFormat() == MTL::PixelFormatRGBA8Unorm_sRGB);
    CHECK(refuses(plain->newTextureView(MTL::PixelFormatR32Uint), "MTLTextureUsagePixelFormatView"));
    auto open = make({.width = 2, .format = MTL::PixelFormatRGBA8Unorm, .usage = MTL::TextureUsagePixelFormatView});
    CHECK(refuses(open->newTextureView(MTL::PixelFormatR8Unorm), "not of the size"));
    // The same number of components of the same size needs no leave; nor does the order of RGBA and BGRA.
    for (const MTL::PixelFormat format :
         {MTL::PixelFormatRGBA8Uint, MTL::PixelFormatRGBA8Snorm, MTL::PixelFormatBGRA8Unorm_sRGB}) {
        CHECK(NS::TransferPtr(plain->newTextureView(format)));
    }
    CHECK(refuses(plain->newTextureView(MTL::PixelFormatRGB10A2Unorm), "MTLTextureUsagePixelFormatView"));
    CHECK(refuses(open->newTextureView(MTL::PixelFormatDepth32Float), "depths and stencils"));
    auto depth = make({.width = 2,
                       .format = MTL::PixelFormatDepth32Float,
                       .usage = MTL::TextureUsageShaderRead | MTL::TextureUsagePixelFormatView});
    CHECK(refuses(depth->newTextureView(MTL::PixelFormatR32Float), "depths and stencils"));
    auto both =
        make({.width = 2, .format = MTL::PixelFormatDepth32Float_Stencil8, .usage = MTL::TextureUsageShaderRead});
    CHECK(NS::TransferPtr(both->newTextureView(MTL::PixelFormatX32_Stencil8)));
    CHECK(device()->isDepth24Stencil8PixelFormatSupported());
    auto packed =
        make({.width = 2, .format = MTL::PixelFormatDepth24Unorm_Stencil8, .usage = MTL::TextureUsageShaderRead});
    CHECK(NS::TransferPtr(packed->newTextureView(MTL::PixelFormatX24_Stencil8)));
    CHECK(refuses(packed->newTextureView(MTL::PixelFormatX32_Stencil8), "not of the size"));
    auto shared = make({.width = 2, .format = MTL::PixelFormatGBGR422, .usage = MTL::TextureUsagePixelFormatView});
    CHECK(refuses(shared->newTextureView(MTL::PixelFormatBGRG422), "two texels share components"));
    auto bits = NS::TransferPtr(open->newTextureView(MTL::PixelFormatR32Uint));
    const std::uint32_t word = 0x04030201;
    bits->replaceRegion(MTL::Region(1, 0, 1, 1), 0, &word, 4);
    std::uint8_t bytes[4];
    open->getBytes(bytes, 4, MTL::Region(1, 0, 1, 1), 0);
    CHECK(bytes[0] == 1 && bytes[3] == 4);
}

void testMemoryless() {
    const auto descriptorOf = [](MTL::TextureUsage usage, NS::UInteger levels) {
        auto made = descriptor({.width = 4096, .height = 4096, .levels = levels});
        made->setStorageMode(MTL::StorageModeMemoryless);
        made->setUsage(usage);
        return made;
    };
    auto texture = NS::TransferPtr(device()->newTexture(descriptorOf(MTL::TextureUsageRenderTarget, 1).get()));
    CHECK(texture->storageMode() == MTL::StorageModeMemoryless);
    CHECK(texture->allocatedSize() == 0);
    CHECK(refuses(texture->newTextureView(MTL::PixelFormatRGBA8Unorm), "memoryless, of which there are no views"));
    CHECK(refuses(device()->newTexture(descriptorOf(MTL::TextureUsageShaderRead, 1).get()),
                  "must be MTLTextureUsageRenderTarget alone"));
    CHECK(refuses(device()->newTexture(descriptorOf(MTL::TextureUsageRenderTarget, 2).get()),
                  "a memoryless texture has one level"));

    auto queue = NS::TransferPtr(device()->newCommandQueue());
    auto buffer = NS::TransferPtr(device()->newBuffer(64, MTL::ResourceStorageModeShared));
    MTL::CommandBuffer* commands = queue->commandBuffer();
    MTL::BlitCommandEncoder* blit = commands->blitCommandEncoder();
    blit->copyFromTexture(texture.get(), 0, 0, MTL::Origin(0, 0, 0), MTL::Size(1, 1, 1), buffer.get(), 0, 4, 4);
    blit->endEncoding();
    commands->commit();
    commands->waitUntilCompleted();
    CHECK(commands->error() != nullptr);
}

void testWhatCannotBe() {
    const auto no = [](const Makings& makings, std::string_view why) {
        return refuses(device()->newTexture(descriptor(makings).get()), why);
    };
    CHECK(no({.type = MTL::TextureTypeCube, .width = 4, .height = 5}, "a cube's is its width"));
    CHECK(no({.type = MTL::TextureType1D, .width = 4, .levels = 2}, "mipmapLevelCount is 2"));
    CHECK(no({.type = MTL::TextureType2D, .width = 4, .length = 2}, "only array types"));
    CHECK(no({.type = MTL::TextureType3D, .width = 4, .format = MTL::PixelFormatDepth32Float}, "2D or a cube"));
    CHECK(no({.type = MTL::TextureType2D, .width = 4, .samples = 4}, "only multisampled types"));
    CHECK(no({.type = MTL::TextureType2DMultisample, .width = 4, .samples = 3}, "must be 2, 4 or 8"));
    CHECK(no({.type = MTL::TextureType2DMultisample, .width = 4, .levels = 2, .samples = 4}, "mipmapLevelCount is 2"));
    CHECK(no({.type = MTL::TextureType2D, .width = 4, .format = MTL::PixelFormatASTC_4x4_LDR},
             "MTLPixelFormatASTC_4x4_LDR, a compressed format"));
    for (const MTL::PixelFormat format :
         {MTL::PixelFormatDepth32Float, MTL::PixelFormatStencil8, MTL::PixelFormatDepth24Unorm_Stencil8,
          MTL::PixelFormatX24_Stencil8, MTL::PixelFormatB5G6R5Unorm, MTL::PixelFormatGBGR422}) {
        CHECK(no({.width = 4, .format = format}, "kernels cannot write MTLPixelFormat"));
    }
    CHECK(no({.type = MTL::TextureTypeTextureBuffer, .width = (1u << 28) + 1}, "must be 1 to 268435456"));
    auto samples =
        make({.type = MTL::TextureType2DMultisampleArray, .width = 4, .height = 4, .length = 2, .samples = 4});
    CHECK(samples && samples->sampleCount() == 4 && samples->allocatedSize() >= 4 * 4 * 2 * 4 * 4);
    float value = 0;
    samples->getBytes(&value, 4, MTL::Region(0, 0, 1, 1), 0);
    CHECK(lastMistake.find("only rendering writes its samples") != std::string::npos);
}

constexpr const char* source = R"(
    #include <metal_stdlib>
    using namespace metal;
    kernel void sum(texturecube<float, access::read> c [[texture(0)]], texture_buffer<float, access::read> b [[texture(1)]],
                    texture2d_ms<float> m [[texture(2)]], array<texture2d_array<half>, 2> a [[texture(3)]],
                    device float* out [[buffer(0)]], uint i [[thread_position_in_grid]])
    {
        float s = m.read(uint2(1, 1), i % 5).x + m.get_num_samples();
        out[i] = c.read(uint2(1, 0), i % 6).x + b.read(i).x + s + a[i % 2].read(uint2(0, 1), 1).x;
    }
)";

void testTexturesReachKernels() {
    auto state = pipeline(source, "sum");
    auto array = make({.type = MTL::TextureType2DArray, .width = 2, .height = 2, .length = 6});
    for (NS::UInteger slice = 0; slice < 6; ++slice) fill(array.get(), slice, 0, float(100 * slice));
    auto cube = NS::TransferPtr(
        array->newTextureView(MTL::PixelFormatR32Float, MTL::TextureTypeCube, NS::Range(0, 1), NS::Range(0, 6)));
    auto numbers = buffer(64);
    for (int i = 0; i < 16; ++i) static_cast<float*>(numbers->contents())[i] = float(i) / 16;
    auto* linear = MTL::TextureDescriptor::textureBufferDescriptor(
        MTL::PixelFormatR32Float, 16, MTL::ResourceStorageModeShared, MTL::TextureUsageShaderRead);
    auto line = NS::TransferPtr(numbers->newTexture(linear, 0, 64));
    auto samples = make({.type = MTL::TextureType2DMultisample, .width = 2, .height = 2, .samples = 4});
    auto second = make({.type = MTL::TextureType2DArray, .width = 2, .height = 2, .length = 2});
    fill(second.get(), 1, 0, 1000);
    auto out = buffer(64);
    const auto run = [&](const MTL::Texture* first, const MTL::Texture* third) {
        return compute([&](MTL::ComputeCommandEncoder* encoder) {
            encoder->setComputePipelineState(state.get());
            const MTL::Texture* all[] = {first, line.get(), samples.get(), array.get(), third};
            encoder->setTextures(all, NS::Range(0, 5));
            encoder->setBuffer(out.get(), 0, 0);
            encoder->dispatchThreads(MTL::Size(16, 1, 1), MTL::Size(16, 1, 1));
        });
    };
    CHECK(hasCompleted(run(cube.get(), second.get())));
    for (int i = 0; i < 16; ++i) {
        const float expected = float(100 * (i % 6) + 1) + float(i) / 16 + 4 + (i % 2 == 0 ? 102 : 1002);
        CHECK(static_cast<float*>(out->contents())[i] == expected);
    }
    CHECK(hasFailed(run(array.get(), second.get()), "the texture at index 0 is of type 2d_array, but argument c is"));
    auto whole = make({.type = MTL::TextureType2DArray, .width = 2, .format = MTL::PixelFormatRGBA8Uint});
    CHECK(hasFailed(run(cube.get(), whole.get()), "at index 4 is of MTLPixelFormat 73, which kernels see as uint"));
    CHECK(hasFailed(run(cube.get(), nullptr), "missing Texture binding at index 4"));
}

void testSamplersThatReduce() {
    auto state = pipeline(R"(
        #include <metal_stdlib>
        using namespace metal;
        kernel void f(texture2d<float> t [[texture(0)]], sampler s [[sampler(0)]], device float* out [[buffer(0)]])
        { out[0] = t.sample(s, float2(0.5)).x; }
    )",
                          "f");
    auto picture = make({.width = 2, .height = 2});
    fill(picture.get(), 0, 0, 3);
    auto out = buffer(16);
    const float expected[] = {4.5, 3, 6};
    for (const auto mode : {MTL::SamplerReductionModeWeightedAverage, MTL::SamplerReductionModeMinimum,
                            MTL::SamplerReductionModeMaximum}) {
        auto makings = NS::TransferPtr(MTL::SamplerDescriptor::alloc()->init());
        makings->setMinFilter(MTL::SamplerMinMagFilterLinear);
        makings->setMagFilter(MTL::SamplerMinMagFilterLinear);
        makings->setReductionMode(mode);
        auto sampler = NS::TransferPtr(device()->newSamplerState(makings.get()));
        CHECK(hasCompleted(compute([&](MTL::ComputeCommandEncoder* encoder) {
            encoder->setComputePipelineState(state.get());
            encoder->setTexture(picture.get(), 0);
            encoder->setSamplerState(sampler.get(), 0);
            encoder->setBuffer(out.get(), 0, 0);
            encoder->dispatchThreads(MTL::Size(1, 1, 1), MTL::Size(1, 1, 1));
        })));
        CHECK(*static_cast<float*>(out->contents()) == expected[mode]);
    }
}

void testLevelsOfCubesAndVolumes() {
    auto cube = make({.type = MTL::TextureTypeCube, .width = 4, .height = 4, .levels = 3});
    for (NS::UInteger face = 0; face < 6; ++face) fill(cube.get(), face, 0, float(100 * face));
    auto volume = make({.type = MTL::TextureType3D, .width = 4, .height = 2, .depth = 2, .levels = 3});
    fill(volume.get(), 0, 0, 0);
    CHECK(hasCompleted(blit([&](MTL::BlitCommandEncoder* encoder) {
        encoder->generateMipmaps(cube.get());
        encoder->generateMipmaps(volume.get());
    })));
    CHECK(texel(cube.get(), 5, 1, 0, 0) == 502.5f && texel(cube.get(), 5, 2, 0, 0) == 507.5f);
    CHECK(texel(volume.get(), 0, 1, 0, 0) == 6.5f && texel(volume.get(), 0, 2, 0, 0) == 7.5f);
}

}  // namespace

int main() {
    MTL::Portable::setValidationHandler([](const char* message) { lastMistake = message; });
    RUN(testSlicesAndLevelsAreApart);
    RUN(testViewsShareTexels);
    RUN(testViewsInAnotherFormat);
    RUN(testMemoryless);
    RUN(testWhatCannotBe);
    RUN(testTexturesReachKernels);
    RUN(testSamplersThatReduce);
    RUN(testLevelsOfCubesAndVolumes);
    return failures == 0 ? 0 : 1;
}
