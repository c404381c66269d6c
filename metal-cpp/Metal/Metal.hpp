// SPDX-License-Identifier: MIT
//
// Metal's C++ interface, as Apple's metal-cpp declares it: devices, resources, libraries of kernels compiled from
// source, and command buffers that run them. Names, values and signatures are Apple's; what is not implemented is not
// declared.

#pragma once

#include "MTLAllocation.hpp"
#include "MTLArgument.hpp"
#include "MTLArgumentEncoder.hpp"
#include "MTLBinaryArchive.hpp"
#include "MTLBlitCommandEncoder.hpp"
#include "MTLBlitPass.hpp"
#include "MTLBuffer.hpp"
#include "MTLCaptureManager.hpp"
#include "MTLCaptureScope.hpp"
#include "MTLCommandBuffer.hpp"
#include "MTLCommandEncoder.hpp"
#include "MTLCommandQueue.hpp"
#include "MTLComputeCommandEncoder.hpp"
#include "MTLComputePass.hpp"
#include "MTLComputePipeline.hpp"
#include "MTLDataType.hpp"
#include "MTLDepthStencil.hpp"
#include "MTLDevice.hpp"
#include "MTLDrawable.hpp"
#include "MTLEvent.hpp"
#include "MTLFence.hpp"
#include "MTLFunctionConstantValues.hpp"
#include "MTLFunctionHandle.hpp"
#include "MTLGPUAddress.hpp"
#include "MTLHeap.hpp"
#include "MTLLibrary.hpp"
#include "MTLLinkedFunctions.hpp"
#include "MTLLogState.hpp"
#include "MTLPipeline.hpp"
#include "MTLPixelFormat.hpp"
#include "MTLResource.hpp"
#include "MTLSampler.hpp"
#include "MTLStageInputOutputDescriptor.hpp"
#include "MTLTexture.hpp"
#include "MTLTypes.hpp"
#include "MTLVisibleFunctionTable.hpp"
