// SPDX-License-Identifier: MIT

#pragma once

#include "NSObject.hpp"

namespace NS {

struct FastEnumerationState {
    unsigned long state;
    Object** itemsPtr;
    unsigned long* mutationsPtr;
    unsigned long extra[5];
};

class FastEnumeration : public Referencing<FastEnumeration> {
public:
    /// Copies up to `len` objects to `pBuffer` and returns how many; zero at the end. Start with a zeroed state.
    NS::UInteger countByEnumerating(FastEnumerationState* pState, Object** pBuffer, NS::UInteger len);
};

/// The way through an enumerator of objects of any class.
Object* nextObjectOf(FastEnumeration* enumerator);
class Array* allObjectsOf(FastEnumeration* enumerator);

template <class _ObjectType>
class Enumerator : public Referencing<Enumerator<_ObjectType>, FastEnumeration> {
public:
    /// Null at the end. Not owned by the caller.
    _ObjectType* nextObject() { return static_cast<_ObjectType*>(nextObjectOf(this)); }

    /// Those that are left.
    class Array* allObjects() { return allObjectsOf(this); }
};

}  // namespace NS
