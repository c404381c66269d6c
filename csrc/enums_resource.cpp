// SPDX-License-Identifier: MIT

#include "enums.hpp"

#include <Metal/Metal.hpp>

#include "bind.hpp"

namespace mtlpy {

void bindResourceEnums(nb::module_& module) {
    bindEnum<MTL::StorageMode>(module, "StorageMode", "Where a resource lives and who may see it.",
                               {{"Shared", MTL::StorageModeShared},
                                {"Managed", MTL::StorageModeManaged},
                                {"Private", MTL::StorageModePrivate},
                                {"Memoryless", MTL::StorageModeMemoryless}});
    bindEnum<MTL::CPUCacheMode>(
        module, "CPUCacheMode", "How the CPU caches a resource.",
        {{"DefaultCache", MTL::CPUCacheModeDefaultCache}, {"WriteCombined", MTL::CPUCacheModeWriteCombined}});
    bindEnum<MTL::HazardTrackingMode>(module, "HazardTrackingMode",
                                      "Whether Metal orders commands that use a resource.",
                                      {{"Default", MTL::HazardTrackingModeDefault},
                                       {"Untracked", MTL::HazardTrackingModeUntracked},
                                       {"Tracked", MTL::HazardTrackingModeTracked}});
    bindEnum<MTL::PurgeableState>(module, "PurgeableState", "Whether Metal may drop the contents of a resource.",
                                  {{"KeepCurrent", MTL::PurgeableStateKeepCurrent},
                                   {"NonVolatile", MTL::PurgeableStateNonVolatile},
                                   {"Volatile", MTL::PurgeableStateVolatile},
                                   {"Empty", MTL::PurgeableStateEmpty}});
    bindEnum<MTL::HeapType>(module, "HeapType", "Who chooses where in a heap its resources are.",
                            {{"Automatic", MTL::HeapTypeAutomatic},
                             {"Placement", MTL::HeapTypePlacement},
                             {"Sparse", MTL::HeapTypeSparse}});
    bindOptions(
        module, "ResourceUsage", "How an encoder uses a resource.",
        {{"Read", MTL::ResourceUsageRead}, {"Write", MTL::ResourceUsageWrite}, {"Sample", MTL::ResourceUsageSample}});
    bindEnum<MTL::TextureType>(module, "TextureType", "Dimensions and arrangement of a texture.",
                               {{"Type1D", MTL::TextureType1D},
                                {"Type1DArray", MTL::TextureType1DArray},
                                {"Type2D", MTL::TextureType2D},
                                {"Type2DArray", MTL::TextureType2DArray},
                                {"Type2DMultisample", MTL::TextureType2DMultisample},
                                {"TypeCube", MTL::TextureTypeCube},
                                {"TypeCubeArray", MTL::TextureTypeCubeArray},
                                {"Type3D", MTL::TextureType3D},
                                {"Type2DMultisampleArray", MTL::TextureType2DMultisampleArray},
                                {"TypeTextureBuffer", MTL::TextureTypeTextureBuffer}});
    bindOptions(module, "TextureUsage", "What a texture is made for.",
                {{"Unknown", MTL::TextureUsageUnknown},
                 {"ShaderRead", MTL::TextureUsageShaderRead},
                 {"ShaderWrite", MTL::TextureUsageShaderWrite},
                 {"RenderTarget", MTL::TextureUsageRenderTarget},
                 {"PixelFormatView", MTL::TextureUsagePixelFormatView},
                 {"ShaderAtomic", MTL::TextureUsageShaderAtomic}});
    bindEnum<MTL::TextureCompressionType>(
        module, "TextureCompressionType", "Whether the device may compress a texture with loss.",
        {{"Lossless", MTL::TextureCompressionTypeLossless}, {"Lossy", MTL::TextureCompressionTypeLossy}});
    bindEnum<MTL::SamplerMinMagFilter>(
        module, "SamplerMinMagFilter", "How texels are combined within a level.",
        {{"Nearest", MTL::SamplerMinMagFilterNearest}, {"Linear", MTL::SamplerMinMagFilterLinear}});
    bindEnum<MTL::SamplerMipFilter>(module, "SamplerMipFilter", "How levels are combined.",
                                    {{"NotMipmapped", MTL::SamplerMipFilterNotMipmapped},
                                     {"Nearest", MTL::SamplerMipFilterNearest},
                                     {"Linear", MTL::SamplerMipFilterLinear}});
    bindEnum<MTL::SamplerReductionMode>(module, "SamplerReductionMode", "What becomes of the texels of one sample.",
                                        {{"WeightedAverage", MTL::SamplerReductionModeWeightedAverage},
                                         {"Minimum", MTL::SamplerReductionModeMinimum},
                                         {"Maximum", MTL::SamplerReductionModeMaximum}});
    bindEnum<MTL::SamplerAddressMode>(module, "SamplerAddressMode", "What a sampler reads outside of a texture.",
                                      {{"ClampToEdge", MTL::SamplerAddressModeClampToEdge},
                                       {"MirrorClampToEdge", MTL::SamplerAddressModeMirrorClampToEdge},
                                       {"Repeat", MTL::SamplerAddressModeRepeat},
                                       {"MirrorRepeat", MTL::SamplerAddressModeMirrorRepeat},
                                       {"ClampToZero", MTL::SamplerAddressModeClampToZero},
                                       {"ClampToBorderColor", MTL::SamplerAddressModeClampToBorderColor}});
    bindEnum<MTL::SamplerBorderColor>(module, "SamplerBorderColor",
                                      "The colour outside of a texture with ClampToBorderColor.",
                                      {{"TransparentBlack", MTL::SamplerBorderColorTransparentBlack},
                                       {"OpaqueBlack", MTL::SamplerBorderColorOpaqueBlack},
                                       {"OpaqueWhite", MTL::SamplerBorderColorOpaqueWhite}});
    bindEnum<MTL::TextureSwizzle>(module, "TextureSwizzle", "What a texture shows as one of its components.",
                                  {{"Zero", MTL::TextureSwizzleZero},
                                   {"One", MTL::TextureSwizzleOne},
                                   {"Red", MTL::TextureSwizzleRed},
                                   {"Green", MTL::TextureSwizzleGreen},
                                   {"Blue", MTL::TextureSwizzleBlue},
                                   {"Alpha", MTL::TextureSwizzleAlpha}});
    bindEnum<MTL::CompareFunction>(module, "CompareFunction", "When a comparison passes.",
                                   {{"Never", MTL::CompareFunctionNever},
                                    {"Less", MTL::CompareFunctionLess},
                                    {"Equal", MTL::CompareFunctionEqual},
                                    {"LessEqual", MTL::CompareFunctionLessEqual},
                                    {"Greater", MTL::CompareFunctionGreater},
                                    {"NotEqual", MTL::CompareFunctionNotEqual},
                                    {"GreaterEqual", MTL::CompareFunctionGreaterEqual},
                                    {"Always", MTL::CompareFunctionAlways}});
}

}  // namespace mtlpy
