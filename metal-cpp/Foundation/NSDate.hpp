// SPDX-License-Identifier: MIT

#pragma once

#include "NSObject.hpp"
#include "NSTypes.hpp"

namespace NS {

/// A moment.
class Date : public Copying<Date> {
public:
    static Date* dateWithTimeIntervalSinceNow(TimeInterval secs);
};

}  // namespace NS
