// SPDX-License-Identifier: MIT
//
// NS:: objects: reference counts, pools, texts, collections, numbers, errors.

#include <Foundation/Foundation.hpp>
#include <thread>
#include <vector>

#include "check.hpp"

namespace {

void testCountsFollowRetainAndRelease() {
    NS::String* string = NS::String::alloc()->init("a", NS::UTF8StringEncoding);
    CHECK(string->retainCount() == 1);
    CHECK(string->retain() == string);
    CHECK(string->retainCount() == 2);
    string->release();
    CHECK(string->retainCount() == 1);
    CHECK(string->copy() == string);
    CHECK(string->retainCount() == 2);
    string->release();
    string->release();
}

void testCountsAreAtomic() {
    NS::String* string = NS::String::alloc()->init("a", NS::UTF8StringEncoding);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([string] {
            for (int i = 0; i < 100000; ++i) string->retain()->release();
        });
    }
    for (auto& thread : threads) thread.join();
    CHECK(string->retainCount() == 1);
    string->release();
}

void testMessagesToNullDoNothing() {
    NS::String* null = nullptr;
    null->release();
    CHECK(null->retain() == nullptr);
    CHECK(null->autorelease() == nullptr);
    CHECK(null->retainCount() == 0);
}

void testPoolsNest() {
    NS::String* string = NS::String::alloc()->init("a", NS::UTF8StringEncoding);
    auto* outer = NS::AutoreleasePool::alloc()->init();
    string->retain()->autorelease();
    auto* inner = NS::AutoreleasePool::alloc()->init();
    string->retain()->autorelease();
    CHECK(string->retainCount() == 3);
    inner->release();
    CHECK(string->retainCount() == 2);
    outer->drain();
    CHECK(string->retainCount() == 1);
    outer = NS::AutoreleasePool::alloc()->init();
    inner = NS::AutoreleasePool::alloc()->init();
    string->retain()->autorelease();
    outer->release();  // ends the inner one too
    CHECK(string->retainCount() == 1);
    inner->release();
    string->release();
}

void testThreadWithoutPoolReleasesAtItsEnd() {
    NS::String* string = NS::String::alloc()->init("a", NS::UTF8StringEncoding);
    std::thread([string] { string->retain()->autorelease(); }).join();
    CHECK(string->retainCount() == 1);
    string->release();
}

void testSharedPointersOwnOneReference() {
    NS::String* string = NS::String::alloc()->init("a", NS::UTF8StringEncoding);
    {
        auto retained = NS::RetainPtr(string);
        CHECK(string->retainCount() == 2);
        NS::SharedPtr<NS::Object> base = retained;
        CHECK(string->retainCount() == 3);
        NS::SharedPtr<NS::String> moved = std::move(retained);
        CHECK(!retained && moved && moved.get() == string);
        moved = moved;
        CHECK(string->retainCount() == 3);
        base = nullptr;
        CHECK(string->retainCount() == 2);
    }
    CHECK(string->retainCount() == 1);
    auto owner = NS::TransferPtr(string);
    CHECK(string->retainCount() == 1);
    CHECK(owner == NS::RetainPtr(string));
}

void testStringsCountUtf16() {
    const NS::String* string = text("h\xC3\xA9\xF0\x9F\x98\x80!");  // h é 😀 !
    CHECK(string->length() == 5);
    CHECK(string->character(1) == 0xE9);
    CHECK(string->character(2) == 0xD83D && string->character(3) == 0xDE00);
    CHECK(string->character(4) == '!' && string->character(5) == 0);
    CHECK(string->lengthOfBytes(NS::UTF8StringEncoding) == 8);
    CHECK(string->cString(NS::ASCIIStringEncoding) == nullptr);
    const NS::Range range = string->rangeOfString(text("!"), NS::LiteralSearch);
    CHECK(range.location == 4 && range.length == 1);
    CHECK(string->rangeOfString(text("x"), 0).location == static_cast<NS::UInteger>(NS::NotFound));
}

void testStringsCompareAndConvert() {
    CHECK(text("abc")->isEqualToString(text("abc")) && text("abc")->hash() == text("abc")->hash());
    CHECK(!text("abc")->isEqual(NS::Number::number(1)));
    CHECK(text("ABC")->caseInsensitiveCompare(text("abd")) == NS::OrderedAscending);
    CHECK(text("a")->stringByAppendingString(text("b"))->isEqualToString(text("ab")));
    CHECK(NS::String::string("\xE9", NS::ISOLatin1StringEncoding)->isEqualToString(text("\xC3\xA9")));
    CHECK(std::string_view(text("\xC3\xA9")->cString(NS::ISOLatin1StringEncoding)) == "\xE9");
    CHECK(NS::String::string("\xFF", NS::UTF8StringEncoding) == nullptr);
    CHECK(text("one Two")->rangeOfString(text("TWO"), NS::CaseInsensitiveSearch).location == 4);
    CHECK(MTLSTR("literal") == MTLSTR("literal"));
}

void testCollections() {
    const NS::Object* objects[] = {text("a"), NS::Number::number(2), text("c")};
    auto* array = NS::Array::array(objects, 3);
    CHECK(array->count() == 3 && array->object<NS::String>(2)->isEqualToString(text("c")));
    CHECK(array->object(3) == nullptr);
    CHECK(array->isEqual(NS::Array::array(objects, 3)));
    auto* enumerator = array->objectEnumerator();
    CHECK(enumerator->nextObject() == objects[0]);
    CHECK(enumerator->allObjects()->count() == 2 && enumerator->nextObject() == nullptr);

    const NS::Object* keys[] = {text("x"), text("y"), text("x")};
    auto* dictionary = NS::Dictionary::dictionary(objects, keys, 3);
    CHECK(dictionary->count() == 2);
    CHECK(dictionary->object<NS::String>(text("x"))->isEqualToString(text("c")));
    CHECK(dictionary->object(text("z")) == nullptr);
    auto* names = dictionary->keyEnumerator<NS::String>();
    CHECK(names->nextObject()->isEqualToString(text("x")) && names->nextObject()->isEqualToString(text("y")));
    CHECK(names->nextObject() == nullptr);
    auto set = NS::TransferPtr(NS::Set::alloc()->init(keys, 3));
    CHECK(set->count() == 2);
}

void testNumbersConvert() {
    CHECK(NS::Number::number(3.75f)->intValue() == 3);
    CHECK(NS::Number::number(-1)->unsignedLongLongValue() == UINT64_MAX);
    CHECK(NS::Number::number(UINT64_MAX)->doubleValue() == 18446744073709551616.0);
    CHECK(NS::Number::number(1e30)->longLongValue() != 0);
    CHECK(NS::Number::number(true)->stringValue()->isEqualToString(text("1")));
    CHECK(NS::Number::number(0.1f)->stringValue()->isEqualToString(text("0.1")));
    CHECK(NS::Number::number(1)->isEqualToNumber(NS::Number::number(1.0)));
    CHECK(NS::Number::number(INT64_MAX)->compare(NS::Number::number(9.3e18)) == NS::OrderedAscending);
    const int value = 7;
    int back = 0;
    NS::Value::value(&value, "i")->getValue(&back, sizeof back);
    CHECK(back == 7);
    CHECK(NS::Value::value(&value)->pointerValue() == &value);
}

void testErrorsTellTheirStory() {
    auto* info = NS::Dictionary::dictionary(text("no luck"), NS::LocalizedDescriptionKey);
    auto* error = NS::Error::error(NS::CocoaErrorDomain, 5, info);
    CHECK(error->code() == 5 && error->domain()->isEqualToString(NS::CocoaErrorDomain));
    CHECK(error->localizedDescription()->isEqualToString(text("no luck")));
    CHECK(contains(NS::Error::error(NS::POSIXErrorDomain, 2, nullptr)->localizedDescription(),
                   "NSPOSIXErrorDomain error 2"));
    auto* url = NS::URL::fileURLWithPath(text("/tmp/a b"));
    CHECK(std::string_view(url->fileSystemRepresentation()) == "/tmp/a b");
}

}  // namespace

int main() {
    RUN(testCountsFollowRetainAndRelease);
    RUN(testCountsAreAtomic);
    RUN(testMessagesToNullDoNothing);
    RUN(testPoolsNest);
    RUN(testThreadWithoutPoolReleasesAtItsEnd);
    RUN(testSharedPointersOwnOneReference);
    RUN(testStringsCountUtf16);
    RUN(testStringsCompareAndConvert);
    RUN(testCollections);
    RUN(testNumbersConvert);
    RUN(testErrorsTellTheirStory);
    return failures != 0;
}
