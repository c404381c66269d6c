// SPDX-License-Identifier: MIT

#include <cstring>

#include "../MetalPortable/MetalPortable.hpp"
#include "capture_session.hpp"
#include "descriptors.hpp"
#include "error.hpp"

namespace metal_objects {

namespace {

constexpr const char* captureErrorDomain = "MTLCaptureErrorDomain";
constexpr double forEver = 1e9;

struct CaptureValues {
    NS::SharedPtr<NS::Object> object;
    MTL::CaptureDestination destination = MTL::CaptureDestinationDeveloperTools;
    NS::SharedPtr<NS::URL> url;
};
using CaptureDescriptorObject = DescriptorOf<MTL::CaptureDescriptor, CaptureValues>;

class CaptureManagerObject final : public Implements<MTL::CaptureManager> {
public:
    static CaptureManagerObject* shared() {
        static auto* const manager = new CaptureManagerObject;
        return manager;
    }

    std::mutex mutex;
    NS::SharedPtr<MTL::CaptureScope> defaultScope;
};

bool fail(NS::Error** error, MTL::CaptureError code, const std::string& why) {
    report(error, makeError(captureErrorDomain, code, why));
    return false;
}

/// Of nothing, when the object is of no kind that can be captured.
CaptureSession::Target targetOf(NS::Object* object) {
    CaptureSession::Target target;
    if (auto* device = dynamic_cast<MTL::Device*>(object)) {
        target.device = NS::RetainPtr(device);
    } else if (auto* queue = dynamic_cast<QueueObject*>(object)) {
        target.queue = NS::RetainPtr(queue);
    } else if (auto* scope = dynamic_cast<CaptureScopeObject*>(object)) {
        target.scope = NS::RetainPtr(scope);
    }
    return target;
}

/// What stands for all kinds of captures that end in a debugger.
void refuseDeveloperTools() {
    reportMistake("startCapture: destination MTLCaptureDestinationDeveloperTools is not supported by this device");
}

}  // namespace

}  // namespace metal_objects

using metal_objects::as;
using metal_objects::CaptureDescriptorObject;
using metal_objects::CaptureManagerObject;
using metal_objects::CaptureScopeObject;
using metal_objects::CaptureSession;

namespace MTL {

// ---- CaptureDescriptor ----

CaptureDescriptor* CaptureDescriptor::alloc() {
    return new CaptureDescriptorObject;
}
CaptureDescriptor* CaptureDescriptor::init() {
    return this;
}
NS::Object* CaptureDescriptor::captureObject() const {
    return as<CaptureDescriptorObject>(this)->values.object.get();
}
void CaptureDescriptor::setCaptureObject(NS::Object* captureObject) {
    as<CaptureDescriptorObject>(this)->values.object = NS::RetainPtr(captureObject);
}
CaptureDestination CaptureDescriptor::destination() const {
    return as<CaptureDescriptorObject>(this)->values.destination;
}
void CaptureDescriptor::setDestination(CaptureDestination destination) {
    as<CaptureDescriptorObject>(this)->values.destination = destination;
}
NS::URL* CaptureDescriptor::outputURL() const {
    return as<CaptureDescriptorObject>(this)->values.url.get();
}
void CaptureDescriptor::setOutputURL(const NS::URL* outputURL) {
    as<CaptureDescriptorObject>(this)->values.url = NS::RetainPtr(const_cast<NS::URL*>(outputURL));
}

// ---- CaptureManager ----

CaptureManager* CaptureManager::alloc() {
    return CaptureManagerObject::shared()->retain();
}
CaptureManager* CaptureManager::init() {
    return this;
}
CaptureManager* CaptureManager::sharedCaptureManager() {
    return CaptureManagerObject::shared();
}

CaptureScope* CaptureManager::defaultCaptureScope() const {
    auto* manager = as<CaptureManagerObject>(this);
    std::lock_guard lock(manager->mutex);
    return metal_objects::shared(manager->defaultScope);
}
void CaptureManager::setDefaultCaptureScope(const CaptureScope* defaultCaptureScope) {
    auto scope = NS::RetainPtr(const_cast<CaptureScope*>(defaultCaptureScope));
    auto* manager = as<CaptureManagerObject>(this);
    std::lock_guard lock(manager->mutex);
    std::swap(manager->defaultScope, scope);
}

bool CaptureManager::isCapturing() const {
    return CaptureSession::current() != nullptr;
}

CaptureScope* CaptureManager::newCaptureScope(const Device* device) {
    return new CaptureScopeObject(device, nullptr);
}
CaptureScope* CaptureManager::newCaptureScope(const CommandQueue* commandQueue) {
    return new CaptureScopeObject(commandQueue->device(), commandQueue);
}

bool CaptureManager::supportsDestination(CaptureDestination destination) {
    return destination == CaptureDestinationGPUTraceDocument;
}

bool CaptureManager::startCapture(const CaptureDescriptor* descriptor, NS::Error** error) {
    metal_objects::report(error, nullptr);
    if (descriptor == nullptr) {
        return metal_objects::fail(error, CaptureErrorInvalidDescriptor, "startCapture: descriptor must not be nil");
    }
    const auto values = as<CaptureDescriptorObject>(descriptor)->values;
    auto target = metal_objects::targetOf(values.object.get());
    if (!target.device && !target.queue && !target.scope) {
        return metal_objects::fail(error, CaptureErrorInvalidDescriptor,
                                   "startCapture: captureObject must be a device, a command queue or a capture scope");
    }
    if (!supportsDestination(values.destination)) {
        return metal_objects::fail(error, CaptureErrorNotSupported,
                                   "startCapture: this device captures to MTLCaptureDestinationGPUTraceDocument only");
    }
    const char* path = values.url ? values.url->fileSystemRepresentation() : nullptr;
    if (path == nullptr || *path == 0) {
        return metal_objects::fail(error, CaptureErrorInvalidDescriptor, "startCapture: outputURL must name a file");
    }
    std::string whyNot;
    const auto started = CaptureSession::start(std::move(target), path, whyNot);
    if (started == CaptureSession::Start::begun) return true;
    if (started == CaptureSession::Start::busy) {
        return metal_objects::fail(error, CaptureErrorAlreadyCapturing,
                                   "startCapture: another capture is under way; stop it first");
    }
    return metal_objects::fail(error, CaptureErrorInvalidDescriptor,
                               "startCapture: cannot write " + std::string(path) + ": " + whyNot);
}

void CaptureManager::startCapture(const Device*) {
    metal_objects::refuseDeveloperTools();
}
void CaptureManager::startCapture(const CommandQueue*) {
    metal_objects::refuseDeveloperTools();
}
void CaptureManager::startCapture(const CaptureScope*) {
    metal_objects::refuseDeveloperTools();
}

void CaptureManager::stopCapture() {
    Portable::waitForCapture(metal_objects::forEver);
    const Portable::CaptureEnd end = Portable::stopCapture();
    if (!end.error.empty()) metal_objects::reportMistake("stopCapture: cannot write " + end.path + ": " + end.error);
}

// ---- CaptureScope ----

Device* CaptureScope::device() const {
    return as<CaptureScopeObject>(this)->device.get();
}
CommandQueue* CaptureScope::commandQueue() const {
    return as<CaptureScopeObject>(this)->queue.get();
}
NS::String* CaptureScope::label() const {
    return as<CaptureScopeObject>(this)->label.get();
}
void CaptureScope::setLabel(const NS::String* pLabel) {
    as<CaptureScopeObject>(this)->label.set(pLabel);
}
void CaptureScope::beginScope() {
    as<CaptureScopeObject>(this)->begin();
}
void CaptureScope::endScope() {
    as<CaptureScopeObject>(this)->end();
}

}  // namespace MTL

namespace MTL::Portable {

bool waitForCapture(double seconds) {
    const auto session = CaptureSession::current();
    return session == nullptr || session->wait(seconds);
}

CaptureEnd stopCapture() {
    const auto session = CaptureSession::take();
    return session == nullptr ? CaptureEnd{} : session->stop();
}

}  // namespace MTL::Portable
