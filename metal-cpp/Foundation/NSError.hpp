// SPDX-License-Identifier: MIT

#pragma once

#include "NSObject.hpp"
#include "NSTypes.hpp"

namespace NS {

using ErrorDomain = class String*;

extern const ErrorDomain CocoaErrorDomain;
extern const ErrorDomain POSIXErrorDomain;
extern const ErrorDomain OSStatusErrorDomain;
extern const ErrorDomain MachErrorDomain;

using ErrorUserInfoKey = class String*;

extern const ErrorUserInfoKey UnderlyingErrorKey;
extern const ErrorUserInfoKey LocalizedDescriptionKey;
extern const ErrorUserInfoKey LocalizedFailureReasonErrorKey;
extern const ErrorUserInfoKey LocalizedRecoverySuggestionErrorKey;
extern const ErrorUserInfoKey LocalizedRecoveryOptionsErrorKey;
extern const ErrorUserInfoKey RecoveryAttempterErrorKey;
extern const ErrorUserInfoKey HelpAnchorErrorKey;
extern const ErrorUserInfoKey DebugDescriptionErrorKey;
extern const ErrorUserInfoKey LocalizedFailureErrorKey;
extern const ErrorUserInfoKey StringEncodingErrorKey;
extern const ErrorUserInfoKey URLErrorKey;
extern const ErrorUserInfoKey FilePathErrorKey;

/// What went wrong: a domain, a code of that domain, and texts under the keys above.
class Error : public Copying<Error> {
public:
    static Error* error(ErrorDomain domain, Integer code, class Dictionary* pDictionary);

    static Error* alloc();
    Error* init();
    Error* init(ErrorDomain domain, Integer code, class Dictionary* pDictionary);

    Integer code() const;
    ErrorDomain domain() const;
    class Dictionary* userInfo() const;

    /// Never null: made from domain and code where userInfo() has no text.
    class String* localizedDescription() const;
    class Array* localizedRecoveryOptions() const;
    class String* localizedRecoverySuggestion() const;
    class String* localizedFailureReason() const;
};

}  // namespace NS
