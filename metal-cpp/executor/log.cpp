// SPDX-License-Identifier: MIT

#include "log.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <mutex>

namespace metal_executor {
namespace {

constexpr std::size_t longestText = 1024;

struct DefaultTarget {
    std::mutex mutex;
    std::function<void(const std::vector<LogMessage>&)> deliver;
};

DefaultTarget& defaultTarget() {
    static auto& target = *new DefaultTarget;  // kernels may run until the process ends
    return target;
}

const char* nameOf(LogLevel level) {
    switch (level) {
        case LogLevel::debug:
            return "debug: ";
        case LogLevel::info:
            return "info: ";
        case LogLevel::error:
            return "error: ";
        case LogLevel::fault:
            return "fault: ";
        default:
            return "";
    }
}

/// One message's text, conversion by conversion. Formats were checked by the compiler where it could see them; here
/// nothing is read that is not there, whatever they say.
class Formatter {
public:
    explicit Formatter(const metal_log_record& record)
        : at_(record.format),
          slots_(record.slots),
          left_((record.size - sizeof(metal_log_record)) / sizeof(std::uint64_t)) {}

    std::string run() {
        while (*at_ && text_.size() < longestText) {
            if (*at_ != '%') {
                text_ += *at_++;
            } else if (at_[1] == '%') {
                text_ += '%';
                at_ += 2;
            } else {
                conversion();
            }
        }
        return std::move(text_);
    }

private:
    void conversion() {
        const char* start = at_++;
        std::string format = "%";
        while (*at_ && std::strchr("-+ #0", *at_)) format += *at_++;
        number(format);
        if (*at_ == '.') {
            format += *at_++;
            number(format);
        }
        std::size_t components = 1;
        if (*at_ == 'v') {
            components = 0;
            for (++at_; *at_ >= '0' && *at_ <= '9'; ++at_) components = components * 10 + std::size_t(*at_ - '0');
        }
        std::string length;
        while (*at_ && std::strchr("hljzt", *at_)) length += *at_++;
        const char kind = *at_;
        if (!kind || !std::strchr("diouxXcpfFeEgGaA", kind) || components > 16) {
            text_.append(start, at_);
            return;
        }
        ++at_;
        for (std::size_t index = 0; index < components; ++index) {
            if (index != 0) text_ += ',';
            component(format, length, kind);
        }
    }

    // Wide fields and many digits are cut, so that a component fits its buffer.
    void number(std::string& format) {
        int value = 0;
        bool isThere = false;
        for (; *at_ >= '0' && *at_ <= '9'; ++at_, isThere = true) value = std::min(value * 10 + (*at_ - '0'), 100);
        if (isThere) format += std::to_string(value);
    }

    void component(const std::string& format, const std::string& length, char kind) {
        if (left_ == 0) {
            text_ += "(missing)";
            return;
        }
        --left_;
        const std::uint64_t slot = *slots_++;
        char buffer[512];
        int written = 0;
        if (std::strchr("fFeEgGaA", kind)) {
            const double value = std::bit_cast<float>(static_cast<std::uint32_t>(slot));
            written = print(buffer, format + kind, value);
        } else if (kind == 'c') {
            written = print(buffer, format + kind, static_cast<int>(slot));
        } else if (kind == 'p') {
            written = print(buffer, format + kind, reinterpret_cast<void*>(slot));
        } else {
            // A vector's 32-bit components are written hl.
            const bool is64 = length.find_first_of("ljzt") != std::string::npos && length != "hl";
            const int bits = is64 ? 64 : length == "hh" ? 8 : length == "h" ? 16 : 32;
            const bool isSigned = kind == 'd' || kind == 'i';
            const auto raised = static_cast<std::int64_t>(slot << (64 - bits));
            written = isSigned
                          ? print(buffer, format + "ll" + kind, static_cast<long long>(raised >> (64 - bits)))
                          : print(buffer, format + "ll" + kind,
                                  static_cast<unsigned long long>(static_cast<std::uint64_t>(raised) >> (64 - bits)));
        }
        if (written > 0) text_.append(buffer, std::min<std::size_t>(std::size_t(written), sizeof buffer - 1));
    }

    template <class Value>
    static int print(char (&buffer)[512], const std::string& format, Value value) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        return std::snprintf(buffer, sizeof buffer, format.c_str(), value);
#pragma GCC diagnostic pop
    }

    const char* at_;
    const std::uint64_t* slots_;
    std::size_t left_;
    std::string text_;
};

}  // namespace

void setDefaultLogTarget(std::function<void(const std::vector<LogMessage>&)> deliver) {
    std::lock_guard lock(defaultTarget().mutex);
    defaultTarget().deliver = std::move(deliver);
}

void deliverToDefault(const std::vector<LogMessage>& messages) {
    std::function<void(const std::vector<LogMessage>&)> deliver;
    {
        std::lock_guard lock(defaultTarget().mutex);
        deliver = defaultTarget().deliver;
    }
    if (deliver) return deliver(messages);
    for (const LogMessage& message : messages)
        std::fprintf(stderr, "%s%s\n", nameOf(message.level), message.text.c_str());
}

LogBuffer::LogBuffer(LogLevel least, std::size_t bytes)
    : memory_((sizeof(metal_log) + bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t)) {
    log()->capacity = bytes;
    log()->least_level = static_cast<std::uint32_t>(least);
}

void LogBuffer::collect(std::vector<LogMessage>& messages) {
    metal_log& log = *this->log();
    const std::uint64_t end = std::min(log.used, log.capacity);
    for (std::uint64_t at = 0; at + sizeof(metal_log_record) <= end;) {
        const auto& record = *reinterpret_cast<const metal_log_record*>(log.bytes + at);
        if (record.size < sizeof(metal_log_record) || at + record.size > end) break;
        at += record.size;
        if (!record.format) continue;
        messages.push_back({static_cast<LogLevel>(record.level), record.subsystem ? record.subsystem : "",
                            record.category ? record.category : "", formatMessage(record)});
    }
    if (log.lost != 0) {
        messages.push_back({LogLevel::error, "", "",
                            std::to_string(log.lost) + " more messages found no room in a log of " +
                                std::to_string(log.capacity) + " bytes"});
    }
    std::memset(log.bytes, 0, end);
    log.used = log.lost = 0;
}

std::string formatMessage(const metal_log_record& record) {
    return Formatter(record).run();
}

}  // namespace metal_executor
