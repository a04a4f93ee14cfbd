#include "core/clusters/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/data/count_text.h"

namespace ks::clusters {
namespace {

std::string fullest_modules(const Result& result) {
    constexpr std::size_t shown = 5;
    const auto ids = result.at("module_id").values.as<std::uint64_t>();
    const auto events = result.at("module_event").values.as<std::uint32_t>();
    const auto digis = result.at("module_digis").values.as<std::uint32_t>();
    const auto clusters = result.at("module_clusters").values.as<std::uint32_t>();
    std::vector<std::size_t> order(digis.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::size_t rows = std::min(shown, order.size());
    std::ranges::partial_sort(
        order, order.begin() + static_cast<std::ptrdiff_t>(rows),
        [&](std::size_t a, std::size_t b) { return digis[a] != digis[b] ? digis[a] > digis[b] : a < b; });
    std::string text =
        fmt::format("{:>20} {:>9} {:>9} {:>9}\n", "fullest module", "event", "digis", "clusters");
    for (std::size_t i = 0; i < rows && digis[order[i]] > 0; ++i)
        text += fmt::format("{:>20} {:>9} {:>9} {:>9}\n", ids[order[i]], events[order[i]], digis[order[i]],
                            clusters[order[i]]);
    return text;
}

}  // namespace

std::string summary_of(const Run& run) {
    const nlohmann::json& facts = run.result.facts;
    const auto fact = [&facts](const char* name) { return facts.value(name, std::uint64_t{0}); };
    const auto sizes = run.result.at("cluster_size").values.as<std::uint32_t>();
    const auto clustered = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
    std::string text = fullest_modules(run.result);
    text += fmt::format("{} in {} of {}", count_text(fact("digis"), "digi"),
                        count_text(fact("modules"), "module"), count_text(fact("events"), "event"));
    for (const auto& [name, what] : {std::pair{"invalid", "invalid"},
                                     {"duplicates", "dropped duplicates"},
                                     {"cut", "removed by the charge cut"}})
        if (fact(name) > 0) text += fmt::format(", {} {}", fact(name), what);
    text += "\n" + count_text(fact("clusters"), "cluster");
    if (!sizes.empty())
        text += fmt::format(" of {:.3g} {} on average, maximum {}",
                            static_cast<double>(clustered) / static_cast<double>(sizes.size()),
                            clustered == sizes.size() ? "digi" : "digis", *std::ranges::max_element(sizes));
    return text + "\n";
}

std::string setup_text_of(const Run& run) {
    const ParameterSet& set = run.request.parameters;
    std::string parts;
    if (set.contains("layout")) parts = text(set, "layout");
    if (set.contains("connectivity")) parts += fmt::format(", {} neighbours", text(set, "connectivity"));
    if (set.contains("charge_cut") && text(set, "charge_cut") != "off")
        parts += fmt::format(", cut {}", text(set, "charge_cut"));
    return parts;
}

}  // namespace ks::clusters
