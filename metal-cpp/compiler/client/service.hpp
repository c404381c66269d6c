// SPDX-License-Identifier: MIT
//
// The running `metal-compiler`: started when needed, again when it died, and talked to as protocol.hpp says.

#pragma once

#include <sys/types.h>

#include <functional>
#include <mutex>
#include <set>
#include <string>

#include "client.hpp"

namespace metal_compiler_client {

class Service {
public:
    /// `mutex` guards this object's state and is taken by its functions; shared with the owner's so that a fork finds
    /// both at rest.
    Service(std::string program, std::mutex& mutex);
    Service(const Service&) = delete;
    Service& operator=(const Service&) = delete;
    ~Service();

    /// Starts the program unless it runs. Empty, or why it cannot be started.
    std::string start();

    struct Exchange {
        Outcome outcome = Outcome::failed;
        wire::Bytes reply;
        std::string error;
    };
    /// Sends one Request frame and waits for the Reply frame. `name` says what is compiled, for messages.
    Exchange exchange(const wire::Bytes& request, const std::string& name, const std::function<bool()>& interrupted);

    const std::string& program() const { return program_; }
    pid_t process() const;

    /// In the child of a fork, with the mutex held: the parent's compiler isn't this process's.
    void forget();

private:
    std::string startLocked();
    std::string endLocked();  // says how the program ended
    /// Empty, or what went wrong. `ours` becomes this side's end of the connection.
    std::string connect(int& ours, const std::function<bool()>& interrupted, bool& wasInterrupted);
    void disconnect(int connection);
    std::string howItEnded(int milliseconds);

    const std::string program_;
    std::mutex& mutex_;
    pid_t process_ = 0;
    int control_ = -1;
    std::set<int> connections_;
};

}  // namespace metal_compiler_client
