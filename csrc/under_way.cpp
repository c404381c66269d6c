// SPDX-License-Identifier: MIT

#include "under_way.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <vector>

#include "completion.hpp"
#include "portable.hpp"

namespace mtlpy {

namespace {

/// How long all of them together may take to end before Python goes on.
constexpr std::chrono::milliseconds stopTime{300};

struct All {
    const pid_t process = getpid();
    std::mutex mutex;
    std::uint64_t next = 0;
    std::map<const UnderWay*, std::pair<std::uint64_t, std::shared_ptr<UnderWay>>> items;  // with its place in time
};

/// Never destroyed: Metal's threads outlive the interpreter. The child of a fork has begun nothing yet, and the lock
/// of the parent's may be held by a thread that the child does not have.
All& all() {
    static std::atomic<All*> made = new All;
    All* present = made.load();
    if (present->process == getpid()) return *present;
    auto* own = new All;
    if (made.compare_exchange_strong(present, own)) return *own;
    delete own;  // another thread of the child was first
    return *present;
}

}  // namespace

std::shared_ptr<UnderWay> UnderWay::begin(MTL::CommandBuffer* commandBuffer) {
    auto item = std::make_shared<UnderWay>(commandBuffer);
    All& begun = all();
    const std::lock_guard lock(begun.mutex);
    begun.items[item.get()] = {begun.next++, item};
    return item;
}

void UnderWay::end() {
    std::shared_ptr<UnderWay> last;  // let go of after the lock
    All& begun = all();
    const std::lock_guard lock(begun.mutex);
    const auto found = begun.items.find(this);
    if (found == begun.items.end()) return;
    last = std::move(found->second.second);
    begun.items.erase(found);
}

void UnderWay::stopAll() {
    std::map<std::uint64_t, std::shared_ptr<UnderWay>> alone;  // in the order of their commits
    {
        All& begun = all();
        const std::lock_guard lock(begun.mutex);
        for (const auto& [_, item] : begun.items)
            if (item.second->waiting_.load() == 0) alone.insert(item);
    }
    {
        const ReleasedGil release;
        // Those behind are told first: they must not begin when those in front make way.
        for (auto item = alone.rbegin(); item != alone.rend(); ++item)
            portable::stop(item->second->commandBuffer_.get(), 0);
        const auto end = std::chrono::steady_clock::now() + stopTime;
        for (const auto& [_, item] : alone) {
            const std::chrono::duration<double> left = end - std::chrono::steady_clock::now();
            portable::stop(item->commandBuffer_.get(), std::max(left.count(), 0.0));
        }
        alone.clear();
        PythonGate::hold();
    }
}

}  // namespace mtlpy
