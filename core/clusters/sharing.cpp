#include "core/clusters/analysis.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/parallel.h"
#include "core/base/streamed_copy.h"

namespace ks::clusters {
namespace {

/// Columns of the table of clusters, by their names in results.
constexpr std::array<std::pair<const char*, Array ClusterTable::*>, 10> columns{
    {{"cluster_label", &ClusterTable::label},
     {"cluster_size", &ClusterTable::size},
     {"cluster_charge", &ClusterTable::charge},
     {"cluster_x", &ClusterTable::x},
     {"cluster_y", &ClusterTable::y},
     {"cluster_xmin", &ClusterTable::xmin},
     {"cluster_xmax", &ClusterTable::xmax},
     {"cluster_ymin", &ClusterTable::ymin},
     {"cluster_ymax", &ClusterTable::ymax},
     {"module_clusters", &ClusterTable::slot_clusters}}};

/// Where the values of each part begin in a combined column, and the end.
std::vector<std::size_t> offsets_of(const std::vector<PartResult>& parts, const char* name) {
    std::vector<std::size_t> offsets{0};
    for (const PartResult& part : parts)
        offsets.push_back(offsets.back() + part.result.at(name).values.size());
    return offsets;
}

/// A column of all parts, concatenated.
Array concatenated(const std::vector<PartResult>& parts, const char* name) {
    const std::vector<std::size_t> offsets = offsets_of(parts, name);
    const ElementType type = parts.front().result.at(name).values.type();
    Array all = Array::in_kept_memory(type, {offsets.back()});
    for (std::size_t i = 0; i < parts.size(); ++i)
        streamed_copy(parts[i].result.at(name).values.bytes(),
                      all.bytes().subspan(offsets[i] * size_of(type)), compute_threads());
    return all;
}

/// The same for labels, which then count from the first row of all.
Array concatenated_labels(const ClusterProblem& whole, const std::vector<PartResult>& parts,
                          const char* name) {
    const std::vector<std::size_t> offsets = offsets_of(parts, name);
    Array all = Array::in_kept_memory(ElementType::i32, {offsets.back()});
    constexpr std::size_t at_once = std::size_t{1} << 20;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto shift = static_cast<std::int32_t>(whole.cuts()[parts[i].first].first_row);
        const auto from = parts[i].result.at(name).values.as<std::int32_t>();
        const auto to = all.as<std::int32_t>().subspan(offsets[i], from.size());
        parallel_for((from.size() + at_once - 1) / at_once, compute_threads(), [&](std::size_t piece) {
            const std::size_t first = piece * at_once, count = std::min(at_once, from.size() - first);
            // Negative values are not rows.
            std::ranges::transform(from.subspan(first, count), to.subspan(first, count).begin(),
                                   [shift](std::int32_t label) { return label < 0 ? label : label + shift; });
        });
    }
    return all;
}

std::size_t sum_of(const std::vector<PartResult>& parts, const char* fact) {
    std::size_t sum = 0;
    for (const PartResult& part : parts) sum += part.result.facts.value(fact, std::size_t{0});
    return sum;
}

/// Data that only one part has: a recorded module.
void take_further(const ClusterProblem& whole, PartResult& part, Result& result) {
    for (Dataset& dataset : part.result.datasets) {
        if (!dataset.name.starts_with("trace_")) continue;
        if (dataset.name == "trace_digis")
            for (std::int64_t& row : dataset.values.as<std::int64_t>())
                row += static_cast<std::int64_t>(whole.cuts()[part.first].first_row);
        result.datasets.push_back(std::move(dataset));
    }
    for (const auto& [name, value] : part.result.facts.items())
        if (name.starts_with("trace_")) result.facts[name] = value;
    for (std::string& warning : part.result.warnings) result.warnings.push_back(std::move(warning));
}

}  // namespace

ShareUnits units_of(const ClusterProblem& problem) {
    ShareUnits units{.name = problem.cut_by_modules() ? "modules" : "events",
                     .count = problem.digis() == 0 ? 0 : problem.cuts().size()};
    units.work.reserve(units.count);
    for (const ModuleDigis::Block& block : problem.cuts().first(units.count))
        units.work.push_back(static_cast<double>(block.rows + 1));
    return units;
}

std::shared_ptr<const Problem> part_of(const std::shared_ptr<const ClusterProblem>& whole, std::size_t first,
                                       std::size_t end) {
    return whole->part(first, end);
}

Result part_result(const ClusterProblem&, Array labels, ClusterTable table) {
    Result result;
    const auto put = [&result](const char* name, Array values) {
        result.datasets.push_back({name, name, "", DataKind::overlay, std::move(values)});
    };
    put("label", std::move(labels));
    for (const auto& [name, column] : columns) put(name, std::move(table.*column));
    result.facts = {{"invalid", table.invalid}, {"duplicates", table.duplicates}, {"cut", table.cut}};
    return result;
}

Result joined_clusters(const ClusterProblem& whole, std::vector<PartResult> parts,
                       std::vector<Timing>& timings) {
    if (parts.size() == 1) return std::move(parts.front().result);
    Array labels = concatenated_labels(whole, parts, "label");
    ClusterTable table;
    for (const auto& [name, column] : columns)
        table.*column = column == &ClusterTable::label ? concatenated_labels(whole, parts, name)
                                                       : concatenated(parts, name);
    table.invalid = sum_of(parts, "invalid");
    table.duplicates = sum_of(parts, "duplicates");
    table.cut = sum_of(parts, "cut");
    Result result = to_result(whole, std::move(labels), std::move(table));
    if (parts.front().result.facts.contains("general_path_modules"))
        result.facts["general_path_modules"] = sum_of(parts, "general_path_modules");
    if (parts.front().result.facts.contains("digis_per_second"))
        if (const std::uint64_t spent = covered_by_devices(timings); spent > 0)
            result.facts["digis_per_second"] =
                static_cast<double>(whole.digis()) * 1e9 / static_cast<double>(spent);
    for (PartResult& part : parts) take_further(whole, part, result);
    return result;
}

}  // namespace ks::clusters
