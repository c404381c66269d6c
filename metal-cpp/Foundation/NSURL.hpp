// SPDX-License-Identifier: MIT

#pragma once

#include "NSObject.hpp"
#include "NSTypes.hpp"

namespace NS {

/// Where something is. Only file URLs have a use here.
class URL : public Copying<URL> {
public:
    static URL* fileURLWithPath(const class String* pPath);

    static URL* alloc();
    URL* init();
    /// Null, and the object is released, when the text is not a URL.
    URL* init(const class String* pString);
    URL* initFileURLWithPath(const class String* pPath);

    /// The path as the operating system takes it; null for other than file URLs. Valid as long as the object.
    const char* fileSystemRepresentation() const;
};

}  // namespace NS
