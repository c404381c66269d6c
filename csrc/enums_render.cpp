// SPDX-License-Identifier: MIT
//
// Enumerations of render passes, pipelines and draws.

#include "enums.hpp"

#include <Metal/Metal.hpp>

#include "bind_render.hpp"

namespace mtlpy {

namespace {

void bindPassEnums(nb::module_& module) {
    bindEnum<MTL::LoadAction>(
        module, "LoadAction", "What an attachment holds when a pass begins.",
        {{"DontCare", MTL::LoadActionDontCare}, {"Load", MTL::LoadActionLoad}, {"Clear", MTL::LoadActionClear}});
    bindEnum<MTL::StoreAction>(module, "StoreAction", "What becomes of an attachment when a pass ends.",
                               {{"DontCare", MTL::StoreActionDontCare},
                                {"Store", MTL::StoreActionStore},
                                {"MultisampleResolve", MTL::StoreActionMultisampleResolve},
                                {"StoreAndMultisampleResolve", MTL::StoreActionStoreAndMultisampleResolve},
                                {"Unknown", MTL::StoreActionUnknown},
                                {"CustomSampleDepthStore", MTL::StoreActionCustomSampleDepthStore}});
    bindOptions(module, "StoreActionOptions", "What a store action keeps besides.",
                {{"None_", MTL::StoreActionOptionNone},
                 {"CustomSamplePositions", MTL::StoreActionOptionCustomSamplePositions}});
    bindEnum<MTL::MultisampleDepthResolveFilter>(module, "MultisampleDepthResolveFilter",
                                                 "Which of a pixel's depths a resolve keeps.",
                                                 {{"Sample0", MTL::MultisampleDepthResolveFilterSample0},
                                                  {"Min", MTL::MultisampleDepthResolveFilterMin},
                                                  {"Max", MTL::MultisampleDepthResolveFilterMax}});
    bindEnum<MTL::MultisampleStencilResolveFilter>(
        module, "MultisampleStencilResolveFilter", "Which of a pixel's stencil values a resolve keeps.",
        {{"Sample0", MTL::MultisampleStencilResolveFilterSample0},
         {"DepthResolvedSample", MTL::MultisampleStencilResolveFilterDepthResolvedSample}});
    bindEnum<MTL::VisibilityResultMode>(module, "VisibilityResultMode", "Whether samples that pass are counted.",
                                        {{"Disabled", MTL::VisibilityResultModeDisabled},
                                         {"Boolean", MTL::VisibilityResultModeBoolean},
                                         {"Counting", MTL::VisibilityResultModeCounting}});
}

void bindDrawEnums(nb::module_& module) {
    bindEnum<MTL::PrimitiveType>(module, "PrimitiveType", "What the vertices of a draw are joined to.",
                                 {{"Point", MTL::PrimitiveTypePoint},
                                  {"Line", MTL::PrimitiveTypeLine},
                                  {"LineStrip", MTL::PrimitiveTypeLineStrip},
                                  {"Triangle", MTL::PrimitiveTypeTriangle},
                                  {"TriangleStrip", MTL::PrimitiveTypeTriangleStrip}});
    bindEnum<MTL::CullMode>(module, "CullMode", "Which triangles are left out.",
                            {{"None_", MTL::CullModeNone}, {"Front", MTL::CullModeFront}, {"Back", MTL::CullModeBack}});
    bindEnum<MTL::Winding>(module, "Winding", "Order of the vertices of a triangle that is seen from its front.",
                           {{"Clockwise", MTL::WindingClockwise}, {"CounterClockwise", MTL::WindingCounterClockwise}});
    bindEnum<MTL::DepthClipMode>(module, "DepthClipMode", "What becomes of what lies outside of the depth range.",
                                 {{"Clip", MTL::DepthClipModeClip}, {"Clamp", MTL::DepthClipModeClamp}});
    bindEnum<MTL::TriangleFillMode>(module, "TriangleFillMode", "Whether triangles are filled, or their edges drawn.",
                                    {{"Fill", MTL::TriangleFillModeFill}, {"Lines", MTL::TriangleFillModeLines}});
    bindOptions(module, "RenderStages", "Stages of rendering, for fences, barriers and resources.",
                {{"Vertex", MTL::RenderStageVertex},
                 {"Fragment", MTL::RenderStageFragment},
                 {"Tile", MTL::RenderStageTile},
                 {"Object", MTL::RenderStageObject},
                 {"Mesh", MTL::RenderStageMesh}});
    bindEnum<MTL::StencilOperation>(module, "StencilOperation", "What a stencil test does to the stored value.",
                                    {{"Keep", MTL::StencilOperationKeep},
                                     {"Zero", MTL::StencilOperationZero},
                                     {"Replace", MTL::StencilOperationReplace},
                                     {"IncrementClamp", MTL::StencilOperationIncrementClamp},
                                     {"DecrementClamp", MTL::StencilOperationDecrementClamp},
                                     {"Invert", MTL::StencilOperationInvert},
                                     {"IncrementWrap", MTL::StencilOperationIncrementWrap},
                                     {"DecrementWrap", MTL::StencilOperationDecrementWrap}});
}

void bindBlendEnums(nb::module_& module) {
    bindEnum<MTL::BlendFactor>(module, "BlendFactor", "What a colour is multiplied by before it is blended.",
                               {{"Zero", MTL::BlendFactorZero},
                                {"One", MTL::BlendFactorOne},
                                {"SourceColor", MTL::BlendFactorSourceColor},
                                {"OneMinusSourceColor", MTL::BlendFactorOneMinusSourceColor},
                                {"SourceAlpha", MTL::BlendFactorSourceAlpha},
                                {"OneMinusSourceAlpha", MTL::BlendFactorOneMinusSourceAlpha},
                                {"DestinationColor", MTL::BlendFactorDestinationColor},
                                {"OneMinusDestinationColor", MTL::BlendFactorOneMinusDestinationColor},
                                {"DestinationAlpha", MTL::BlendFactorDestinationAlpha},
                                {"OneMinusDestinationAlpha", MTL::BlendFactorOneMinusDestinationAlpha},
                                {"SourceAlphaSaturated", MTL::BlendFactorSourceAlphaSaturated},
                                {"BlendColor", MTL::BlendFactorBlendColor},
                                {"OneMinusBlendColor", MTL::BlendFactorOneMinusBlendColor},
                                {"BlendAlpha", MTL::BlendFactorBlendAlpha},
                                {"OneMinusBlendAlpha", MTL::BlendFactorOneMinusBlendAlpha},
                                {"Source1Color", MTL::BlendFactorSource1Color},
                                {"OneMinusSource1Color", MTL::BlendFactorOneMinusSource1Color},
                                {"Source1Alpha", MTL::BlendFactorSource1Alpha},
                                {"OneMinusSource1Alpha", MTL::BlendFactorOneMinusSource1Alpha}});
    bindEnum<MTL::BlendOperation>(module, "BlendOperation", "How a new colour and the stored one become one.",
                                  {{"Add", MTL::BlendOperationAdd},
                                   {"Subtract", MTL::BlendOperationSubtract},
                                   {"ReverseSubtract", MTL::BlendOperationReverseSubtract},
                                   {"Min", MTL::BlendOperationMin},
                                   {"Max", MTL::BlendOperationMax}});
    bindOptions(module, "ColorWriteMask", "Channels of a colour attachment that are written.",
                {{"None_", MTL::ColorWriteMaskNone},
                 {"Red", MTL::ColorWriteMaskRed},
                 {"Green", MTL::ColorWriteMaskGreen},
                 {"Blue", MTL::ColorWriteMaskBlue},
                 {"Alpha", MTL::ColorWriteMaskAlpha},
                 {"All", MTL::ColorWriteMaskAll}});
    module.attr("ColorWriteMaskNone") = NS::UInteger(MTL::ColorWriteMaskNone);
    module.attr("ColorWriteMaskRed") = NS::UInteger(MTL::ColorWriteMaskRed);
    module.attr("ColorWriteMaskGreen") = NS::UInteger(MTL::ColorWriteMaskGreen);
    module.attr("ColorWriteMaskBlue") = NS::UInteger(MTL::ColorWriteMaskBlue);
    module.attr("ColorWriteMaskAlpha") = NS::UInteger(MTL::ColorWriteMaskAlpha);
    module.attr("ColorWriteMaskAll") = NS::UInteger(MTL::ColorWriteMaskAll);
    bindEnum<MTL::PrimitiveTopologyClass>(module, "PrimitiveTopologyClass", "Kind of primitives of a pipeline.",
                                          {{"Unspecified", MTL::PrimitiveTopologyClassUnspecified},
                                           {"Point", MTL::PrimitiveTopologyClassPoint},
                                           {"Line", MTL::PrimitiveTopologyClassLine},
                                           {"Triangle", MTL::PrimitiveTopologyClassTriangle}});
}

void bindVertexEnums(nb::module_& module) {
    bindEnum<MTL::VertexStepFunction>(module, "VertexStepFunction", "Which element of its buffer a vertex fetches.",
                                      {{"Constant", MTL::VertexStepFunctionConstant},
                                       {"PerVertex", MTL::VertexStepFunctionPerVertex},
                                       {"PerInstance", MTL::VertexStepFunctionPerInstance},
                                       {"PerPatch", MTL::VertexStepFunctionPerPatch},
                                       {"PerPatchControlPoint", MTL::VertexStepFunctionPerPatchControlPoint}});
    bindEnum<MTL::VertexFormat>(module, "VertexFormat", "How an attribute of a vertex lies in its buffer.",
                                {{"Invalid", MTL::VertexFormatInvalid},
                                 {"UChar2", MTL::VertexFormatUChar2},
                                 {"UChar3", MTL::VertexFormatUChar3},
                                 {"UChar4", MTL::VertexFormatUChar4},
                                 {"Char2", MTL::VertexFormatChar2},
                                 {"Char3", MTL::VertexFormatChar3},
                                 {"Char4", MTL::VertexFormatChar4},
                                 {"UChar2Normalized", MTL::VertexFormatUChar2Normalized},
                                 {"UChar3Normalized", MTL::VertexFormatUChar3Normalized},
                                 {"UChar4Normalized", MTL::VertexFormatUChar4Normalized},
                                 {"Char2Normalized", MTL::VertexFormatChar2Normalized},
                                 {"Char3Normalized", MTL::VertexFormatChar3Normalized},
                                 {"Char4Normalized", MTL::VertexFormatChar4Normalized},
                                 {"UShort2", MTL::VertexFormatUShort2},
                                 {"UShort3", MTL::VertexFormatUShort3},
                                 {"UShort4", MTL::VertexFormatUShort4},
                                 {"Short2", MTL::VertexFormatShort2},
                                 {"Short3", MTL::VertexFormatShort3},
                                 {"Short4", MTL::VertexFormatShort4},
                                 {"UShort2Normalized", MTL::VertexFormatUShort2Normalized},
                                 {"UShort3Normalized", MTL::VertexFormatUShort3Normalized},
                                 {"UShort4Normalized", MTL::VertexFormatUShort4Normalized},
                                 {"Short2Normalized", MTL::VertexFormatShort2Normalized},
                                 {"Short3Normalized", MTL::VertexFormatShort3Normalized},
                                 {"Short4Normalized", MTL::VertexFormatShort4Normalized},
                                 {"Half2", MTL::VertexFormatHalf2},
                                 {"Half3", MTL::VertexFormatHalf3},
                                 {"Half4", MTL::VertexFormatHalf4},
                                 {"Float", MTL::VertexFormatFloat},
                                 {"Float2", MTL::VertexFormatFloat2},
                                 {"Float3", MTL::VertexFormatFloat3},
                                 {"Float4", MTL::VertexFormatFloat4},
                                 {"Int", MTL::VertexFormatInt},
                                 {"Int2", MTL::VertexFormatInt2},
                                 {"Int3", MTL::VertexFormatInt3},
                                 {"Int4", MTL::VertexFormatInt4},
                                 {"UInt", MTL::VertexFormatUInt},
                                 {"UInt2", MTL::VertexFormatUInt2},
                                 {"UInt3", MTL::VertexFormatUInt3},
                                 {"UInt4", MTL::VertexFormatUInt4},
                                 {"Int1010102Normalized", MTL::VertexFormatInt1010102Normalized},
                                 {"UInt1010102Normalized", MTL::VertexFormatUInt1010102Normalized},
                                 {"UChar4Normalized_BGRA", MTL::VertexFormatUChar4Normalized_BGRA},
                                 {"UChar", MTL::VertexFormatUChar},
                                 {"Char", MTL::VertexFormatChar},
                                 {"UCharNormalized", MTL::VertexFormatUCharNormalized},
                                 {"CharNormalized", MTL::VertexFormatCharNormalized},
                                 {"UShort", MTL::VertexFormatUShort},
                                 {"Short", MTL::VertexFormatShort},
                                 {"UShortNormalized", MTL::VertexFormatUShortNormalized},
                                 {"ShortNormalized", MTL::VertexFormatShortNormalized},
                                 {"Half", MTL::VertexFormatHalf},
                                 {"FloatRG11B10", MTL::VertexFormatFloatRG11B10},
                                 {"FloatRGB9E5", MTL::VertexFormatFloatRGB9E5}});
}

}  // namespace

void bindRenderEnums(nb::module_& module) {
    bindPassEnums(module);
    bindDrawEnums(module);
    bindBlendEnums(module);
    bindVertexEnums(module);
}

}  // namespace mtlpy
