// SPDX-License-Identifier: MIT

#pragma once

#include "NSDefines.hpp"
#include "NSTypes.hpp"

namespace NS {

class Object;
class String;

/// Root of every class, in the place of Apple's objc_object. Its virtual functions are this library's own: programs
/// call those of Referencing, Copying and Object.
class RuntimeObject {
protected:
    RuntimeObject() = default;
    RuntimeObject(const RuntimeObject&) = delete;
    RuntimeObject& operator=(const RuntimeObject&) = delete;
    virtual ~RuntimeObject() = default;
    /// Protected, so that `delete` of an object does not compile: objects end by release().
    static void operator delete(void* memory) { ::operator delete(memory); }

private:
    friend struct RuntimeAccess;
    virtual void addReference() const = 0;
    virtual void dropReference() const = 0;
    virtual UInteger references() const = 0;
    virtual UInteger hashValue() const = 0;
    virtual bool equals(const Object* other) const = 0;
    virtual String* describe() const = 0;
    virtual Object* duplicate() const = 0;
};

/// How the templates below reach an object. Null is allowed everywhere, as Objective-C allows messages to nil.
struct RuntimeAccess {
    static void retain(const RuntimeObject* object);
    static void release(const RuntimeObject* object);
    static void autorelease(const RuntimeObject* object);
    static UInteger retainCount(const RuntimeObject* object);
    static Object* copy(const RuntimeObject* object);
    static UInteger hash(const RuntimeObject* object);
    static bool isEqual(const RuntimeObject* object, const Object* other);
    static String* description(const RuntimeObject* object);
};

/// Reference counting. An object begins with one reference, which belongs to whoever called `alloc`, `new...` or
/// `copy`; any other method returns an object that the caller does not own (it is autoreleased, or its owner keeps it).
template <class _Class, class _Base = Object>
class Referencing : public _Base {
public:
    /// Adds a reference. Returns the object.
    _Class* retain() {
        RuntimeAccess::retain(this);
        return static_cast<_Class*>(this);
    }

    /// Gives a reference back; the last one ends the object.
    void release() { RuntimeAccess::release(this); }

    /// Gives a reference back when the thread's innermost AutoreleasePool ends. Returns the object.
    _Class* autorelease() {
        RuntimeAccess::autorelease(this);
        return static_cast<_Class*>(this);
    }

    UInteger retainCount() const { return RuntimeAccess::retainCount(this); }
};

template <class _Class, class _Base = Object>
class Copying : public Referencing<_Class, _Base> {
public:
    /// Caller owns the result (+1). An object that never changes returns itself.
    _Class* copy() const { return static_cast<_Class*>(RuntimeAccess::copy(this)); }
};

template <class _Class, class _Base = Object>
class SecureCoding : public Referencing<_Class, _Base> {};

class Object : public Referencing<Object, RuntimeObject> {
public:
    /// Equal objects have equal hashes.
    UInteger hash() const { return RuntimeAccess::hash(this); }

    /// Whether both stand for the same value; for objects without one, whether they are the same object.
    bool isEqual(const Object* pObject) const { return RuntimeAccess::isEqual(this, pObject); }

    /// Text for a person. Not owned by the caller.
    String* description() const { return RuntimeAccess::description(this); }
    String* debugDescription() const { return RuntimeAccess::description(this); }
};

}  // namespace NS
