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
#include "frontend/library_names.hpp"
#include "frontend/session.hpp"
#include "service/channel.hpp"
#include "service/child.hpp"
#include "service/practice.hpp"
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
    int reading() const { return ends_[0]; }
    std::optional<Mode> next() const {
        unsigned char wish = 0;
        if (::read(ends_[0], &wish, 1) != 1) return std::nullopt;
        return modeOf(wish);
    }

private:
    int ends_[2];
};

// The child that takes the next request: forked before there is one, so that nobody waits for that. Its end of a pair
// of sockets closes when it has taken a request, or died; ours, when it is to go because another knows more.
class NextChild {
public:
    NextChild() = default;
    NextChild(const NextChild&) = delete;
    NextChild& operator=(const NextChild&) = delete;
    ~NextChild() { dismiss(); }

    void fork(int requests, const Prepared& prepared) {
        int ends[2];
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
        const pid_t child = ::fork();
        if (child == 0) {
            ::close(ends[0]);
            takeRequest(requests, ends[1], prepared);
        }
        ::close(ends[1]);
        if (child < 0) ::close(ends[0]);
        watched_ = child < 0 ? -1 : ends[0];
    }
    void dismiss() {
        if (watched_ >= 0) ::close(watched_);
        watched_ = -1;
    }
    int watched() const { return watched_; }

private:
    [[noreturn]] static void takeRequest(int requests, int parent, const Prepared& prepared) {
        signal(SIGCHLD, SIG_DFL);
        pollfd both[] = {{requests, POLLIN, 0}, {parent, POLLIN, 0}};
        while (::poll(both, 2, -1) < 0) {
            if (errno != EINTR) ::_exit(1);
        }
        if (both[0].revents == 0) ::_exit(0);
        const int socket = receiveDescriptor(requests);
        ::close(parent);
        ::close(requests);
        if (socket < 0) ::_exit(0);
        serveRequest(socket, prepared);
    }

    int watched_ = -1;
};

bool isRequestThere(int requests) {
    pollfd waiting{requests, POLLIN, 0};
    return ::poll(&waiting, 1, 0) != 0;
}

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
    takeLibraryNamesFrom(session);
    signal(SIGCHLD, SIG_IGN);  // the system reaps the children by itself
    const Wishes wishes;
    prepared.wishes = wishes.writing();
    NextChild child;
    for (bool isRehearsed = false;;) {
        if (child.watched() < 0) child.fork(descriptor, prepared);
        if (!isRehearsed && !isRequestThere(descriptor)) {
            rehearse(*target, prepared.description);
            session.practise(practice);
            isRehearsed = true;
            child.dismiss();
            continue;
        }
        if (child.watched() < 0) {
            const int socket = receiveDescriptor(descriptor);
            if (socket < 0) return 0;
            ::close(socket);  // the device sees its end
            continue;
        }
        pollfd watched[] = {{child.watched(), POLLIN, 0}, {wishes.reading(), POLLIN, 0}, {descriptor, 0, 0}};
        if (::poll(watched, 3, -1) < 0) continue;
        if (watched[0].revents != 0) {
            child.dismiss();
        } else if (watched[1].revents != 0) {
            const auto wish = wishes.next();
            if (!wish || prepared.sessionFor(*wish) != nullptr) continue;
            prepared.others.emplace_back(*wish, std::make_unique<Session>(*wish, prepared.description, true));
            prepared.others.back().second->practise(practice);
            child.dismiss();
        } else if (watched[2].revents != 0) {
            return 0;
        }
    }
}

}  // namespace metal_compiler
