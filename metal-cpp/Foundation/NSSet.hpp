// SPDX-License-Identifier: MIT

#pragma once

#include "NSEnumerator.hpp"
#include "NSObject.hpp"

namespace NS {

/// Objects without order, no two of them equal. Never changes.
class Set : public NS::Copying<Set> {
public:
    UInteger count() const;
    Enumerator<Object>* objectEnumerator() const;

    static Set* alloc();
    Set* init();
    Set* init(const Object* const* pObjects, UInteger count);
};

}  // namespace NS
