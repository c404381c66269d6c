// SPDX-License-Identifier: MIT
//
// The contract between compiled kernels and the executor that runs them on the host processor.
// Included by the executor, by the host target's code generator and by its run-time library
// (which is compiled to bitcode and inlined into kernels), so it is plain C and includes nothing else.

#ifndef METAL_KERNEL_ABI_H
#define METAL_KERNEL_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Raised whenever a field or a meaning below changes; an object file of another version is rebuilt.
enum { metal_kernel_abi_version = 5 };

enum {
    metal_simdgroup_width = 32,  // MTL::ComputePipelineState::threadExecutionWidth
    metal_max_threads_per_threadgroup = 1024,
    metal_max_threadgroup_memory = 32768,  // bytes
    metal_max_mip_levels = 16,
};

// One level of detail of a texture. Addresses of texels: data + image * bytes_per_image + y * bytes_per_row + x *
// pixel. The image is the depth of a 3D texture, slice * 6 + face of a cube, slice * samples + sample of a multisampled
// texture, else the slice.
typedef struct metal_texture_level {
    uint8_t* data;
    uint64_t bytes_per_image;
    uint32_t bytes_per_row;
    uint32_t width, height, depth;
} metal_texture_level;

// What a texture handle in a kernel points at. Outlives every command buffer that uses it.
typedef struct metal_texture {
    // MTL::PixelFormat; of those with one layout the common one (R32Float for Depth32Float). Of a texture with a
    // swizzle also 16 bits up, 4 bits for each component, red first: MTL::TextureSwizzle.
    uint32_t pixel_format;
    uint32_t texture_type;  // MTL::TextureType
    uint32_t bytes_per_pixel;
    uint32_t array_length;  // slices; a cube counts six faces to a slice
    uint32_t level_count;
    uint32_t sample_count;
    uint32_t reserved[2];
    metal_texture_level levels[metal_max_mip_levels];
} metal_texture;

// A sampler is a value, whether bound by the host or written `constexpr sampler` in the source: 64 bits.
// Field values are Metal's enumerations (MTL::SamplerAddressMode, ...); levels of detail count 1/256ths.
enum {
    metal_sampler_s_address_shift = 0,      // 3 bits, MTL::SamplerAddressMode
    metal_sampler_t_address_shift = 3,      // 3 bits
    metal_sampler_r_address_shift = 6,      // 3 bits
    metal_sampler_min_filter_shift = 9,     // 1 bit, MTL::SamplerMinMagFilter
    metal_sampler_mag_filter_shift = 10,    // 1 bit
    metal_sampler_mip_filter_shift = 11,    // 2 bits, MTL::SamplerMipFilter
    metal_sampler_pixel_coords_shift = 13,  // 1 bit: 1 where coordinates count texels
    metal_sampler_compare_shift = 14,       // 3 bits, MTL::CompareFunction
    metal_sampler_border_shift = 17,        // 2 bits, MTL::SamplerBorderColor
    metal_sampler_anisotropy_shift = 19,    // 4 bits: max anisotropy - 1
    metal_sampler_reduction_shift = 23,     // 2 bits, MTL::SamplerReductionMode
    metal_sampler_lod_min_shift = 25,       // 12 bits
    metal_sampler_lod_max_shift = 37,       // 12 bits; all ones: no limit
    metal_sampler_lod_bias_shift = 49,      // 14 bits, signed
};
typedef uint64_t metal_sampler;

// How the threads of a threadgroup are laid on lanes; chosen when code is generated.
enum metal_lane_mapping {
    // Lanes are consecutive x of one row; y and z are the same in all lanes. Needs no SIMD-group meaning,
    // or rows that are a multiple of 32 wide (or one row), where rows and SIMD-groups agree.
    metal_lanes_in_row = 0,
    // Lane l of SIMD-group s is thread 32 s + l of the threadgroup, whatever its shape.
    metal_lanes_linear = 1,
};

// What vertex and fragment functions (and kernels with [[stage_in]]) read and write besides their arguments. They run
// as kernels do, over a grid of one row: thread i is invocation i. Threads of a fragment function come in quads of 2x2
// pixels, thread 4 q + i being pixel (x + i % 2, y + i / 2) of quad q, so the grid is a multiple of four wide. Lanes
// that the primitive does not cover (helpers) run, too, for their neighbours' derivatives, and write to no memory.
//
// Values lie structure-of-arrays: one array ("column") for each scalar of an input or output, with one element of four
// bytes for each invocation. Reflection tells which column is what, and whether its elements are float (of float, half
// and bfloat), int32_t or uint32_t (of integers and bool). Every column that reflection names must be there: inputs
// that no earlier stage gives are zeros, outputs that nobody reads may share one column. Thread i of a kernel is
// counted x fastest, then y, then z, from the grid's origin.
typedef struct metal_stage {
    const void* const* inputs;
    void* const* outputs;
    // Fragment functions only. Bit s of element i says whether invocation i covers sample s; zero for helpers.
    const uint32_t* coverage;
    // The same afterwards: less what discard_fragment() and [[sample_mask]] took away. May be `coverage` itself.
    uint32_t* remaining_coverage;
    // Of get_num_samples() and get_sample_position(): x and y of each sample in its pixel, from 0 to 1.
    const float* sample_positions;
    uint32_t sample_count;
} metal_stage;

// Messages of a dispatch: records, one behind the other from `bytes` on. A record that a thread has not finished,
// because it was stopped, has no format; one that did not fit ends the records.
typedef struct metal_log {
    uint64_t used;      // bytes asked for; more than `capacity` when it was full
    uint64_t capacity;  // of `bytes`, which are zero before the dispatch
    uint64_t lost;      // messages that did not fit
    uint32_t least_level;
    uint32_t reserved;
    uint8_t bytes[];
} metal_log;

// Texts are in the kernel's code.
typedef struct metal_log_record {
    uint32_t size;   // bytes, with the slots; 0: no record here
    uint32_t level;  // MTL::LogLevel
    const char* subsystem;
    const char* category;
    const char* format;
    uint64_t slots[];  // integers extended to 64 bits, the bits of floats; a vector's components one after the other
} metal_log_record;

// Constant during a dispatch. Sizes are in threads or in threadgroups as named; x, y, z.
typedef struct metal_launch {
    // One pointer to each argument's bytes, by `slot` of the reflection:
    //   pointer or reference to device or constant memory: the buffer's address itself (offset applied);
    //   texture: address of a `const metal_texture*` (an array's elements follow one another);
    //   function table: address of the table's own address (see METAL_FUNCTION_SYMBOL);
    //   sampler: address of a `metal_sampler`;
    //   threadgroup memory: its offset from the start of the threadgroup memory, as an integer.
    void* const* arguments;
    uint32_t threads_per_grid[3];
    uint32_t threads_per_threadgroup[3];  // as asked for; groups at the grid's edge may be smaller
    uint32_t threadgroups_per_grid[3];
    uint32_t grid_origin[3];   // added to every position in the grid (stage-in region); zero otherwise
    const metal_stage* stage;  // null for kernels without [[stage_in]]
    metal_log* log;            // where messages go; null: nowhere
    uint32_t grid_size[3];     // of the stage-in region; threads_per_grid where there is none
} metal_launch;

// Runs threadgroups first ... first + count - 1, numbered x fastest. `threadgroup_memory` and `scratch` belong to
// the calling worker: 64-byte aligned, of at least the sizes in metal_kernel_info, contents undefined.
typedef void (*metal_kernel_function)(const metal_launch* launch, uint64_t first, uint64_t count,
                                      void* threadgroup_memory, void* scratch);

// Symbols of every kernel's shared object.
#define METAL_KERNEL_SYMBOL "metal_kernel"            // metal_kernel_function
#define METAL_KERNEL_INFO_SYMBOL "metal_kernel_info"  // metal_kernel_info

// Of code that was asked to count (protocol::Explain): uint64_t pairs, how often something was done and by how many
// threads in all. Every run adds to them.
#define METAL_KERNEL_COUNTERS_SYMBOL "metal_kernel_counters"

// Visible functions linked to the kernel are `METAL_FUNCTION_SYMBOL "0"`, "1", ...: one thread's code, with the C
// calling convention of the function as written.
#define METAL_FUNCTION_SYMBOL "metal_function_"

// What a visible_function_table in a kernel points at is its first function's address; the others follow. Before it
// lies a uint64_t, how many there are. Null in a table is a function that was not set.

enum metal_kernel_stage { metal_stage_kernel = 0, metal_stage_vertex = 1, metal_stage_fragment = 2 };

// What a fragment function does that its pipeline must know; of metal_kernel_info::fragment_uses.
enum metal_fragment_uses {
    metal_fragment_discards = 1,       // may take coverage away, by discard_fragment() or [[sample_mask]]
    metal_fragment_writes_memory = 2,  // buffers, textures, atomics
    metal_fragment_uses_quads = 4,     // derivatives: helpers must run
    metal_fragment_asks_coverage = 8,  // reads `coverage`, which else may be null
};

typedef struct metal_kernel_info {
    uint32_t abi_version;
    uint32_t static_threadgroup_memory;  // bytes, at the start of threadgroup_memory; arguments' memory follows
    uint64_t scratch_size;               // bytes a worker must own
    uint32_t lane_mapping;               // enum metal_lane_mapping
    uint32_t lane_width;                 // lanes of one strip
    uint32_t max_total_threads;          // per threadgroup
    uint32_t uses_barrier;               // 0 or 1: threads of a group meet
    uint32_t uses_simdgroup;             // 0 or 1: which threads share a SIMD-group matters
    uint32_t stage;                      // enum metal_kernel_stage
    uint32_t fragment_uses;              // bits of enum metal_fragment_uses
    uint64_t used_slots[4];  // bit n: the code reads argument slot n; slots from 256 on always count as read
    uint32_t uses_log;       // 0 or 1: may write messages
} metal_kernel_info;

#ifdef __cplusplus
}
#endif

#endif
