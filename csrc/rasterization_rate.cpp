// SPDX-License-Identifier: MIT
//
// Rasterization rate maps: a screen drawn into a smaller image that is finer in some parts than in others.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <Metal/Metal.hpp>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "bind.hpp"
#include "errors.hpp"
#include "text.hpp"
#include "types.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;
using Layer = MTL::RasterizationRateLayerDescriptor;
using Layers = MTL::RasterizationRateLayerArray;
using Map = MTL::RasterizationRateMap;
using MapDescriptor = MTL::RasterizationRateMapDescriptor;
using Samples = MTL::RasterizationRateSampleArray;
using Rates = std::optional<std::vector<float>>;
using Place = std::pair<float, float>;

constexpr std::uint64_t mostPixels = 16384, mostSamples = 4096, mostLayers = 2048;

float checkedRate(const char* where, const char* name, float rate) {
    if (!(rate >= 0 && rate <= 1))
        fail(ErrorKind::validation, concat(where, ": ", name, " is ", rate, ", must be 0 to 1"));
    return rate;
}

void checkRates(const char* name, const Rates& rates, NS::UInteger count) {
    constexpr const char* where = "RasterizationRateLayerDescriptor";
    if (!rates) return;
    if (rates->size() != count) {
        fail(ErrorKind::validation,
             concat(where, ": ", name, " has ", rates->size(), " rates, sample_count says ", count));
    }
    for (const float rate : *rates) checkedRate(where, name, rate);
}

NS::SharedPtr<Layer> newLayer(const SizeLike& count, const Rates& horizontal, const Rates& vertical) {
    const MTL::Size size = count.checked("RasterizationRateLayerDescriptor", "sample_count", 1, mostSamples);
    checkRates("horizontal", horizontal, size.width);
    checkRates("vertical", vertical, size.height);
    const std::vector<float> columns = horizontal.value_or(std::vector<float>(size.width));
    const std::vector<float> rows = vertical.value_or(std::vector<float>(size.height));
    return owned(Layer::alloc()->init(size, columns.data(), rows.data()));
}

/// The rates of a layer's axis, for as long as the layer: Metal does not say that they outlive it.
struct Axis {
    NS::SharedPtr<Layer> layer;
    bool isVertical;

    Samples* samples() const { return isVertical ? layer->vertical() : layer->horizontal(); }
    NS::UInteger size() const { return isVertical ? layer->sampleCount().height : layer->sampleCount().width; }
    NS::UInteger checked(std::int64_t index) const {
        if (index >= 0 && static_cast<NS::UInteger>(index) >= size()) throw nb::index_error("no such rate");
        return checkedIndex("RasterizationRateSampleArray", "index", index, size());
    }
};

void bindRateLayers(nb::module_& module) {
    nb::class_<Axis>(module, "RasterizationRateSampleArray", "The rates of one axis of a layer.")
        .def("__len__", &Axis::size, pooled)
        .def(
            "__getitem__",
            [](const Axis& self, std::int64_t index) {
                return self.samples()->object(self.checked(index))->floatValue();
            },
            "index"_a, pooled)
        .def(
            "__setitem__",
            [](const Axis& self, std::int64_t index, float rate) {
                const NS::UInteger place = self.checked(index);
                checkedRate("RasterizationRateSampleArray", "rate", rate);
                self.samples()->setObject(NS::Number::number(rate), place);
            },
            "index"_a, "rate"_a, pooled);
    nb::class_<Layer>(module, "RasterizationRateLayerDescriptor",
                      "How finely a layer is rasterized: physical pixels per pixel of the screen, 0 to 1, at places "
                      "equally far from one another, the first and the last at the edges.",
                      nb::is_weak_referenceable())
        .def(nb::new_(&newLayer), "sample_count"_a, "horizontal"_a = nb::none(), "vertical"_a = nb::none(), pooled)
        .def_prop_rw(
            "sample_count", [](Layer& self) { return self.sampleCount(); },
            [](Layer& self, const SizeLike& count) {
                const MTL::Size most = self.maxSampleCount();
                const MTL::Size size = count.checked("RasterizationRateLayerDescriptor", "sample_count", 1,
                                                     std::max({most.width, most.height, NS::UInteger(1)}));
                if (size.width > most.width || size.height > most.height) {
                    fail(ErrorKind::validation,
                         concat("RasterizationRateLayerDescriptor: sample_count is (", size.width, ", ", size.height,
                                "), must be at most max_sample_count, (", most.width, ", ", most.height, ")"));
                }
                self.setSampleCount(size);
            },
            pooled, "How many rates the columns and the rows have. The depth means nothing.")
        .def_prop_ro(
            "max_sample_count", [](Layer& self) { return self.maxSampleCount(); }, pooled, "What it was made with.")
        .def_prop_ro(
            "horizontal", [](Layer& self) { return Axis{shared(&self), false}; }, pooled, "The columns' rates.")
        .def_prop_ro("vertical", [](Layer& self) { return Axis{shared(&self), true}; }, pooled, "The rows' rates.");
}

NS::SharedPtr<MapDescriptor> newMapDescriptor(const SizeLike& screen, const std::vector<Layer*>& layers) {
    const MTL::Size size = screen.checked("RasterizationRateMapDescriptor", "screen_size", 1, mostPixels);
    checkedCount("RasterizationRateMapDescriptor", "the number of layers", static_cast<std::int64_t>(layers.size()), 0,
                 mostLayers);
    return shared(MapDescriptor::rasterizationRateMapDescriptor(size, layers.size(), layers.data()));
}

void bindMapDescriptor(nb::module_& module) {
    nb::class_<Layers>(module, "RasterizationRateLayerArray", "The layers of a map.", nb::is_weak_referenceable())
        .def(
            "__getitem__",
            [](Layers& self, std::int64_t index) {
                return shared(self.object(checkedIndex("RasterizationRateLayerArray", "index", index, mostLayers)));
            },
            "index"_a, pooled)
        .def(
            "__setitem__",
            [](Layers& self, std::int64_t index, Layer* layer) {
                self.setObject(layer, checkedIndex("RasterizationRateLayerArray", "index", index, mostLayers));
            },
            "index"_a, "layer"_a.none(), pooled);
    nb::class_<MapDescriptor>(module, "RasterizationRateMapDescriptor", "What a rate map is made of.",
                              nb::is_weak_referenceable())
        .def(nb::new_([] { return owned(MapDescriptor::alloc()->init()); }), pooled)
        .def_static("rasterization_rate_map_descriptor", &newMapDescriptor, "screen_size"_a,
                    "layers"_a = std::vector<Layer*>(), pooled, "A descriptor of a screen's pixels and its layers.")
        .def_prop_rw(
            "screen_size", [](MapDescriptor& self) { return self.screenSize(); },
            [](MapDescriptor& self, const SizeLike& size) {
                self.setScreenSize(size.checked("RasterizationRateMapDescriptor", "screen_size", 1, mostPixels));
            },
            pooled, "Pixels. The depth means nothing.")
        .def_prop_ro(
            "layers", [](MapDescriptor& self) { return shared(self.layers()); }, pooled, "The layers, by index.")
        .def_prop_ro("layer_count", &MapDescriptor::layerCount, pooled,
                     "How many layers there are before the first index without one.")
        .def(
            "layer",
            [](MapDescriptor& self, std::int64_t index) {
                return shared(self.layer(checkedIndex("layer", "layer_index", index, mostLayers)));
            },
            "layer_index"_a, pooled, "The layer of that index, or None.")
        .def(
            "set_layer",
            [](MapDescriptor& self, Layer* layer, std::int64_t index) {
                self.setLayer(layer, checkedIndex("set_layer", "layer_index", index, mostLayers));
            },
            "layer"_a.none(), "layer_index"_a, pooled, "Put a layer there; None takes it away.")
        .def_prop_rw(
            "label", [](MapDescriptor& self) { return pythonText(self.label()); },
            [](MapDescriptor& self, const std::string& label) { self.setLabel(metalString(label)); }, pooled,
            "A name, for messages and captures; empty unless set.");
}

NS::UInteger checkedLayer(const char* where, Map& map, std::int64_t index) {
    return checkedIndex(where, "layer_index", index, map.layerCount());
}

void copyParameterData(Map& self, MTL::Buffer& buffer, std::int64_t offset) {
    constexpr const char* where = "copy_parameter_data_to_buffer";
    const MTL::SizeAndAlign needed = self.parameterBufferSizeAndAlign();
    if (buffer.storageMode() != MTL::StorageModeShared)
        fail(ErrorKind::validation, concat(where, ": the buffer's storage mode must be Shared"));
    checkRange(where, "the buffer", offset, static_cast<std::int64_t>(needed.size), buffer.length());
    if (static_cast<NS::UInteger>(offset) % needed.align != 0)
        fail(ErrorKind::validation, concat(where, ": offset is ", offset, ", must be a multiple of ", needed.align));
    self.copyParameterDataToBuffer(&buffer, static_cast<NS::UInteger>(offset));
}

void bindMap(nb::module_& module) {
    nb::class_<Map>(
        module, "RasterizationRateMap",
        "Where each pixel of the screen lies in a smaller image that is finer in some parts than in others.",
        nb::is_weak_referenceable())
        .def_prop_ro(
            "device", [](Map& self) { return shared(self.device()); }, pooled, "The device that made it.")
        .def_prop_ro(
            "label", [](Map& self) { return pythonText(self.label()); }, pooled,
            "The name that its descriptor gave it.")
        .def_prop_ro("layer_count", &Map::layerCount, pooled, "How many layers it has.")
        .def_prop_ro("screen_size", &Map::screenSize, pooled, "Pixels of the screen.")
        .def_prop_ro("physical_granularity", &Map::physicalGranularity, pooled,
                     "Physical pixels after which the rate may change.")
        .def_prop_ro(
            "parameter_buffer_size_and_align",
            [](Map& self) {
                const MTL::SizeAndAlign both = self.parameterBufferSizeAndAlign();
                return std::pair(both.size, both.align);
            },
            pooled, "Bytes that the map takes of a buffer, and what its offset is a multiple of.")
        .def("copy_parameter_data_to_buffer", &copyParameterData, "buffer"_a, "offset"_a = 0, pooled,
             "Put the map into a shared buffer, where functions read it as rasterization_rate_map_data.")
        .def(
            "physical_size",
            [](Map& self, std::int64_t layer) { return self.physicalSize(checkedLayer("physical_size", self, layer)); },
            "layer_index"_a = 0, pooled, "Pixels of the smaller image.")
        .def(
            "map_screen_to_physical_coordinates",
            [](Map& self, Place place, std::int64_t layer) {
                const NS::UInteger index = checkedLayer("map_screen_to_physical_coordinates", self, layer);
                const MTL::Coordinate2D found =
                    self.mapScreenToPhysicalCoordinates(MTL::Coordinate2D(place.first, place.second), index);
                return Place(found.x, found.y);
            },
            "screen_coordinates"_a, "layer_index"_a = 0, pooled, "Where a place of the screen lies in the image.")
        .def(
            "map_physical_to_screen_coordinates",
            [](Map& self, Place place, std::int64_t layer) {
                const NS::UInteger index = checkedLayer("map_physical_to_screen_coordinates", self, layer);
                const MTL::Coordinate2D found =
                    self.mapPhysicalToScreenCoordinates(MTL::Coordinate2D(place.first, place.second), index);
                return Place(found.x, found.y);
            },
            "physical_coordinates"_a, "layer_index"_a = 0, pooled, "Where a place of the image lies on the screen.");
}

}  // namespace

void bindRasterizationRates(nb::module_& module) {
    bindRateLayers(module);
    bindMapDescriptor(module);
    bindMap(module);
}

}  // namespace mtlpy
