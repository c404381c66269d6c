// SPDX-License-Identifier: MIT
//
// Textures, and their texels in and out of Python's memory.

#include "texture.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>

#include "bind.hpp"
#include "buffer.hpp"
#include "bytes.hpp"
#include "errors.hpp"
#include "pixel_format.hpp"
#include "portable.hpp"
#include "text.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;
using Number = std::int64_t;

constexpr std::uint64_t maximumSize = 16384, maximumDepth = 2048, maximumTexels = 1u << 28;

MTL::Size levelSize(MTL::Texture& texture, NS::UInteger level) {
    const auto at = [level](NS::UInteger size) { return std::max<NS::UInteger>(1, size >> level); };
    return MTL::Size(at(texture.width()), at(texture.height()), at(texture.depth()));
}

NS::UInteger sliceCount(MTL::Texture& texture) {
    const bool isCube =
        texture.textureType() == MTL::TextureTypeCube || texture.textureType() == MTL::TextureTypeCubeArray;
    return std::max<NS::UInteger>(1, texture.arrayLength()) * (isCube ? 6 : 1);
}

void checkReachable(const char* where, MTL::Texture& texture) {
    if (texture.storageMode() == MTL::StorageModeMemoryless)
        fail(ErrorKind::resource,
             concat(where, ": the texture is memoryless: only a render pass that draws into it has its texels"));
    if (texture.storageMode() == MTL::StorageModePrivate)
        fail(ErrorKind::resource,
             concat(where, ": the texture has private storage, which only the device can reach; copy it with a blit"));
}

void replace(const char* where, MTL::Texture& texture, const TexturePart& part, BytesLike data, Number bytesPerRow,
             Number bytesPerImage, bool exact) {
    checkReachable(where, texture);
    const TexelLayout layout(where, texture, part.region, bytesPerRow, bytesPerImage);
    const ByteView bytes(data, ByteView::Access::read, where);
    if (bytes.size() < layout.size || (exact && bytes.size() != layout.size))
        fail(ErrorKind::validation,
             concat(where, ": data has ", bytes.size(), " bytes, the region takes ", layout.size));
    ReleasedGil release;
    texture.replaceRegion(part.region, part.level, part.slice, bytes.data(), layout.bytesPerRow, layout.bytesPerImage);
}

void read(const char* where, MTL::Texture& texture, const TexturePart& part, BytesLike out, Number bytesPerRow,
          Number bytesPerImage, bool exact) {
    checkReachable(where, texture);
    const TexelLayout layout(where, texture, part.region, bytesPerRow, bytesPerImage);
    const ByteView bytes(out, ByteView::Access::write, where);
    if (bytes.size() < layout.size || (exact && bytes.size() != layout.size))
        fail(ErrorKind::validation,
             concat(where, ": data has ", bytes.size(), " bytes, the region takes ", layout.size));
    ReleasedGil release;
    texture.getBytes(bytes.data(), layout.bytesPerRow, layout.bytesPerImage, part.region, part.level, part.slice);
}

/// A property that is a count, with its bounds.
template <auto get, auto set>
void bindCount(nb::class_<MTL::TextureDescriptor>& type, const char* name, std::uint64_t minimum, std::uint64_t maximum,
               const char* text) {
    type.def_prop_rw(
        name, [](MTL::TextureDescriptor& self) { return (self.*get)(); },
        [name, minimum, maximum](MTL::TextureDescriptor& self, Number value) {
            (self.*set)(checkedCount("TextureDescriptor", name, value, minimum, maximum));
        },
        pooled, text);
}

void bindSwizzle(nb::module_& module) {
    using Channels = MTL::TextureSwizzleChannels;
    nb::class_<Channels>(module, "TextureSwizzleChannels", "What a texture shows as its red, green, blue and alpha.")
        .def(nb::init<MTL::TextureSwizzle, MTL::TextureSwizzle, MTL::TextureSwizzle, MTL::TextureSwizzle>(),
             "red"_a = MTL::TextureSwizzleRed, "green"_a = MTL::TextureSwizzleGreen, "blue"_a = MTL::TextureSwizzleBlue,
             "alpha"_a = MTL::TextureSwizzleAlpha)
        .def_rw("red", &Channels::red, "What is read as red: a channel, Zero or One.")
        .def_rw("green", &Channels::green, "What is read as green: a channel, Zero or One.")
        .def_rw("blue", &Channels::blue, "What is read as blue: a channel, Zero or One.")
        .def_rw("alpha", &Channels::alpha, "What is read as alpha: a channel, Zero or One.")
        .def(
            "__eq__",
            [](const Channels& self, nb::handle object) {
                Channels other;
                return nb::try_cast(object, other) && self.red == other.red && self.green == other.green &&
                       self.blue == other.blue && self.alpha == other.alpha;
            },
            "other"_a, nb::is_operator(), nb::sig("def __eq__(self, other: object) -> bool"))
        .def("__repr__", [](const Channels& self) {
            static constexpr char names[] = "01rgba";
            const auto name = [](MTL::TextureSwizzle channel) { return channel < 6 ? names[channel] : '?'; };
            return concat("<TextureSwizzleChannels ", name(self.red), name(self.green), name(self.blue),
                          name(self.alpha), ">");
        });
}

/// Of any use until the program says which: programs that never say it, as those for PyMetal, draw into textures and
/// write to them.
NS::SharedPtr<MTL::TextureDescriptor> ofAnyUse(NS::SharedPtr<MTL::TextureDescriptor> descriptor) {
    descriptor->setUsage(MTL::TextureUsageUnknown);
    return descriptor;
}

void bindDescriptor(nb::module_& module) {
    using Descriptor = MTL::TextureDescriptor;
    nb::class_<Descriptor> type(module, "TextureDescriptor", "What a texture is to be.", nb::is_weak_referenceable());
    type.def(nb::new_([] { return ofAnyUse(owned(Descriptor::alloc()->init())); }), pooled)
        .def_static(
            "texture2d_descriptor",
            [](MTL::PixelFormat format, Number width, Number height, bool mipmapped) {
                return ofAnyUse(shared(Descriptor::texture2DDescriptor(
                    format, checkedCount("texture2d_descriptor", "width", width, 1, maximumSize),
                    checkedCount("texture2d_descriptor", "height", height, 1, maximumSize), mipmapped)));
            },
            "pixel_format"_a, "width"_a, "height"_a, "mipmapped"_a = false, pooled,
            "Of a 2D texture, with all smaller levels if `mipmapped`.")
        .def_static(
            "texture2d_descriptor",
            [](MTL::PixelFormat format, Number width, Number height, bool mipmapped) {
                return ofAnyUse(shared(Descriptor::texture2DDescriptor(
                    format, checkedCount("texture2d_descriptor", "width", width, 1, maximumSize),
                    checkedCount("texture2d_descriptor", "height", height, 1, maximumSize), mipmapped)));
            },
            "format"_a, "width"_a, "height"_a, "mipmapped"_a = false, pooled)
        .def_static(
            "texture_cube_descriptor",
            [](MTL::PixelFormat format, Number size, bool mipmapped) {
                return ofAnyUse(shared(Descriptor::textureCubeDescriptor(
                    format, checkedCount("texture_cube_descriptor", "size", size, 1, maximumSize), mipmapped)));
            },
            "pixel_format"_a, "size"_a, "mipmapped"_a = false, pooled, "Of a cube with faces of `size` x `size`.")
        .def_static(
            "texture_buffer_descriptor",
            [](MTL::PixelFormat format, Number width, Number options, Number usage) {
                const char* where = "texture_buffer_descriptor";
                return shared(Descriptor::textureBufferDescriptor(
                    format, checkedCount(where, "width", width, 1, maximumTexels),
                    MTL::ResourceOptions(checkedCount(where, "resource_options", options, 0, 0x3ff)),
                    MTL::TextureUsage(checkedCount(where, "usage", usage, 0, 0xff))));
            },
            "pixel_format"_a, "width"_a, "resource_options"_a = 0,
            "usage"_a = NS::UInteger(MTL::TextureUsageShaderRead), pooled, "Of one row of `width` texels.")
        .def_prop_rw("texture_type", &Descriptor::textureType, &Descriptor::setTextureType, pooled,
                     "Its shape: 1D, 2D, 3D, a cube, an array of one of these, or multisampled. Type2D unless set.")
        .def_prop_rw("swizzle", &Descriptor::swizzle, &Descriptor::setSwizzle, pooled,
                     "What kernels read as red, green, blue and alpha.")
        .def_prop_rw("pixel_format", &Descriptor::pixelFormat, &Descriptor::setPixelFormat, pooled,
                     "How a texel is stored. RGBA8Unorm unless set.")
        .def_prop_rw("storage_mode", &Descriptor::storageMode, &Descriptor::setStorageMode, pooled,
                     "Who sees its memory: Shared, Managed, Private or Memoryless. Shared unless set.")
        .def_prop_rw("cpu_cache_mode", &Descriptor::cpuCacheMode, &Descriptor::setCpuCacheMode, pooled,
                     "How the processor caches its memory. DefaultCache unless set.")
        .def_prop_rw("hazard_tracking_mode", &Descriptor::hazardTrackingMode, &Descriptor::setHazardTrackingMode,
                     pooled, "Whether Metal orders commands that touch it; Default: it does, but in a heap.")
        .def_prop_rw("allow_gpu_optimized_contents", &Descriptor::allowGPUOptimizedContents,
                     &Descriptor::setAllowGPUOptimizedContents, pooled,
                     "Whether the device may store it in a form that the processor reads slower. True unless set.");
    bindCount<&Descriptor::width, &Descriptor::setWidth>(type, "width", 1, maximumTexels,
                                                         "Texels in a row. 1 unless set.");
    bindCount<&Descriptor::height, &Descriptor::setHeight>(type, "height", 1, maximumSize, "Rows. 1 unless set.");
    bindCount<&Descriptor::depth, &Descriptor::setDepth>(type, "depth", 1, maximumDepth,
                                                         "Planes of a 3D texture. 1 unless set.");
    bindCount<&Descriptor::mipmapLevelCount, &Descriptor::setMipmapLevelCount>(
        type, "mipmap_level_count", 1, 16, "Levels, each half as large as the one before. 1 unless set.");
    bindCount<&Descriptor::sampleCount, &Descriptor::setSampleCount>(
        type, "sample_count", 1, 8, "Samples of a pixel, for multisampled types. 1 unless set.");
    bindCount<&Descriptor::arrayLength, &Descriptor::setArrayLength>(type, "array_length", 1, 2048,
                                                                     "Elements of an array. 1 unless set.");
    bindCount<&Descriptor::resourceOptions, &Descriptor::setResourceOptions>(
        type, "resource_options", 0, 0x3ff,
        "Storage, cache and tracking as one number: flags of the Resource... constants.");
    bindCount<&Descriptor::usage, &Descriptor::setUsage>(
        type, "usage", 0, 0xff, "What it will be used for: flags of TextureUsage. Unknown, any use, unless set.");
}

void bindTransfers(nb::class_<MTL::Texture, MTL::Resource>& type) {
    using Texture = MTL::Texture;
    type.def_prop_ro(
            "gpu_resource_id", [](const Texture& self) { return self.gpuResourceID()._impl; }, pooled,
            "What an argument buffer holds for it.")
        .def(
            "replace_region",
            [](Texture& self, const RegionLike& region, Number level, Number slice, BytesLike data, Number bytesPerRow,
               Number bytesPerImage) {
                replace("replace_region", self, TexturePart("replace_region", self, region, level, slice), data,
                        bytesPerRow, bytesPerImage, false);
            },
            "region"_a, "level"_a, "slice"_a, "data"_a, "bytes_per_row"_a, "bytes_per_image"_a = 0, pooled,
            "Copy texels into a part of the texture.")
        .def(
            "replace_region",
            [](Texture& self, const OriginLike& origin, const SizeLike& size, Number level, BytesLike data,
               Number bytesPerRow) {
                replace("replace_region", self, TexturePart("replace_region", self, RegionLike{origin, size}, level, 0),
                        data, bytesPerRow, 0, false);
            },
            "region_origin"_a, "region_size"_a, "mipmap_level"_a, "data"_a, "bytes_per_row"_a, pooled)
        .def(
            "replace_region",
            [](Texture& self, BytesLike data, Number bytesPerRow, Number x, Number y, Number width, Number height,
               Number level) {
                replace("replace_region", self,
                        TexturePart("replace_region", self, RegionLike{{{x, y, 0}}, {{width, height, 1}}}, level, 0),
                        data, bytesPerRow, 0, false);
            },
            "data"_a, "bytes_per_row"_a, "x"_a, "y"_a, "width"_a, "height"_a, "level"_a = 0, pooled)
        .def(
            "get_bytes",
            [](Texture& self, BytesLike data, Number bytesPerRow, Number bytesPerImage, const RegionLike& region,
               Number level, Number slice) {
                read("get_bytes", self, TexturePart("get_bytes", self, region, level, slice), data, bytesPerRow,
                     bytesPerImage, false);
            },
            "data"_a, "bytes_per_row"_a, "bytes_per_image"_a, "region"_a, "level"_a, "slice"_a, pooled,
            "Copy texels out of a part of the texture.")
        .def(
            "get_bytes",
            [](Texture& self, BytesLike data, Number bytesPerRow, const OriginLike& origin, const SizeLike& size,
               Number level) {
                read("get_bytes", self, TexturePart("get_bytes", self, RegionLike{origin, size}, level, 0), data,
                     bytesPerRow, 0, false);
            },
            "data"_a, "bytes_per_row"_a, "region_origin"_a, "region_size"_a, "mipmap_level"_a, pooled)
        .def(
            "upload",
            [](Texture& self, BytesLike data, Number level, Number slice, const std::optional<RegionLike>& region) {
                replace("upload", self, TexturePart("upload", self, region, level, slice), data, 0, 0, true);
            },
            "data"_a, nb::kw_only(), "level"_a = 0, "slice"_a = 0, "region"_a = nb::none(), pooled,
            "Copy texels in; `data` has exactly the bytes of the region, or of the level.")
        .def(
            "download",
            [](Texture& self, BytesLike out, Number level, Number slice, const std::optional<RegionLike>& region) {
                read("download", self, TexturePart("download", self, region, level, slice), out, 0, 0, true);
            },
            "out"_a, nb::kw_only(), "level"_a = 0, "slice"_a = 0, "region"_a = nb::none(), pooled,
            "Copy texels out; `out` has exactly the bytes of the region, or of the level.");
}

}  // namespace

TexturePart::TexturePart(const char* where, MTL::Texture& texture, const std::optional<RegionLike>& wanted,
                         std::int64_t level, std::int64_t slice)
    : level(checkedIndex(where, "level", level, texture.mipmapLevelCount())),
      slice(checkedIndex(where, "slice", slice, sliceCount(texture))) {
    const MTL::Size whole = levelSize(texture, this->level);
    if (!wanted) {
        region = MTL::Region(0, 0, 0, whole.width, whole.height, whole.depth);
        return;
    }
    const MTL::Origin origin = wanted->origin.checked(where, "origin");
    const MTL::Size size = wanted->size.checked(where, "size", 1, maximumSize);
    if (origin.x > whole.width || size.width > whole.width - origin.x || origin.y > whole.height ||
        size.height > whole.height - origin.y || origin.z > whole.depth || size.depth > whole.depth - origin.z)
        fail(ErrorKind::validation,
             concat(where, ": a region of (", size.width, ", ", size.height, ", ", size.depth, ") texels at (",
                    origin.x, ", ", origin.y, ", ", origin.z, ") doesn't fit level ", level, " of (", whole.width, ", ",
                    whole.height, ", ", whole.depth, ")"));
    region = MTL::Region(origin.x, origin.y, origin.z, size.width, size.height, size.depth);
}

/// More than any image has; as many images as there can be don't make the sum wrap around.
constexpr NS::UInteger maximumImageBytes = NS::UInteger(1) << 48;

namespace {

/// Of a texel, or of the part of it that a blit copies.
NS::UInteger copiedBytes(const char* where, MTL::PixelFormat format, MTL::BlitOption options) {
    if (options == MTL::BlitOptionNone) return pixelFormatBytes(format);
    const bool isDepth = options == MTL::BlitOptionDepthFromDepthStencil;
    if (!isDepth && options != MTL::BlitOptionStencilFromDepthStencil)
        fail(ErrorKind::validation, concat(where, ": options is ", NS::UInteger(options),
                                           ", must be BlitOption.None_, DepthFromDepthStencil or "
                                           "StencilFromDepthStencil"));
    if (format != MTL::PixelFormatDepth24Unorm_Stencil8 && format != MTL::PixelFormatDepth32Float_Stencil8)
        fail(ErrorKind::validation,
             concat(where, ": options is ", NS::UInteger(options), ", but texels of pixel format ",
                    NS::UInteger(format), " have not both depths and stencils"));
    return isDepth ? 4 : 1;
}

}  // namespace

TexelLayout::TexelLayout(const char* where, MTL::Texture& texture, const MTL::Region& region, std::int64_t rowBytes,
                         std::int64_t imageBytes, MTL::BlitOption options) {
    const NS::UInteger texel = copiedBytes(where, texture.pixelFormat(), options);
    if (texel == 0)
        fail(ErrorKind::validation, concat(where, ": texels of pixel format ", NS::UInteger(texture.pixelFormat()),
                                           " can't be copied one by one"));
    const MTL::Size size = region.size;
    const NS::UInteger row = size.width * texel;
    bytesPerRow = rowBytes == 0 ? row : checkedCount(where, "bytes_per_row", rowBytes, row, UINT32_MAX);
    const NS::UInteger image = bytesPerRow * (size.height - 1) + row;
    // Metal wants no image size for one image, and the tight one's rows are all of full length.
    const NS::UInteger step = imageBytes == 0 ? bytesPerRow * size.height
                                              : checkedCount(where, "bytes_per_image", imageBytes,
                                                             size.depth > 1 ? image : 0, maximumImageBytes);
    bytesPerImage = size.depth > 1 ? step : 0;
    this->size = bytesPerImage * (size.depth - 1) + image;
}

namespace {

NS::SharedPtr<MTL::Texture> newView(MTL::Texture& texture, MTL::PixelFormat format,
                                    std::optional<MTL::TextureType> type, const std::optional<RangeLike>& levels,
                                    const std::optional<RangeLike>& slices,
                                    const std::optional<MTL::TextureSwizzleChannels>& swizzle) {
    const char* where = "new_texture_view";
    const auto range = [&](const std::optional<RangeLike>& wanted, const char* name, NS::UInteger count) {
        if (!wanted) return NS::Range(0, count);
        const NS::UInteger first = checkedIndex(where, name, wanted->value[0], count);
        return NS::Range(first, checkedCount(where, name, wanted->value[1], 1, count - first));
    };
    const MTL::TextureType shape = type.value_or(texture.textureType());
    const NS::Range levelRange = range(levels, "level_range", texture.mipmapLevelCount());
    const NS::Range sliceRange = range(slices, "slice_range", sliceCount(texture));
    MTL::Texture* view = swizzle ? texture.newTextureView(format, shape, levelRange, sliceRange, *swizzle)
                                 : texture.newTextureView(format, shape, levelRange, sliceRange);
    if (!view) fail(ErrorKind::validation, concat(where, ": the texture gave no view of that format, type and ranges"));
    return owned(view);
}

}  // namespace

NS::SharedPtr<MTL::Texture> newTextureOnBuffer(MTL::Buffer& buffer, MTL::TextureDescriptor& descriptor,
                                               std::int64_t offset, std::int64_t bytesPerRow) {
    const char* where = "new_texture";
    MTL::Texture* texture = buffer.newTexture(&descriptor, checkedCount(where, "offset", offset, 0, buffer.length()),
                                              checkedCount(where, "bytes_per_row", bytesPerRow, 1, buffer.length()));
    if (!texture) fail(ErrorKind::validation, concat(where, ": the buffer gave no texture of that descriptor"));
    return owned(texture);
}

NS::SharedPtr<MTL::Texture> newTexture(MTL::Device& device, MTL::TextureDescriptor& descriptor) {
    portable::checkProcess(&device);
    if (descriptor.pixelFormat() == MTL::PixelFormatInvalid)
        fail(ErrorKind::validation, "new_texture: the descriptor has no pixel_format");
    const bool has24Bits = descriptor.pixelFormat() == MTL::PixelFormatDepth24Unorm_Stencil8 ||
                           descriptor.pixelFormat() == MTL::PixelFormatX24_Stencil8;
    if (has24Bits && !device.isDepth24Stencil8PixelFormatSupported())
        fail(ErrorKind::validation,
             "new_texture: this device has no depths of 24 bits; Depth32Float_Stencil8 has stencils as well");
    ReleasedGil release;
    MTL::Texture* texture = device.newTexture(&descriptor);
    if (!texture)
        fail(ErrorKind::resource, concat("Failed to allocate Metal texture: there is no memory for ",
                                         descriptor.width(), " x ", descriptor.height(), " x ", descriptor.depth(),
                                         " texels of pixel format ", NS::UInteger(descriptor.pixelFormat())));
    return owned(texture);
}

void bindTexture(nb::module_& module) {
    bindSwizzle(module);
    bindDescriptor(module);
    using Texture = MTL::Texture;
    nb::class_<Texture, MTL::Resource> type(module, "Texture", "An image of the device.", nb::is_weak_referenceable());
    type.def_prop_ro(
            "texture_type", &Texture::textureType, pooled,
            "Its shape: 1D, 2D, 3D, a cube, an array of one of these, multisampled, or the memory of a buffer.")
        .def_prop_ro("pixel_format", &Texture::pixelFormat, pooled, "How a texel is stored.")
        .def_prop_ro("swizzle", &Texture::swizzle, pooled, "What kernels read as red, green, blue and alpha.")
        .def_prop_ro(
            "usage", [](Texture& self) { return NS::UInteger(self.usage()); }, pooled, "Flags of TextureUsage.")
        .def_prop_ro("width", &Texture::width, pooled, "Texels in a row of the largest level.")
        .def_prop_ro("height", &Texture::height, pooled, "Rows of the largest level; 1 for 1D.")
        .def_prop_ro("depth", &Texture::depth, pooled, "Planes of the largest level; 1 but for 3D.")
        .def_prop_ro("mipmap_level_count", &Texture::mipmapLevelCount, pooled,
                     "Levels, each half as large as the one before.")
        .def_prop_ro("sample_count", &Texture::sampleCount, pooled,
                     "Samples of a pixel; 1 but for multisampled textures.")
        .def_prop_ro("array_length", &Texture::arrayLength, pooled, "Elements of an array; else 1.")
        .def_prop_ro(
            "bytes_per_pixel", [](Texture& self) { return pixelFormatBytes(self.pixelFormat()); }, pooled,
            "0 for compressed formats.")
        .def_prop_ro(
            "buffer", [](Texture& self) { return shared(self.buffer()); }, pooled,
            nb::sig("def buffer(self) -> Buffer | None"), "The buffer whose memory the texture is.")
        .def("new_texture_view", &newView, "pixel_format"_a, "texture_type"_a = nb::none(),
             "level_range"_a = nb::none(), "slice_range"_a = nb::none(), "swizzle"_a = nb::none(), pooled,
             "See the same memory as texels of another format and shape; None: what this texture has.")
        .def_prop_ro(
            "parent_texture", [](Texture& self) { return shared(self.parentTexture()); }, pooled,
            nb::sig("def parent_texture(self) -> Texture | None"), "The texture that this one is a view of.")
        .def_prop_ro("parent_relative_level", &Texture::parentRelativeLevel, pooled,
                     "Of a view: the level of its parent that is its first. 0 of others.")
        .def_prop_ro("parent_relative_slice", &Texture::parentRelativeSlice, pooled,
                     "Of a view: the slice of its parent that is its first. 0 of others.")
        .def(
            "__repr__",
            [](Texture& self) {
                return concat("<Texture of ", self.width(), " x ", self.height(), " x ", self.depth(), " texels>");
            },
            pooled);
    bindTransfers(type);
    module.def("pixel_format_bytes", &pixelFormatBytes, "format"_a,
               "Bytes of a texel; 0 for compressed and unknown formats.");
}

}  // namespace mtlpy
