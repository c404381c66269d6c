// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>

#include "NSObjCRuntime.hpp"
#include "NSObject.hpp"
#include "NSRange.hpp"
#include "NSTypes.hpp"

namespace NS {

enum StringEncoding : NS::UInteger {
    ASCIIStringEncoding = 1,
    NEXTSTEPStringEncoding = 2,
    JapaneseEUCStringEncoding = 3,
    UTF8StringEncoding = 4,
    ISOLatin1StringEncoding = 5,
    SymbolStringEncoding = 6,
    NonLossyASCIIStringEncoding = 7,
    ShiftJISStringEncoding = 8,
    ISOLatin2StringEncoding = 9,
    UnicodeStringEncoding = 10,
    WindowsCP1251StringEncoding = 11,
    WindowsCP1252StringEncoding = 12,
    WindowsCP1253StringEncoding = 13,
    WindowsCP1254StringEncoding = 14,
    WindowsCP1250StringEncoding = 15,
    ISO2022JPStringEncoding = 21,
    MacOSRomanStringEncoding = 30,
    UTF16StringEncoding = UnicodeStringEncoding,
    UTF16BigEndianStringEncoding = 0x90000100,
    UTF16LittleEndianStringEncoding = 0x94000100,
    UTF32StringEncoding = 0x8c000100,
    UTF32BigEndianStringEncoding = 0x98000100,
    UTF32LittleEndianStringEncoding = 0x9c000100,
};

using StringCompareOptions = NS::UInteger;
enum : StringCompareOptions {
    CaseInsensitiveSearch = 1,
    LiteralSearch = 2,
    BackwardsSearch = 4,
    AnchoredSearch = 8,
    NumericSearch = 64,
    DiacriticInsensitiveSearch = 128,
    WidthInsensitiveSearch = 256,
    ForcedOrderingSearch = 512,
    RegularExpressionSearch = 1024,
};

using unichar = unsigned short;

/// Text. Never changes. Indices and lengths count UTF-16 units, as Apple's do; the text is kept as UTF-8.
/// Encodings understood: ASCII, UTF-8 and ISO Latin 1. Others give null.
class String : public Copying<String> {
public:
    static String* string();
    static String* string(const String* pString);
    /// Null when the bytes are not valid in `encoding`.
    static String* string(const char* pString, StringEncoding encoding);

    static String* alloc();
    String* init();
    String* init(const String* pString);
    /// Null, and the object is released, when the bytes are not valid in `encoding`.
    String* init(const char* pString, StringEncoding encoding);
    /// As above, of `len` bytes; `freeBuffer` passes them to free().
    String* init(void* pBytes, UInteger len, StringEncoding encoding, bool freeBuffer);

    /// Zero when `index` is not below length(), where Apple's throws.
    unichar character(UInteger index) const;
    UInteger length() const;

    /// Null when the text cannot be written in `encoding` without loss. Valid as long as the thread's AutoreleasePool.
    const char* cString(StringEncoding encoding) const;
    /// Valid as long as the object.
    const char* utf8String() const;
    UInteger maximumLengthOfBytes(StringEncoding encoding) const;
    /// Zero when the text cannot be written in `encoding` without loss.
    UInteger lengthOfBytes(StringEncoding encoding) const;

    bool isEqualToString(const String* pString) const;
    /// Location NotFound when it is not there. Options understood: case-insensitive (ASCII letters), literal,
    /// backwards, anchored.
    Range rangeOfString(const String* pString, StringCompareOptions options) const;

    const char* fileSystemRepresentation() const;

    String* stringByAppendingString(const String* pString) const;
    /// ASCII letters compare without case, all else by UTF-8 bytes.
    ComparisonResult caseInsensitiveCompare(const String* pString) const;
};

/// The string of a literal: one object for equal texts, which is never freed.
String* constantString(const char* text);

template <std::size_t _StringLen>
[[deprecated("please use MTLSTR(str)")]] const String* MakeConstantString(const char (&str)[_StringLen]) {
    return constantString(str);
}

}  // namespace NS

/// An NS::String* of a literal that needs no release.
#define MTLSTR(literal) NS::constantString("" literal "")
