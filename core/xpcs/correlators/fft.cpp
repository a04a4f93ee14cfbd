#include "core/xpcs/correlators/fft.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/xpcs/correlation.h"
#include "core/xpcs/correlators/count_rows.h"
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

/// sums[delay] += s[t] s[t + delay] for all t, in the order of t.
struct AddProducts {
    __attribute__((always_inline)) static inline void run(const double* s, std::size_t frames,
                                                          std::size_t first, std::size_t last,
                                                          double* __restrict sums) {
        for (std::size_t t = 0; t + first < frames; ++t)
            for (std::size_t delay = first; delay < std::min(last, frames - t); ++delay)
                sums[delay - first] += s[t] * s[t + delay];
    }
};

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
          whole_(problem.compact() != ElementType::f32),
          transform_(planned(problem, context)),
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
    /// Products of frame sums are summed directly up to this number of frames, beyond by transforms.
    static constexpr std::size_t direct_frames = 4096;

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

    /// @param spectrum the power at each frequency
    /// @returns sums of products by delay, not scaled by the length
    Transform::Values<double> autocorrelation(const std::vector<double>& power) const {
        const std::size_t length = transform_.length();
        Transform::Values<double> values = transform_.real_values();
        // |A + iB|^2 at f and -f adds up to twice |A|^2 + |B|^2.
        for (std::size_t f = 0; f <= length / 2; ++f)
            values[f] = 0.5 * (power[f] + power[(length - f) % length]);
        transform_.inverse_of_even(values.get());
        return values;
    }

    void finish(const std::vector<Band>& all, std::size_t bin, std::size_t in_group) {
        const std::size_t length = transform_.length();
        std::vector<double> power(length, 0), sums(frames_, 0);
        for (const Band& band : all) {
            for (std::size_t f = 0; f < length; ++f) power[f] += band.power[in_group * length + f];
            for (std::size_t t = 0; t < frames_; ++t) sums[t] += band.sums[in_group * frames_ + t];
        }
        const Transform::Values<double> products = autocorrelation(power);
        const double scale = 1.0 / static_cast<double>(length), at_0 = products[0] * scale;
        const std::size_t additions = problem_.partition().bin_size(bin) + all.size();
        const bool exact = whole_ && 2 * at_0 * transform_.autocorrelation_error(additions) < 0.25;
        if (exact) ++exact_;
        const std::vector<double> normal = products_of_sums(sums);
        const auto n = static_cast<double>(problem_.partition().bin_size(bin));
        for (std::size_t delay = 0; delay < problem_.delays(); ++delay) {
            const double g = products[delay] * scale;
            out_.g2[bin * frames_ + delay] =
                normal[delay] == 0 ? nan_value : n * (exact ? std::nearbyint(g) : g) / normal[delay];
        }
    }

    /// Sums over t of S(t) S(t + delay); 0 where every product is 0.
    std::vector<double> products_of_sums(const std::vector<double>& sums) const {
        const std::size_t delays = problem_.delays();
        std::vector<double> all(delays, 0);
        if (frames_ <= direct_frames) {
            constexpr std::size_t delays_at_once = 512;
            for (std::size_t first = 0; first < delays; first += delays_at_once)
                run_on_this_processor<AddProducts, const double*, std::size_t, std::size_t, std::size_t,
                                      double*>(sums.data(), frames_, first,
                                               std::min(delays, first + delays_at_once), all.data() + first);
            return all;
        }
        // The sums about their mean, which avoids the rounding of large products; and the number of products
        // that are not 0, whose sums are small whole numbers and so exact.
        std::vector<double> counted(frames_);
        for (std::size_t t = 0; t < frames_; ++t) counted[t] = sums[t] != 0 ? 1 : 0;
        const auto of = [&](const std::vector<double>& values) {
            const auto series = transform_.complex_values(2);
            Complex* const spectrum = series.get() + transform_.stride();
            for (std::size_t t = 0; t < frames_; ++t) series[t] = values[t];
            transform_.forward(series.get(), spectrum);
            std::vector<double> power(transform_.length());
            for (std::size_t f = 0; f < power.size(); ++f) power[f] = std::norm(spectrum[f]);
            return autocorrelation(power);
        };
        const double scale = 1.0 / static_cast<double>(transform_.length());
        double mean = 0, used = 0;
        for (std::size_t t = 0; t < frames_; ++t) {
            mean += sums[t];
            used += counted[t];
        }
        mean = used > 0 ? mean / used : 0;
        std::vector<double> rests(frames_, 0);
        for (std::size_t t = 0; t < frames_; ++t)
            if (counted[t] != 0) rests[t] = sums[t] - mean;
        const Transform::Values<double> terms = of(counted), fluctuations = of(rests);
        // sum of (m + r)(m + r') = m^2 terms + m (r of pairs whose other is counted) + sum of r r'
        const Transform::Values<double> both = of_two(counted, rests);
        for (std::size_t delay = 0; delay < delays; ++delay) {
            const double pairs = std::nearbyint(terms[delay] * scale);
            if (pairs == 0) continue;
            all[delay] = mean * mean * pairs + mean * both[delay] * scale + fluctuations[delay] * scale;
        }
        return all;
    }

    /// Sums over t of a(t) b(t + delay) + b(t) a(t + delay), not scaled: |A + B|^2 - |A|^2 - |B|^2.
    Transform::Values<double> of_two(const std::vector<double>& a, const std::vector<double>& b) const {
        const auto series = transform_.complex_values(4);
        const std::size_t length = transform_.length(), stride = transform_.stride();
        Complex *const x = series.get(), *const y = x + stride, *const of_x = y + stride,
                       *const of_y = of_x + stride;
        for (std::size_t t = 0; t < frames_; ++t) {
            x[t] = a[t];
            y[t] = b[t];
        }
        transform_.forward(x, of_x);
        transform_.forward(y, of_y);
        std::vector<double> power(length);
        for (std::size_t f = 0; f < length; ++f) power[f] = 2 * (of_x[f] * std::conj(of_y[f])).real();
        return autocorrelation(power);
    }

    const CorrelationProblem& problem_;
    HostContext& context_;
    std::size_t frames_;
    bool whole_;  ///< counts are whole numbers
    Transform transform_;
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
    std::size_t bins = 0;
    for (std::size_t bin = 0; bin < problem.partition().bins(); ++bin)
        bins += problem.partition().bin_size(bin) > 0 ? 1 : 0;
    result.facts["exact_sums"] = run.exact_bins() == bins;
    return result;
}

}  // namespace ks::xpcs
