#include "core/basics/memory_spaces/memory_spaces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "core/base/host_memory.h"
#include "core/base/parallel.h"
#include "core/base/random.h"
#include "core/base/stopwatch.h"
#include "core/base/threads.h"
#include "core/basics/exercise.h"
#include "core/basics/exercise_analysis.h"
#include "core/data/count_text.h"
#include "core/data/missing_value.h"
#include "core/run/parameter_rows.h"

namespace ks::basics {
namespace {

AnalysisInfo memory_spaces_info() {
    using namespace parameter;
    return {
        .id = "memory_spaces",
        .title = "Memory spaces",
        .description = "Speeds of private, local, constant and global memory and of transfers, versus size",
        .parameters = {
            whole("largest", "Largest size", "bytes", 1 << 26, 64, unbounded,
                  "Sizes start at 64 bytes and grow by factors of 4"),
            optional_whole("items", "Work-items", "", "by the device", 1, 1 << 24,
                           "Number of work-items that read each memory"),
            whole("passes", "Reads", "", 64, 1, 65536, "Reads of 16 bytes by each work-item"),
            whole("repeats", "Repeats", "", 5, 1, 1000, "Number of repeats; the median is reported"),
            seed_parameter()}};
}

std::shared_ptr<const Problem> load_memory_spaces(const Request& request, const Progress& progress) {
    auto problem = std::make_shared<MemorySpacesProblem>();
    const auto largest = static_cast<std::size_t>(integer(request.parameters, "largest"));
    for (std::size_t bytes = 64; bytes <= largest; bytes *= 4) problem->sizes.push_back(bytes / sizeof(Quad));
    require_memory(problem->sizes.back() * sizeof(Quad), "the largest size", "memory_spaces");
    problem->data.resize(problem->sizes.back());
    Random random(seed_of(request), 1);
    for (std::size_t i = 0; i < problem->data.size(); ++i) {
        if (i % (std::size_t{1} << 20) == 0) progress.check();
        const std::uint64_t first = random.next(), second = random.next();
        problem->data[i] = {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(first >> 32),
                            static_cast<std::uint32_t>(second), static_cast<std::uint32_t>(second >> 32)};
    }
    if (const auto items = optional_integer(request.parameters, "items"))
        problem->items = static_cast<std::uint64_t>(*items);
    problem->passes = static_cast<std::uint32_t>(integer(request.parameters, "passes"));
    problem->repeats = static_cast<std::size_t>(integer(request.parameters, "repeats"));
    return problem;
}

/// Every sum of the values read must equal the host's, bit for bit.
Verdict check_memory_spaces(const MemorySpacesProblem& problem, const Run& run, CheckMode,
                            Progress& progress) {
    Verdict verdict;
    const auto items = run.result.facts.value("work_items", std::uint64_t{0});
    std::size_t wrong = 0;
    const auto fail = [&](const std::string& where) {
        if (wrong++ == 0) verdict.where = where;
    };
    struct Measured {
        std::string space;
        std::span<const double> speeds;
        std::vector<double> sums;  ///< u32 in runs of earlier versions
    };
    std::vector<Measured> spaces;
    for (const std::string space : {"private", "local", "constant", "global"}) {
        if (run.variant.on_host() && space != "global") continue;
        const Dataset* const speeds = run.result.find(space);
        const Dataset* const sums = run.result.find("sum_" + space);
        if (speeds == nullptr || speeds->values.size() != problem.sizes.size() || sums == nullptr ||
            sums->values.size() != problem.sizes.size())
            fail(space);
        else
            spaces.push_back({space, speeds->values.as<double>(), sums->values.to_doubles()});
    }
    for (std::size_t i = 0; i < problem.sizes.size(); ++i) {
        progress.check();
        const std::uint32_t right = sum_of_reads(std::span(problem.data).first(problem.sizes[i]), items,
                                                 problem.passes, compute_threads());
        for (const Measured& one : spaces) {
            if (std::isnan(one.speeds[i])) continue;  // it does not fit there
            ++verdict.samples;
            if (one.sums[i] != static_cast<double>(right))
                fail(fmt::format("sum_{}, {} bytes", one.space, problem.sizes[i] * sizeof(Quad)));
        }
    }
    verdict.state = wrong == 0 && verdict.samples > 0 ? Verdict::State::pass : Verdict::State::fail;
    verdict.text =
        wrong == 0
            ? fmt::format("pass: {} from the device {} from the host", count_text(verdict.samples, "sum"),
                          verdict.samples == 1 ? "is equal to that" : "are equal to those")
            : fmt::format("fail: {} from the device {} from the host, the first in {}",
                          count_text(wrong, "sum"), wrong == 1 ? "differs from that" : "differ from those",
                          verdict.where);
    return verdict;
}

Result read_on_host(const MemorySpacesProblem& problem, HostContext& context) {
    const std::uint64_t items = problem.items.value_or(65536);
    SpaceCurve curve{"global", "Host memory", {}, {}};
    for (const std::size_t quads : problem.sizes) {
        context.progress.check();
        std::vector<double> times;
        for (std::size_t i = 0; i < problem.repeats; ++i) {
            Stopwatch watch;
            const std::uint32_t sum =
                sum_of_reads(std::span(problem.data).first(quads), items, problem.passes, context.threads);
            const std::uint64_t spent = watch.lap();
            times.push_back(static_cast<double>(spent));
            if (i == 0) curve.sums.emplace_back(sum);
            add(context.timings, {.stage = "read", .kind = StageKind::host, .nanoseconds = spent});
        }
        std::ranges::sort(times);
        const double bytes = static_cast<double>(items * problem.passes * sizeof(Quad));
        curve.gigabytes_per_second.push_back(bytes / times[times.size() / 2]);
    }
    return memory_spaces_result(problem, items, {curve});
}

}  // namespace

std::size_t step_of(std::size_t quads, std::uint64_t items) {
    return items % quads == 0 ? 1 : static_cast<std::size_t>(items % quads);
}

std::uint32_t sum_of_reads(std::span<const Quad> quads, std::uint64_t items, std::uint32_t passes,
                           unsigned threads) {
    const std::size_t step = step_of(quads.size(), items), mask = quads.size() - 1;
    constexpr std::uint64_t piece = 4096;
    std::vector<std::uint32_t> sums((items + piece - 1) / piece);
    parallel_for(sums.size(), threads, [&](std::size_t part) {
        std::uint32_t sum = 0;
        for (std::uint64_t g = part * piece; g < std::min(items, (part + 1) * piece); ++g)
            for (std::uint32_t pass = 0; pass < passes; ++pass) {
                const Quad& quad = quads[(g + pass * step) & mask];
                sum += (quad.x ^ pass) + (quad.y ^ pass) + (quad.z ^ pass) + (quad.w ^ pass);
            }
        sums[part] = sum;
    });
    return std::accumulate(sums.begin(), sums.end(), std::uint32_t{0});
}

Result memory_spaces_result(const MemorySpacesProblem& problem, std::uint64_t items,
                            const std::vector<SpaceCurve>& curves) {
    Result result;
    std::vector<double> bytes;
    for (const std::size_t quads : problem.sizes) bytes.push_back(static_cast<double>(quads * sizeof(Quad)));
    add_values(result, "bytes", "Size", "bytes", DataKind::axis, bytes);
    result.facts["work_items"] = items;
    for (const SpaceCurve& curve : curves) {
        std::vector<double> speeds;
        double best = 0;
        for (const auto& speed : curve.gigabytes_per_second) {
            speeds.push_back(speed.value_or(missing_value));
            best = std::max(best, speed.value_or(0));
        }
        add_values(result, curve.name, curve.title, "GB/s", DataKind::curves, speeds, "bytes");
        result.facts[std::string(curve.name) + "_gigabytes_per_second"] = best;
    }
    for (const SpaceCurve& curve : curves) {
        std::vector<double> sums;
        for (const auto& sum : curve.sums) sums.push_back(sum ? static_cast<double>(*sum) : missing_value);
        if (!sums.empty())
            add_values(result, std::string("sum_") + curve.name, std::string("Sum: ") + curve.title, "",
                       DataKind::table, sums, "bytes");
    }
    return result;
}

std::vector<Exercise> memory_spaces_exercises() {
    return {exercise(13, "core/basics/memory_spaces/memory_spaces.cpp",
                     {
                         .info = memory_spaces_info(),
                         .load = made_by(load_memory_spaces),
                         .check = check_memory_spaces,
                     },
                     {
                         {"host.reference", 10, "Reads on the host",
                          "All host threads perform the reads of all work-items.", read_on_host},
                     })};
}

}  // namespace ks::basics
