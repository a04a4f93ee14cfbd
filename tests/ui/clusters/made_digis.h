#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "core/run/host_backend.h"
#include "core/run/run.h"
#include "ui/clusters/core_clusters.h"
#include "ui/clusters/digi_set.h"

/// One digi by hand.
struct MadeDigi {
    std::uint32_t module;
    std::uint16_t x, y;
    std::uint32_t adc;
    std::uint32_t event = 0;
};

/// Two events: in module 3 of event 0 a bar of three pixels, a pair that touches at a corner, one alone; in
/// module 7 a square; in module 3 of event 1 a pair. Rows are those of the list.
inline std::vector<MadeDigi> someDigis() {
    return {{3, 10, 20, 100}, {7, 40, 50, 1000}, {3, 11, 20, 200},  {3, 30, 60, 5},
            {3, 12, 20, 300}, {3, 31, 61, 7},    {7, 41, 50, 1000}, {7, 40, 51, 1000},
            {3, 80, 5, 50},   {7, 41, 51, 1000}, {3, 9, 9, 11, 1},  {3, 9, 10, 12, 1}};
}

inline ks::DigiTable tableOf(const std::vector<MadeDigi>& digis) {
    ks::DigiTable table;
    for (const MadeDigi& one : digis) {
        table.module.push_back(one.module);
        table.x.push_back(one.x);
        table.y.push_back(one.y);
        table.adc.push_back(one.adc);
        table.event.push_back(one.event);
    }
    return table;
}

inline std::shared_ptr<const ks::ui::clusters::DigiSet> digiSet(const std::vector<MadeDigi>& digis,
                                                                const char* layout = "free",
                                                                const char* name = "made.csv") {
    return std::make_shared<const ks::ui::clusters::DigiSet>(
        std::make_shared<const ks::clusters::ModuleDigis>(tableOf(digis), ks::clusters::layout_named(layout),
                                                          name));
}

/// A run whose labels are these.
inline std::shared_ptr<ks::Run> labelledRun(const ks::ui::clusters::DigiSet& digis,
                                            const std::vector<std::int32_t>& labels,
                                            const std::string& cut = "off") {
    auto run = std::make_shared<ks::Run>();
    run->request.analysis = "clusters";
    run->request.variant = run->variant.id = "host.unionfind";
    run->request.inputs["digis"] = {digis.digis().name(), {}};
    run->request.parameters = ks::defaults(ks::clusters::analysis_info().parameters);
    run->request.parameters["layout"] = digis.layout().id;
    run->request.parameters["charge_cut"] = cut;
    const ks::clusters::ClusterProblem problem(
        digis.shared(), ks::clusters::settings_from(run->request.parameters, digis.layout()));
    run->result =
        ks::clusters::to_result(problem, ks::Array::of<std::int32_t>({labels.size()}, labels), run->timings);
    return run;
}

/// Labels of someDigis() by hand, 8-connected: 0 0 0, 3 3, 8, the square 1, the pair of event 1.
inline std::vector<std::int32_t> someLabels() {
    return {0, 1, 0, 3, 0, 3, 1, 1, 8, 1, 10, 10};
}
/// 4-connected: the pair at the corner is two clusters.
inline std::vector<std::int32_t> fourLabels() {
    return {0, 1, 0, 3, 0, 5, 1, 1, 8, 1, 10, 10};
}
