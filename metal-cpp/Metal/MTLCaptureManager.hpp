// SPDX-License-Identifier: MIT

#pragma once

#include "../Foundation/Foundation.hpp"

namespace MTL {

class CaptureScope;
class CommandQueue;
class Device;

enum CaptureError : NS::Integer {
    CaptureErrorNotSupported = 1,
    CaptureErrorAlreadyCapturing = 2,
    CaptureErrorInvalidDescriptor = 3,
};

enum CaptureDestination : NS::Integer {
    CaptureDestinationDeveloperTools = 1,
    CaptureDestinationGPUTraceDocument = 2,
};

/// What is captured, and where to.
class CaptureDescriptor : public NS::Copying<CaptureDescriptor> {
public:
    static CaptureDescriptor* alloc();

    /// A Device, a CommandQueue or a CaptureScope: whose command buffers are captured.
    NS::Object* captureObject() const;

    /// CaptureDestinationDeveloperTools unless set, which this device does not have.
    CaptureDestination destination() const;

    CaptureDescriptor* init();

    /// The file of CaptureDestinationGPUTraceDocument; see docs/capture.md for what is in it.
    NS::URL* outputURL() const;

    void setCaptureObject(NS::Object* captureObject);
    void setDestination(CaptureDestination destination);
    void setOutputURL(const NS::URL* outputURL);
};

/// Captures command buffers: those made after the capture began and committed before it ends. One capture at a time.
class CaptureManager : public NS::Referencing<CaptureManager> {
public:
    static CaptureManager* alloc();

    /// Null unless set.
    CaptureScope* defaultCaptureScope() const;

    /// The shared one: there is no other.
    CaptureManager* init();

    bool isCapturing() const;

    /// Caller owns the result (+1). Of the command buffers of all queues of the device, or of one queue.
    CaptureScope* newCaptureScope(const Device* device);
    CaptureScope* newCaptureScope(const CommandQueue* commandQueue);

    void setDefaultCaptureScope(const CaptureScope* defaultCaptureScope);

    /// Not owned by the caller.
    static CaptureManager* sharedCaptureManager();

    /// False, and an error of the domain "MTLCaptureErrorDomain", when it cannot begin: the descriptor is not
    /// complete, another capture is under way, the file cannot be made. A file of that name is replaced at the end.
    bool startCapture(const CaptureDescriptor* descriptor, NS::Error** error);

    /// To CaptureDestinationDeveloperTools, so these do nothing but say so.
    void startCapture(const Device* device);
    void startCapture(const CommandQueue* commandQueue);
    void startCapture(const CaptureScope* captureScope);

    /// Waits for the command buffers that it captures, but for those that wait for an event which nobody signals, and
    /// finishes the file.
    void stopCapture();

    /// CaptureDestinationGPUTraceDocument only.
    bool supportsDestination(CaptureDestination destination);
};

}  // namespace MTL
