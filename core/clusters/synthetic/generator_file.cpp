#include <algorithm>
#include <utility>
#include <vector>

#include "core/clusters/synthetic/generator.h"
#include "core/io/digis/digi_file.h"
#include "core/run/parameter_rows.h"

namespace ks::clusters {
namespace {

constexpr std::size_t usual_digis = 43000,
                      usual_clusters = 17000;  // per event in the pixel detector of CMS
constexpr std::size_t usual_modules = 16;      // for layouts without a fixed number

using parameter::choice;
using parameter::flag;
using parameter::optional_whole;
using parameter::whole;

}  // namespace

std::vector<ParameterSpec> event_parameters(ParameterSpec layout, std::int64_t events) {
    return {
        whole("events", "Events", "", events, 1, 1e6, "Number of distinct events, one after another"),
        optional_whole("digis", "Digis", "", "by shape", 1, 1e9,
                       "Digis per event; by shape: 43000 for random, otherwise as many as the shape has"),
        optional_whole("clusters", "Clusters", "", "by digis", 1, 1e9,
                       "Clusters per random event; by digis: 17 per 43 digis"),
        choice("shape", "Shape", shape_names(),
               "Random clusters, or the same adversarial pattern in each module"),
        std::move(layout),
        optional_whole("modules", "Modules", "", "by shape", 1, 1e6,
                       "Modules with digis; by shape: for random, all modules of the layout (16 if it has no "
                       "fixed number), otherwise 1"),
        whole("extent_x", "Extent in x", "px", 256, 1, 65536, "Module size, if the layout has none"),
        whole("extent_y", "Extent in y", "px", 256, 1, 65536, "Module size, if the layout has none"),
        whole("repeated", "Repeated digis", "", 0, 0, 1e9, "Additional digis per event at occupied pixels"),
        whole("invalid", "Invalid digis", "", 0, 0, 1e9, "Additional digis per event with an invalid module"),
        flag("shuffled", "Shuffled", true,
             "Put the digis of an event in random order; otherwise they are ordered by module"),
        whole("seed", "Seed", "", 1, 0, 1e15, "Seed of the random numbers")};
}

ParameterSpec critical_parameter() {
    return choice("critical", "Critical digis", {"none", "16_bits", "32_bits", "lists"},
                  "Adds a module to each event, with digis at its corners and charges beyond 16 bits, a "
                  "cluster whose charge is beyond 32 bits, or digis with many neighbours");
}

EventSpec event_spec_from(const ParameterSet& set) {
    const auto size = [&set](const char* id) { return static_cast<std::size_t>(integer(set, id)); };
    EventSpec spec;
    spec.layout = layout_named(text(set, "layout"));
    if (spec.layout.extent_x == 0) spec.layout.extent_x = static_cast<std::uint32_t>(size("extent_x"));
    if (spec.layout.extent_y == 0) spec.layout.extent_y = static_cast<std::uint32_t>(size("extent_y"));
    spec.shape = text(set, "shape");
    const bool random = spec.shape == "random";
    spec.events = size("events");
    const auto given = [&set](const char* id, std::size_t otherwise) {
        const auto value = optional_integer(set, id);
        return value ? static_cast<std::size_t>(*value) : otherwise;
    };
    if (set.contains("critical")) spec.critical = text(set, "critical");
    const std::size_t for_critical = spec.critical == "none" ? 0 : 1;  // its module
    spec.modules = given("modules", !random               ? 1
                                    : spec.layout.fixed() ? spec.layout.modules - for_critical
                                                          : usual_modules);
    const std::size_t area = std::size_t{spec.layout.extent_x} * spec.layout.extent_y;
    spec.digis =
        given("digis", random ? std::clamp<std::size_t>(spec.modules * area / 4, 1, usual_digis) : 0);
    spec.clusters = given("clusters", std::max<std::size_t>(1, spec.digis * usual_clusters / usual_digis));
    spec.duplicates = size("repeated");
    spec.invalid = size("invalid");
    spec.shuffled = boolean(set, "shuffled");
    spec.seed = static_cast<std::uint64_t>(integer(set, "seed"));
    return spec;
}

void generate_file(const ParameterSet& parameters, const std::filesystem::path& out, bool overwrite,
                   Progress& progress) {
    io::write_digis(make_events(event_spec_from(parameters), progress), out, overwrite, progress);
}

}  // namespace ks::clusters
