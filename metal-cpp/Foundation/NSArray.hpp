// SPDX-License-Identifier: MIT

#pragma once

#include "NSEnumerator.hpp"
#include "NSObject.hpp"
#include "NSTypes.hpp"

namespace NS {

/// Objects in order; keeps them alive. Never changes.
class Array : public Copying<Array> {
public:
    static Array* array();
    static Array* array(const Object* pObject);
    static Array* array(const Object* const* pObjects, UInteger count);

    static Array* alloc();
    Array* init();
    Array* init(const Object* const* pObjects, UInteger count);

    /// Not owned by the caller. Null when `index` is not below count(), where Apple's throws.
    template <class _Object = Object>
    _Object* object(UInteger index) const {
        return static_cast<_Object*>(objectAtIndex(index));
    }
    UInteger count() const;
    Enumerator<Object>* objectEnumerator() const;

private:
    Object* objectAtIndex(UInteger index) const;
};

}  // namespace NS
