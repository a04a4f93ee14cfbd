#include "core/xpcs/correlators/fft.h"

#include <algorithm>
#include <atomic>
#include <complex>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/xpcs/correlation.h"
#include "core/xpcs/correlators/count_rows.h"
#include "core/xpcs/correlators/power_curves.h"
#include "core/xpcs/correlators/processors.h"
#include "core/xpcs/correlators/transform.h"

namespace ks::xpcs {
namespace {

using Complex = std::complex<double>;

constexpr std::size_t pixels_at_once = 16, series_at_once = pixels_at_once / 2;

/// Up to 16 pixels of a bin as runs of adjacent ones.
class PixelBlock {
  public:
    template <class T>
    PixelBlock(const CountRows<T>& rows, std::size_t first)
        : n_(std::min(pixels_at_once, rows.size - first)), pixels_(rows.pixels + first) {
        for (std::size_t i = 0; i < n_; ++i)
            if (i == 0 || pixels_[i] != pixels_[i - 1] + 1) runs_[count_++] = {pixels_[i], i};
        // A run is copied as 16 pixels, of which the next one overwrites the excess.
        whole_ =
            n_ == pixels_at_once && count_ <= few && runs_[count_ - 1].pixel + pixels_at_once <= rows.stride;
    }

    /// Copies the counts of a frame to `to`, which has room for 2 * pixels_at_once.
    template <class T>
    __attribute__((always_inline)) inline void copy(const T* frame, T* to) const {
        if (whole_)
            for (std::size_t i = 0; i < count_; ++i)
                std::memcpy(to + runs_[i].at, frame + runs_[i].pixel, pixels_at_once * sizeof(T));
        else
            for (std::size_t i = 0; i < n_; ++i) to[i] = frame[pixels_[i]];
    }
    template <class T>
    void prefetch(const T* frame) const {
        for (std::size_t i = 0; i < std::min(count_, few); ++i) __builtin_prefetch(frame + runs_[i].pixel);
    }

  private:
    static constexpr std::size_t few = 6;
    struct Run {
        std::uint32_t pixel;
        std::size_t at;
    };
    std::size_t n_, count_ = 0;
    const std::uint32_t* pixels_;
    Run runs_[pixels_at_once];
    bool whole_;
};

/// Counts of a block, in pairs of pixels, as rows of complex numbers [pair][t]; sums over the block are added
/// to `sums` [t].
template <class T>
struct LoadPairs {
    __attribute__((always_inline)) static inline void run(const CountRows<T>* rows, std::size_t first,
                                                          std::size_t frames, Complex* to, std::size_t stride,
                                                          double* sums) {
        // Copies are read as vectors only after those of other frames, when they have left the store buffer.
        constexpr std::size_t together = 16, ahead = 16;
        const PixelBlock block(*rows, first);
        T some[together][2 * pixels_at_once] = {};
        auto* const out = reinterpret_cast<double*>(to);
        for (std::size_t from = 0; from < frames; from += together) {
            const std::size_t end = std::min(frames, from + together);
            for (std::size_t t = from; t < end; ++t) {
                if (t + ahead < frames) block.prefetch(rows->frame(t + ahead));
                block.copy(rows->frame(t), some[t - from]);
            }
            for (std::size_t t = from; t < end; ++t) {
                double values[pixels_at_once], partial[8];
                for (std::size_t i = 0; i < pixels_at_once; ++i)
                    values[i] = static_cast<double>(some[t - from][i]);
                for (std::size_t i = 0; i < 8; ++i) partial[i] = values[i] + values[i + 8];
                for (std::size_t half = 4; half > 0; half /= 2)
                    for (std::size_t i = 0; i < half; ++i) partial[i] += partial[i + half];
                sums[t] += partial[0];
                for (std::size_t pair = 0; pair < series_at_once; ++pair)
                    std::memcpy(out + 2 * (pair * stride + t), values + 2 * pair, 2 * sizeof(double));
            }
        }
    }
};

/// Adds the squares of n numbers.
struct AddSquares {
    __attribute__((always_inline)) static inline void run(const double* from, std::size_t n,
                                                          double* __restrict squares) {
        for (std::size_t i = 0; i < n; ++i) squares[i] += from[i] * from[i];
    }
};
void add_squares(const Complex* from, std::size_t n, double* squares) {
    run_on_this_processor<AddSquares, const double*, std::size_t, double*>(
        reinterpret_cast<const double*>(from), 2 * n, squares);
}

/// A part of the frames: positions [first, end) of pixels, in strips whose counts stay in the cache while
/// each bin takes its own from them.
struct Band {
    std::size_t first, end;  ///< strips
    /// [bin of the group][frequency] and [bin of the group][t]: power spectra and counts, summed over pixels.
    std::vector<double> power, sums;
};

class FftRun {
  public:
    FftRun(const CorrelationProblem& problem, HostContext& context)
        : problem_(problem),
          context_(context),
          frames_(problem.frames()),
          transform_(planned(problem, context)),
          curves_(problem, transform_),
          counts_(problem, context, work_bytes(), "host.fft"),
          strip_(std::max<std::size_t>(64, cached / (frames_ * (problem.frames_bytes() / frames_ /
                                                                problem.height() / problem.width())))) {
        const std::size_t bins = problem.partition().bins();
        out_ = {bins,
                frames_,
                std::vector<double>(bins * frames_, nan_value),
                std::vector<double>(bins * frames_, nan_value),
                {}};
    }

    Correlation run() {
        const QPartition& partition = problem_.partition();
        const std::size_t together = std::max<std::size_t>(1, kept / (bands_of_group() * sums_bytes()));
        for (std::size_t first = 0; first < partition.bins(); first += together) {
            context_.progress.report(partition.offsets()[first] / static_cast<double>(partition.selected()),
                                     "transform");
            correlate(first, std::min(partition.bins(), first + together));
        }
        context_.progress.report(1, "transform");
        return std::move(out_);
    }

    std::size_t exact_bins() const { return exact_; }

  private:
    static constexpr std::size_t cached = std::size_t{1} << 18;  ///< bytes of a strip of all frames
    static constexpr std::size_t kept = std::size_t{64} << 20;   ///< bytes of the sums of a group of bins

    static Transform planned(const CorrelationProblem& problem, HostContext& context) {
        Stopwatch watch;
        const std::size_t length = Transform::length_for(problem.frames() + problem.delays());
        // Measuring plans pays if the transforms take several times as long. Floats are not rounded to whole
        // sums: for them, the same plan is used every time.
        constexpr double worthwhile = 1e9;
        const double work = static_cast<double>(problem.partition().selected()) * static_cast<double>(length);
        Transform made(length, problem.compact() != ElementType::f32 && work > worthwhile);
        add(context.timings, {"plan", StageKind::host, watch.lap()});
        return made;
    }

    /// The division into bands does not depend on the number of threads, so that sums do not.
    std::size_t bands_of_group() const {
        constexpr std::size_t pixels = 2048, most = 128;
        return std::clamp<std::size_t>(problem_.partition().selected() / pixels, 1, most);
    }
    /// Of one bin in one band.
    std::size_t sums_bytes() const { return (transform_.length() + frames_) * sizeof(double); }
    std::uint64_t work_bytes() const {
        const std::uint64_t rows = series_at_once + 2;
        const std::uint64_t one = bands_of_group() * sums_bytes();
        return std::max(one, std::min<std::uint64_t>(kept, one * problem_.partition().bins())) +
               context_.threads * rows * transform_.length() * sizeof(Complex);
    }

    /// Number of the pixels of a bin that are before a strip, in whole blocks.
    std::size_t pixels_before(std::size_t bin, std::size_t strip) const {
        const QPartition& partition = problem_.partition();
        const auto begin = partition.pixels().begin() + partition.offsets()[bin],
                   end = partition.pixels().begin() + partition.offsets()[bin + 1];
        const auto before = static_cast<std::size_t>(std::lower_bound(begin, end, strip * strip_) - begin);
        return std::min((before + pixels_at_once - 1) / pixels_at_once * pixels_at_once,
                        partition.bin_size(bin));
    }

    /// Bands with about the same number of pixels of bins [bin0, bin1).
    std::vector<Band> bands(std::size_t bin0, std::size_t bin1) const {
        const QPartition& partition = problem_.partition();
        const std::size_t frame = problem_.height() * problem_.width();
        std::vector<std::size_t> pixels((frame + strip_ - 1) / strip_, 0);
        for (std::size_t i = partition.offsets()[bin0]; i < partition.offsets()[bin1]; ++i)
            ++pixels[partition.pixels()[i] / strip_];
        const std::size_t all = partition.offsets()[bin1] - partition.offsets()[bin0],
                          wanted = all / bands_of_group() + 1;
        std::vector<Band> made;
        std::size_t first = 0, taken = 0;
        for (std::size_t strip = 0; strip < pixels.size(); ++strip) {
            taken += pixels[strip];
            if (taken < wanted && strip + 1 < pixels.size()) continue;
            if (taken > 0) made.push_back({first, strip + 1, {}, {}});
            first = strip + 1;
            taken = 0;
        }
        return made;
    }

    void correlate(std::size_t bin0, std::size_t bin1) {
        Stopwatch watch;
        std::vector<Band> all = bands(bin0, bin1);
        parallel_for(all.size(), context_.threads, context_.progress,
                     [&](std::size_t i) { transform(all[i], bin0, bin1); });
        const QPartition& partition = problem_.partition();
        const std::uint64_t pixels = partition.offsets()[bin1] - partition.offsets()[bin0];
        add(context_.timings,
            {"transform", StageKind::host, watch.lap(), pixels * frames_, pixels * transform_.length()});
        parallel_for(bin1 - bin0, context_.threads, context_.progress, [&](std::size_t i) {
            if (partition.bin_size(bin0 + i) > 0) finish(all, bin0 + i, i);
        });
        add(context_.timings, {"transform back", StageKind::host, watch.lap()});
    }

    void transform(Band& band, std::size_t bin0, std::size_t bin1) const {
        const std::size_t length = transform_.length();
        band.power.assign((bin1 - bin0) * length, 0);
        band.sums.assign((bin1 - bin0) * frames_, 0);
        const auto series = transform_.complex_values(series_at_once),
                   spectrum = transform_.complex_values(1);
        std::vector<double> squares(2 * length);  // of real and imaginary parts
        for (std::size_t strip = band.first; strip < band.end; ++strip) {
            context_.progress.check();
            for (std::size_t bin = bin0; bin < bin1; ++bin) {
                const std::size_t from = pixels_before(bin, strip), end = pixels_before(bin, strip + 1);
                if (from == end) continue;
                std::ranges::fill(squares, 0.0);
                counts_.with_bin(bin, [&](const auto& rows) {
                    using T = std::remove_cvref_t<decltype(*rows.first)>;
                    for (std::size_t first = from; first < end; first += pixels_at_once) {
                        run_on_this_processor<LoadPairs<T>, const CountRows<T>*, std::size_t, std::size_t,
                                              Complex*, std::size_t, double*>(
                            &rows, first, frames_, series.get(), transform_.stride(),
                            band.sums.data() + (bin - bin0) * frames_);
                        const std::size_t pairs = (std::min(pixels_at_once, end - first) + 1) / 2;
                        for (std::size_t pair = 0; pair < pairs; ++pair) {
                            transform_.forward(series.get() + pair * transform_.stride(), spectrum.get());
                            add_squares(spectrum.get(), length, squares.data());
                        }
                    }
                });
                double* const power = band.power.data() + (bin - bin0) * length;
                for (std::size_t f = 0; f < length; ++f) power[f] += squares[2 * f] + squares[2 * f + 1];
            }
        }
    }

    void finish(const std::vector<Band>& all, std::size_t bin, std::size_t in_group) {
        const std::size_t length = transform_.length();
        std::vector<double> power(length, 0), sums(frames_, 0);
        for (const Band& band : all) {
            for (std::size_t f = 0; f < length; ++f) power[f] += band.power[in_group * length + f];
            for (std::size_t t = 0; t < frames_; ++t) sums[t] += band.sums[in_group * frames_ + t];
        }
        const std::size_t additions = problem_.partition().bin_size(bin) + all.size();
        if (curves_.add(bin, power, sums, additions, std::span(out_.g2).subspan(bin * frames_))) ++exact_;
    }

    const CorrelationProblem& problem_;
    HostContext& context_;
    std::size_t frames_;
    Transform transform_;
    PowerCurves curves_;
    AllCounts counts_;
    std::size_t strip_;  ///< positions
    Correlation out_;
    std::atomic<std::size_t> exact_ = 0;
};

}  // namespace

Result run_fft(const CorrelationProblem& problem, HostContext& context) {
    FftRun run(problem, context);
    Correlation found = run.run();
    Result result = to_result(std::move(found), problem);
    result.facts["exact_sums"] = run.exact_bins() == bins_with_pixels(problem);
    return result;
}

}  // namespace ks::xpcs
