// SPDX-License-Identifier: MIT
#include "service/service.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>

#include "frontend/library.hpp"
#include "frontend/session.hpp"
#include "service/channel.hpp"
#include "service/child.hpp"
#include "service/rehearsal.hpp"

namespace metal_compiler {
namespace {

// The device's process may have had handlers, blocked signals and open files; none of that is ours.
void standAlone(int descriptor) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
    signal(SIGINT, SIG_IGN);  // Ctrl-C in a terminal reaches the whole group; the device decides what ends
    signal(SIGPIPE, SIG_IGN);
    const auto closeRange = [](unsigned first, unsigned last) {
        if (first <= last) ::syscall(SYS_close_range, first, last, 0);
    };
    if (descriptor > 3) closeRange(3, static_cast<unsigned>(descriptor) - 1);
    closeRange(static_cast<unsigned>(descriptor) + 1, ~0u);
    // Nothing a library prints belongs in the device's output, but what a developer asks for does.
    const bool isWatched = std::getenv("MTLPY_TIME_STAGES") != nullptr || std::getenv("MTLPY_PRINT_IR") != nullptr;
    const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int standard : {0, 1, 2}) {
        if (standard == 2 && isWatched) continue;
        if (null >= 0 && standard != descriptor) ::dup2(null, standard);
    }
}

// Modes that a child had to start from nothing for; the next request in such a mode finds its headers parsed.
class Wishes {
public:
    Wishes() {
        if (::pipe2(ends_, O_CLOEXEC | O_NONBLOCK) != 0) ends_[0] = ends_[1] = -1;
    }
    Wishes(const Wishes&) = delete;
    Wishes& operator=(const Wishes&) = delete;

    int writing() const { return ends_[1]; }

    /// Waits for either; a mode, or nothing when there is a request. Requests come first.
    std::optional<Mode> orRequest(int requests) const {
        pollfd both[] = {{requests, POLLIN, 0}, {ends_[0], POLLIN, 0}};
        for (;;) {
            if (::poll(both, 2, -1) < 0 && errno != EINTR) return std::nullopt;
            if (both[0].revents != 0) return std::nullopt;
            unsigned char wish = 0;
            if (both[1].revents != 0 && ::read(ends_[0], &wish, 1) == 1) return modeOf(wish);
        }
    }

    static bool isRequestThere(int requests) {
        pollfd waiting{requests, POLLIN, 0};
        return ::poll(&waiting, 1, 0) != 0;
    }

private:
    int ends_[2];
};

}  // namespace

int serve(int descriptor) {
    if (::fcntl(descriptor, F_GETFD) < 0) {
        std::fprintf(stderr, "metal-compiler: --serve %d: not an open descriptor\n", descriptor);
        return 2;
    }
    standAlone(descriptor);
    ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    initialiseFrontend();
    const std::unique_ptr<Target> target = makeHostTarget();
    Prepared prepared{target.get(), describe(*target), nullptr, {}, -1};
    Session session(Mode{}, prepared.description, /*withStandardHeaders=*/true);
    prepared.session = &session;
    signal(SIGCHLD, SIG_IGN);  // the system reaps the children by itself
    const Wishes wishes;
    prepared.wishes = wishes.writing();
    bool isRehearsed = false;
    for (;;) {
        if (!isRehearsed && !Wishes::isRequestThere(descriptor)) {
            rehearse(*target, prepared.description);
            isRehearsed = true;
        }
        if (const auto wish = wishes.orRequest(descriptor)) {
            if (prepared.sessionFor(*wish) == nullptr)
                prepared.others.emplace_back(*wish, std::make_unique<Session>(*wish, prepared.description, true));
            continue;
        }
        const int socket = receiveDescriptor(descriptor);
        if (socket < 0) return 0;
        const pid_t child = ::fork();
        if (child == 0) {
            ::close(descriptor);
            signal(SIGCHLD, SIG_DFL);
            serveRequest(socket, prepared);
        }
        ::close(socket);  // after a failed fork too: the device sees its end
    }
}

}  // namespace metal_compiler
