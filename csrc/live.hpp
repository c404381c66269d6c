// SPDX-License-Identifier: MIT
//
// Which of Metal's objects Python holds, and where in the program each was made: so that a leak can be found.

#pragma once

#include <nanobind/nanobind.h>

namespace MTL {
class BinaryArchive;
class Buffer;
class CommandQueue;
class Event;
class Fence;
class Heap;
class IndirectCommandBuffer;
class SamplerState;
class SharedEvent;
class Texture;
}  // namespace MTL

namespace mtlpy::live {

namespace nb = nanobind;

/// Whether objects of this class are listed; descriptors and the like are not worth it.
template <class T>
inline constexpr bool isListed = false;
template <>
inline constexpr bool isListed<MTL::BinaryArchive> = true;
template <>
inline constexpr bool isListed<MTL::Buffer> = true;
template <>
inline constexpr bool isListed<MTL::CommandQueue> = true;
template <>
inline constexpr bool isListed<MTL::Event> = true;
template <>
inline constexpr bool isListed<MTL::Fence> = true;
template <>
inline constexpr bool isListed<MTL::Heap> = true;
template <>
inline constexpr bool isListed<MTL::IndirectCommandBuffer> = true;
template <>
inline constexpr bool isListed<MTL::SamplerState> = true;
template <>
inline constexpr bool isListed<MTL::SharedEvent> = true;
template <>
inline constexpr bool isListed<MTL::Texture> = true;

/// Gives Python's object of what was noted, a new reference; invalid when there is none (any more).
using Find = nb::object (*)(const void* object);

template <class T>
nb::object find(const void* object) {
    return nb::find(*static_cast<const T*>(object));
}

/// With the GIL held: from now until `forget`, `object` is listed with the place in the user's program that this thread
/// is at.
void note(const void* object, Find find);
void forget(const void* object) noexcept;

/// Of an object of ours, while it lives.
class Noted {
public:
    template <class T>
    explicit Noted(const T* object) : object_(object) {
        note(object, &find<T>);
    }
    ~Noted() { forget(object_); }
    Noted(const Noted&) = delete;
    Noted& operator=(const Noted&) = delete;

private:
    const void* const object_;
};

void bind(nb::module_& module);

}  // namespace mtlpy::live
