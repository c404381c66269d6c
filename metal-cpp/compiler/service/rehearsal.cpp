// SPDX-License-Identifier: MIT
#include "service/rehearsal.hpp"

#include "frontend/library.hpp"
#include "frontend/pipeline.hpp"

namespace metal_compiler {
namespace {

// A small header, since the large ones cost as much as all the rest. A loop that threads leave one by one, a branch,
// memory of each kind and a barrier take the passes through most of what they do.
constexpr char program[] = R"(
#include <metal_compute>
using namespace metal;
struct Numbers { uint count; float factor; };
float half_of(float x) { return x / 2; }
kernel void rehearsal(device const float4* from [[buffer(0)]], device float4* to [[buffer(1)]],
                      constant Numbers& numbers [[buffer(2)]], uint i [[thread_position_in_grid]],
                      uint t [[thread_index_in_threadgroup]])
{
    threadgroup float shared[64];
    if (i >= numbers.count) return;
    float4 value = from[i];
    float steps = 0;
    for (uint k = 0; k < i && value.x < numbers.factor; ++k) {
        value = value * value + half_of(value.y);
        steps += value.x > value.z ? 1.0f : float(k % 3);
    }
    shared[t % 64] = steps;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint k = 0; k < 4; ++k) value[k] += shared[(t + k) % 64];
    to[i] = value + float4(steps, half(steps), int(steps), 1);
}
)";

}  // namespace

void rehearse(Target& target, const TargetDescription& description) {
    protocol::LibraryRequest request;
    request.source = program;
    const protocol::LibraryReply library = compileLibrary(request, description);
    if (!library.ok) return;
    protocol::PipelineRequest pipeline;
    pipeline.bitcode = library.bitcode;
    pipeline.entry = library.functions.front().entry;
    pipeline.name = library.functions.front().name;
    compilePipeline(pipeline, target);
}

}  // namespace metal_compiler
