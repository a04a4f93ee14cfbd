#include "core/clusters/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/base/threads.h"
#include "core/clusters/cluster_sums.h"

namespace ks::clusters {
namespace {

/// The columns of the table while they are filled.
struct Columns {
    explicit Columns(std::size_t rows)
        : label(ElementType::i32, {rows}),
          size(ElementType::u32, {rows}),
          charge(ElementType::u64, {rows}),
          x(ElementType::f64, {rows}),
          y(ElementType::f64, {rows}),
          xmin(ElementType::u16, {rows}),
          xmax(ElementType::u16, {rows}),
          ymin(ElementType::u16, {rows}),
          ymax(ElementType::u16, {rows}) {}

    void put(std::size_t first, const std::vector<ClusterSum>& sums) {
        const auto of = [first, &sums]<class T>(Array& column, T) {
            return column.as<T>().subspan(first, sums.size());
        };
        const auto labels = of(label, std::int32_t{});
        const auto sizes = of(size, std::uint32_t{});
        const auto charges = of(charge, std::uint64_t{});
        const auto xs = of(x, double{}), ys = of(y, double{});
        const std::uint16_t zero = 0;
        const auto x0 = of(xmin, zero), x1 = of(xmax, zero), y0 = of(ymin, zero), y1 = of(ymax, zero);
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
        }
    }

    Array label, size, charge, x, y, xmin, xmax, ymin, ymax;
};

struct Counts {
    std::size_t invalid = 0, duplicates = 0, cut = 0;
};

Dataset table(const char* name, const char* title, const char* unit, Array values) {
    return {name, title, unit, DataKind::table, std::move(values)};
}

void add_digis(Result& result, const ModuleDigis& digis, Array labels) {
    result.datasets.push_back({"label", "Label", "", DataKind::overlay, std::move(labels)});
    result.datasets.push_back({"digi_module", "Module", "", DataKind::overlay, digis.module_column()});
    if (digis.table().has_events())
        result.datasets.push_back({"digi_event", "Event", "", DataKind::overlay, digis.event_column()});
}

void add_clusters(Result& result, Columns columns) {
    auto& all = result.datasets;
    all.push_back(table("cluster_label", "Label", "", std::move(columns.label)));
    all.push_back(table("cluster_size", "Size", "px", std::move(columns.size)));
    all.push_back(table("cluster_charge", "Charge", "", std::move(columns.charge)));
    all.push_back(table("cluster_x", "x", "px", std::move(columns.x)));
    all.push_back(table("cluster_y", "y", "px", std::move(columns.y)));
    all.push_back(table("cluster_xmin", "x from", "px", std::move(columns.xmin)));
    all.push_back(table("cluster_xmax", "x to", "px", std::move(columns.xmax)));
    all.push_back(table("cluster_ymin", "y from", "px", std::move(columns.ymin)));
    all.push_back(table("cluster_ymax", "y to", "px", std::move(columns.ymax)));
}

void add_slots(Result& result, const ModuleDigis& digis, const std::vector<std::uint32_t>& clusters) {
    const auto put = [&result]<class T>(const char* name, const char* title, const std::vector<T>& values) {
        result.datasets.push_back(table(name, title, "", Array::of<T>({values.size()}, values)));
    };
    put("module_id", "Module", digis.slot_module());
    put("module_event", "Event", digis.slot_event());
    put("module_start", "First digi", digis.slot_start());
    put("module_digis", "Digis", digis.slot_digis());
    put("module_clusters", "Clusters", clusters);
}

void add_facts(Result& result, const ClusterProblem& problem, std::size_t clusters, const Counts& counts) {
    const ModuleDigis& digis = *problem.shared();
    nlohmann::json& facts = result.facts;
    facts["layout"] = digis.layout().id;
    facts["connectivity"] = problem.connectivity();
    facts["digis"] = digis.size();
    facts["events"] = digis.events();
    facts["modules"] = std::ranges::count_if(digis.slot_digis(), [](std::uint32_t n) { return n > 0; });
    facts["largest_module"] = digis.largest_slot();
    facts["clusters"] = clusters;
    facts["invalid"] = counts.invalid;
    facts["duplicates"] = counts.duplicates;
    facts["cut"] = counts.cut;
}

}  // namespace

Array make_labels(const ClusterProblem& problem) {
    return {ElementType::i32, {problem.digis()}};
}

Result to_result(const ClusterProblem& problem, Array labels, std::vector<Timing>& timings) {
    Stopwatch watch;
    const std::span<const std::int32_t> given = std::as_const(labels).as<std::int32_t>();
    if (given.size() != problem.digis())
        throw Error(ErrorKind::run,
                    fmt::format("expected {} labels, found {}", problem.digis(), given.size()), "label");
    const ModuleDigis& digis = *problem.shared();
    const auto& blocks = digis.blocks();
    const std::size_t workers = std::min<std::size_t>(compute_threads(), blocks.size() + 1);
    const auto part = [&](std::size_t worker) { return worker * blocks.size() / workers; };
    Progress progress;
    const auto in_parts = [&](const auto& work) {
        parallel_for(workers, static_cast<unsigned>(workers), progress,
                     [&](std::size_t worker) { work(worker, part(worker), part(worker + 1)); });
    };

    std::vector<std::size_t> offsets(blocks.size() + 1, 0);
    in_parts([&](std::size_t, std::size_t first, std::size_t end) {
        for (std::size_t i = first; i < end; ++i) offsets[i + 1] = BlockSums::count(given, blocks[i]);
    });
    for (std::size_t i = 0; i < blocks.size(); ++i) offsets[i + 1] += offsets[i];

    Columns columns(offsets.back());
    std::vector<std::uint32_t> slot_clusters(problem.slots(), 0);
    std::vector<Counts> counts(workers);
    in_parts([&](std::size_t worker, std::size_t first, std::size_t end) {
        BlockSums sums;
        for (std::size_t i = first; i < end; ++i) {
            sums.add(problem, given, blocks[i]);
            columns.put(offsets[i], sums.clusters());
            for (const ClusterSum& sum : sums.clusters()) ++slot_clusters[sum.slot];
            counts[worker].invalid += sums.invalid();
            counts[worker].duplicates += sums.duplicates();
            counts[worker].cut += sums.cut();
        }
    });
    Counts total;
    for (const Counts& one : counts) {
        total.invalid += one.invalid;
        total.duplicates += one.duplicates;
        total.cut += one.cut;
    }

    Result result;
    add_digis(result, digis, std::move(labels));
    add_clusters(result, std::move(columns));
    add_slots(result, digis, slot_clusters);
    add_facts(result, problem, offsets.back(), total);
    result.warnings = problem.warnings;
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
