// How long g2 of all bins takes to follow while a range of frames is dragged, from kept pairs (LivePairs):
// bench_live_pairs [FRAMES] [BINS] [FRAMES PER STEP]. The pairs are made up, so that no frames are needed.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/stopwatch.h"
#include "core/base/threads.h"
#include "core/xpcs/live/live_pairs.h"

namespace {

using namespace ks;

Run made_up(std::size_t frames, std::size_t bins) {
    const std::size_t pairs = xpcs::BinPairs::pairs_of(frames, frames);
    std::vector<std::uint32_t> products(bins * pairs);
    std::vector<std::uint64_t> sums(bins * frames);
    for (std::size_t i = 0; i < products.size(); ++i)
        products[i] = static_cast<std::uint32_t>(330000 + i * 7919 % 9973);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = 31000 + i * 7919 % 997;
    const std::vector<double> curves(bins * frames, 1);
    Run run;
    const auto add = [&run](const char* name, Array values) {
        run.result.datasets.push_back({name, name, "", DataKind::overlay, std::move(values)});
    };
    add("pairs", Array::taken<std::uint32_t>({bins, pairs}, std::move(products)));
    add("pair_sums", Array::of<std::uint64_t>({bins, frames}, sums));
    add("pair_pixels", Array::of<std::int64_t>({bins}, std::vector<std::int64_t>(bins, 3200)));
    add("pair_used", Array::of<std::uint8_t>({frames}, std::vector<std::uint8_t>(frames, 1)));
    add("g2", Array::of<double>({bins, frames}, curves));
    add("g2_err", Array::of<double>({bins, frames}, curves));
    return run;
}

double ms(std::uint64_t nanoseconds) {
    return static_cast<double>(nanoseconds) / 1e6;
}

}  // namespace

int main(int count, char** arguments) {
    const auto number = [&](int i, std::size_t otherwise) {
        return count > i ? static_cast<std::size_t>(std::atoi(arguments[i])) : otherwise;
    };
    const std::size_t frames = number(1, 500), bins = number(2, 15),
                      step = number(3, std::max<std::size_t>(1, frames / 500));
    Request next;
    next.analysis = "xpcs";
    Stopwatch watch;
    xpcs::LivePairs live(xpcs::LivePairs::request_of(next, frames, false), made_up(frames, bins), frames);
    watch.lap();
    if (!live.preview(next)) return 1;
    const double first = ms(watch.lap());
    std::vector<double> steps;
    for (std::size_t end = frames / 4 + step; end < frames / 2; end += step) {
        next.parameters["leave_out"] = fmt::format("{}-{}", frames / 4, end);
        watch.lap();
        if (!live.preview(next)) return 1;
        steps.push_back(ms(watch.lap()));
        if (steps.size() == 60) break;
    }
    std::ranges::sort(steps);
    const std::size_t n = steps.size();
    fmt::print(
        "{} frames, {} bins, {} threads: all pairs {:.1f} ms; a step of {} frames {:.2f} ms (quartiles "
        "{:.2f}, {:.2f})\n",
        frames, bins, compute_threads(), first, step, steps[n / 2], steps[n / 4], steps[3 * n / 4]);
    return 0;
}
