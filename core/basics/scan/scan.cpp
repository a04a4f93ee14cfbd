#include "core/basics/scan/scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "core/base/host_memory.h"
#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/basics/check_elements.h"
#include "core/basics/exercise.h"
#include "core/basics/exercise_analysis.h"

namespace ks::basics {
namespace {

constexpr std::size_t scanned_at_once = std::size_t{1} << 18;

AnalysisInfo scan_info() {
    return {
        .id = "scan",
        .title = "Scan",
        .description = "Prefix sums of integers, modulo 2^32: every result depends on all elements before it",
        .parameters = {size_parameter("Elements of the vector"), seed_parameter()}};
}

/// A wrong sum may propagate to the end or be isolated: all are compared, which costs as much as one pass.
Verdict check_scan(const ScanProblem& problem, const Run& run, CheckMode, Progress& progress) {
    std::uint32_t sum = 0;
    return check_elements<std::uint32_t>(
        run, problem.size(), CheckMode::full, progress,
        {"sum", "equals the reference", "equal the reference"},
        [&](std::uint32_t found, std::size_t i) { return relative_error(found, sum += problem.x()[i]); });
}

/// Rate relative to the minimum traffic of a scan: one read and one write per byte. Blocks in three passes
/// move each byte three times.
void require_room_for_scan(const ScanProblem& problem, const HostContext& context) {
    require_within(context.memory_limit, 2 * problem.bytes(),
                   fmt::format("two vectors of {} elements", problem.size()), "scan");
}

Result scanned(const ScanProblem& problem, Array c, Stopwatch& watch, HostContext& context,
               std::uint64_t bytes) {
    add(context.timings, {.stage = "scan",
                          .kind = StageKind::host,
                          .nanoseconds = watch.lap(),
                          .bytes = bytes,
                          .operations = problem.size()});
    return scan_result(problem, std::move(c), context.timings);
}

Result scan_in_a_loop(const ScanProblem& problem, HostContext& context) {
    require_room_for_scan(problem, context);
    Array c = Array::undefined(ElementType::u32, {problem.size()});
    Stopwatch watch;
    std::uint32_t sum = 0;
    const auto out = c.as<std::uint32_t>();
    for (std::size_t i = 0; i < problem.size(); ++i) {
        if (i % (std::size_t{1} << 20) == 0) context.progress.check();
        out[i] = sum += problem.x()[i];
    }
    return scanned(problem, std::move(c), watch, context, 2 * problem.bytes());
}

Result scan_on_threads(const ScanProblem& problem, HostContext& context) {
    require_room_for_scan(problem, context);
    Array c = Array::undefined(ElementType::u32, {problem.size()});
    const auto out = c.as<std::uint32_t>();
    Stopwatch watch;
    std::vector<std::uint32_t> before((problem.size() + scanned_at_once - 1) / scanned_at_once);
    const auto piece = [&](std::size_t part) {
        const std::size_t first = part * scanned_at_once;
        return std::span(problem.x()).subspan(first, std::min(scanned_at_once, problem.size() - first));
    };
    parallel_for(before.size(), context.threads, context.progress, [&](std::size_t part) {
        const auto values = piece(part);
        before[part] = std::accumulate(values.begin(), values.end(), std::uint32_t{0});
    });
    std::exclusive_scan(before.begin(), before.end(), before.begin(), std::uint32_t{0});
    parallel_for(before.size(), context.threads, context.progress, [&](std::size_t part) {
        std::uint32_t sum = before[part];
        std::size_t i = part * scanned_at_once;
        for (const std::uint32_t value : piece(part)) out[i++] = sum += value;
    });
    return scanned(problem, std::move(c), watch, context, 3 * problem.bytes());
}

}  // namespace

ScanProblem::ScanProblem(std::size_t size, std::uint64_t seed, const Progress& progress)
    : seed_(seed), x_(exercise_integers(size, seed, 1, progress)) {}

Result scan_result(const ScanProblem& problem, Array c, const std::vector<Timing>& timings) {
    Result result;
    result.datasets.push_back({"c", "Sums modulo 2^32", "", DataKind::curves, std::move(c), {""}});
    result.facts = {{"elements", problem.size()}, {"modulo", sums_modulo}};
    add_rate(result, 2 * problem.bytes(), timings);
    return result;
}

std::vector<Exercise> scan_exercises() {
    return {
        exercise(6, "core/basics/scan/scan.cpp",
                 {.info = scan_info(),
                  .load = made_of_size_and_seed<ScanProblem>(),
                  .check = check_scan,
                  .setup_text = elements_text,
                  .ceiling_share = share_of_copies(&ScanProblem::moved)},
                 {
                     {"host.reference", 1, "A loop in C++",
                      "One thread computes each sum as the previous one plus an element.", scan_in_a_loop},
                     {"host.threads", 10, "Three passes on all threads",
                      "All host threads sum pieces of 262144 elements; one thread scans these sums, and "
                      "all threads then scan the pieces.",
                      scan_on_threads},
                 })};
}

}  // namespace ks::basics
