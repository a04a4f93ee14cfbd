#include "core/clusters/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "core/base/error.h"

namespace ks::clusters {
namespace {

constexpr std::uint32_t invalid_module = 9999, invalid_module_16_bits = 65534;  // of CMSSW, old and new

DetectorLayout any_detector() {
    DetectorLayout layout;
    layout.id = "free";
    layout.title = "Any detector";
    return layout;
}

/// A module is a frame of one chip.
DetectorLayout timepix() {
    DetectorLayout layout;
    layout.id = "timepix";
    layout.title = "Timepix";
    layout.extent_x = layout.extent_y = layout.roc_x = layout.roc_y = 256;
    return layout;
}

/// Layers given by their first modules; the last one ends with the detector.
std::vector<Layer> layers_from(const std::vector<std::pair<const char*, std::uint32_t>>& starts,
                               std::uint32_t modules, std::uint32_t first_cut, std::uint32_t other_cut) {
    std::vector<Layer> layers;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const std::uint32_t end = i + 1 < starts.size() ? starts[i + 1].second : modules;
        layers.push_back(
            {starts[i].first, starts[i].second, end - starts[i].second, i == 0 ? first_cut : other_cut});
    }
    return layers;
}

/// The pixel detector of CMS since 2017: 2 x 8 read-out chips of 80 x 52 pixels per module.
DetectorLayout phase1() {
    DetectorLayout layout;
    layout.id = "phase1";
    layout.title = "CMS Phase 1";
    layout.modules = 1856;
    layout.roc_x = 80;
    layout.roc_y = 52;
    layout.extent_x = 160;
    layout.extent_y = 416;
    layout.layers = layers_from({{"BL1", 0},
                                 {"BL2", 96},
                                 {"BL3", 320},
                                 {"BL4", 672},
                                 {"E+1", 1184},
                                 {"E+2", 1296},
                                 {"E+3", 1408},
                                 {"E-1", 1520},
                                 {"E-2", 1632},
                                 {"E-3", 1744}},
                                layout.modules, 2000, 4000);
    layout.invalid_ids = {invalid_module, invalid_module_16_bits};
    layout.duplicates = Duplicates::drop;
    return layout;
}

/// The inner tracker of the high-luminosity CMS with 3892 modules: 2 x 2 chips of 677 x 217 pixels, including
/// the long ones between chips; modules of 1 x 2 chips use part of that.
DetectorLayout phase2() {
    DetectorLayout layout;
    layout.id = "phase2";
    layout.title = "CMS Phase 2";
    layout.modules = 3892;
    layout.roc_x = 677;
    layout.roc_y = 217;
    layout.extent_x = 1354;
    layout.extent_y = 434;
    layout.layers = layers_from(
        {{"BL1", 0},    {"BL2", 108},   {"BL3", 324},   {"BL4", 504},   {"E+1", 756},  {"E+2", 864},
         {"E+3", 972},  {"E+4", 1080},  {"E+5", 1188},  {"E+6", 1296},  {"E+7", 1404}, {"E+8", 1512},
         {"E+9", 1620}, {"E+10", 1796}, {"E+11", 1972}, {"E+12", 2148}, {"E-1", 2324}, {"E-2", 2432},
         {"E-3", 2540}, {"E-4", 2648},  {"E-5", 2756},  {"E-6", 2864},  {"E-7", 2972}, {"E-8", 3080},
         {"E-9", 3188}, {"E-10", 3364}, {"E-11", 3540}, {"E-12", 3716}},
        layout.modules, 4000, 4000);
    layout.invalid_ids = {invalid_module, invalid_module_16_bits};
    return layout;
}

}  // namespace

bool DetectorLayout::is_invalid(std::uint64_t module_id) const {
    return std::ranges::find(invalid_ids, module_id) != invalid_ids.end();
}

std::size_t DetectorLayout::layer_of(std::uint64_t module_id) const {
    std::size_t layer = 0;
    while (layer + 1 < layers.size() && module_id >= layers[layer + 1].first) ++layer;
    return layer;
}

const std::vector<DetectorLayout>& layouts() {
    static const std::vector<DetectorLayout> all{any_detector(), timepix(), phase1(), phase2()};
    return all;
}

const DetectorLayout& layout_named(const std::string& id) {
    std::string known;
    for (const DetectorLayout& layout : layouts()) {
        if (layout.id == id) return layout;
        known += (known.empty() ? "" : ", ") + layout.id;
    }
    throw Error(ErrorKind::input, fmt::format("unknown detector layout '{}'", id), "layout",
                "choose one of " + known);
}

}  // namespace ks::clusters
