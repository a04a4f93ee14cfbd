#include "core/spots/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <span>

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/base/threads.h"
#include "core/data/count_text.h"
#include "core/spots/collector.h"
#include "core/spots/results/spot_columns.h"
#include "core/spots/signal/reference_frame.h"

namespace ks::spots {
namespace {

/// Pixels of a sample, over all its frames; the extended algorithm evaluates 25 times as many
/// windows per pixel.
constexpr std::size_t sampled_pixels = 20000, sampled_pixels_extended = 3000;
constexpr std::size_t sampled_frames = 16;

unsigned thread_count() {
    return compute_threads();
}

/// Counts differing pixels and keeps the first.
class Differences {
  public:
    explicit Differences(const SpotProblem& problem)
        : width_(problem.width()), first_(problem.shared()->first()) {}

    void add(std::size_t frame, std::uint32_t pixel, bool found) {
        if (count_++ > 0) return;
        where_ = fmt::format("frame {}, x {}, y {}", first_ + frame, pixel % width_, pixel / width_);
        place_ = {{"frame", first_ + frame}, {"x", pixel % width_}, {"y", pixel / width_}};
        found_ = found;
    }
    std::size_t count() const { return count_; }
    Verdict failed(std::uint64_t compared) const {
        Verdict verdict;
        verdict.state = Verdict::State::fail;
        verdict.samples = compared;
        verdict.where = where_;
        verdict.place = place_;
        verdict.text = fmt::format(
            "{} of {} {} from the definition of signal; the first is {}: it is {}signal but should {}be",
            count_, count_text(compared, "pixel"), count_ == 1 ? "differs" : "differ", where_,
            found_ ? "" : "not ", found_ ? "not " : "");
        return verdict;
    }

  private:
    std::size_t width_, first_, count_ = 0;
    std::string where_;
    VerdictPlace place_;
    bool found_ = false;
};

Verdict broken(const std::string& what) {
    Verdict verdict;
    verdict.state = Verdict::State::fail;
    verdict.text = what;
    return verdict;
}

/// Index of the first bitwise difference of two numeric arrays, any NaN being equal to any other; the size if
/// there is none.
std::size_t first_difference(const Array& one, const Array& other) {
    const std::vector<double> a = one.to_doubles(), b = other.to_doubles();
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] != b[i] && !(std::isnan(a[i]) && std::isnan(b[i]))) return i;
    return a.size();
}

/// Compares everything derived from the signal; an empty text if all is equal.
std::string table_difference(const Result& found, const Result& expected) {
    for (const Dataset& wanted : expected.datasets) {
        const Dataset* dataset = found.find(wanted.name);
        if (dataset == nullptr) return fmt::format("the run has no dataset {}", wanted.name);
        const Array &a = dataset->values, &b = wanted.values;
        if (a.type() != b.type() || a.shape() != b.shape())
            return fmt::format("{} has {} values, but the signal gives {}", wanted.name, a.size(), b.size());
        const std::size_t at = first_difference(a, b);
        if (at < a.size())
            return fmt::format("{}, row {} is {}, but the signal gives {}", wanted.name, at,
                               a.to_doubles()[at], b.to_doubles()[at]);
    }
    return {};
}

Verdict check_all(const SpotProblem& problem, const Run& run, Progress& progress) {
    const SignalBands reference(problem);
    Differences differences(problem);
    SpotCollector collector(problem);
    std::uint64_t compared = 0;
    std::vector<std::byte> scratch;
    for (std::size_t frame = 0; frame < problem.frames(); ++frame) {
        const auto found = signal_of(run.result, frame);
        const auto sound =
            problem.missing(frame) ? std::nullopt : problem.shared()->sound_frame(frame, scratch);
        if (!sound) {
            for (const std::uint32_t pixel : found) differences.add(frame, pixel, true);
            continue;
        }
        const auto pixels = *sound;
        std::vector<std::vector<std::uint32_t>> bands(reference.bands());
        // A few bands at a time, since progress is reported from this thread.
        const std::size_t step = 4 * std::size_t{thread_count()};
        for (std::size_t band = 0; band < bands.size(); band += step) {
            const double done =
                static_cast<double>(frame) + static_cast<double>(band) / static_cast<double>(bands.size());
            progress.report(done / static_cast<double>(problem.frames()), "check");
            parallel_for(std::min(step, bands.size() - band), thread_count(), progress,
                         [&](std::size_t i) { bands[band + i] = reference.signal(pixels, band + i); });
        }
        const auto expected = SignalBands::joined(bands);
        std::vector<std::uint32_t> wrong;
        std::ranges::set_symmetric_difference(found, expected, std::back_inserter(wrong));
        for (const std::uint32_t pixel : wrong)
            differences.add(frame, pixel, !std::ranges::binary_search(expected, pixel));
        compared += problem.height() * problem.width();
        collector.add(frame, pixels, expected);
    }
    progress.report(1, "check");
    if (differences.count() > 0) return differences.failed(compared);
    if (const std::string what = table_difference(run.result, collector.result()); !what.empty())
        return broken(what);
    Verdict verdict;
    verdict.state = Verdict::State::pass;
    verdict.samples = compared;
    verdict.text = fmt::format("pass: signal of {} and all spots agree with the definition",
                               count_text(compared, "pixel"));
    return verdict;
}

/// Indices of the `count` largest valid counts.
std::vector<std::uint32_t> largest(const SpotProblem& problem, std::span<const std::byte> pixels,
                                   std::size_t count) {
    std::vector<std::uint32_t> at;
    visit_element(problem.type(), [&](auto zero) {
        using T = decltype(zero);
        const auto* values = reinterpret_cast<const T*>(pixels.data());
        for (std::uint32_t i = 0; i < problem.ignore().size(); ++i)
            if (problem.ignore()[i] == 0 && values[i] > T{0}) at.push_back(i);
        const auto end = at.begin() + static_cast<std::ptrdiff_t>(std::min(count, at.size()));
        std::partial_sort(at.begin(), end, at.end(), [&](std::uint32_t a, std::uint32_t b) {
            return values[a] != values[b] ? values[a] > values[b] : a < b;
        });
    });
    at.resize(std::min(count, at.size()));
    return at;
}

/// About `count` pixels to compare, ascending.
std::vector<std::uint32_t> choose(const SpotProblem& problem, std::span<const std::byte> pixels,
                                  std::span<const std::uint32_t> signal, std::size_t count,
                                  std::uint64_t seed) {
    const std::size_t width = problem.width(), all = problem.height() * width;
    std::set<std::uint32_t> chosen;
    const std::size_t step = std::max<std::size_t>(1, 2 * signal.size() / std::max<std::size_t>(1, count));
    for (std::size_t i = seed % step; i < signal.size(); i += step) {
        chosen.insert(signal[i]);
        // A window that is off by one shows in the neighbours.
        for (const std::ptrdiff_t by :
             {std::ptrdiff_t{-1}, std::ptrdiff_t{1}, -static_cast<std::ptrdiff_t>(width),
              static_cast<std::ptrdiff_t>(width)}) {
            const std::ptrdiff_t other = static_cast<std::ptrdiff_t>(signal[i]) + by;
            if (other >= 0 && other < static_cast<std::ptrdiff_t>(all) && chosen.size() < count)
                chosen.insert(static_cast<std::uint32_t>(other));
        }
    }
    const auto strong = largest(problem, pixels, count / 8);
    chosen.insert(strong.begin(), strong.end());
    std::mt19937_64 random(20240229 + seed);
    for (std::size_t i = 0; i < count / 4; ++i) chosen.insert(static_cast<std::uint32_t>(random() % all));
    return {chosen.begin(), chosen.end()};
}

Verdict check_some(const SpotProblem& problem, const Run& run, Progress& progress) {
    std::vector<std::size_t> frames;
    for (std::size_t frame = 0; frame < problem.frames(); ++frame)
        if (!problem.missing(frame)) frames.push_back(frame);
    const std::size_t count = std::min(frames.size(), sampled_frames);
    const bool extended = problem.thresholds().algorithm == Algorithm::dispersion_extended;
    const std::size_t each = (extended ? sampled_pixels_extended : sampled_pixels) / count;
    Differences differences(problem);
    std::uint64_t compared = 0;
    std::vector<std::byte> scratch;
    for (std::size_t k = 0; k < count; ++k) {
        progress.report(static_cast<double>(k) / static_cast<double>(count), "check");
        // Evenly spaced over the series, including the first and the last.
        const std::size_t frame = frames[count == 1 ? 0 : k * (frames.size() - 1) / (count - 1)];
        const auto found = signal_of(run.result, frame);
        const auto sound = problem.shared()->sound_frame(frame, scratch);
        if (!sound) {
            for (const std::uint32_t pixel : found) differences.add(frame, pixel, true);
            continue;
        }
        const auto pixels = *sound;
        const auto some = choose(problem, pixels, found, each, frame);
        const std::size_t part = 128, parts = (some.size() + part - 1) / part;
        std::vector<std::vector<std::uint8_t>> expected(parts);
        parallel_for(parts, thread_count(), progress, [&](std::size_t i) {
            expected[i] = frame_signal_at(
                problem, pixels, std::span(some).subspan(i * part, std::min(part, some.size() - i * part)));
        });
        for (std::size_t i = 0; i < some.size(); ++i) {
            const bool is = std::ranges::binary_search(found, some[i]);
            if (is != (expected[i / part][i % part] != 0)) differences.add(frame, some[i], is);
        }
        compared += some.size();
    }
    progress.report(1, "check");
    if (differences.count() > 0) return differences.failed(compared);
    Verdict verdict;
    verdict.state = Verdict::State::sampled;
    verdict.samples = compared;
    verdict.text = fmt::format("pass on {} of {}: signal agrees with the definition",
                               count_text(compared, "sampled pixel"), count_text(count, "frame"));
    return verdict;
}

}  // namespace

Verdict check_spots(const SpotProblem& problem, const Run& run, CheckMode mode, Progress& progress) {
    if (mode == CheckMode::none) return {};
    try {
        return mode == CheckMode::full ? check_all(problem, run, progress)
                                       : check_some(problem, run, progress);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::run) throw;
        return broken(error.what());  // the run has no signal, or its offsets are invalid
    }
}

}  // namespace ks::spots
