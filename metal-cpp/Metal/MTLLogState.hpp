// SPDX-License-Identifier: MIT

#pragma once

#include <functional>

#include "../Foundation/Foundation.hpp"

namespace MTL {

enum LogLevel : NS::Integer {
    LogLevelUndefined = 0,
    LogLevelDebug = 1,
    LogLevelInfo = 2,
    LogLevelNotice = 3,
    LogLevelError = 4,
    LogLevelFault = 5,
};

enum LogStateError : NS::UInteger {
    LogStateErrorInvalidSize = 1,
    LogStateErrorInvalid = 2,
};

using LogHandlerFunction =
    std::function<void(NS::String* subSystem, NS::String* category, LogLevel logLevel, NS::String* message)>;

/// Where the messages go that kernels write with os_log.
class LogState : public NS::Referencing<LogState> {
public:
    /// Called from another thread, when a command buffer has run. Without a handler, messages go where those of
    /// command buffers without a log state go.
    void addLogHandler(const LogHandlerFunction& handler);
};

class LogStateDescriptor : public NS::Copying<LogStateDescriptor> {
public:
    static LogStateDescriptor* alloc();

    /// Bytes of messages that a dispatch has room for.
    NS::Integer bufferSize() const;

    LogStateDescriptor* init();

    /// Messages below it are not written.
    LogLevel level() const;

    void setBufferSize(NS::Integer bufferSize);
    void setLevel(LogLevel level);
};

}  // namespace MTL
