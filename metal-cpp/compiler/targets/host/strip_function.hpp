// SPDX-License-Identifier: MIT
//
// The shape of the functions between a kernel as written (one thread, no parameters) and the kernel's entry point.
// A strip function runs the threads of one strip; its parameters say which. The same list serves the one-thread form
// (after lower_context) and the widened form (after widen).

#pragma once

#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>

namespace metal_host {

enum StripParameter : unsigned {
    stripLaunch,             // const metal_launch*
    stripThreadgroupMemory,  // this worker's, as in metal_kernel_function
    stripScratch,
    stripGroupX,
    stripGroupY,
    stripGroupZ,  // threadgroup_position_in_grid
    stripSizeX,
    stripSizeY,
    stripSizeZ,  // threads of this threadgroup (fewer at the grid's edge)
    stripX,
    stripY,
    stripZ,      // metal_lanes_in_row: position in the threadgroup of the first lane
    stripFirst,  // index in the threadgroup of the first lane
    stripCount,  // lanes 0 ... count - 1 have a thread
    stripParameterCount,
};

inline llvm::FunctionType* stripFunctionType(llvm::LLVMContext& context) {
    llvm::SmallVector<llvm::Type*, stripParameterCount> types(3, llvm::PointerType::get(context, 0));
    types.resize(stripParameterCount, llvm::Type::getInt32Ty(context));
    return llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false);
}

/// `i32 @__metal_lane()`: which lane of the strip a thread is, between lower_context and widen.
inline constexpr const char* laneIntrinsic = "__metal_lane";

/// Functions of the run-time library that are not inlined; each lane calls for itself.
inline constexpr const char* slowFunctionPrefix = "__metal_slow_";

/// METAL_FUNCTION_SYMBOL of kernel_abi.h: functions that the object exports for tables of visible functions.
inline bool isVisibleFunction(const llvm::Function& function) {
    return function.getName().starts_with("metal_function_");
}

inline constexpr const char* threadgroupBarrier = "__metal_threadgroup_barrier";
inline constexpr const char* simdgroupBarrier = "__metal_simdgroup_barrier";

/// Exchanges between the threads of a SIMD-group, and of a quad-group.
inline constexpr const char* simdPrefix = "__metal_simd_";
inline constexpr const char* quadPrefix = "__metal_quad_";

}  // namespace metal_host
