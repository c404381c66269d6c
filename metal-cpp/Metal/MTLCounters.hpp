// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>

#include "../Foundation/Foundation.hpp"
#include "MTLResource.hpp"

namespace MTL {

class Device;

enum CounterSampleBufferError : NS::Integer {
    CounterSampleBufferErrorOutOfMemory = 0,
    CounterSampleBufferErrorInvalid = 1,
    CounterSampleBufferErrorInternal = 2,
};

using CommonCounter = NS::String*;
using CommonCounterSet = NS::String*;

/// A sample that could not be taken.
static const NS::UInteger CounterErrorValue = static_cast<NS::UInteger>(~0ULL);

/// An index of a pass's sample buffer attachment: no sample there.
static const NS::UInteger CounterDontSample = static_cast<NS::UInteger>(-1);

extern const NS::ErrorDomain CounterErrorDomain;
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

/// What CounterSampleBuffer::resolveCounterRange() gives for each sample, by the set of its counters.
struct CounterResultTimestamp {
    std::uint64_t timestamp;
};

struct CounterResultStageUtilization {
    std::uint64_t totalCycles;
    std::uint64_t vertexCycles;
    std::uint64_t tessellationCycles;
    std::uint64_t postTessellationVertexCycles;
    std::uint64_t fragmentCycles;
    std::uint64_t renderTargetCycles;
};

struct CounterResultStatistic {
    std::uint64_t tessellationInputPatches;
    std::uint64_t vertexInvocations;
    std::uint64_t postTessellationVertexInvocations;
    std::uint64_t clipperInvocations;
    std::uint64_t clipperPrimitivesOut;
    std::uint64_t fragmentInvocations;
    std::uint64_t fragmentsPassed;
    std::uint64_t computeKernelInvocations;
};

/// One thing that is counted.
class Counter : public NS::Referencing<Counter> {
public:
    NS::String* name() const;
};

/// Counters that are sampled together.
class CounterSet : public NS::Referencing<CounterSet> {
public:
    NS::Array* counters() const;
    NS::String* name() const;
};

class CounterSampleBufferDescriptor : public NS::Copying<CounterSampleBufferDescriptor> {
public:
    static CounterSampleBufferDescriptor* alloc();
    CounterSet* counterSet() const;
    CounterSampleBufferDescriptor* init();
    NS::String* label() const;
    NS::UInteger sampleCount() const;
    void setCounterSet(const CounterSet* counterSet);
    void setLabel(const NS::String* label);
    void setSampleCount(NS::UInteger sampleCount);
    void setStorageMode(StorageMode storageMode);
    StorageMode storageMode() const;
};

/// Samples of counters, which encoders write.
class CounterSampleBuffer : public NS::Referencing<CounterSampleBuffer> {
public:
    Device* device() const;
    NS::String* label() const;

    /// The samples as structs, see above; of those that were not taken, CounterErrorValue.
    NS::Data* resolveCounterRange(NS::Range range);

    NS::UInteger sampleCount() const;
};

}  // namespace MTL
