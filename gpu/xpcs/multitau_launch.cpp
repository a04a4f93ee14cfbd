#include "gpu/xpcs/launch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/base/raw_bytes.h"
#include "core/base/stopwatch.h"
#include "core/base/threads.h"
#include "core/run/stream_scheduler.h"
#include "core/xpcs/analysis.h"
#include "core/xpcs/correlators/multitau_sums.h"
#include "gpu/runtime/cl_name.h"
#include "gpu/runtime/resident_data.h"
#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu::xpcs {
namespace {

using ks::xpcs::MultiTau;
using ks::xpcs::MultiTauSums;

// As in multitau_band.cl.
struct BandPiece {
    cl_uint place, first, count;
};
struct BandLevel {
    cl_uint base, ring, first, end;
};
struct BandBlock {
    cl_uint base, ring, sample, count, out, first_steps, flush;
};

constexpr std::size_t padding = 16;

/// Multiply-adds per second assumed of a device until the first launch has been timed.
double band_rate_guess(const DeviceInfo& info) {
    return info.compute_units * (info.type == "GPU" ? 2e10 : 2e9);
}

/// Types that hold samples, and sums of products, exactly where counts are whole.
struct BandTypes {
    const char *sample, *total;
    double largest = 0;  ///< count
    bool whole = true, fp64 = true;

    /// Products of samples of a level that a lane of floats adds exactly; few of them are not worth it.
    std::optional<std::size_t> in_floats(std::size_t level) const {
        constexpr double exact = 0x1p24, few = 8;
        const double sample_largest = std::ldexp(largest, static_cast<int>(level));
        const double products = exact / std::max(1.0, sample_largest * sample_largest);
        const bool exact_float = std::string_view(sample) == "float" || std::string_view(sample) == "ushort";
        if (!whole || !exact_float || products < few) return std::nullopt;
        return static_cast<std::size_t>(std::min(products, exact));
    }
    /// The type of the sums of products of other levels, and how many they add exactly.
    const char* wide() const { return fp64 ? "double" : "ulong"; }
    std::size_t in_wide(std::size_t level) const {
        constexpr double exact = 0x1p53, many = 0x1p24;
        const double sample_largest = std::ldexp(largest, static_cast<int>(level));
        if (!whole || !fp64) return static_cast<std::size_t>(many);
        return static_cast<std::size_t>(
            std::clamp(exact / std::max(1.0, sample_largest * sample_largest), 1.0, many));
    }
};

BandTypes types_of(const LaunchContext& context, const CorrelationProblem& problem, std::size_t levels) {
    BandTypes types{"float", "ulong", problem.max_count(), problem.compact() != ElementType::f32,
                    context.info().fp64};
    const double sample = std::ldexp(types.largest, static_cast<int>(levels) - 1),
                 sum = sample * sample * static_cast<double>(problem.largest_bin());
    if (!types.whole || sum >= 0x1p63) types.total = "double";
    if (!types.whole || sample > 0x1p24) types.sample = types.fp64 ? "double" : "uint";
    // A GPU converts faster than it reads.
    if (types.whole && sample < 0x1p16 && context.info().type != "CPU") types.sample = "ushort";
    if (!types.fp64 && (!types.whole || sum >= 0x1p63 || sample >= 0x1p32))
        throw Error(ErrorKind::device,
                    fmt::format("the sums of {} need double precision, which the device lacks",
                                types.whole ? "counts this large" : "float counts"),
                    context.info().name, "run host.multitau");
    return types;
}

/// How many frames are processed at a time, and what that takes on the device.
struct BandPlan {
    bool resident = false;                  ///< all frames are on the device
    std::size_t frames = 0;                 ///< of a chunk
    std::vector<std::size_t> rings, bases;  ///< rows, by level
    std::size_t rows = 0, new_samples = 0;  ///< of all levels
    std::uint64_t bytes = 0;                ///< without the frames
};

class MultiTauRun : public StreamClient {
  public:
    MultiTauRun(LaunchContext& context, const CorrelationProblem& problem, const MultiTau& tau)
        : context_(context),
          problem_(problem),
          tau_(tau),
          levels_(levels_needed()),
          types_(types_of(context, problem, levels_)),
          defines_(tuned_defines(context, problem.compact())),
          slicer_(context, band_rate_guess(context.info())),
          samples_of_block_(number(defines_, "RT")),
          complete_(complete_samples()) {
        defines_["SRC"] = cl_name(problem.source_type());
        defines_["SAMPLE"] = types_.sample;
        defines_["TOTAL"] = types_.total;
        defines_["CHANNELS"] = std::to_string(tau_.channels);
        make_pieces();
        make_plan();
        const std::size_t bins = problem_.partition().bins();
        for (std::size_t bin = 0; bin < bins; ++bin)
            sums_.emplace_back(tau_, static_cast<double>(problem_.partition().bin_size(bin)));
    }

    ks::xpcs::Correlation run() {
        StreamPlan stream;
        const std::size_t frames = problem_.frames();
        for (std::size_t first = 0; first < frames; first += plan_.frames) {
            const std::uint64_t bytes =
                plan_.resident ? 0 : std::min(plan_.frames, frames - first) * frame_bytes();
            stream.steps.push_back({{stream.slabs.size()}, 1});
            stream.slabs.push_back({bytes, bytes});
        }
        stream.fixed_bytes = plan_.bytes;
        if (stream.steps.size() > 1) context_.not_repeatable("downloads the sums of each chunk of frames");
        if (!plan_.resident) context_.device().shrink_resident(0);
        run_stream(stream, context_.budget() - (plan_.resident ? problem_.frames_bytes() : 0), *this,
                   context_.progress(), "correlate");
        if (reading_.launches > 0) add(context_.timings(), reading_);
        if (merging_.launches > 0) add(context_.timings(), merging_);
        return correlation_of(problem_, tau_, sums_);
    }

    void prepare() override {
        if (plan_.resident) all_frames_ = frames_on_device(context_, problem_, plan_.bytes);
        const LaunchContext::Overhead overhead(context_, "plan");
        const ks::QPartition& partition = problem_.partition();
        piece_table_ = context_.table("upload tables", pieces_);
        first_piece_table_ = context_.table("upload tables", first_pieces_);
        pixels_ = context_.uploaded<std::uint32_t>("upload partition", partition.pixels());
        rows_ = context_.zeros(std::uint64_t{plan_.rows} * row_ * sample_bytes());
        parts_ = context_.zeros(values(plan_.new_samples) * pieces_.size() * sizeof(cl_ulong));
        merged_ = context_.buffer(values(plan_.new_samples) * partition.bins() * sizeof(cl_ulong));
        const auto built = [&](const char* sum) {
            auto defines = defines_;
            defines["SUM"] = sum;
            return defines;
        };
        const bool any_narrow = types_.in_floats(0).has_value();
        const auto usual = built(any_narrow ? "float" : types_.wide());
        take_ = context_.kernel("take_frames", usual);
        add_ = context_.kernel("add_levels", usual);
        merge_ = context_.kernel("merge", usual);
        if (any_narrow) narrow_ = context_.kernel("multiply", usual);
        if (!types_.in_floats(levels_ - 1)) wide_ = context_.kernel("multiply", built(types_.wide()));
    }

    void read(std::size_t slab, std::size_t buffer) override {
        if (plan_.resident) return;
        Stopwatch watch;
        const std::size_t first = slab * plan_.frames,
                          count = std::min(plan_.frames, problem_.frames() - first);
        staging_[buffer].make_room(count * frame_bytes());
        problem_.read(first, count, staging_[buffer]);
        add_piece(reading_, watch.lap());
        reading_.bytes += staging_[buffer].size();
        ++reading_.launches;
    }

    void upload(std::size_t slab, std::size_t buffer) override {
        if (plan_.resident) return;
        const std::span<const std::byte> from = staging_[buffer];
        Buffer made = context_.buffer(from.size());
        context_.upload("upload frames", made, from);
        chunks_[slab] = std::move(made);
    }
    void evict(std::size_t slab) override { chunks_.erase(slab); }

    void execute(std::size_t step) override {
        const std::size_t first = step * plan_.frames,
                          end = std::min(first + plan_.frames, problem_.frames());
        std::vector<BandLevel> levels;
        for (std::size_t level = 0; level < levels_; ++level)
            levels.push_back({static_cast<cl_uint>(plan_.bases[level]),
                              static_cast<cl_uint>(plan_.rings[level]), static_cast<cl_uint>(first >> level),
                              static_cast<cl_uint>(end >> level)});
        take_samples(step, first, end - first, levels);
        const std::size_t samples = multiply(levels);
        take_sums(levels, samples);
    }

  private:
    std::size_t frame_bytes() const { return problem_.frames_bytes() / problem_.frames(); }
    std::size_t sample_bytes() const {
        const std::string_view type = types_.sample;
        return type == "double" ? 8 : type == "ushort" ? 2 : 4;
    }
    /// S and G by steps of new samples.
    std::size_t values(std::size_t samples) const { return samples * (1 + tau_.channels); }

    /// Levels with a requested delay.
    std::size_t levels_needed() const {
        const std::vector<MultiTau::Point> points = tau_.points(problem_.frames(), problem_.delays());
        std::size_t levels = 1;
        for (const MultiTau::Point& point : points) levels = std::max(levels, point.level + 1);
        return levels;
    }

    void make_pieces() {
        const ks::QPartition& partition = problem_.partition();
        const std::size_t most = number(defines_, "PIECE");
        first_pieces_.push_back(0);
        for (std::size_t bin = 0; bin < partition.bins(); ++bin) {
            const std::size_t begin = partition.offsets()[bin], end = partition.offsets()[bin + 1];
            for (std::size_t first = begin; first < end; first += most) {
                const std::size_t count = std::min(most, end - first);
                pieces_.push_back(
                    {static_cast<cl_uint>(row_), static_cast<cl_uint>(first), static_cast<cl_uint>(count)});
                row_ += rounded_up(count, padding);
            }
            first_pieces_.push_back(static_cast<cl_uint>(pieces_.size()));
        }
        // Rows do not share cache sets.
        if (row_ / padding % 2 == 0) row_ += padding;
    }

    BandPlan plan_of(std::size_t frames) const {
        BandPlan plan{.frames = frames, .rings = {}, .bases = {}};
        for (std::size_t level = 0; level < levels_; ++level) {
            const std::size_t most_new = (frames >> level) + 1;
            plan.new_samples += most_new;
            // A block reaches back by whole groups of steps.
            plan.rings.push_back(tau_.channels + number(defines_, "RK") + samples_of_block_ + most_new);
            plan.bases.push_back(plan.rows);
            plan.rows += plan.rings.back();
        }
        const std::uint64_t bins = problem_.partition().bins(), sums = values(plan.new_samples);
        plan.bytes = std::uint64_t{plan.rows} * row_ * sample_bytes() +
                     sums * sizeof(cl_ulong) * (bins + pieces_.size()) +
                     problem_.partition().selected() * sizeof(cl_uint) + pieces_.size() * sizeof(BandPiece) +
                     (bins + 1) * sizeof(cl_uint) + levels_ * sizeof(BandLevel) +
                     (plan.new_samples / samples_of_block_ + levels_) * sizeof(BandBlock);
        return plan;
    }

    void make_plan() {
        // On a processor, the samples of a chunk stay in the cache; on a GPU, each launch takes time, and
        // higher levels have few samples.
        const bool cpu = context_.info().type == "CPU";
        const std::size_t counts = std::size_t{1} << (cpu ? 25 : 28), most = cpu ? 64 : 4096;
        const std::uint64_t budget = context_.budget();
        std::size_t frames = std::clamp<std::size_t>(counts / std::max<std::size_t>(row_, 1), 1,
                                                     std::min(most, problem_.frames()));
        const auto fits = [&](const BandPlan& plan, std::uint64_t more) {
            return plan.bytes + more <= budget &&
                   std::uint64_t{plan.rows} * row_ * sample_bytes() <= context_.info().largest_allocation;
        };
        // Smaller chunks are better than frames that are uploaded anew in each run.
        constexpr std::size_t fewest = 64;
        for (std::size_t part = frames;; part /= 2) {
            plan_ = plan_of(part);
            plan_.resident = fits_resident(context_, problem_.frames_bytes(), plan_.bytes) && fits(plan_, 0);
            if (plan_.resident) return;
            if (part / 2 < fewest) break;
        }
        // Two chunks of frames: one is uploaded while the other is in use.
        while (frames > 1 && !fits(plan_of(frames), 2 * frames * frame_bytes())) frames = (frames + 1) / 2;
        plan_ = plan_of(frames);
        if (fits(plan_, frames * frame_bytes())) return;
        throw Error(ErrorKind::input,
                    fmt::format("a limit of {} bytes is too small: the last sums of frames of these bins "
                                "need at least {} bytes",
                                budget, plan_.bytes + frames * frame_bytes()),
                    "memory limit", "set a larger --memory-limit, or choose fewer levels or channels");
    }

    /// Tables of many chunks would fill the cache of tables.
    template <class T>
    std::shared_ptr<const Buffer> table_of_chunk(const std::vector<T>& values) {
        if (plan_.frames >= problem_.frames()) return context_.table("upload tables", values);
        return std::make_shared<const Buffer>(
            context_.uploaded<T>("upload tables", std::span<const T>(values)));
    }

    void take_samples(std::size_t step, std::size_t first, std::size_t count,
                      const std::vector<BandLevel>& levels) {
        level_table_ = table_of_chunk(levels);
        const std::size_t group = number(defines_, "WG");
        const Buffer& frames = plan_.resident ? *all_frames_ : chunks_.at(step);
        const std::uint64_t counts = std::uint64_t{problem_.partition().selected()} * count;
        set_arguments(take_, frames, pixels_, *piece_table_, *level_table_, rows_,
                      static_cast<cl_uint>(plan_.resident ? first : 0),
                      static_cast<cl_uint>(problem_.height() * problem_.width()), static_cast<cl_uint>(row_));
        context_.launch("take frames", take_, cl::NDRange(group, count, pieces_.size()), {group, 1, 1},
                        {counts * (size_of(problem_.source_type()) + sample_bytes()), 0});
        if (levels_ == 1) return;
        set_arguments(add_, *piece_table_, *level_table_, static_cast<cl_uint>(levels_), rows_,
                      static_cast<cl_uint>(row_));
        std::uint64_t added = 0;
        for (std::size_t level = 1; level < levels_; ++level)
            added += levels[level].end - levels[level].first;
        const std::size_t groups =
            group == 1 ? 1 : quotient_up(number(defines_, "PIECE"), group * number(defines_, "VW"));
        context_.launch("add levels", add_, cl::NDRange(group * groups, pieces_.size()), {group, 1},
                        {3 * added * row_ * sample_bytes(), 0});
    }

    /// @returns the number of new samples
    std::size_t multiply(const std::vector<BandLevel>& levels) {
        std::vector<BandBlock> narrow, wide;
        std::size_t samples = 0, narrow_products = 0, wide_products = 0;
        for (std::size_t level = 0; level < levels_; ++level) {
            const auto floats = types_.in_floats(level);
            const std::size_t steps = tau_.channels - tau_.first_steps(level);
            for (std::size_t s = levels[level].first; s < levels[level].end; s += samples_of_block_) {
                const std::size_t count = std::min<std::size_t>(samples_of_block_, levels[level].end - s);
                (floats ? narrow : wide)
                    .push_back({levels[level].base, levels[level].ring,
                                static_cast<cl_uint>(s % levels[level].ring), static_cast<cl_uint>(count),
                                static_cast<cl_uint>(samples), static_cast<cl_uint>(tau_.first_steps(level)),
                                static_cast<cl_uint>(floats ? *floats : types_.in_wide(level))});
                samples += count;
                (floats ? narrow_products : wide_products) += count * steps;
            }
        }
        multiply(narrow_, narrow, samples, narrow_products);
        multiply(wide_, wide, samples, wide_products);
        return samples;
    }

    /// @param products per pixel
    void multiply(cl::Kernel& kernel, const std::vector<BandBlock>& blocks, std::size_t samples,
                  std::size_t products) {
        if (blocks.empty()) return;
        const auto table = table_of_chunk(blocks);
        set_arguments(kernel, *piece_table_, *table, rows_, parts_, static_cast<cl_uint>(row_),
                      static_cast<cl_uint>(samples));
        const std::size_t group = number(defines_, "WG"), steps_of_block = number(defines_, "RK");
        for (std::size_t first = 0; first < pieces_.size();) {
            std::size_t end = first;
            double work = 0;
            std::uint64_t pixels = 0;
            while (end < pieces_.size() && (end == first || work < slicer_.units())) {
                pixels += pieces_[end].count;
                work = static_cast<double>(pixels) * static_cast<double>(products);
                ++end;
            }
            // Each group reads a sample once per group of steps, and those before it.
            const std::uint64_t reads =
                (2 * samples_of_block_ + steps_of_block) * products / (samples_of_block_ * steps_of_block);
            const cl::Event event = context_.launch(
                "multiply", kernel, cl::NDRange(group, blocks.size(), end - first), {group, 1, 1},
                {pixels * reads * sample_bytes(), static_cast<std::uint64_t>(work)},
                cl::NDRange(0, 0, first));
            if (first > 0 || end < pieces_.size()) {
                event.wait();
                slicer_.took(work, duration(event));
            }
            first = end;
        }
    }

    void take_sums(const std::vector<BandLevel>& levels, std::size_t samples) {
        const std::size_t bins = problem_.partition().bins(), group = number(defines_, "WG"),
                          of_bin = values(samples);
        set_arguments(merge_, *first_piece_table_, parts_, merged_, static_cast<cl_uint>(samples));
        context_.launch("merge", merge_, cl::NDRange(rounded_up(of_bin, group), bins), {group, 1},
                        {(pieces_.size() + bins) * of_bin * sizeof(cl_ulong), 0});
        if (std::string_view(types_.total) == "double")
            add_to_bins(levels, context_.downloaded<double>("download sums", merged_, bins * of_bin));
        else
            add_to_bins(levels, context_.downloaded<cl_ulong>("download sums", merged_, bins * of_bin));
    }

    /// @param found [bin][new sample][S, then G by steps]
    template <class T>
    void add_to_bins(const std::vector<BandLevel>& levels, const std::vector<T>& found) {
        Stopwatch watch;
        const std::size_t bins = problem_.partition().bins(), of_bin = found.size() / bins;
        const auto bin_sums = [&](std::size_t bin) {
            std::vector<double> of_sample(1 + tau_.channels);
            const T* from = found.data() + bin * of_bin;
            for (std::size_t level = 0; level < levels_; ++level)
                for (std::size_t s = levels[level].first; s < levels[level].end; ++s) {
                    std::transform(from, from + of_sample.size(), of_sample.begin(),
                                   [](T value) { return static_cast<double>(value); });
                    from += of_sample.size();
                    const std::vector<char>& complete = complete_[level];
                    if (complete[s] == 0) std::ranges::fill(of_sample, 0.0);
                    for (std::size_t steps = 1; steps <= std::min(s, tau_.channels - 1); ++steps)
                        if (complete[s - steps] == 0) of_sample[1 + steps] = 0;
                    sums_[bin].take(level, of_sample);
                }
        };
        constexpr std::size_t worthwhile = 1 << 16;
        parallel_for(bins, found.size() < worthwhile ? 1 : compute_threads(), context_.progress(), bin_sums);
        add_piece(merging_, watch.lap());
        ++merging_.launches;
    }

    /// Whether all frames of a sample are used, [level][sample].
    std::vector<std::vector<char>> complete_samples() const {
        std::vector<std::vector<char>> all{std::vector<char>(problem_.frames())};
        for (std::size_t t = 0; t < problem_.frames(); ++t) all[0][t] = problem_.used(t) ? 1 : 0;
        for (std::size_t level = 1; level < levels_; ++level) {
            const std::vector<char>& below = all.back();
            std::vector<char> complete(below.size() / 2);
            for (std::size_t s = 0; s < complete.size(); ++s)
                complete[s] = below[2 * s] != 0 && below[2 * s + 1] != 0 ? 1 : 0;
            all.push_back(std::move(complete));
        }
        return all;
    }

    LaunchContext& context_;
    const CorrelationProblem& problem_;
    MultiTau tau_;
    std::size_t levels_;
    BandTypes types_;
    std::map<std::string, std::string> defines_;
    Slicer slicer_;
    std::size_t samples_of_block_;
    std::vector<BandPiece> pieces_;
    std::vector<cl_uint> first_pieces_;  ///< by bin, and the end
    std::size_t row_ = 0;                ///< elements
    BandPlan plan_;
    std::shared_ptr<const Buffer> piece_table_, first_piece_table_, level_table_, all_frames_;
    Buffer pixels_, rows_, parts_, merged_;
    std::map<std::size_t, Buffer> chunks_;
    cl::Kernel take_, add_, narrow_, wide_, merge_;
    std::array<RawBytes, 2> staging_;
    std::vector<std::vector<char>> complete_;
    std::vector<MultiTauSums> sums_;
    Timing reading_{.stage = "read frames", .kind = StageKind::read, .launches = 0};
    Timing merging_{.stage = "sums along delays", .kind = StageKind::host, .launches = 0};
};

}  // namespace

Result launch_multitau_band(const CorrelationProblem& problem, LaunchContext& context) {
    context.require(ks::xpcs::traits_of(problem));
    const MultiTau tau = MultiTau::of(context.request().parameters, problem.frames());
    std::optional<MultiTauRun> run;
    {
        const LaunchContext::Overhead overhead(context, "plan");
        run.emplace(context, problem, tau);
    }
    ks::xpcs::Correlation found = run->run();
    Stopwatch watch;
    Result result = ks::xpcs::to_result(std::move(found), problem);
    result.facts["averaging"] = {{"levels", tau.levels}, {"channels", tau.channels}};
    add(context.timings(), {"make result", StageKind::host, watch.lap()});
    const LaunchContext::Overhead overhead(context, "clean up");
    run.reset();
    return result;
}

}  // namespace ks::gpu::xpcs
