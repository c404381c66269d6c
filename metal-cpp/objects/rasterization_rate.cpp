// SPDX-License-Identifier: MIT

#include "rasterization_rate.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "error.hpp"
#include "join.hpp"

namespace metal_objects {

namespace {

constexpr float lowestRate = 0.125f;
constexpr NS::UInteger mostPixels = 16384, mostSamples = 4096;
constexpr NS::UInteger alignment = sizeof(std::uint32_t);

/// Numbers of a layer in the data: for each axis how many stretches, where the edges are, and a stretch's length.
constexpr std::size_t wordsBefore = 1, wordsOfAxis = 3, wordsOfLayer = 2 * wordsOfAxis;

std::vector<std::uint32_t> dataOf(const std::vector<std::array<RateAxis, 2>>& layers) {
    std::vector<std::uint32_t> words(wordsBefore + layers.size() * wordsOfLayer);
    words[0] = static_cast<std::uint32_t>(layers.size());
    std::size_t place = wordsBefore;
    for (const auto& axes : layers) {
        for (const RateAxis& axis : axes) {
            words[place++] = static_cast<std::uint32_t>(axis.edges.size() - 1);
            words[place++] = static_cast<std::uint32_t>(words.size());
            words[place++] = std::bit_cast<std::uint32_t>(axis.length);
            for (const float edge : axis.edges) words.push_back(std::bit_cast<std::uint32_t>(edge));
        }
    }
    return words;
}

std::string mistakeOf(const RateMapDescriptorObject& descriptor) {
    const MTL::Size screen = descriptor.screen;
    if (screen.width < 1 || screen.height < 1 || screen.width > mostPixels || screen.height > mostPixels) {
        return join("screenSize is ", screen.width, " x ", screen.height, ", each must be 1 to ", mostPixels);
    }
    const NS::UInteger count = descriptor.layers->count();
    if (count == 0) return "there must be a layer 0";
    for (NS::UInteger layer = 0; layer < count; ++layer) {
        const RateLayerObject* given = descriptor.layers->at(layer);
        const std::array<NS::UInteger, 2> counts{given->count.width, given->count.height};
        for (std::size_t axis = 0; axis < 2; ++axis) {
            const char* name = axis == 0 ? "horizontal" : "vertical";
            if (counts[axis] == 0) return join("layer ", layer, " has no ", name, " rates");
            for (NS::UInteger i = 0; i < counts[axis]; ++i) {
                const float rate = given->axes[axis]->rates[i];
                if (!(rate >= 0 && rate <= 1))
                    return join("layer ", layer, ": ", name, " rate ", i, " is ", rate, ", must be 0 to 1");
            }
        }
    }
    return {};
}

}  // namespace

RateLayerObject::RateLayerObject() {
    for (auto& axis : axes) axis = NS::TransferPtr(new RateSamplesObject);
}

void RateLayerObject::resize(MTL::Size size) {
    if (size.width > mostSamples || size.height > mostSamples) {
        reportMistake(join("RasterizationRateLayerDescriptor: sampleCount is ", size.width, " x ", size.height,
                           ", each must be at most ", mostSamples));
        size = MTL::Size(0, 0, 0);
    }
    most = count = MTL::Size(size.width, size.height, 0);
    axes[0]->rates.assign(size.width, 0);
    axes[1]->rates.assign(size.height, 0);
}

NS::Object* RateLayerObject::duplicate() const {
    auto* copy = new RateLayerObject;
    copy->most = most;
    copy->count = count;
    for (std::size_t axis = 0; axis < 2; ++axis) copy->axes[axis]->rates = axes[axis]->rates;
    return copy;
}

void RateLayersObject::set(const MTL::RasterizationRateLayerDescriptor* layer, NS::UInteger index) {
    if (index >= most) return reportMistake(join("setLayer: index (", index, ") must be < ", most));
    if (index >= layers_.size()) layers_.resize(index + 1);
    layers_[index] = NS::RetainPtr(as<RateLayerObject>(layer));
}

NS::UInteger RateLayersObject::count() const {
    const auto none = std::find_if(layers_.begin(), layers_.end(), [](const auto& layer) { return !layer; });
    return static_cast<NS::UInteger>(none - layers_.begin());
}

NS::Object* RateMapDescriptorObject::duplicate() const {
    auto* copy = new RateMapDescriptorObject;
    copy->screen = screen;
    copy->label = label;
    for (NS::UInteger i = 0; i < RateLayersObject::most; ++i) {
        if (RateLayerObject* layer = layers->at(i)) copy->layers->set(NS::TransferPtr(layer->copy()).get(), i);
    }
    return copy;
}

RateAxis::RateAxis(float screen, const float* rates, NS::UInteger count) {
    const NS::UInteger stretches = std::max<NS::UInteger>(count - 1, 1);
    length = screen / static_cast<float>(stretches);
    edges.reserve(stretches + 1);
    edges.push_back(0);
    for (NS::UInteger i = 0; i < stretches; ++i) {
        const float rate = std::max({rates[i], rates[std::min(i + 1, count - 1)], lowestRate});
        edges.push_back(edges.back() + rate * length);
    }
}

float RateAxis::toPhysical(float place) const {
    const std::size_t last = edges.size() - 2;
    const float at = std::clamp(place / length, 0.0f, static_cast<float>(last + 1));
    const std::size_t i = std::min(static_cast<std::size_t>(at), last);
    return edges[i] + (edges[i + 1] - edges[i]) * (at - static_cast<float>(i));
}

float RateAxis::toScreen(float place) const {
    const std::size_t last = edges.size() - 2;
    const auto next = std::upper_bound(edges.begin() + 1, edges.begin() + 1 + static_cast<std::ptrdiff_t>(last), place);
    const auto i = static_cast<std::size_t>(next - edges.begin()) - 1;
    const float part = std::clamp((place - edges[i]) / (edges[i + 1] - edges[i]), 0.0f, 1.0f);
    return (static_cast<float>(i) + part) * length;
}

RateMapObject::RateMapObject(const MTL::Device* device, const RateMapDescriptorObject& descriptor)
    : device(NS::RetainPtr(const_cast<MTL::Device*>(device))),
      label(descriptor.label),
      screen(descriptor.screen.width, descriptor.screen.height, 0) {
    for (NS::UInteger i = 0; i < descriptor.layers->count(); ++i) {
        const RateLayerObject* layer = descriptor.layers->at(i);
        layers.push_back(
            {RateAxis(static_cast<float>(screen.width), layer->axes[0]->rates.data(), layer->count.width),
             RateAxis(static_cast<float>(screen.height), layer->axes[1]->rates.data(), layer->count.height)});
    }
    data = dataOf(layers);
}

}  // namespace metal_objects

using namespace metal_objects;

namespace MTL {

namespace {

// The layer of a call's index; null, and a mistake, when the map has none.
const std::array<RateAxis, 2>* layerOf(const RasterizationRateMap* map, const char* call, NS::UInteger index) {
    const auto& layers = as<RateMapObject>(map)->layers;
    if (index < layers.size()) return &layers[index];
    reportMistake(join(call, ": layerIndex (", index, ") must be < ", layers.size()));
    return nullptr;
}

}  // namespace

RasterizationRateSampleArray* RasterizationRateSampleArray::alloc() {
    return new RateSamplesObject;
}
RasterizationRateSampleArray* RasterizationRateSampleArray::init() {
    return this;
}
NS::Number* RasterizationRateSampleArray::object(NS::UInteger index) {
    const auto& rates = as<RateSamplesObject>(this)->rates;
    return NS::Number::number(index < rates.size() ? rates[index] : 0.0f);
}
void RasterizationRateSampleArray::setObject(const NS::Number* value, NS::UInteger index) {
    auto& rates = as<RateSamplesObject>(this)->rates;
    if (index >= rates.size())
        return reportMistake(join("setObject: index (", index, ") must be < ", rates.size(), ", the number of rates"));
    rates[index] = value->floatValue();
}

RasterizationRateLayerDescriptor* RasterizationRateLayerDescriptor::alloc() {
    return new RateLayerObject;
}
RasterizationRateLayerDescriptor* RasterizationRateLayerDescriptor::init() {
    return this;
}
RasterizationRateLayerDescriptor* RasterizationRateLayerDescriptor::init(Size sampleCount) {
    as<RateLayerObject>(this)->resize(sampleCount);
    return this;
}
RasterizationRateLayerDescriptor* RasterizationRateLayerDescriptor::init(Size sampleCount, const float* horizontal,
                                                                         const float* vertical) {
    auto* layer = as<RateLayerObject>(this);
    layer->resize(sampleCount);
    std::copy_n(horizontal, layer->count.width, layer->axes[0]->rates.begin());
    std::copy_n(vertical, layer->count.height, layer->axes[1]->rates.begin());
    return this;
}
RasterizationRateSampleArray* RasterizationRateLayerDescriptor::horizontal() const {
    return as<RateLayerObject>(this)->axes[0].get();
}
RasterizationRateSampleArray* RasterizationRateLayerDescriptor::vertical() const {
    return as<RateLayerObject>(this)->axes[1].get();
}
float* RasterizationRateLayerDescriptor::horizontalSampleStorage() const {
    return as<RateLayerObject>(this)->axes[0]->rates.data();
}
float* RasterizationRateLayerDescriptor::verticalSampleStorage() const {
    return as<RateLayerObject>(this)->axes[1]->rates.data();
}
Size RasterizationRateLayerDescriptor::maxSampleCount() const {
    return as<RateLayerObject>(this)->most;
}
Size RasterizationRateLayerDescriptor::sampleCount() const {
    return as<RateLayerObject>(this)->count;
}
void RasterizationRateLayerDescriptor::setSampleCount(Size sampleCount) {
    auto* layer = as<RateLayerObject>(this);
    if (sampleCount.width > layer->most.width || sampleCount.height > layer->most.height) {
        return reportMistake(join("setSampleCount: sampleCount is ", sampleCount.width, " x ", sampleCount.height,
                                  ", must be at most maxSampleCount, ", layer->most.width, " x ", layer->most.height));
    }
    layer->count = Size(sampleCount.width, sampleCount.height, 0);
}

RasterizationRateLayerArray* RasterizationRateLayerArray::alloc() {
    return new RateLayersObject;
}
RasterizationRateLayerArray* RasterizationRateLayerArray::init() {
    return this;
}
RasterizationRateLayerDescriptor* RasterizationRateLayerArray::object(NS::UInteger layerIndex) {
    return as<RateLayersObject>(this)->at(layerIndex);
}
void RasterizationRateLayerArray::setObject(const RasterizationRateLayerDescriptor* layer, NS::UInteger layerIndex) {
    as<RateLayersObject>(this)->set(layer, layerIndex);
}

RasterizationRateMapDescriptor* RasterizationRateMapDescriptor::alloc() {
    return new RateMapDescriptorObject;
}
RasterizationRateMapDescriptor* RasterizationRateMapDescriptor::init() {
    return this;
}
RasterizationRateMapDescriptor* RasterizationRateMapDescriptor::rasterizationRateMapDescriptor(Size screenSize) {
    return rasterizationRateMapDescriptor(screenSize, 0, nullptr);
}
RasterizationRateMapDescriptor* RasterizationRateMapDescriptor::rasterizationRateMapDescriptor(
    Size screenSize, const RasterizationRateLayerDescriptor* layer) {
    return rasterizationRateMapDescriptor(screenSize, 1, &layer);
}
RasterizationRateMapDescriptor* RasterizationRateMapDescriptor::rasterizationRateMapDescriptor(
    Size screenSize, NS::UInteger layerCount, const RasterizationRateLayerDescriptor* const* layers) {
    auto* descriptor = alloc()->init();
    descriptor->setScreenSize(screenSize);
    for (NS::UInteger i = 0; i < layerCount; ++i) descriptor->setLayer(layers[i], i);
    return descriptor->autorelease();
}
NS::String* RasterizationRateMapDescriptor::label() const {
    return as<RateMapDescriptorObject>(this)->label.get();
}
void RasterizationRateMapDescriptor::setLabel(const NS::String* label) {
    as<RateMapDescriptorObject>(this)->label = NS::RetainPtr(const_cast<NS::String*>(label));
}
RasterizationRateLayerDescriptor* RasterizationRateMapDescriptor::layer(NS::UInteger layerIndex) {
    return layers()->object(layerIndex);
}
void RasterizationRateMapDescriptor::setLayer(const RasterizationRateLayerDescriptor* layer, NS::UInteger layerIndex) {
    layers()->setObject(layer, layerIndex);
}
NS::UInteger RasterizationRateMapDescriptor::layerCount() const {
    return as<RateMapDescriptorObject>(this)->layers->count();
}
RasterizationRateLayerArray* RasterizationRateMapDescriptor::layers() const {
    return as<RateMapDescriptorObject>(this)->layers.get();
}
Size RasterizationRateMapDescriptor::screenSize() const {
    return as<RateMapDescriptorObject>(this)->screen;
}
void RasterizationRateMapDescriptor::setScreenSize(Size screenSize) {
    as<RateMapDescriptorObject>(this)->screen = screenSize;
}

RasterizationRateMap* Device::newRasterizationRateMap(const RasterizationRateMapDescriptor* descriptor) {
    const auto* given = as<RateMapDescriptorObject>(descriptor);
    if (const std::string mistake = mistakeOf(*given); !mistake.empty()) {
        reportMistake("newRasterizationRateMap: " + mistake);
        return nullptr;
    }
    return new RateMapObject(this, *given);
}
bool Device::supportsRasterizationRateMap(NS::UInteger layerCount) {
    return layerCount >= 1 && layerCount <= RateLayersObject::most;
}

void RasterizationRateMap::copyParameterDataToBuffer(const Buffer* buffer, NS::UInteger offset) {
    constexpr const char* call = "copyParameterDataToBuffer";
    const auto& data = as<RateMapObject>(this)->data;
    const NS::UInteger size = data.size() * sizeof(data[0]);
    if (buffer->storageMode() != StorageModeShared)
        return reportMistake(join(call, ": the buffer's storageMode must be MTLStorageModeShared"));
    if (offset % alignment != 0)
        return reportMistake(join(call, ": offset (", offset, ") must be a multiple of ", alignment));
    if (offset > buffer->length() || size > buffer->length() - offset) {
        return reportMistake(join(call, ": offset(", offset, ") + size(", size, ") must be <= the buffer's length(",
                                  buffer->length(), ")"));
    }
    std::memcpy(static_cast<std::uint8_t*>(const_cast<Buffer*>(buffer)->contents()) + offset, data.data(), size);
}
Device* RasterizationRateMap::device() const {
    return as<RateMapObject>(this)->device.get();
}
NS::String* RasterizationRateMap::label() const {
    return as<RateMapObject>(this)->label.get();
}
NS::UInteger RasterizationRateMap::layerCount() const {
    return as<RateMapObject>(this)->layers.size();
}
Coordinate2D RasterizationRateMap::mapPhysicalToScreenCoordinates(Coordinate2D physicalCoordinates,
                                                                  NS::UInteger layerIndex) {
    const auto* axes = layerOf(this, "mapPhysicalToScreenCoordinates", layerIndex);
    if (axes == nullptr) return {0, 0};
    return {(*axes)[0].toScreen(physicalCoordinates.x), (*axes)[1].toScreen(physicalCoordinates.y)};
}
Coordinate2D RasterizationRateMap::mapScreenToPhysicalCoordinates(Coordinate2D screenCoordinates,
                                                                  NS::UInteger layerIndex) {
    const auto* axes = layerOf(this, "mapScreenToPhysicalCoordinates", layerIndex);
    if (axes == nullptr) return {0, 0};
    return {(*axes)[0].toPhysical(screenCoordinates.x), (*axes)[1].toPhysical(screenCoordinates.y)};
}
SizeAndAlign RasterizationRateMap::parameterBufferSizeAndAlign() const {
    return {as<RateMapObject>(this)->data.size() * sizeof(std::uint32_t), alignment};
}
Size RasterizationRateMap::physicalGranularity() const {
    return Size(1, 1, 0);
}
Size RasterizationRateMap::physicalSize(NS::UInteger layerIndex) {
    const auto* axes = layerOf(this, "physicalSize", layerIndex);
    if (axes == nullptr) return Size(0, 0, 0);
    const auto pixels = [](const RateAxis& axis) { return static_cast<NS::UInteger>(std::ceil(axis.edges.back())); };
    return Size(pixels((*axes)[0]), pixels((*axes)[1]), 0);
}
Size RasterizationRateMap::screenSize() const {
    return as<RateMapObject>(this)->screen;
}

}  // namespace MTL
