// SPDX-License-Identifier: MIT

#include "service.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

extern char** environ;

namespace metal_compiler_client {
namespace {

constexpr int sliceMilliseconds = 50;  // between two looks at RequestOptions::interrupted
constexpr int childDescriptor = 3;     // of the control socket in the compiler
constexpr std::size_t pieceBytes = 1 << 20;

std::string errorText(int code) {
    return std::strerror(code);
}

enum class Ready : std::uint8_t {
    yes,
    interrupted,
    broken,  // the other side ended
    unread,  // it ended without reading what was sent, so nobody began to work on it
};

// Waits until `descriptor` can be read or written.
Ready waitFor(int descriptor, short events, const std::function<bool()>& interrupted) {
    for (;;) {
        pollfd watched{descriptor, events, 0};
        const int count = poll(&watched, 1, interrupted ? sliceMilliseconds : -1);
        if (count > 0) return Ready::yes;
        if (count < 0 && errno != EINTR) return Ready::broken;
        if (interrupted && interrupted()) return Ready::interrupted;
    }
}

Ready sendAll(int descriptor, const std::uint8_t* data, std::size_t size, const std::function<bool()>& interrupted) {
    while (size > 0) {
        const ssize_t sent = send(descriptor, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent >= 0) {
            data += sent;
            size -= static_cast<std::size_t>(sent);
            continue;
        }
        if (errno == EINTR) continue;
        if (errno != EAGAIN && errno != EWOULDBLOCK) return Ready::broken;
        if (const Ready ready = waitFor(descriptor, POLLOUT, interrupted); ready != Ready::yes) return ready;
    }
    return Ready::yes;
}

Ready receiveAll(int descriptor, std::uint8_t* data, std::size_t size, const std::function<bool()>& interrupted) {
    while (size > 0) {
        const ssize_t got = recv(descriptor, data, size, MSG_DONTWAIT);
        if (got > 0) {
            data += got;
            size -= static_cast<std::size_t>(got);
            continue;
        }
        if (got == 0) return Ready::broken;
        if (errno == EINTR) continue;
        if (errno == ECONNRESET) return Ready::unread;
        if (errno != EAGAIN && errno != EWOULDBLOCK) return Ready::broken;
        if (const Ready ready = waitFor(descriptor, POLLIN, interrupted); ready != Ready::yes) return ready;
    }
    return Ready::yes;
}

Ready sendFrame(int descriptor, const wire::Bytes& bytes, const std::function<bool()>& interrupted) {
    const std::uint64_t size = bytes.size();
    const auto* header = reinterpret_cast<const std::uint8_t*>(&size);
    if (const Ready ready = sendAll(descriptor, header, sizeof size, interrupted); ready != Ready::yes) return ready;
    return sendAll(descriptor, bytes.data(), bytes.size(), interrupted);
}

// Grows with what arrives, whatever length a dying child may have announced.
Ready receiveFrame(int descriptor, wire::Bytes& bytes, const std::function<bool()>& interrupted) {
    std::uint64_t size = 0;
    auto* header = reinterpret_cast<std::uint8_t*>(&size);
    if (const Ready ready = receiveAll(descriptor, header, sizeof size, interrupted); ready != Ready::yes) return ready;
    while (bytes.size() < size) {
        const std::size_t done = bytes.size();
        bytes.resize(done + std::min<std::uint64_t>(pieceBytes, size - done));
        const Ready ready = receiveAll(descriptor, bytes.data() + done, bytes.size() - done, interrupted);
        if (ready != Ready::yes) return ready;
    }
    return Ready::yes;
}

// One byte with a descriptor. 0, or the error.
int sendDescriptor(int control, int descriptor) {
    char byte = 0;
    iovec data{&byte, 1};
    alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = space;
    message.msg_controllen = sizeof space;
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    ssize_t sent = 0;
    do {
        sent = sendmsg(control, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (sent < 0 && errno == EINTR);
    return sent == 1 ? 0 : errno;
}

// Runs `program --serve 3` with `control` as its descriptor 3 and nothing else of this process's: no other descriptors,
// no signal mask, and a process group of its own, so that Ctrl-C in the terminal is not for it. 0, or the error.
int spawn(const std::string& program, int control, pid_t& process) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, control, childDescriptor);
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 34)
    posix_spawn_file_actions_addclosefrom_np(&actions, childDescriptor + 1);
#endif
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    std::string name = program, option = "--serve", number = std::to_string(childDescriptor);
    char* const arguments[] = {name.data(), option.data(), number.data(), nullptr};
    const int error = posix_spawn(&process, program.c_str(), &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}

void closeAndForget(int& descriptor) {
    if (descriptor >= 0) close(descriptor);
    descriptor = -1;
}

}  // namespace

Service::Service(std::string program, std::mutex& mutex) : program_(std::move(program)), mutex_(mutex) {}

Service::~Service() {
    std::lock_guard lock(mutex_);
    endLocked();
}

pid_t Service::process() const {
    std::lock_guard lock(mutex_);
    return process_;
}

void Service::forget() {
    closeAndForget(control_);
    process_ = 0;
    for (const int connection : connections_) close(connection);
    connections_.clear();
}

std::string Service::start() {
    std::lock_guard lock(mutex_);
    return startLocked();
}

std::string Service::startLocked() {
    if (control_ >= 0) return {};
    if (program_.empty()) {
        return "metal-compiler was not found, neither beside this library nor in PATH; MTLPY_COMPILER can name it";
    }
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        return "cannot make a socket pair for the compiler: " + errorText(errno);
    }
    const int error = spawn(program_, ends[1], process_);
    close(ends[1]);
    if (error != 0) {
        close(ends[0]);
        process_ = 0;
        return "cannot run the compiler " + program_ + ": " + errorText(error);
    }
    control_ = ends[0];
    return {};
}

// The compiler ends when its socket does; it is waited for so that no zombie stays, and not for long.
std::string Service::endLocked() {
    closeAndForget(control_);
    const pid_t process = std::exchange(process_, 0);
    if (process == 0) return {};
    int status = 0;
    pid_t ended = 0;
    for (int tries = 0; tries < 100 && (ended = waitpid(process, &status, WNOHANG)) == 0; ++tries) {
        std::this_thread::sleep_for(std::chrono::milliseconds(tries < 10 ? 1 : 10));
    }
    if (ended == 0) {
        kill(process, SIGKILL);
        ended = waitpid(process, &status, 0);
    }
    if (ended != process) return " (unknown status)";  // the program waits for all its children itself
    if (WIFSIGNALED(status)) return " (signal " + std::to_string(WTERMSIG(status)) + ")";
    return " (exit status " + std::to_string(WEXITSTATUS(status)) + ")";
}

std::string Service::connect(int& ours, const std::function<bool()>& interrupted, bool& wasInterrupted) {
    for (int restarts = 0; restarts < 2;) {
        std::unique_lock lock(mutex_);
        if (std::string problem = startLocked(); !problem.empty()) return problem;
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
            return "cannot make a socket pair for a request: " + errorText(errno);
        }
        const int error = sendDescriptor(control_, ends[1]);
        close(ends[1]);
        if (error == 0) {
            ours = ends[0];
            connections_.insert(ours);
            return {};
        }
        close(ends[0]);
        if (error == EAGAIN || error == EWOULDBLOCK || error == ETOOMANYREFS) {  // it has more requests than it takes
            lock.unlock();
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            if (interrupted && interrupted()) {
                wasInterrupted = true;
                return {};
            }
            continue;
        }
        endLocked();  // it died since the last request
        ++restarts;
    }
    return "the compiler " + program_ + " ends as soon as it is started";
}

void Service::disconnect(int connection) {
    std::lock_guard lock(mutex_);
    connections_.erase(connection);
    close(connection);
}

// Whether the service itself ended, and how; empty while it runs. A dying one closes its socket first, so that is
// looked for up to `milliseconds`.
std::string Service::howItEnded(int milliseconds) {
    std::lock_guard lock(mutex_);
    pollfd watched{control_, 0, 0};
    if (process_ == 0 || control_ < 0 || poll(&watched, 1, milliseconds) <= 0) return {};
    return endLocked();
}

Service::Exchange Service::exchange(const wire::Bytes& request, const std::string& name,
                                    const std::function<bool()>& interrupted) {
    Exchange result;
    for (bool isFirst = true;; isFirst = false) {
        int connection = -1;
        bool wasInterrupted = false;
        result.error = connect(connection, interrupted, wasInterrupted);
        if (wasInterrupted) result.outcome = Outcome::interrupted;
        if (connection < 0) return result;
        Ready ready = sendFrame(connection, request, interrupted);
        // The child may have answered without reading everything, and ended.
        if (ready != Ready::interrupted) ready = receiveFrame(connection, result.reply, interrupted);
        disconnect(connection);  // ends the child if it is still at it
        if (ready == Ready::unread && isFirst) {
            howItEnded(100);  // it was dying when the request was sent; a new one gets it
            continue;
        }
        if (ready == Ready::yes) {
            result.outcome = Outcome::answered;
        } else if (ready == Ready::interrupted) {
            result.outcome = Outcome::interrupted;
        } else {
            result.error = "the compiler ended unexpectedly while compiling " + name + howItEnded(0);
        }
        return result;
    }
}

}  // namespace metal_compiler_client
