// SPDX-License-Identifier: MIT

#include "collections.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace metal_objects {

namespace {

using Items = std::vector<NS::SharedPtr<NS::Object>>;

/// Goes through a copy of a collection's items. One class serves every Enumerator<T>: none adds anything to
/// FastEnumeration.
class EnumeratorObject final : public Implements<NS::Enumerator<NS::Object>> {
public:
    explicit EnumeratorObject(Items items) : items_(std::move(items)) {}

    NS::Object* next() { return at_ < items_.size() ? items_[at_++].get() : nullptr; }

    NS::Array* rest() {
        Items rest(items_.begin() + static_cast<std::ptrdiff_t>(at_), items_.end());
        at_ = items_.size();
        return makeArray(rest)->autorelease();
    }

private:
    Items items_;
    std::size_t at_ = 0;
};

class SetObject final : public Implements<NS::Set> {
public:
    Items items;
};

struct HashObject {
    std::size_t operator()(const NS::Object* object) const { return object->hash(); }
};

struct EqualObjects {
    bool operator()(const NS::Object* a, const NS::Object* b) const { return a->isEqual(b); }
};

class DictionaryObject final : public Implements<NS::Dictionary> {
public:
    Entries entries;
    std::unordered_map<const NS::Object*, std::size_t, HashObject, EqualObjects> places;

    void insert(NS::Object* key, NS::Object* object) {
        const auto [place, isNew] = places.try_emplace(key, entries.size());
        if (isNew) {
            entries.emplace_back(NS::RetainPtr(key), NS::RetainPtr(object));
        } else {
            entries[place->second].second = NS::RetainPtr(object);
        }
    }

private:
    NS::UInteger hashValue() const override { return entries.size(); }

    bool equals(const NS::Object* other) const override {
        const auto* dictionary = dynamic_cast<const DictionaryObject*>(other);
        if (dictionary == nullptr || dictionary->entries.size() != entries.size()) return false;
        return std::all_of(entries.begin(), entries.end(), [&](const auto& entry) {
            const NS::Object* object = dictionary->object(entry.first.get());
            return object != nullptr && entry.second->isEqual(object);
        });
    }

    NS::String* describe() const override {
        std::string text = "{\n";
        for (const auto& [key, object] : entries) {
            text.append("    ").append(view(key->description())).append(" = ");
            text.append(view(object->description())).append(";\n");
        }
        return autoreleasedString(text.append("}"));
    }
};

Items itemsOf(const NS::Object* const* objects, NS::UInteger count) {
    Items items;
    items.reserve(count);
    for (NS::UInteger i = 0; i < count; ++i) items.push_back(NS::RetainPtr(const_cast<NS::Object*>(objects[i])));
    return items;
}

NS::Enumerator<NS::Object>* enumerate(const Items& items) {
    auto* enumerator = new EnumeratorObject(items);
    return enumerator->autorelease();
}

}  // namespace

bool ArrayObject::equals(const NS::Object* other) const {
    const auto* array = dynamic_cast<const ArrayObject*>(other);
    return array != nullptr && std::equal(items.begin(), items.end(), array->items.begin(), array->items.end(),
                                          [](const auto& a, const auto& b) { return a->isEqual(b.get()); });
}

NS::String* ArrayObject::describe() const {
    std::string text = "(\n";
    for (const auto& item : items) text.append("    ").append(view(item->description())).append(",\n");
    return autoreleasedString(text.append(")"));
}

const Entries& entries(const NS::Dictionary* dictionary) {
    return as<DictionaryObject>(dictionary)->entries;
}

}  // namespace metal_objects

using metal_objects::ArrayObject;
using metal_objects::as;
using metal_objects::DictionaryObject;
using metal_objects::EnumeratorObject;
using metal_objects::SetObject;

namespace NS {

UInteger FastEnumeration::countByEnumerating(FastEnumerationState* pState, Object** pBuffer, UInteger len) {
    UInteger count = 0;
    while (count < len) {
        Object* object = nextObjectOf(this);
        if (object == nullptr) break;
        pBuffer[count++] = object;
    }
    pState->state += count;
    pState->itemsPtr = pBuffer;
    return count;
}

Object* nextObjectOf(FastEnumeration* enumerator) {
    return as<EnumeratorObject>(enumerator)->next();
}

Array* allObjectsOf(FastEnumeration* enumerator) {
    return as<EnumeratorObject>(enumerator)->rest();
}

Array* Array::array() {
    return alloc()->autorelease();
}

Array* Array::array(const Object* pObject) {
    return array(&pObject, 1);
}

Array* Array::array(const Object* const* pObjects, UInteger count) {
    return alloc()->init(pObjects, count)->autorelease();
}

Array* Array::alloc() {
    return new ArrayObject;
}

Array* Array::init() {
    return this;
}

Array* Array::init(const Object* const* pObjects, UInteger count) {
    as<ArrayObject>(this)->items = metal_objects::itemsOf(pObjects, count);
    return this;
}

UInteger Array::count() const {
    return as<ArrayObject>(this)->items.size();
}

Enumerator<Object>* Array::objectEnumerator() const {
    return metal_objects::enumerate(as<ArrayObject>(this)->items);
}

Object* Array::objectAtIndex(UInteger index) const {
    const auto& items = as<ArrayObject>(this)->items;
    return index < items.size() ? items[index].get() : nullptr;
}

UInteger Set::count() const {
    return as<SetObject>(this)->items.size();
}

Enumerator<Object>* Set::objectEnumerator() const {
    return metal_objects::enumerate(as<SetObject>(this)->items);
}

Set* Set::alloc() {
    return new SetObject;
}

Set* Set::init() {
    return this;
}

Set* Set::init(const Object* const* pObjects, UInteger count) {
    auto& items = as<SetObject>(this)->items;
    for (auto& item : metal_objects::itemsOf(pObjects, count)) {
        const bool isNew =
            std::none_of(items.begin(), items.end(), [&](auto& old) { return old->isEqual(item.get()); });
        if (isNew) items.push_back(item);
    }
    return this;
}

Dictionary* Dictionary::dictionary() {
    return alloc()->autorelease();
}

Dictionary* Dictionary::dictionary(const Object* pObject, const Object* pKey) {
    return dictionary(&pObject, &pKey, 1);
}

Dictionary* Dictionary::dictionary(const Object* const* pObjects, const Object* const* pKeys, UInteger count) {
    return alloc()->init(pObjects, pKeys, count)->autorelease();
}

Dictionary* Dictionary::alloc() {
    return new DictionaryObject;
}

Dictionary* Dictionary::init() {
    return this;
}

Dictionary* Dictionary::init(const Object* const* pObjects, const Object* const* pKeys, UInteger count) {
    auto* dictionary = as<DictionaryObject>(this);
    for (UInteger i = 0; i < count; ++i) {
        dictionary->insert(const_cast<Object*>(pKeys[i]), const_cast<Object*>(pObjects[i]));
    }
    return this;
}

UInteger Dictionary::count() const {
    return as<DictionaryObject>(this)->entries.size();
}

Object* Dictionary::objectForKey(const Object* pKey) const {
    const auto* dictionary = as<DictionaryObject>(this);
    if (pKey == nullptr) return nullptr;
    const auto place = dictionary->places.find(pKey);
    return place != dictionary->places.end() ? dictionary->entries[place->second].second.get() : nullptr;
}

FastEnumeration* Dictionary::newKeyEnumerator() const {
    metal_objects::Items keys;
    for (const auto& entry : as<DictionaryObject>(this)->entries) keys.push_back(entry.first);
    return new EnumeratorObject(std::move(keys));
}

}  // namespace NS
