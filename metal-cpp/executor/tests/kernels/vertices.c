// SPDX-License-Identifier: MIT

// A vertex function: input column 0 is [[vertex_id]], column 1 [[instance_id]]. Argument 0 holds positions (four floats
// a vertex), argument 1 eight more values of each. Outputs: position, then those values; a ninth is the instance.
#include "kernel.h"

void metal_kernel(const metal_launch* launch, uint64_t first, uint64_t count, void* threadgroup_memory, void* scratch) {
    (void)threadgroup_memory, (void)scratch;
    const float* positions = launch->arguments[0];
    const float* values = launch->arguments[1];
    const uint32_t* vertices = launch->stage->inputs[0];
    const uint32_t* instances = launch->stage->inputs[1];
    const uint64_t width = launch->threads_per_threadgroup[0];
    for (uint64_t i = first * width; i < (first + count) * width && i < launch->threads_per_grid[0]; ++i) {
        for (int k = 0; k < 4; ++k) ((float*)launch->stage->outputs[k])[i] = positions[4 * vertices[i] + k];
        for (int k = 0; k < 8; ++k) ((float*)launch->stage->outputs[4 + k])[i] = values[8 * vertices[i] + k];
        ((float*)launch->stage->outputs[12])[i] = (float)instances[i];
    }
}
