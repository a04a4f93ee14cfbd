#include "gpu/xpcs/launch.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/base/threads.h"
#include "core/xpcs/analysis.h"
#include "core/xpcs/correlation.h"
#include "core/xpcs/correlators/power_curves.h"
#include "core/xpcs/correlators/transform.h"
#include "gpu/runtime/cl_name.h"
#include "gpu/runtime/resident_data.h"
#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu::xpcs {
namespace {

// As in fft_stockham.cl.
struct SpectrumBand {
    cl_uint first, count, first_pair;
};

/// exp(-2 pi i k / length), each rounded from an argument of at most pi / 4.
/// @param length a multiple of 8
std::vector<cl_double2> factors_of_unity(std::size_t length) {
    std::vector<cl_double2> all(length);
    const std::size_t eighth = length / 8;
    for (std::size_t k = 0; k <= eighth; ++k) {
        const long double angle = 2 * std::numbers::pi_v<long double> * static_cast<long double>(k) /
                                  static_cast<long double>(length);
        const auto c = static_cast<double>(std::cos(angle)), s = static_cast<double>(std::sin(angle));
        // The same angle from either end of each quarter of the circle.
        const double cosines[] = {c, s, -s, -c}, sines[] = {s, c, c, s};
        const std::size_t places[] = {k, 2 * eighth - k, 2 * eighth + k, 4 * eighth - k};
        for (std::size_t i = 0; i < std::size(places); ++i) {
            all[places[i]] = {{cosines[i], -sines[i]}};
            all[(places[i] + 4 * eighth) % length] = {{-cosines[i], sines[i]}};
        }
    }
    return all;
}

/// How transforms are divided into parts that a group holds in registers (fft_registers.cl).
struct RegisterShape {
    static constexpr std::size_t values = 16;  ///< of a work-item
    static constexpr std::size_t tile = 64;    ///< frames
    std::size_t length, parts, frames, row;    ///< row: padded frames

    std::size_t part() const { return length / parts; }
    std::size_t items() const { return part() / values; }
    /// Terms of the sum that makes a value of a part's series.
    std::size_t terms() const { return quotient_up(frames, part()); }

    /// As in fft_registers.cl.
    std::vector<cl_double2> factors() const {
        const std::vector<cl_double2> whole = factors_of_unity(length);
        std::vector<cl_double2> all;
        for (std::size_t part = 0; part < parts; ++part)
            for (std::size_t t = 0; t < row; ++t) all.push_back(whole[part * t % length]);
        for (std::size_t stride = 1; stride * values < part(); stride *= values)
            for (std::size_t k = 1; k < values; k *= 2)
                for (std::size_t j = 0; j < items() / stride; ++j)
                    all.push_back(whole[parts * stride * k * j % length]);
        return all;
    }
};

/// Nothing if a group of this size cannot hold such parts in its registers and local memory.
std::optional<RegisterShape> register_shape(std::size_t length, std::size_t frames, std::size_t group,
                                            std::size_t count_bytes, std::uint64_t local_bytes) {
    constexpr std::size_t most_parts = 16, padding = 16;
    const std::size_t part =
        std::min(RegisterShape::values * group, std::max(length / 2, RegisterShape::values));
    const std::uint64_t exchanged = RegisterShape::values * group * (padding + 1) / padding * sizeof(double),
                        ordered = RegisterShape::tile * (RegisterShape::tile * count_bytes + 4) +
                                  group * sizeof(double);
    if (group < RegisterShape::tile || length > most_parts * part ||
        std::max(exchanged, ordered) > local_bytes)
        return std::nullopt;
    return RegisterShape{length, length / part, frames, rounded_up(frames, RegisterShape::tile)};
}

/// Values of series per second assumed of a device until the first launch has been timed.
double spectra_rate_guess(const DeviceInfo& info) {
    return info.compute_units * (info.type == "GPU" ? 1e8 : 2e7);
}

class SpectraRun {
  public:
    SpectraRun(LaunchContext& context, const CorrelationProblem& problem)
        : context_(context),
          problem_(problem),
          length_(std::bit_ceil(std::max<std::size_t>(least_length, problem.frames() + problem.delays()))),
          values_(length_ + problem.frames()),
          defines_(tuned_defines(context, problem.compact())),
          slicer_(context, spectra_rate_guess(context.info())) {
        make_bands();
        set_defines();
        make_plan();
        const std::size_t values = problem.partition().bins() * problem.frames();
        out_ = {problem.partition().bins(),
                problem.frames(),
                std::vector<double>(values, ks::xpcs::nan_value),
                std::vector<double>(values, ks::xpcs::nan_value),
                {}};
    }

    ks::xpcs::Correlation run() {
        prepare();
        Stopwatch watch;
        const ks::xpcs::Transform transform(length_, false);
        add(context_.timings(), {"plan transforms back", StageKind::host, watch.lap()});
        const std::size_t bins = problem_.partition().bins();
        for (std::size_t first = 0; first < bins; first += bins_at_once_)
            correlate(first, std::min(first + bins_at_once_, bins), transform);
        context_.progress().report(1, "transform");
        return std::move(out_);
    }

    std::size_t exact_bins() const { return exact_; }

  private:
    static constexpr std::size_t least_length = 16;  ///< of two passes of radix 4

    std::size_t group() const { return number(defines_, "WG"); }

    /// A division that depends on nothing but the problem.
    void make_bands() {
        constexpr std::size_t wanted = 512, fewest_pixels = 64, multiple = 32;
        const ks::QPartition& partition = problem_.partition();
        const std::size_t each = rounded_up(std::max(fewest_pixels, partition.selected() / wanted), multiple);
        first_bands_.push_back(0);
        for (std::size_t bin = 0; bin < partition.bins(); ++bin) {
            for (std::size_t first = 0; first < partition.bin_size(bin); first += each)
                add_band(partition.offsets()[bin] + first, std::min(each, partition.bin_size(bin) - first));
            first_bands_.push_back(static_cast<cl_uint>(bands_.size()));
        }
    }

    void add_band(std::size_t first, std::size_t count) {
        const cl_uint pairs = bands_.empty() ? 0 : bands_.back().first_pair + pairs_of(bands_.back());
        bands_.push_back({static_cast<cl_uint>(first), static_cast<cl_uint>(count), pairs});
        most_pairs_ = std::max<std::size_t>(most_pairs_, pairs_of(bands_.back()));
    }

    static cl_uint pairs_of(const SpectrumBand& band) { return (band.count + 1) / 2; }

    void set_defines() {
        const DeviceInfo& info = context_.info();
        defines_["SRC"] = cl_name(problem_.source_type());
        defines_["LENGTH"] = std::to_string(length_);
        // A work-item holds 16 values of half of the length, and groups are small where several series fit.
        constexpr std::size_t each = 32, smallest = 64, largest = 256;
        const auto shape_of = [&](std::size_t size) {
            return register_shape(length_, problem_.frames(), size, size_of(problem_.source_type()),
                                  info.local_bytes);
        };
        if (defines_["WG"] == "auto") {
            std::size_t size = std::clamp(length_ / each, smallest, largest);
            while (size > smallest && !shape_of(size)) size /= 2;
            defines_["WG"] = std::to_string(size);
        }
        if (defines_["VW"] == "1") shape_ = shape_of(group());
        defines_["PARTS"] = std::to_string(shape_ ? shape_->parts : 0);
        if (shape_) defines_["TERMS"] = std::to_string(shape_->terms());
        factor_values_ = shape_ ? shape_->factors() : factors_of_unity(length_);
        const std::size_t per_unit = shape_               ? 16
                                     : info.type == "CPU" ? 1
                                                          : 4,
                          units = bands_.size() * (shape_ ? shape_->parts : 1);
        groups_ = std::min(std::max<std::size_t>(units, 1), per_unit * info.compute_units);
    }

    std::uint64_t scratch_bytes() const {
        return shape_ ? 0 : std::uint64_t{groups_} * 6 * length_ * number(defines_, "VW") * sizeof(double);
    }

    /// Bytes that the ordered series of a band take, at most.
    std::uint64_t series_bytes() const {
        return shape_ ? std::uint64_t{most_pairs_} * 2 * shape_->row * size_of(problem_.source_type()) : 0;
    }

    void make_plan() {
        const ks::QPartition& partition = problem_.partition();
        const std::uint64_t row = values_ * sizeof(double);
        const std::uint64_t fixed = scratch_bytes() + factor_values_.size() * sizeof(cl_double2) +
                                    partition.selected() * sizeof(cl_uint) +
                                    bands_.size() * sizeof(SpectrumBand) +
                                    (partition.bins() + 1) * sizeof(cl_uint);
        const std::uint64_t used = problem_.frames_bytes() + fixed,
                            left = context_.budget() - std::min(context_.budget(), used);
        const auto rows = [&](std::uint64_t bytes, std::uint64_t each, std::size_t most) {
            return std::clamp<std::size_t>(static_cast<std::size_t>(bytes / each), 1,
                                           std::max<std::size_t>(most, 1));
        };
        // Series of few bands would not keep all groups at work.
        const std::uint64_t enough = std::uint64_t{256} << 20, enough_series = std::uint64_t{8} << 30;
        // Groups along the second dimension of a range, on many devices.
        constexpr std::uint64_t most_groups = 65535;
        std::uint64_t most = bands_.size();
        if (shape_) most = std::min({most, most_groups, context_.info().largest_allocation / series_bytes()});
        batch_ = rows(std::min(left / 2, shape_ ? enough_series : enough), row + series_bytes(), most);
        bins_at_once_ = rows(std::min(left / 2, enough), row, partition.bins());
        others_ = fixed + batch_ * (row + series_bytes()) + bins_at_once_ * row;
        require_resident(context_, problem_.frames_bytes(), others_, problem_.source_name(),
                         "choose a variant that streams, or select fewer frames");
    }

    void prepare() {
        frames_ = frames_on_device(context_, problem_, others_);
        const LaunchContext::Overhead overhead(context_, "plan");
        pixels_ = context_.uploaded<std::uint32_t>("upload partition", problem_.partition().pixels());
        band_table_ = context_.table("upload tables", bands_);
        first_band_table_ = context_.table("upload tables", first_bands_);
        factors_ = context_.table("upload tables", factor_values_);
        found_ = context_.buffer(std::uint64_t{batch_} * values_ * sizeof(double));
        spectra_ = context_.kernel("spectra", defines_);
        add_ = context_.kernel("add_bands", defines_);
        const auto frames = static_cast<cl_uint>(problem_.frames()),
                   pixels = static_cast<cl_uint>(problem_.height() * problem_.width());
        if (shape_) {
            scratch_ = context_.buffer(batch_ * series_bytes());
            order_ = context_.kernel("order_series", defines_);
            set_arguments(order_, *frames_, pixels_, *band_table_, scratch_, found_, frames, pixels,
                          static_cast<cl_uint>(shape_->row));
            set_arguments(spectra_, scratch_, *band_table_, *factors_, found_, frames,
                          static_cast<cl_uint>(shape_->row));
        } else {
            scratch_ = context_.buffer(scratch_bytes());
            set_arguments(spectra_, *frames_, pixels_, *band_table_, *factors_, scratch_, found_, frames,
                          pixels);
        }
    }

    void correlate(std::size_t bin0, std::size_t bin1, const ks::xpcs::Transform& transform) {
        const std::size_t first_band = first_bands_[bin0], end_band = first_bands_[bin1];
        if (first_band == end_band) return;
        const Buffer totals = context_.zeros((bin1 - bin0) * values_ * sizeof(double));
        for (std::size_t first = first_band; first < end_band;) {
            std::size_t end = first;
            std::uint64_t pixels = 0;
            double work = 0;
            while (end < end_band && end - first < batch_ && (end == first || work < slicer_.units())) {
                pixels += bands_[end++].count;
                work = static_cast<double>(pixels * length_);
            }
            add_spectra(first, end, pixels, work, end - first < bands_.size());
            set_arguments(add_, *first_band_table_, found_, totals, static_cast<cl_uint>(bin0),
                          static_cast<cl_uint>(first), static_cast<cl_uint>(end),
                          static_cast<cl_uint>(values_));
            context_.launch("add bands", add_, cl::NDRange(rounded_up(values_, group()), bin1 - bin0),
                            {group(), 1}, {(end - first + 2 * (bin1 - bin0)) * values_ * sizeof(double), 0});
            first = end;
            context_.progress().report(static_cast<double>(end) / static_cast<double>(bands_.size()),
                                       "transform");
        }
        const std::vector<double> all =
            context_.downloaded<double>("download spectra", totals, (bin1 - bin0) * values_);
        finish(bin0, bin1, all, transform);
    }

    void add_spectra(std::size_t first, std::size_t end, std::uint64_t pixels, double work, bool is_part) {
        const std::uint64_t counts = pixels * problem_.frames() * size_of(problem_.source_type());
        if (shape_) {
            order_.setArg(8, static_cast<cl_uint>(first));
            context_.launch("order series", order_,
                            cl::NDRange(group(), end - first, shape_->row / RegisterShape::tile),
                            {group(), 1, 1}, {2 * counts, 0});
        }
        const cl_uint range = shape_ ? 6 : 8;
        spectra_.setArg(range, static_cast<cl_uint>(first));
        spectra_.setArg(range + 1, static_cast<cl_uint>(end));
        const std::size_t units = (end - first) * (shape_ ? shape_->parts : 1);
        const cl::Event event =
            context_.launch("spectra", spectra_, cl::NDRange(group(), std::min(groups_, units)), {group(), 1},
                            {counts, static_cast<std::uint64_t>(work)});
        if (!is_part) return;
        event.wait();
        slicer_.took(work, duration(event));
    }

    /// @param all [bin][power by frequency, then S by frame]
    void finish(std::size_t bin0, std::size_t bin1, const std::vector<double>& all,
                const ks::xpcs::Transform& transform) {
        Stopwatch watch;
        const ks::xpcs::PowerCurves curves(problem_, transform);
        std::vector<char> exact(bin1 - bin0, 0);
        parallel_for(bin1 - bin0, compute_threads(), context_.progress(), [&](std::size_t i) {
            const std::size_t bin = bin0 + i, pixels = problem_.partition().bin_size(bin);
            if (pixels == 0) return;
            const auto from = all.begin() + static_cast<std::ptrdiff_t>(i * values_),
                       sums = from + static_cast<std::ptrdiff_t>(length_);
            // A sum of terms counts as a transform of as many values, and its rounding beyond that as
            // additions.
            const std::size_t terms = shape_ ? shape_->terms() : 0,
                              additions =
                                  pixels + first_bands_[bin + 1] - first_bands_[bin] + 2 * terms * terms;
            exact[i] =
                curves.add(bin, {from, sums}, {sums, sums + static_cast<std::ptrdiff_t>(problem_.frames())},
                           additions, std::span(out_.g2).subspan(bin * problem_.frames()))
                    ? 1
                    : 0;
        });
        for (const char one : exact) exact_ += one != 0 ? 1 : 0;
        add(context_.timings(), {"transform back", StageKind::host, watch.lap()});
    }

    LaunchContext& context_;
    const CorrelationProblem& problem_;
    std::size_t length_;  ///< of a series with its zeros
    std::size_t values_;  ///< of a band or bin: power by frequency, then S by frame
    std::map<std::string, std::string> defines_;
    Slicer slicer_;
    std::vector<SpectrumBand> bands_;
    std::vector<cl_uint> first_bands_;    ///< by bin, and the end
    std::size_t most_pairs_ = 1;          ///< of a band
    std::optional<RegisterShape> shape_;  ///< nothing: transforms pass through memory
    std::vector<cl_double2> factor_values_;
    std::size_t groups_ = 1, batch_ = 1, bins_at_once_ = 1;
    std::uint64_t others_ = 0;  ///< bytes on the device in addition to the frames
    std::shared_ptr<const Buffer> frames_, band_table_, first_band_table_, factors_;
    Buffer pixels_, scratch_, found_;
    cl::Kernel order_, spectra_, add_;
    ks::xpcs::Correlation out_;
    std::size_t exact_ = 0;
};

}  // namespace

Result launch_fft_stockham(const CorrelationProblem& problem, LaunchContext& context) {
    context.require(ks::xpcs::traits_of(problem));
    std::optional<SpectraRun> run;
    {
        const LaunchContext::Overhead overhead(context, "plan");
        run.emplace(context, problem);
    }
    ks::xpcs::Correlation found = run->run();
    Stopwatch watch;
    Result result = ks::xpcs::to_result(std::move(found), problem);
    result.facts["exact_sums"] = run->exact_bins() == ks::xpcs::bins_with_pixels(problem);
    add(context.timings(), {"make result", StageKind::host, watch.lap()});
    const LaunchContext::Overhead overhead(context, "clean up");
    run.reset();
    return result;
}

}  // namespace ks::gpu::xpcs
