// SPDX-License-Identifier: MIT

#include "runtime.hpp"

#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace metal_objects {

namespace {

/// Objects autoreleased on this thread, with the places where its pools begin.
class ThreadPools {
public:
    ~ThreadPools() {
        drainTo(0);
        ended_ = true;
    }

    void add(const NS::RuntimeObject* object) { objects_.push_back(object); }

    std::size_t begin() {
        marks_.push_back(objects_.size());
        return marks_.size();
    }

    /// Ends pool number `depth` and those begun after it; already ended pools stay ended.
    void end(std::size_t depth) {
        while (marks_.size() >= depth && depth > 0) {
            drainTo(marks_.back());
            marks_.pop_back();
        }
    }

    void show() const {
        std::fprintf(stderr, "autorelease pools of this thread: %zu, objects: %zu\n", marks_.size(), objects_.size());
    }

    static ThreadPools* current() {
        thread_local ThreadPools pools;
        return ended_ ? nullptr : &pools;
    }

private:
    /// The end of an object may autorelease others, so look again each time.
    void drainTo(std::size_t size) {
        while (objects_.size() > size) {
            const NS::RuntimeObject* object = objects_.back();
            objects_.pop_back();
            NS::RuntimeAccess::release(object);
        }
    }

    std::vector<const NS::RuntimeObject*> objects_;
    std::vector<std::size_t> marks_;
    // Objects that outlive the thread's pools (owned by globals) may still autorelease: those references stay.
    static thread_local bool ended_;
};

thread_local bool ThreadPools::ended_ = false;

class PoolObject final : public Implements<NS::AutoreleasePool> {
public:
    ~PoolObject() override { end(); }

    void begin() {
        if (ThreadPools* pools = ThreadPools::current()) depth_ = pools->begin();
    }
    void end() {
        if (ThreadPools* pools = ThreadPools::current(); pools != nullptr && depth_ != 0) pools->end(depth_);
        depth_ = 0;
    }

private:
    std::size_t depth_ = 0;
};

}  // namespace

NS::String* describeByName(const char* typeName, const void* address) {
    int status = 0;
    std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(typeName, nullptr, nullptr, &status), std::free);
    char text[256];
    std::snprintf(text, sizeof text, "<%s: %p>", name ? name.get() : typeName, address);
    return autoreleasedString(text);
}

}  // namespace metal_objects

using metal_objects::as;
using metal_objects::PoolObject;
using metal_objects::ThreadPools;

namespace NS {

void RuntimeAccess::retain(const RuntimeObject* object) {
    if (object != nullptr) object->addReference();
}

void RuntimeAccess::release(const RuntimeObject* object) {
    if (object != nullptr) object->dropReference();
}

void RuntimeAccess::autorelease(const RuntimeObject* object) {
    if (object == nullptr) return;
    if (ThreadPools* pools = ThreadPools::current()) pools->add(object);
}

UInteger RuntimeAccess::retainCount(const RuntimeObject* object) {
    return object != nullptr ? object->references() : 0;
}

Object* RuntimeAccess::copy(const RuntimeObject* object) {
    return object != nullptr ? object->duplicate() : nullptr;
}

UInteger RuntimeAccess::hash(const RuntimeObject* object) {
    return object != nullptr ? object->hashValue() : 0;
}

bool RuntimeAccess::isEqual(const RuntimeObject* object, const Object* other) {
    return object != nullptr && other != nullptr && object->equals(other);
}

String* RuntimeAccess::description(const RuntimeObject* object) {
    return object != nullptr ? object->describe() : nullptr;
}

AutoreleasePool* AutoreleasePool::alloc() {
    return new PoolObject;
}

AutoreleasePool* AutoreleasePool::init() {
    as<PoolObject>(this)->begin();
    return this;
}

void AutoreleasePool::drain() {
    release();
}

void AutoreleasePool::addObject(Object* pObject) {
    pObject->autorelease();
}

void AutoreleasePool::showPools() {
    if (ThreadPools* pools = ThreadPools::current()) pools->show();
}

}  // namespace NS
