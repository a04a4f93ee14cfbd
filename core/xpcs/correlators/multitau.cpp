#include "core/xpcs/correlators/multitau.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/base/parallel.h"
#include "core/base/raw_bytes.h"
#include "core/base/stopwatch.h"
#include "core/run/parameter_rows.h"
#include "core/xpcs/correlation.h"
#include "core/xpcs/correlators/multitau_sums.h"
#include "core/xpcs/correlators/processors.h"
#include "core/xpcs/regroup.h"

namespace ks::xpcs {
namespace {

constexpr std::size_t most_levels = 40, most_channels = 256;

/// products[k] += a . b[k] for `rows` rows of n values each, four rows at a time.
template <class V>
struct AddDots {
    static constexpr std::size_t lanes = 8;
    __attribute__((always_inline)) static inline void run(const V* a, const V* const* b, std::size_t rows,
                                                          std::size_t n, double* products) {
        for (std::size_t k = 0; k < rows; k += 4) {
            // The same row again where there are fewer than four.
            const V* const row[4] = {b[k], b[std::min(k + 1, rows - 1)], b[std::min(k + 2, rows - 1)],
                                     b[std::min(k + 3, rows - 1)]};
            double sums[4][lanes] = {};
            for (std::size_t i = 0; i < n; i += lanes)
                for (std::size_t lane = 0; lane < lanes; ++lane) {
                    const auto x = static_cast<double>(a[i + lane]);
                    sums[0][lane] += x * static_cast<double>(row[0][i + lane]);
                    sums[1][lane] += x * static_cast<double>(row[1][i + lane]);
                    sums[2][lane] += x * static_cast<double>(row[2][i + lane]);
                    sums[3][lane] += x * static_cast<double>(row[3][i + lane]);
                }
            for (std::size_t j = 0; j < std::min<std::size_t>(4, rows - k); ++j)
                for (std::size_t lane = 0; lane < lanes; ++lane) products[k + j] += sums[j][lane];
        }
    }
};

template <class V>
struct AddRow {
    __attribute__((always_inline)) static inline void run(const V* from, std::size_t n, V* __restrict to) {
        for (std::size_t i = 0; i < n; ++i) to[i] += from[i];
    }
};

/// Of one sample in a group of pixels, as in MultiTauSums::take().
struct SampleSums {
    std::size_t level;
    std::vector<double> values;
};

/// The last samples of each level of some pixels of one bin.
template <class V>
class PixelGroup {
  public:
    PixelGroup(const MultiTau& tau, std::size_t bin, const std::uint32_t* pixels, std::size_t n)
        : tau_(tau),
          bin_(bin),
          pixels_(pixels),
          n_(n),
          row_((n + AddDots<V>::lanes - 1) / AddDots<V>::lanes * AddDots<V>::lanes),
          levels_(tau.levels) {
        for (Level& level : levels_) {
            level.rows.assign(tau.channels * row_, V{0});
            level.sum.assign(row_, V{0});
        }
    }

    std::size_t bin() const { return bin_; }
    const std::vector<SampleSums>& found() const { return found_; }
    void clear() { found_.clear(); }

    template <class T>
    void take(const T* frame, bool used) {
        V* const row = slot(0);
        if (used)
            for (std::size_t i = 0; i < n_; ++i) row[i] = static_cast<V>(frame[pixels_[i]]);
        else
            std::fill_n(row, n_, V{0});
        sample(0, used);
    }

  private:
    struct Level {
        std::vector<V> rows;    ///< the last `channels` samples, in a ring
        std::vector<V> sum;     ///< of the first of two samples
        std::size_t taken = 0;  ///< samples so far
        bool complete = true;   ///< whether the first of two has all its frames
    };

    V* slot(std::size_t level) {
        Level& at = levels_[level];
        return at.rows.data() + at.taken % tau_.channels * row_;
    }

    /// The row of slot(level) is the next sample of that level.
    void sample(std::size_t level, bool complete) {
        Level& at = levels_[level];
        const V* const row = slot(level);
        const std::size_t before = std::min(at.taken, tau_.channels - 1);
        const std::size_t first = tau_.first_steps(level);
        SampleSums sums{level, std::vector<double>(1 + tau_.channels, 0.0)};
        for (std::size_t i = 0; i < n_; ++i) sums.values[0] += static_cast<double>(row[i]);
        if (complete && before >= first) {
            std::vector<const V*> earlier;
            for (std::size_t steps = first; steps <= before; ++steps)
                earlier.push_back(at.rows.data() + (at.taken - steps) % tau_.channels * row_);
            run_on_this_processor<AddDots<V>, const V*, const V* const*, std::size_t, std::size_t, double*>(
                row, earlier.data(), earlier.size(), row_, sums.values.data() + 1 + first);
        }
        found_.push_back(std::move(sums));
        if (level + 1 < levels_.size()) {
            if (at.taken % 2 == 0) {
                std::copy_n(row, row_, at.sum.data());
                at.complete = complete;
            } else {
                V* const next = slot(level + 1);
                const bool both = complete && at.complete;
                if (both) {
                    std::copy_n(row, row_, next);
                    run_on_this_processor<AddRow<V>, const V*, std::size_t, V*>(at.sum.data(), row_, next);
                } else {
                    std::fill_n(next, row_, V{0});
                }
                ++at.taken;
                sample(level + 1, both);
                return;
            }
        }
        ++at.taken;
    }

    MultiTau tau_;
    std::size_t bin_;
    const std::uint32_t* pixels_;
    std::size_t n_, row_;
    std::vector<Level> levels_;
    std::vector<SampleSums> found_;
};

constexpr std::size_t pixels_of_group = 4096;
/// Frames between two merges of the groups of a bin.
constexpr std::size_t frames_at_once = 64;

template <class V>
Correlation correlate_as(const CorrelationProblem& problem, HostContext& context, const MultiTau& tau) {
    const QPartition& partition = problem.partition();
    const std::size_t bins = partition.bins(), frames = problem.frames();
    require_within(context.memory_limit,
                   host_bytes(problem) + multitau_bytes(tau, partition.selected(), bins),
                   "the last sums of frames of each level", "host.multitau");
    std::vector<PixelGroup<V>> groups;
    std::vector<MultiTauSums> sums;
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const std::size_t n = partition.bin_size(bin);
        sums.emplace_back(tau, static_cast<double>(n));
        const std::uint32_t* const pixels = partition.pixels().data() + partition.offsets()[bin];
        for (std::size_t first = 0; first < n; first += pixels_of_group)
            groups.emplace_back(tau, bin, pixels + first, std::min(pixels_of_group, n - first));
    }
    const std::size_t frame_bytes = problem.frames_bytes() / frames;
    RawBytes buffer(problem.resident().empty() ? std::min(frames, frames_at_once) * frame_bytes : 0);
    Stopwatch watch;
    std::uint64_t reading = 0, correlating = 0;
    for (std::size_t t0 = 0; t0 < frames; t0 += frames_at_once) {
        context.progress.report(static_cast<double>(t0) / static_cast<double>(frames), "correlate");
        const std::size_t count = std::min(frames_at_once, frames - t0);
        const std::byte* from = buffer.data();
        if (problem.resident().empty()) {
            problem.read(t0, count, {buffer.data(), count * frame_bytes});
            reading += watch.lap();
        } else {
            from = problem.resident().data() + t0 * frame_bytes;
        }
        visit_element(problem.source_type(), [&](auto zero) {
            using T = decltype(zero);
            parallel_for(groups.size(), context.threads, context.progress, [&](std::size_t i) {
                groups[i].clear();
                for (std::size_t t = 0; t < count; ++t)
                    groups[i].take(reinterpret_cast<const T*>(from + t * frame_bytes), problem.used(t0 + t));
            });
        });
        // The groups of a bin in their order: their number does not depend on the threads.
        for (std::size_t first = 0; first < groups.size();) {
            std::vector<SampleSums> merged = groups[first].found();
            std::size_t last = first + 1;
            for (; last < groups.size() && groups[last].bin() == groups[first].bin(); ++last)
                for (std::size_t i = 0; i < merged.size(); ++i)
                    for (std::size_t j = 0; j < merged[i].values.size(); ++j)
                        merged[i].values[j] += groups[last].found()[i].values[j];
            for (const SampleSums& sample : merged)
                sums[groups[first].bin()].take(sample.level, sample.values);
            first = last;
        }
        correlating += watch.lap();
    }
    if (reading > 0) add(context.timings, {"read", StageKind::read, reading, problem.frames_bytes()});
    add(context.timings, {"correlate", StageKind::host, correlating, problem.frames_bytes()});
    Correlation out = correlation_of(problem, tau, sums);
    context.progress.report(1, "correlate");
    return out;
}

}  // namespace

std::vector<MultiTau::Point> MultiTau::points(std::size_t frames, std::size_t delays) const {
    std::vector<Point> all;
    for (std::size_t level = 0; level < levels; ++level)
        for (std::size_t steps = first_steps(level); steps < channels; ++steps)
            if (const Point point{level, steps}; steps < (frames >> level) && point.delay() < delays)
                all.push_back(point);
    return all;
}

std::vector<std::size_t> MultiTau::pairs(const std::vector<Point>& points, std::size_t frames,
                                         const std::vector<std::size_t>& left_out) const {
    std::vector<std::size_t> of_points;
    for (const Point& point : points) {
        std::vector<char> complete(frames >> point.level, 1);
        for (const std::size_t frame : left_out)
            if (const std::size_t sum = frame >> point.level; sum < complete.size()) complete[sum] = 0;
        std::size_t n = 0;
        for (std::size_t sum = 0; sum + point.steps < complete.size(); ++sum)
            n += complete[sum] != 0 && complete[sum + point.steps] != 0 ? 1 : 0;
        of_points.push_back(n);
    }
    return of_points;
}

std::optional<MultiTau> MultiTau::of(const Result& result) {
    const auto found = result.facts.find("averaging");
    if (found == result.facts.end()) return std::nullopt;
    const auto number = [&](const char* name, std::size_t largest) {
        const auto at = found->find(name);
        if (at == found->end() || !at->is_number_unsigned() || *at == 0 || *at > largest)
            throw Error(ErrorKind::input,
                        fmt::format("the result does not say how many {} of multi-tau it has", name),
                        "averaging");
        return at->get<std::size_t>();
    };
    MultiTau tau{number("levels", most_levels), number("channels", most_channels)};
    if (tau.channels % 2 != 0)
        throw Error(ErrorKind::input, "the number of channels of multi-tau is odd", "averaging");
    return tau;
}

MultiTau MultiTau::of(const ParameterSet& parameters, std::size_t frames) {
    MultiTau tau;
    if (parameters.contains("channels"))
        tau.channels = static_cast<std::size_t>(integer(parameters, "channels"));
    if (tau.channels % 2 != 0)
        throw Error(ErrorKind::input, fmt::format("expected an even number, found {}", tau.channels),
                    "channels", "levels above the first have half as many channels");
    std::size_t needed = 1;
    while (tau.channels / 2 < (frames >> needed)) ++needed;
    tau.levels = needed;
    if (parameters.contains("levels"))
        if (const auto wanted = optional_integer(parameters, "levels"))
            tau.levels = std::min(needed, static_cast<std::size_t>(*wanted));
    return tau;
}

std::vector<ParameterSpec> multitau_parameters() {
    return {
        parameter::optional_whole("levels", "Levels", "", "all that fit", 1, most_levels,
                                  "Levels of multi-tau; each has twice the frame time of the one before"),
        parameter::whole("channels", "Channels", "", 16, 4, most_channels,
                         "Delays of the first level of multi-tau, an even number; the others have half as "
                         "many")};
}

std::uint64_t multitau_bytes(const MultiTau& tau, std::uint64_t pixels, std::uint64_t bins) {
    const std::uint64_t groups = bins + pixels / pixels_of_group;
    return std::uint64_t{tau.levels} * (tau.channels + 1) *
           ((pixels + groups * AddDots<double>::lanes) * sizeof(double) +
            groups * frames_at_once / 8 * sizeof(double));
}

Correlation correlate_multitau(const CorrelationProblem& problem, HostContext& context, const MultiTau& tau) {
    // Floats hold whole numbers up to 2^24.
    const double largest = std::ldexp(problem.max_count(), static_cast<int>(tau.levels) - 1);
    const bool in_floats = problem.compact() != ElementType::f32 && largest <= 0x1p24;
    return in_floats ? correlate_as<float>(problem, context, tau)
                     : correlate_as<double>(problem, context, tau);
}

Result run_multitau(const CorrelationProblem& problem, HostContext& context) {
    const MultiTau tau = MultiTau::of(context.request.parameters, problem.frames());
    Result result = to_result(correlate_multitau(problem, context, tau), problem);
    result.facts["averaging"] = {{"levels", tau.levels}, {"channels", tau.channels}};
    return result;
}

}  // namespace ks::xpcs
