#include "core/clusters/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <variant>

#include "core/base/error.h"
#include "core/base/trimmed.h"
#include "core/clusters/synthetic/generator.h"
#include "core/run/parameter_rows.h"

namespace ks::clusters {
namespace {

std::vector<std::string> layout_ids() {
    std::vector<std::string> ids;
    for (const DetectorLayout& layout : layouts()) ids.push_back(layout.id);
    return ids;
}

ParameterSpec layout_parameter(const char* default_layout) {
    ParameterSpec layout =
        parameter::choice("layout", "Layout", layout_ids(),
                          "Detector, which defines the numbers of modules and pixels and the ids of invalid "
                          "modules; free: any detector, with numbers that follow from the digis");
    layout.default_value = std::string(default_layout);
    return layout;
}

std::vector<ParameterSpec> how_to_cluster() {
    return {parameter::choice("connectivity", "Connectivity", {"8", "4"},
                              "Neighbours of a pixel: with (8) or without (4) corners"),
            parameter::choice("duplicates", "Duplicates", {"layout", "keep", "drop"},
                              "Digis at the same pixel of a module: keep all of them, or drop all of them; "
                              "layout: drop them in phase1 only"),
            parameter::words("charge_cut", "Charge cut", "adc", "off",
                             "Minimum charge of a cluster: off, layout (values of the layout), N for all, "
                             "N,N for the first layer and the others, or one per layer")};
}

ParameterSpec record_parameter() {
    ParameterSpec record = parameter::optional_whole(
        "record", "Record module", "", "off", 0, std::numeric_limits<std::int32_t>::max(),
        "Module for which the algorithm is recorded step by step: "
        "its index among the modules of all events");
    record.adds_results = true;
    return record;
}

/// Each charge is read as any parameter that is a whole number, blanks around it left out.
std::vector<std::uint32_t> numbers_from(const std::string& text) {
    constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
    const ParameterSpec charge = parameter::whole("charge_cut", "Charge cut", "", 0, 0, most, "");
    std::vector<std::uint32_t> numbers;
    std::string_view left = text;
    while (true) {
        const std::string_view part = left.substr(0, left.find(','));
        try {
            const ParameterValue value = parse_value(charge, std::string(trimmed(part)));
            numbers.push_back(static_cast<std::uint32_t>(std::get<std::int64_t>(value)));
        } catch (const Error&) {
            throw Error(
                ErrorKind::input,
                fmt::format("expected \"off\", \"layout\" or charges from 0 to {} separated by commas, "
                            "found \"{}\"",
                            most, text),
                "charge_cut");
        }
        if (part.size() == left.size()) return numbers;
        left.remove_prefix(part.size() + 1);
    }
}

/// Expands one value per layer to one per module.
std::vector<std::uint32_t> by_module(const DetectorLayout& layout,
                                     const std::vector<std::uint32_t>& by_layer) {
    std::vector<std::uint32_t> cuts(layout.modules);
    for (std::uint32_t module = 0; module < layout.modules; ++module)
        cuts[module] = by_layer[layout.layer_of(module)];
    return cuts;
}

}  // namespace

std::vector<std::uint32_t> charge_cuts_from(const std::string& text, const DetectorLayout& layout) {
    if (text == "off") return {};
    std::vector<std::uint32_t> by_layer;
    const bool named =
        std::ranges::any_of(layouts(), [&](const DetectorLayout& one) { return one.id == text; });
    if (text == "layout" || named) {
        const DetectorLayout& source = named ? layout_named(text) : layout;
        if (source.layers.size() != layout.layers.size() || !layout.fixed())
            throw Error(
                ErrorKind::input,
                source.layers.empty()
                    ? fmt::format("layout {} defines no charge cuts", source.id)
                    : fmt::format("the charge cuts of layout {} cannot be applied to digis of layout {}",
                                  source.id, layout.id),
                "charge_cut", "enter a charge, or \"off\"");
        for (const Layer& layer : source.layers) by_layer.push_back(layer.charge_cut);
        return by_module(layout, by_layer);
    }
    by_layer = numbers_from(text);
    if (by_layer.size() == 1)
        return std::vector<std::uint32_t>(layout.fixed() ? layout.modules : 1, by_layer[0]);
    if (by_layer.size() == 2) by_layer.resize(std::max<std::size_t>(2, layout.layers.size()), by_layer[1]);
    if (by_layer.size() != layout.layers.size())
        throw Error(ErrorKind::input,
                    layout.layers.empty()
                        ? fmt::format("expected one charge, because layout {} has no layers, found \"{}\"",
                                      layout.id, text)
                        : fmt::format("expected 1, 2 or {} charges for layout {}, found \"{}\"",
                                      layout.layers.size(), layout.id, text),
                    "charge_cut");
    return by_module(layout, by_layer);
}

ClusterSettings settings_from(const ParameterSet& set, const DetectorLayout& layout) {
    ClusterSettings settings;
    settings.connectivity = text(set, "connectivity") == "4" ? 4 : 8;
    const std::string& duplicates = text(set, "duplicates");
    settings.duplicates = duplicates == "layout" ? layout.duplicates
                          : duplicates == "drop" ? Duplicates::drop
                                                 : Duplicates::keep;
    settings.charge_cuts = charge_cuts_from(text(set, "charge_cut"), layout);
    if (set.contains("record")) settings.record = optional_integer(set, "record");
    return settings;
}

AnalysisInfo analysis_info() {
    AnalysisInfo info;
    info.id = "clusters";
    info.title = "Clusters";
    info.description = "Pixel clusters: adjacent hits of a module, with labels, charges and centroids";
    info.other_files = "labels where it ends in .csv";
    info.inputs = {
        {"digis",
         "Digis",
         "",
         {},
         true,
         "CSV index,module,x,y,adc, cells.csv of traccc, or HDF5 with datasets module, x, y, adc"}};
    info.parameters = {layout_parameter("free")};
    for (ParameterSpec& spec : how_to_cluster()) info.parameters.push_back(std::move(spec));
    info.parameters.push_back(record_parameter());
    info.generator = event_parameters(layout_parameter("phase1"), 1);
    info.benchmark = event_parameters(layout_parameter("phase1"), 100);
    for (ParameterSpec& spec : how_to_cluster()) info.benchmark.push_back(std::move(spec));
    info.benchmark.push_back(critical_parameter());
    info.small = {{"events", std::int64_t{1}}};
    info.reference = "host.reference";
    return info;
}

}  // namespace ks::clusters
