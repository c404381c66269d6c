// SPDX-License-Identifier: MIT

#include "log_state.hpp"

#include <string>
#include <utility>

#include "error.hpp"

namespace metal_objects {

namespace {

constexpr NS::Integer leastBufferSize = 1024;
constexpr const char* logStateErrorDomain = "MTLLogStateErrorDomain";

}  // namespace

LogStateObject::LogStateObject(const LogStateValues& values) : handlers_(std::make_shared<Handlers>()) {
    auto target = std::make_shared<metal_executor::LogTarget>();
    target->least = values.level == MTL::LogLevelUndefined ? metal_executor::LogLevel::debug
                                                           : static_cast<metal_executor::LogLevel>(values.level);
    target->bytes = static_cast<std::size_t>(values.bufferSize);
    target->deliver = [handlers = handlers_](const auto& messages) { handlers->deliver(messages); };
    target_ = std::move(target);
}

void LogStateObject::addHandler(MTL::LogHandlerFunction handler) {
    std::lock_guard lock(handlers_->mutex);
    handlers_->functions.push_back(std::move(handler));
}

void LogStateObject::Handlers::deliver(const std::vector<metal_executor::LogMessage>& messages) {
    std::vector<MTL::LogHandlerFunction> called;
    {
        std::lock_guard lock(mutex);
        called = functions;
    }
    if (called.empty()) return metal_executor::deliverToDefault(messages);
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    for (const metal_executor::LogMessage& message : messages) {
        for (const MTL::LogHandlerFunction& handler : called) {
            handler(autoreleasedString(message.subsystem), autoreleasedString(message.category),
                    static_cast<MTL::LogLevel>(message.level), autoreleasedString(message.text));
        }
    }
}

}  // namespace metal_objects

using metal_objects::as;
using metal_objects::LogStateDescriptorObject;
using metal_objects::LogStateObject;

namespace MTL {

LogStateDescriptor* LogStateDescriptor::alloc() {
    return new LogStateDescriptorObject;
}
LogStateDescriptor* LogStateDescriptor::init() {
    return this;
}
NS::Integer LogStateDescriptor::bufferSize() const {
    return as<LogStateDescriptorObject>(this)->values.bufferSize;
}
void LogStateDescriptor::setBufferSize(NS::Integer bufferSize) {
    as<LogStateDescriptorObject>(this)->values.bufferSize = bufferSize;
}
LogLevel LogStateDescriptor::level() const {
    return as<LogStateDescriptorObject>(this)->values.level;
}
void LogStateDescriptor::setLevel(LogLevel level) {
    as<LogStateDescriptorObject>(this)->values.level = level;
}

LogState* Device::newLogState(const LogStateDescriptor* descriptor, NS::Error** error) {
    metal_objects::report(error, nullptr);
    const auto& values = as<LogStateDescriptorObject>(descriptor)->values;
    std::string mistake;
    auto code = LogStateErrorInvalid;
    if (values.bufferSize < metal_objects::leastBufferSize) {
        code = LogStateErrorInvalidSize;
        mistake = "bufferSize is " + std::to_string(values.bufferSize) +
                  ", must be >= " + std::to_string(metal_objects::leastBufferSize);
    } else if (values.level < LogLevelUndefined || values.level > LogLevelFault) {
        mistake = "level is " + std::to_string(values.level) + ", must be 0 to " + std::to_string(LogLevelFault);
    }
    if (mistake.empty()) return new LogStateObject(values);
    metal_objects::report(error, metal_objects::makeError(metal_objects::logStateErrorDomain,
                                                          static_cast<NS::Integer>(code), "newLogState: " + mistake));
    return nullptr;
}

void LogState::addLogHandler(const LogHandlerFunction& handler) {
    as<LogStateObject>(this)->addHandler(handler);
}

}  // namespace MTL
