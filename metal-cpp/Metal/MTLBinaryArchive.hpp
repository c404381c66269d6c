// SPDX-License-Identifier: MIT

#pragma once

#include "../Foundation/Foundation.hpp"

namespace MTL {

class ComputePipelineDescriptor;
class Device;
class RenderPipelineDescriptor;

enum BinaryArchiveError : NS::UInteger {
    BinaryArchiveErrorNone = 0,
    BinaryArchiveErrorInvalidFile = 1,
    BinaryArchiveErrorUnexpectedElement = 2,
    BinaryArchiveErrorCompilationFailure = 3,
    BinaryArchiveErrorInternalError = 4,
};

extern const NS::ErrorDomain BinaryArchiveDomain;

class BinaryArchiveDescriptor : public NS::Copying<BinaryArchiveDescriptor> {
public:
    static BinaryArchiveDescriptor* alloc();
    BinaryArchiveDescriptor* init();

    /// The file to begin with; null for an empty archive.
    void setUrl(const NS::URL* url);
    NS::URL* url() const;
};

/// Machine code of kernels, to be kept in a file: a pipeline that finds its code in one is not compiled.
class BinaryArchive : public NS::Referencing<BinaryArchive> {
public:
    /// Compiles the descriptor's kernel where the archive does not have it. False, and `error`, when that fails.
    /// Further variants, for other shapes of threadgroups, come with pipelines that have the archive in their
    /// descriptor.
    bool addComputePipelineFunctions(const ComputePipelineDescriptor* descriptor, NS::Error** error);

    /// The same for a vertex and a fragment function.
    bool addRenderPipelineFunctions(const RenderPipelineDescriptor* descriptor, NS::Error** error);

    Device* device() const;
    NS::String* label() const;

    /// Writes the whole archive, or on failure nothing; a file of that name is replaced.
    bool serializeToURL(const NS::URL* url, NS::Error** error);

    void setLabel(const NS::String* label);
};

}  // namespace MTL
