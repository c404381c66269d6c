// SPDX-License-Identifier: MIT
//
// Counters that a device samples as it runs commands. This device has one: the time.

#pragma once

#include <cstdint>

#include "../Foundation/Foundation.hpp"
#include "MTLResource.hpp"

namespace MTL {

class CounterSampleBufferDescriptor;
class CounterSet;
class Device;

enum CounterSampleBufferError : NS::Integer {
    CounterSampleBufferErrorOutOfMemory = 0,
    CounterSampleBufferErrorInvalid = 1,
    CounterSampleBufferErrorInternal = 2,
};

using CommonCounter = NS::String*;
using CommonCounterSet = NS::String*;

/// What a sample holds that was not taken.
static const NS::UInteger CounterErrorValue = static_cast<NS::UInteger>(~0ULL);

/// In place of a sample's index: take none.
static const NS::UInteger CounterDontSample = static_cast<NS::UInteger>(-1);

extern const NS::ErrorDomain CounterErrorDomain;

// Names that Metal's devices share. Device::counterSets() says which a device has.
extern const CommonCounter CommonCounterTimestamp;
extern const CommonCounter CommonCounterTessellationInputPatches;
extern const CommonCounter CommonCounterVertexInvocations;
extern const CommonCounter CommonCounterPostTessellationVertexInvocations;
extern const CommonCounter CommonCounterClipperInvocations;
extern const CommonCounter CommonCounterClipperPrimitivesOut;
extern const CommonCounter CommonCounterFragmentInvocations;
extern const CommonCounter CommonCounterFragmentsPassed;
extern const CommonCounter CommonCounterComputeKernelInvocations;
extern const CommonCounter CommonCounterTotalCycles;
extern const CommonCounter CommonCounterVertexCycles;
extern const CommonCounter CommonCounterTessellationCycles;
extern const CommonCounter CommonCounterPostTessellationVertexCycles;
extern const CommonCounter CommonCounterFragmentCycles;
extern const CommonCounter CommonCounterRenderTargetWriteCycles;
extern const CommonCounterSet CommonCounterSetTimestamp;
extern const CommonCounterSet CommonCounterSetStageUtilization;
extern const CommonCounterSet CommonCounterSetStatistic;

/// A sample of the set CommonCounterSetTimestamp: nanoseconds on the clock of Device::sampleTimestamps().
struct CounterResultTimestamp {
    std::uint64_t timestamp;
} __attribute__((packed));

/// Of the set CommonCounterSetStageUtilization.
struct CounterResultStageUtilization {
    std::uint64_t totalCycles;
    std::uint64_t vertexCycles;
    std::uint64_t tessellationCycles;
    std::uint64_t postTessellationVertexCycles;
    std::uint64_t fragmentCycles;
    std::uint64_t renderTargetCycles;
} __attribute__((packed));

/// Of the set CommonCounterSetStatistic.
struct CounterResultStatistic {
    std::uint64_t tessellationInputPatches;
    std::uint64_t vertexInvocations;
    std::uint64_t postTessellationVertexInvocations;
    std::uint64_t clipperInvocations;
    std::uint64_t clipperPrimitivesOut;
    std::uint64_t fragmentInvocations;
    std::uint64_t fragmentsPassed;
    std::uint64_t computeKernelInvocations;
} __attribute__((packed));

class Counter : public NS::Referencing<Counter> {
public:
    NS::String* name() const;
};

/// Counters that are sampled together.
class CounterSet : public NS::Referencing<CounterSet> {
public:
    /// Of Counter.
    NS::Array* counters() const;

    NS::String* name() const;
};

class CounterSampleBufferDescriptor : public NS::Copying<CounterSampleBufferDescriptor> {
public:
    static CounterSampleBufferDescriptor* alloc();

    /// One of Device::counterSets(); null until it is set.
    CounterSet* counterSet() const;

    CounterSampleBufferDescriptor* init();
    NS::String* label() const;

    /// 0 until it is set; at most 4,096 of timestamps.
    NS::UInteger sampleCount() const;

    void setCounterSet(const MTL::CounterSet* counterSet);
    void setLabel(const NS::String* label);
    void setSampleCount(NS::UInteger sampleCount);
    void setStorageMode(MTL::StorageMode storageMode);

    /// Shared unless set; private is the other one there is.
    StorageMode storageMode() const;
};

/// Where a device writes samples, each at the index that the command which takes it says.
class CounterSampleBuffer : public NS::Referencing<CounterSampleBuffer> {
public:
    Device* device() const;
    NS::String* label() const;

    /// The samples, one CounterResultTimestamp each, as far as they have been taken; CounterErrorValue for the others.
    /// Null when the range is not in the buffer or its storage is private. Not owned by the caller.
    NS::Data* resolveCounterRange(NS::Range range);

    NS::UInteger sampleCount() const;
};

}  // namespace MTL
