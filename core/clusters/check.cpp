#include "core/clusters/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/base/threads.h"
#include "core/clusters/labelling/flood_fill.h"
#include "core/data/count_text.h"
#include "core/data/sample.h"

namespace ks::clusters {
namespace {

constexpr std::size_t sampled_digis = 400000, sampled_fullest = 8;
constexpr double centroid_tolerance = 1e-9;  // relative, or in pixels below 1

Verdict failed(std::uint64_t compared, std::string where, std::string text, VerdictPlace place = {}) {
    Verdict verdict;
    verdict.state = Verdict::State::fail;
    verdict.samples = compared;
    verdict.where = std::move(where);
    verdict.text = std::move(text);
    verdict.place = std::move(place);
    return verdict;
}

/// Slots to check: all with digis, or a sample of them.
std::vector<std::size_t> slots_to_check(const ModuleDigis& digis, CheckMode mode) {
    std::vector<std::size_t> slots;
    for (std::size_t slot = 0; slot < digis.slots(); ++slot)
        if (digis.slot_digis()[slot] > 0) slots.push_back(slot);
    if (mode == CheckMode::full || digis.size() - digis.invalid() <= sampled_digis) return slots;
    std::vector<std::size_t> fullest = slots;
    const std::size_t first = std::min(sampled_fullest, fullest.size());
    std::ranges::partial_sort(fullest, fullest.begin() + static_cast<std::ptrdiff_t>(first), std::greater(),
                              [&digis](std::size_t slot) { return digis.slot_digis()[slot]; });
    std::vector<std::size_t> chosen(fullest.begin(), fullest.begin() + static_cast<std::ptrdiff_t>(first));
    const std::size_t step = (digis.size() + sampled_digis - 1) / sampled_digis;
    const Sample sample(slots.size(), (slots.size() + step - 1) / step);
    for (std::size_t i = 0; i < sample.places(); ++i) chosen.push_back(slots[sample[i]]);
    std::ranges::sort(chosen);
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    return chosen;
}

/// The expected table entries of the clusters with these labels.
std::map<std::int32_t, Cluster> table_of(const ClusterProblem& problem, std::span<const std::int32_t> rows,
                                         std::span<const std::int32_t> labels) {
    std::map<std::int32_t, Cluster> table;
    const DigiTable& digis = problem.shared()->table();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (labels[i] < 0) continue;
        const auto row = static_cast<std::size_t>(rows[i]);
        const std::uint16_t x = digis.x[row], y = digis.y[row];
        auto [place, is_new] = table.try_emplace(labels[i]);
        Cluster& cluster = place->second;
        if (is_new) cluster = {labels[i], digis.module_id(row), digis.event_of(row), 0, 0, 0, 0, x, x, y, y};
        ++cluster.size;
        cluster.charge += digis.adc[row];
        // Means of coordinates by Welford's update, independent of the sums under test.
        const double weight = digis.adc[row], before = static_cast<double>(cluster.charge);
        if (before > 0) {
            cluster.x += (x + 0.5 - cluster.x) * weight / before;
            cluster.y += (y + 0.5 - cluster.y) * weight / before;
        }
        cluster.xmin = std::min(cluster.xmin, x);
        cluster.xmax = std::max(cluster.xmax, x);
        cluster.ymin = std::min(cluster.ymin, y);
        cluster.ymax = std::max(cluster.ymax, y);
    }
    return table;
}

bool near(double found, double expected) {
    return std::abs(found - expected) <= centroid_tolerance * std::max(1.0, std::abs(expected));
}

/// Empty if the two are equal.
std::string difference(const Cluster& found, const Cluster& expected) {
    const auto differs = [&](const char* what, auto a, auto b) {
        return fmt::format("cluster {}: {} is {}, expected {}", expected.label, what, a, b);
    };
    if (found.module != expected.module) return differs("module", found.module, expected.module);
    if (found.event != expected.event) return differs("event", found.event, expected.event);
    if (found.size != expected.size) return differs("size", found.size, expected.size);
    if (found.charge != expected.charge) return differs("charge", found.charge, expected.charge);
    if (found.xmin != expected.xmin) return differs("xmin", found.xmin, expected.xmin);
    if (found.xmax != expected.xmax) return differs("xmax", found.xmax, expected.xmax);
    if (found.ymin != expected.ymin) return differs("ymin", found.ymin, expected.ymin);
    if (found.ymax != expected.ymax) return differs("ymax", found.ymax, expected.ymax);
    if (expected.charge == 0) return {};
    if (!near(found.x, expected.x)) return differs("x", found.x, expected.x);
    if (!near(found.y, expected.y)) return differs("y", found.y, expected.y);
    return {};
}

/// How a slot differs from the expected result, and the digi that shows it.
struct Wrong {
    std::string text;
    std::optional<std::size_t> digi = {};
};

/// Compares one slot; empty if it is correct.
std::optional<Wrong> compare(const ClusterProblem& problem, std::size_t slot,
                             std::span<const std::int32_t> rows, std::span<const std::int32_t> labels,
                             const std::vector<Cluster>& table,
                             std::span<const std::uint32_t> slot_clusters) {
    const std::vector<std::int32_t> expected = flood_fill(problem, slot, rows);
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (const auto row = static_cast<std::size_t>(rows[i]); labels[row] != expected[i])
            return Wrong{fmt::format("digi {} has label {}, expected {}", row, labels[row], expected[i]),
                         row};
    const auto wanted = table_of(problem, rows, expected);
    if (slot_clusters[slot] != wanted.size())
        return Wrong{fmt::format("module_clusters is {}, expected {}", slot_clusters[slot], wanted.size())};
    for (const auto& [label, cluster] : wanted) {
        const auto found = std::ranges::lower_bound(table, label, {}, &Cluster::label);
        const bool there = found != table.end() && found->label == label;
        std::string text =
            there ? difference(*found, cluster) : fmt::format("the table has no cluster {}", label);
        // A cluster is identified by the first of its digis.
        if (!text.empty()) return Wrong{std::move(text), static_cast<std::size_t>(label)};
    }
    return std::nullopt;
}

Verdict check(const ClusterProblem& problem, const Run& run, CheckMode mode, Progress& progress) {
    const ModuleDigis& digis = *problem.shared();
    const auto labels = run.result.at("label").values.as<std::int32_t>();
    if (labels.size() != problem.digis())
        return failed(
            0, "label",
            fmt::format("expected {} labels, one per digi, found {}", problem.digis(), labels.size()));
    const auto slot_clusters = run.result.at("module_clusters").values.as<std::uint32_t>();
    if (slot_clusters.size() != problem.slots())
        return failed(
            0, "module_clusters",
            fmt::format("expected {} rows, one per module, found {}", problem.slots(), slot_clusters.size()));
    for (std::size_t row = 0; row < labels.size(); ++row)
        if (problem.slot()[row] == ModuleDigis::no_slot && labels[row] != label_invalid)
            return failed(row, fmt::format("digi {}", row),
                          fmt::format("digi {} is invalid but has label {}", row, labels[row]),
                          {{"digi", row}});
    const std::vector<Cluster> table = clusters_of(run.result);
    const auto total = std::accumulate(slot_clusters.begin(), slot_clusters.end(), std::uint64_t{0});
    if (table.size() != total)
        return failed(
            0, "cluster_label",
            fmt::format("the table has {} clusters, but the modules have {} in total", table.size(), total));
    const SlotRows rows(problem);
    const std::vector<std::size_t> slots = slots_to_check(digis, mode);
    std::vector<std::optional<Wrong>> wrong(slots.size());
    std::atomic<std::uint64_t> compared = digis.invalid();
    constexpr std::size_t at_once = 4096;  // progress is reported from this thread
    const unsigned threads = compute_threads();
    for (std::size_t first = 0; first < slots.size(); first += at_once) {
        progress.report(static_cast<double>(first) / static_cast<double>(slots.size()), "check");
        parallel_for(std::min(at_once, slots.size() - first), threads, progress, [&](std::size_t i) {
            const auto some = rows.of(slots[first + i]);
            wrong[first + i] = compare(problem, slots[first + i], some, labels, table, slot_clusters);
            compared += some.size();
        });
    }
    progress.report(1, "check");
    std::size_t modules = 0, worst = slots.size();
    for (std::size_t i = slots.size(); i-- > 0;)
        if (wrong[i]) {
            ++modules;
            worst = i;
        }
    if (modules > 0) {
        const Wrong& first = *wrong[worst];
        const std::uint64_t event = digis.slot_event()[slots[worst]],
                            module = digis.slot_module()[slots[worst]];
        const std::string where = fmt::format("event {}, module {}", event, module);
        VerdictPlace place{{"event", event}, {"module", module}};
        if (first.digi) place["digi"] = *first.digi;
        return failed(compared, where,
                      fmt::format("{} of {} {} from a flood fill; the first is {}: {}", modules,
                                  count_text(slots.size(), "module"), modules == 1 ? "differs" : "differ",
                                  where, first.text),
                      std::move(place));
    }
    Verdict verdict;
    verdict.samples = compared;
    verdict.state = mode == CheckMode::full ? Verdict::State::pass : Verdict::State::sampled;
    verdict.text =
        fmt::format("pass: labels of {}{} and their clusters agree with a flood fill",
                    count_text(verdict.samples, "digi"),
                    mode == CheckMode::full ? "" : " in " + count_text(slots.size(), "sampled module"));
    return verdict;
}

}  // namespace

Verdict check_clusters(const ClusterProblem& problem, const Run& run, CheckMode mode, Progress& progress) {
    if (mode == CheckMode::none) return {};
    try {
        return check(problem, run, mode, progress);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::run) throw;
        return failed(0, error.where(), error.what());  // a column is missing or of another type
    }
}

}  // namespace ks::clusters
