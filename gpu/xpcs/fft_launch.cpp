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
    cl_uint first, count;
};

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
    static constexpr std::size_t least_length = 16;  ///< of two passes

    bool in_local() const { return defines_.at("IN_LOCAL") == "1"; }
    std::size_t group() const { return number(defines_, "WG"); }

    /// A division that depends on nothing but the problem.
    void make_bands() {
        constexpr std::size_t wanted = 512, fewest_pixels = 64, multiple = 32;
        const ks::QPartition& partition = problem_.partition();
        const std::size_t each = rounded_up(std::max(fewest_pixels, partition.selected() / wanted), multiple);
        first_bands_.push_back(0);
        for (std::size_t bin = 0; bin < partition.bins(); ++bin) {
            for (std::size_t first = 0; first < partition.bin_size(bin); first += each)
                bands_.push_back({static_cast<cl_uint>(partition.offsets()[bin] + first),
                                  static_cast<cl_uint>(std::min(each, partition.bin_size(bin) - first))});
            first_bands_.push_back(static_cast<cl_uint>(bands_.size()));
        }
    }

    void set_defines() {
        const DeviceInfo& info = context_.info();
        defines_["SRC"] = cl_name(problem_.source_type());
        defines_["LENGTH"] = std::to_string(length_);
        constexpr std::size_t most_blocks = 4;
        const bool fits = length_ * 2 * sizeof(double) <= info.local_bytes &&
                          quotient_up(length_ / 4, group()) <= most_blocks;
        defines_["IN_LOCAL"] = defines_["VW"] == "1" && fits ? "1" : "0";
        const std::size_t per_unit = in_local() ? 16 : info.type == "CPU" ? 1 : 4;
        groups_ = std::min(std::max<std::size_t>(bands_.size(), 1), per_unit * info.compute_units);
    }

    std::uint64_t scratch_bytes() const {
        return in_local() ? 0
                          : std::uint64_t{groups_} * 6 * length_ * number(defines_, "VW") * sizeof(double);
    }

    void make_plan() {
        const ks::QPartition& partition = problem_.partition();
        const std::uint64_t row = values_ * sizeof(double);
        const std::uint64_t fixed =
            scratch_bytes() + length_ * sizeof(cl_double2) + partition.selected() * sizeof(cl_uint) +
            bands_.size() * sizeof(SpectrumBand) + (partition.bins() + 1) * sizeof(cl_uint);
        const std::uint64_t used = problem_.frames_bytes() + fixed,
                            left = context_.budget() - std::min(context_.budget(), used);
        const auto rows = [&](std::uint64_t bytes, std::size_t most) {
            return std::clamp<std::size_t>(static_cast<std::size_t>(bytes / row), 1,
                                           std::max<std::size_t>(most, 1));
        };
        constexpr std::uint64_t enough = std::uint64_t{256} << 20;
        batch_ = rows(std::min(left / 2, enough), bands_.size());
        bins_at_once_ = rows(std::min(left / 2, enough), partition.bins());
        others_ = fixed + (batch_ + bins_at_once_) * row;
        require_resident(context_, problem_.frames_bytes(), others_, problem_.source_name(),
                         "choose a variant that streams, or select fewer frames");
    }

    /// exp(-2 pi i k / length), each rounded from an argument of at most pi / 4.
    std::vector<cl_double2> factors_of_unity() const {
        std::vector<cl_double2> all(length_);
        const auto n = static_cast<long double>(length_);
        for (std::size_t k = 0; k < length_; ++k) {
            const std::size_t eighth = 8 * k / length_, of = eighth % 2 == 0 ? k - eighth * length_ / 8
                                                                             : (eighth + 1) * length_ / 8 - k;
            const long double angle = 2 * std::numbers::pi_v<long double> * static_cast<long double>(of) / n;
            const auto c = static_cast<double>(std::cos(angle)), s = static_cast<double>(std::sin(angle));
            // Of the eighths of the circle, from angle 0 on.
            const double cosines[] = {c, s, -s, -c, -c, -s, s, c}, sines[] = {s, c, c, s, -s, -c, -c, -s};
            all[k].s[0] = cosines[eighth];
            all[k].s[1] = -sines[eighth];
        }
        return all;
    }

    void prepare() {
        frames_ = frames_on_device(context_, problem_, others_);
        const LaunchContext::Overhead overhead(context_, "plan");
        pixels_ = context_.uploaded<std::uint32_t>("upload partition", problem_.partition().pixels());
        band_table_ = context_.table("upload tables", bands_);
        first_band_table_ = context_.table("upload tables", first_bands_);
        factors_ = context_.table("upload tables", factors_of_unity());
        scratch_ = context_.buffer(std::max<std::uint64_t>(scratch_bytes(), sizeof(double)));
        found_ = context_.buffer(std::uint64_t{batch_} * values_ * sizeof(double));
        spectra_ = context_.kernel("spectra", defines_);
        add_ = context_.kernel("add_bands", defines_);
        set_arguments(spectra_, *frames_, pixels_, *band_table_, *factors_, scratch_, found_,
                      static_cast<cl_uint>(problem_.frames()),
                      static_cast<cl_uint>(problem_.height() * problem_.width()));
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
        spectra_.setArg(8, static_cast<cl_uint>(first));
        spectra_.setArg(9, static_cast<cl_uint>(end));
        const std::uint64_t counts = pixels * problem_.frames() * size_of(problem_.source_type());
        const cl::Event event =
            context_.launch("spectra", spectra_, cl::NDRange(group(), std::min(groups_, end - first)),
                            {group(), 1}, {counts, static_cast<std::uint64_t>(work)});
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
            const std::size_t additions = pixels + first_bands_[bin + 1] - first_bands_[bin];
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
    std::vector<cl_uint> first_bands_;  ///< by bin, and the end
    std::size_t groups_ = 1, batch_ = 1, bins_at_once_ = 1;
    std::uint64_t others_ = 0;  ///< bytes on the device in addition to the frames
    std::shared_ptr<const Buffer> frames_, band_table_, first_band_table_, factors_;
    Buffer pixels_, scratch_, found_;
    cl::Kernel spectra_, add_;
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
