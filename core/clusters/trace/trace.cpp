#include "core/clusters/trace/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "core/base/error.h"

namespace ks::clusters {
namespace {

void require_small(std::size_t rows, std::size_t columns, const char* what) {
    if (columns != 0 && rows > max_trace_bytes / sizeof(std::int32_t) / columns)
        throw Error(ErrorKind::input,
                    fmt::format("recording {} x {} {} would exceed the limit of {} bytes", rows, columns,
                                what, max_trace_bytes),
                    "record", "choose a smaller module");
}

/// Rows of the slot that take part, ascending.
std::vector<std::int64_t> survivors(const ClusterProblem& problem) {
    const auto slot = static_cast<std::uint32_t>(problem.settings().record.value());
    const std::uint32_t digis = problem.shared()->slot_digis()[slot];
    if (digis > max_traced_digis)
        throw Error(ErrorKind::input,
                    fmt::format("module {} has {} digis, but at most {} can be recorded", slot, digis,
                                max_traced_digis),
                    "record", "choose a smaller module");
    std::vector<std::int64_t> rows;
    std::unordered_map<std::uint32_t, std::uint32_t> at_pixel;
    const auto pixel = [&](std::int64_t row) {
        const auto i = static_cast<std::size_t>(row);
        return (std::uint32_t{problem.y()[i]} << 16) | problem.x()[i];
    };
    for (std::size_t row = 0; row < problem.digis(); ++row)
        if (problem.slot()[row] == slot) {
            rows.push_back(static_cast<std::int64_t>(row));
            ++at_pixel[pixel(rows.back())];
        }
    if (problem.drops_duplicates())
        std::erase_if(rows, [&](std::int64_t row) { return at_pixel[pixel(row)] > 1; });
    return rows;
}

/// Digis after `from`, up to the end of the next column, that touch it.
std::vector<std::int32_t> later_neighbours(const ClusterProblem& problem, const TracedModule& module,
                                           std::size_t from) {
    const auto row = static_cast<std::size_t>(module.digis[from]);
    const std::size_t y = problem.y()[row];
    const std::size_t end = module.columns[std::min(y + 2, module.columns.size() - 1)];
    std::vector<std::int32_t> found;
    for (std::size_t other = from + 1; other < end; ++other) {
        const auto other_row = static_cast<std::size_t>(module.digis[other]);
        const int dx = std::abs(int{problem.x()[other_row]} - int{problem.x()[row]});
        const int dy = problem.y()[other_row] - problem.y()[row];
        if (dx <= 1 && (problem.connectivity() == 8 || dx + dy <= 1))
            found.push_back(static_cast<std::int32_t>(other));
    }
    return found;
}

Dataset in_places(const TracedModule& module, const char* name, const char* title, const TraceSteps& steps) {
    Array all(ElementType::i32, {steps.size(), module.size()});
    auto out = all.as<std::int32_t>().begin();
    for (const std::vector<std::int32_t>& state : steps)
        for (const std::int32_t rank : state) *out++ = module.place[static_cast<std::size_t>(rank)];
    return {name, title, "", DataKind::table, std::move(all)};
}

}  // namespace

TracedModule traced_module(const ClusterProblem& problem) {
    TracedModule module;
    const std::vector<std::int64_t> rows = survivors(problem);
    const auto column = [&](std::int64_t row) { return problem.y()[static_cast<std::size_t>(row)]; };
    module.columns.assign(problem.extent_y() + 1, 0);
    for (const std::int64_t row : rows) ++module.columns[column(row) + 1U];
    std::partial_sum(module.columns.begin(), module.columns.end(), module.columns.begin());

    module.digis.resize(rows.size());
    module.rank.resize(rows.size());
    module.place.resize(rows.size());
    std::vector<std::uint32_t> next(module.columns.begin(), module.columns.end() - 1);
    for (std::size_t rank = 0; rank < rows.size(); ++rank) {
        const std::uint32_t place = next[column(rows[rank])]++;
        module.digis[place] = rows[rank];
        module.rank[place] = static_cast<std::int32_t>(rank);
        module.place[rank] = static_cast<std::int32_t>(place);
    }

    std::vector<std::vector<std::int32_t>> lists(module.size());
    module.width = 1;
    for (std::size_t place = 0; place < module.size(); ++place) {
        lists[place] = later_neighbours(problem, module, place);
        module.width = std::max(module.width, lists[place].size());
        require_small(module.size(), module.width, "neighbours");
    }
    module.neighbours.assign(module.size() * module.width, -1);
    for (std::size_t place = 0; place < module.size(); ++place)
        std::ranges::copy(lists[place],
                          module.neighbours.begin() + static_cast<std::ptrdiff_t>(place * module.width));
    return module;
}

void add_trace(Result& result, const TracedModule& module, TraceKind kind, const TraceSteps& steps) {
    require_small(steps.size(), module.size(), "labels");
    const auto put = [&result](Dataset dataset) {
        if (result.find(dataset.name) == nullptr) result.datasets.push_back(std::move(dataset));
    };
    const auto table = [](const char* name, const char* title, Array values) {
        return Dataset{name, title, "", DataKind::table, std::move(values)};
    };
    put(table("trace_digis", "Digis of the recorded module",
              Array::of<std::int64_t>({module.size()}, module.digis)));
    put(table("trace_columns", "Digis before each column",
              Array::of<std::uint32_t>({module.columns.size()}, module.columns)));
    put(table("trace_neighbours", "Later neighbours",
              Array::of<std::int32_t>({module.size(), module.width}, module.neighbours)));
    const bool labels = kind == TraceKind::propagation;
    put(in_places(module, labels ? "trace_labels" : "trace_parents",
                  labels ? "Labels by round" : "Parents by step", steps));
    result.facts[labels ? "trace_rounds" : "trace_steps"] = steps.size() - 1;
}

void record_trace(Result& result, const ClusterProblem& problem,
                  const std::function<void(const TracedModule&)>& add) {
    if (!problem.settings().record) return;
    try {
        add(traced_module(problem));
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::input) throw;
        result.warnings.push_back("the algorithm was not recorded: " + error.message() +
                                  (error.hint().empty() ? "" : "; " + error.hint()));
    }
}

void add_host_traces(Result& result, const ClusterProblem& problem) {
    record_trace(result, problem, [&result](const TracedModule& module) {
        add_trace(result, module, TraceKind::propagation, propagation_rounds(module));
        add_trace(result, module, TraceKind::union_find, union_steps(module));
    });
}

}  // namespace ks::clusters
