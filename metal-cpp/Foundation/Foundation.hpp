// SPDX-License-Identifier: MIT

#pragma once

// The part of Apple's Foundation that Metal's C++ interface needs: reference-counted objects, strings, collections,
// numbers, errors.

#include "NSArray.hpp"
#include "NSAutoreleasePool.hpp"
#include "NSData.hpp"
#include "NSDate.hpp"
#include "NSDefines.hpp"
#include "NSDictionary.hpp"
#include "NSEnumerator.hpp"
#include "NSError.hpp"
#include "NSNumber.hpp"
#include "NSObjCRuntime.hpp"
#include "NSObject.hpp"
#include "NSRange.hpp"
#include "NSSet.hpp"
#include "NSSharedPtr.hpp"
#include "NSString.hpp"
#include "NSTypes.hpp"
#include "NSURL.hpp"
