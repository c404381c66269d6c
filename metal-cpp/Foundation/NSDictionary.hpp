// SPDX-License-Identifier: MIT

#pragma once

#include "NSEnumerator.hpp"
#include "NSObject.hpp"
#include "NSTypes.hpp"

namespace NS {

/// Objects by key, in the order given; keeps both alive. Keys compare by isEqual(). Never changes.
class Dictionary : public NS::Copying<Dictionary> {
public:
    static Dictionary* dictionary();
    static Dictionary* dictionary(const Object* pObject, const Object* pKey);
    static Dictionary* dictionary(const Object* const* pObjects, const Object* const* pKeys, UInteger count);

    static Dictionary* alloc();

    Dictionary* init();
    Dictionary* init(const Object* const* pObjects, const Object* const* pKeys, UInteger count);

    template <class _KeyType = Object>
    Enumerator<_KeyType>* keyEnumerator() const {
        return static_cast<Enumerator<_KeyType>*>(static_cast<FastEnumeration*>(newKeyEnumerator()->autorelease()));
    }

    /// Null when there is no such key. Not owned by the caller.
    template <class _Object = Object>
    _Object* object(const Object* pKey) const {
        return static_cast<_Object*>(objectForKey(pKey));
    }

    UInteger count() const;

private:
    Object* objectForKey(const Object* pKey) const;
    FastEnumeration* newKeyEnumerator() const;
};

}  // namespace NS
