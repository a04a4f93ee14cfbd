#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/clusters/analysis.h"
#include "core/clusters/problem.h"
#include "core/clusters/synthetic/generator.h"
#include "tests/core/run_on_host.h"

namespace ks::tests {

using clusters::ClusterProblem;
using clusters::ClusterSettings;
using clusters::Duplicates;

struct Digi {
    std::uint32_t module;
    int x, y;
    std::uint32_t adc = 1, event = 0;
};

inline DigiTable table_of(const std::vector<Digi>& digis, bool events = false) {
    DigiTable table;
    for (const Digi& digi : digis) {
        table.module.push_back(digi.module);
        table.x.push_back(static_cast<std::uint16_t>(digi.x));
        table.y.push_back(static_cast<std::uint16_t>(digi.y));
        table.adc.push_back(digi.adc);
        if (events) table.event.push_back(digi.event);
    }
    return table;
}

inline std::shared_ptr<const ClusterProblem> problem_of(DigiTable table, const std::string& layout = "free",
                                                        ClusterSettings settings = {}) {
    auto digis = std::make_shared<const clusters::ModuleDigis>(std::move(table),
                                                               clusters::layout_named(layout), "test");
    return std::make_shared<const ClusterProblem>(std::move(digis), std::move(settings));
}

inline Run host_run(const ClusterProblem& problem, const std::string& variant) {
    return run_on_host(clusters::host_variants(), problem, variant);
}

inline std::vector<std::int32_t> labels_of(const Run& run) {
    const auto labels = run.result.at("label").values.as<std::int32_t>();
    return {labels.begin(), labels.end()};
}

/// Labels straight from the definition, from the table itself: what is connected is walked with a stack over
/// a map from pixels to rows.
inline std::vector<std::int32_t> labels_by_definition(const ClusterProblem& problem) {
    const DigiTable& digis = problem.shared()->table();
    using Pixel = std::tuple<std::uint32_t, std::uint64_t, int, int>;
    std::map<Pixel, std::vector<std::size_t>> rows;
    std::vector<std::int32_t> labels(digis.size(), -1);
    const auto pixel = [&](std::size_t row, int dx, int dy) {
        return Pixel{digis.event_of(row), digis.module_id(row), digis.x[row] + dx, digis.y[row] + dy};
    };
    const auto& bad = problem.layout().invalid_ids;
    const auto invalid = [&](std::size_t row) {
        for (const std::uint32_t id : bad)
            if (id == digis.module_id(row)) return true;
        return false;
    };
    for (std::size_t row = 0; row < digis.size(); ++row)
        if (!invalid(row)) rows[pixel(row, 0, 0)].push_back(row);
    std::vector<bool> seen(digis.size(), false);
    for (std::size_t seed = 0; seed < digis.size(); ++seed) {
        if (seen[seed] || invalid(seed)) continue;
        if (problem.drops_duplicates() && rows.at(pixel(seed, 0, 0)).size() > 1) {
            labels[seed] = -2;
            continue;
        }
        std::vector<std::size_t> stack{seed}, members;
        seen[seed] = true;
        while (!stack.empty()) {
            const std::size_t row = stack.back();
            stack.pop_back();
            members.push_back(row);
            for (int dx = -1; dx <= 1; ++dx)
                for (int dy = -1; dy <= 1; ++dy) {
                    if (problem.connectivity() == 4 && dx * dy != 0) continue;
                    const auto found = rows.find(pixel(row, dx, dy));
                    if (found == rows.end() || (problem.drops_duplicates() && found->second.size() > 1))
                        continue;
                    for (const std::size_t other : found->second)
                        if (!seen[other]) {
                            seen[other] = true;
                            stack.push_back(other);
                        }
                }
        }
        std::uint64_t charge = 0;
        for (const std::size_t row : members) charge += digis.adc[row];
        const bool cut = problem.cuts_charge() && charge < problem.charge_cut(problem.slot()[seed]);
        for (const std::size_t row : members) labels[row] = cut ? -3 : static_cast<std::int32_t>(seed);
    }
    return labels;
}

/// Events of a shape in a small or a fixed detector.
inline DigiTable events_of(const std::string& layout, const std::string& shape, std::size_t modules,
                           std::size_t digis, std::size_t events = 1, std::size_t duplicates = 0,
                           std::size_t invalid = 0) {
    clusters::EventSpec spec;
    spec.layout = clusters::layout_named(layout);
    if (spec.layout.extent_x == 0) spec.layout.extent_x = spec.layout.extent_y = 300;
    spec.shape = shape;
    spec.modules = modules;
    spec.digis = digis;
    spec.clusters = digis == 0 ? 0 : 1 + digis * 2 / 5;
    spec.events = events;
    spec.duplicates = duplicates;
    spec.invalid = invalid;
    Progress progress;
    return clusters::make_events(spec, progress);
}

}  // namespace ks::tests
