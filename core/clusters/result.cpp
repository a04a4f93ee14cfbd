#include "core/clusters/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/base/threads.h"
#include "core/clusters/analysis.h"
#include "core/clusters/cluster_sums.h"

namespace ks::clusters {
namespace {

ClusterTable undefined_table(std::size_t rows, std::size_t slots) {
    const auto column = [rows](ElementType type) { return Array::undefined(type, {rows}); };
    return {.label = column(ElementType::i32),
            .size = column(ElementType::u32),
            .charge = column(ElementType::u64),
            .x = column(ElementType::f64),
            .y = column(ElementType::f64),
            .xmin = column(ElementType::u16),
            .xmax = column(ElementType::u16),
            .ymin = column(ElementType::u16),
            .ymax = column(ElementType::u16),
            .slot_clusters = Array(ElementType::u32, {slots})};
}

/// Writes rows of the table from `first` on.
void put(ClusterTable& table, std::size_t first, const std::vector<ClusterSum>& sums,
         std::size_t first_slot) {
    const auto of = [first, &sums]<class T>(Array& column, T) {
        return column.as<T>().subspan(first, sums.size());
    };
    const auto labels = of(table.label, std::int32_t{});
    const auto sizes = of(table.size, std::uint32_t{});
    const auto charges = of(table.charge, std::uint64_t{});
    const auto xs = of(table.x, double{}), ys = of(table.y, double{});
    const std::uint16_t zero = 0;
    const auto x0 = of(table.xmin, zero), x1 = of(table.xmax, zero), y0 = of(table.ymin, zero),
               y1 = of(table.ymax, zero);
    const auto slot_clusters = table.slot_clusters.as<std::uint32_t>();
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const ClusterSum& sum = sums[i];
        const double weight = sum.charge == 0 ? sum.size : static_cast<double>(sum.charge);
        labels[i] = sum.label;
        sizes[i] = sum.size;
        charges[i] = sum.charge;
        xs[i] = sum.x / weight + 0.5;
        ys[i] = sum.y / weight + 0.5;
        x0[i] = sum.xmin;
        x1[i] = sum.xmax;
        y0[i] = sum.ymin;
        y1[i] = sum.ymax;
        ++slot_clusters[sum.slot - first_slot];
    }
}

/// Shares the memory: results are immutable.
Array shared(const Array& column) {
    return column.slice(0, column.shape());
}

void add_digis(Result& result, const ModuleDigis& digis, Array labels) {
    const auto put_digis = [&result](const char* name, const char* title, Array values) {
        result.datasets.push_back({name, title, "", DataKind::overlay, std::move(values)});
    };
    put_digis("label", "Label", std::move(labels));
    put_digis("digi_module", "Module", shared(digis.module_column()));
    if (digis.table().has_events()) put_digis("digi_event", "Event", shared(digis.event_column()));
}

void add_table(Result& result, const ModuleDigis& digis, ClusterTable table) {
    const auto put_column = [&result](const char* name, const char* title, const char* unit, Array values) {
        result.datasets.push_back({name, title, unit, DataKind::table, std::move(values)});
    };
    put_column("cluster_label", "Label", "", std::move(table.label));
    put_column("cluster_size", "Size", "px", std::move(table.size));
    put_column("cluster_charge", "Charge", "", std::move(table.charge));
    put_column("cluster_x", "x", "px", std::move(table.x));
    put_column("cluster_y", "y", "px", std::move(table.y));
    put_column("cluster_xmin", "x from", "px", std::move(table.xmin));
    put_column("cluster_xmax", "x to", "px", std::move(table.xmax));
    put_column("cluster_ymin", "y from", "px", std::move(table.ymin));
    put_column("cluster_ymax", "y to", "px", std::move(table.ymax));
    put_column("module_id", "Module", "", shared(digis.slot_columns().module));
    put_column("module_event", "Event", "", shared(digis.slot_columns().event));
    put_column("module_start", "First digi", "", shared(digis.slot_columns().start));
    put_column("module_digis", "Digis", "", shared(digis.slot_columns().digis));
    put_column("module_clusters", "Clusters", "", std::move(table.slot_clusters));
}

void add_facts(Result& result, const ClusterProblem& problem, const ClusterTable& table) {
    const ModuleDigis& digis = *problem.shared();
    nlohmann::json& facts = result.facts;
    facts["layout"] = digis.layout().id;
    facts["connectivity"] = problem.connectivity();
    facts["digis"] = digis.size();
    facts["events"] = digis.events();
    facts["modules"] = digis.modules();
    facts["largest_module"] = digis.largest_slot();
    facts["clusters"] = table.label.size();
    facts["invalid"] = table.invalid;
    facts["duplicates"] = table.duplicates;
    facts["cut"] = table.cut;
}

}  // namespace

Array make_labels(const ClusterProblem& problem) {
    return {ElementType::i32, {problem.digis()}};
}

ClusterTable table_of(const ClusterProblem& problem, const Array& labels) {
    const std::span<const std::int32_t> given = labels.as<std::int32_t>();
    if (given.size() != problem.digis())
        throw Error(ErrorKind::run,
                    fmt::format("expected {} labels, found {}", problem.digis(), given.size()), "label");
    const auto blocks = problem.blocks();
    // More than the number of threads: they get new memory at different speeds.
    constexpr std::size_t parts_of_thread = 8;
    const unsigned threads = compute_threads();
    const std::size_t parts = std::min<std::size_t>(parts_of_thread * threads, blocks.size() + 1);
    const auto part = [&](std::size_t i) { return i * blocks.size() / parts; };
    Progress progress;
    const auto in_parts = [&](const auto& work) {
        parallel_for(parts, threads, progress, [&](std::size_t i) { work(i, part(i), part(i + 1)); });
    };

    std::vector<std::size_t> offsets(blocks.size() + 1, 0);
    in_parts([&](std::size_t, std::size_t first, std::size_t end) {
        for (std::size_t i = first; i < end; ++i) offsets[i + 1] = BlockSums::count(given, blocks[i]);
    });
    for (std::size_t i = 0; i < blocks.size(); ++i) offsets[i + 1] += offsets[i];

    ClusterTable table = undefined_table(offsets.back(), problem.slots());
    struct Counts {
        std::size_t invalid = 0, duplicates = 0, cut = 0;
    };
    std::vector<Counts> counts(parts);
    in_parts([&](std::size_t own, std::size_t first, std::size_t end) {
        BlockSums sums;
        for (std::size_t i = first; i < end; ++i) {
            sums.add(problem, given, blocks[i]);
            put(table, offsets[i], sums.clusters(), problem.first_slot());
            counts[own].invalid += sums.invalid();
            counts[own].duplicates += sums.duplicates();
            counts[own].cut += sums.cut();
        }
    });
    for (const Counts& one : counts) {
        table.invalid += one.invalid;
        table.duplicates += one.duplicates;
        table.cut += one.cut;
    }
    return table;
}

Result to_result(const ClusterProblem& problem, Array labels, ClusterTable table) {
    if (problem.is_part()) return part_result(problem, std::move(labels), std::move(table));
    const ModuleDigis& digis = *problem.shared();
    Result result;
    add_facts(result, problem, table);
    add_digis(result, digis, std::move(labels));
    add_table(result, digis, std::move(table));
    result.warnings = problem.warnings;
    return result;
}

Result to_result(const ClusterProblem& problem, Array labels, std::vector<Timing>& timings) {
    Stopwatch watch;
    ClusterTable table = table_of(problem, labels);
    Result result = to_result(problem, std::move(labels), std::move(table));
    add(timings, {.stage = "table", .kind = StageKind::host, .nanoseconds = watch.lap()});
    return result;
}

std::vector<Cluster> clusters_of(const Result& result) {
    std::vector<Cluster> all(result.at("cluster_label").values.size());
    const auto fill = [&]<class T>(const char* name, T Cluster::*member) {
        const Array& column = result.at(name).values;
        if (column.rank() != 1 || column.size() != all.size())
            throw Error(ErrorKind::run, fmt::format("expected {} values in one dimension", all.size()), name);
        const auto values = column.as<T>();
        for (std::size_t i = 0; i < all.size(); ++i) all[i].*member = values[i];
    };
    fill("cluster_label", &Cluster::label);
    fill("cluster_size", &Cluster::size);
    fill("cluster_charge", &Cluster::charge);
    fill("cluster_x", &Cluster::x);
    fill("cluster_y", &Cluster::y);
    fill("cluster_xmin", &Cluster::xmin);
    fill("cluster_xmax", &Cluster::xmax);
    fill("cluster_ymin", &Cluster::ymin);
    fill("cluster_ymax", &Cluster::ymax);
    const auto of_digis = [&](const char* name, auto member) {
        const Dataset* column = result.find(name);
        if (column == nullptr) return;
        visit_element(column->values.type(), [&](auto zero) {
            const auto values = column->values.as<decltype(zero)>();
            for (Cluster& cluster : all) {
                if (cluster.label < 0 || static_cast<std::size_t>(cluster.label) >= values.size())
                    throw Error(ErrorKind::run, fmt::format("there is no digi {}", cluster.label), name);
                using Value = std::remove_reference_t<decltype(cluster.*member)>;
                cluster.*member = static_cast<Value>(values[static_cast<std::size_t>(cluster.label)]);
            }
        });
    };
    result.at("digi_module");
    of_digis("digi_module", &Cluster::module);
    of_digis("digi_event", &Cluster::event);
    return all;
}

}  // namespace ks::clusters
