#include "core/xpcs/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/data/count_text.h"
#include "core/data/frame_ranges.h"
#include "core/input/frame_input.h"
#include "core/input/frame_mask.h"
#include "core/io/labels/label_file.h"
#include "core/io/open_frames.h"
#include "core/xpcs/correlation.h"
#include "core/xpcs/correlators/multitau.h"
#include "core/xpcs/correlators/rebin.h"
#include "core/xpcs/g2_fit.h"
#include "core/xpcs/pairs/estimate.h"
#include "core/xpcs/pairs/outliers.h"
#include "core/xpcs/pairs/reduced_frames.h"
#include "core/xpcs/pairs/static_bins.h"
#include "core/xpcs/series/corrected_frames.h"
#include "core/xpcs/series/normalised_frames.h"
#include "core/xpcs/stability/stability.h"

namespace ks::xpcs {
namespace {

class LoadedProblem : public CorrelationProblem, public FromFiles {
  public:
    using CorrelationProblem::CorrelationProblem;
    const FileStates& files() const override { return opened; }
    FileStates opened;
};

/// Check for labels from a file, which may declare any shape.
io::ShapeCheck same_shape(const FrameSource& source, const std::string& name) {
    return [&source, name](const std::vector<std::size_t>& shape) {
        if (shape == std::vector<std::size_t>{source.height(), source.width()}) return;
        throw Error(ErrorKind::input,
                    fmt::format("the partition must have the frames' shape {} x {}, found {} x {}",
                                source.height(), source.width(), shape[0], shape[1]),
                    name.empty() ? "partition" : name);
    };
}

/// Throws if the rings contain no pixels. @param words from the request: "beam,beam,0,20,5"
void require_pixels(const QPartition& drawn, const Rings& rings, const std::string& words,
                    const std::string& frames) {
    if (drawn.selected() > 0) return;
    const auto outside = [](double at, std::size_t size) {
        return std::max({0.0, -at, at - static_cast<double>(size)});
    };
    const double away = std::hypot(outside(rings.x, drawn.width()), outside(rings.y, drawn.height()));
    const std::string where =
        away > 0 ? fmt::format("{:.0f} px outside the frames", away) : std::string("inside the frames");
    throw Error(ErrorKind::input,
                fmt::format("the rings contain no pixels: their centre, x {:g}, y {:g}, is {} of {} x {} "
                            "pixels, and their radii are {:g} to {:g} px",
                            rings.x, rings.y, where, drawn.height(), drawn.width(), rings.r0,
                            rings.r0 + static_cast<double>(rings.n) * rings.width),
                frames,
                words.find("beam") != std::string::npos
                    ? "correct the beam centre, or give X and Y in pixels instead of the word \"beam\""
                    : "correct the centre or the radii of the rings");
}

/// Reads or draws the labels; rings set the beam centre of the experiment.
QPartition partition_of(const InputRef& ref, const FrameSource& source, io::Experiment& experiment) {
    static const std::string rings_prefix = "rings:";
    if (ref.values) return QPartition::from_array(*ref.values, ref.name.empty() ? "partition" : ref.name);
    if (!ref.name.starts_with(rings_prefix))
        return io::read_label_image(ref.name, same_shape(source, ref.name));
    const Rings rings =
        Rings::parse(ref.name.substr(rings_prefix.size()),
                     experiment.centred ? std::optional<Geometry>(experiment.geometry) : std::nullopt);
    if (!experiment.overridden) {
        experiment.geometry.beam_x = rings.x;
        experiment.geometry.beam_y = rings.y;
        experiment.centred = true;
    }
    QPartition drawn = QPartition::from_rings(source.height(), source.width(), rings);
    require_pixels(drawn, rings, ref.name, source.name());
    return drawn;
}

/// q and azimuth of the bins as the request gives them; empty: it does not. Throws ks::Error(input) unless
/// there is a q for each bin.
std::vector<BinMeaning> given_meanings(const Request& request, std::size_t bins) {
    const InputRef* const given = io::given_input(request, bin_q_role);
    if (given == nullptr) return {};
    const InputRef& input = *given;
    const Array values = input.values ? *input.values : io::read_array(input.name, 1);
    const bool with_phi = values.rank() == 2 && values.shape()[1] == 2;
    if ((values.rank() != 1 && !with_phi) || values.shape()[0] != bins)
        throw Error(ErrorKind::input,
                    fmt::format("expected q of each of the {} bins, found {} values", bins,
                                values.rank() == 0 ? 1 : values.shape()[0]),
                    input.name);
    const std::vector<double> all = values.to_doubles();
    std::vector<BinMeaning> meanings;
    for (std::size_t bin = 0; bin < bins; ++bin)
        meanings.push_back(with_phi ? BinMeaning{all[2 * bin], all[2 * bin + 1]}
                                    : BinMeaning{all[bin], nan_value});
    return meanings;
}

/// q and azimuth of the bins as their file gives them; empty: it does not, or the bins are not from a file.
/// @param notices receives a sentence if they cannot be used
std::vector<BinMeaning> meanings_in(const InputRef& ref, const FrameSource& source,
                                    std::vector<std::string>& notices) {
    if (ref.values || ref.name.starts_with("rings:")) return {};
    std::vector<BinMeaning> meanings;
    try {
        const io::LabelFile file = io::read_labels(ref.name, same_shape(source, ref.name));
        for (std::size_t bin = 0; bin < file.q.size(); ++bin)
            meanings.push_back({file.q[bin], file.phi.empty() ? nan_value : file.phi[bin]});
    } catch (const Error& error) {
        notices.push_back(fmt::format("the file of the bins gives no usable q: {}", error.what()));
    }
    return meanings;
}

/// The bins without masked pixels.
QPartition without_masked(QPartition partition, const io::IgnoredPixels& ignored, const std::string& frames) {
    if (ignored.masked == 0) return partition;
    QPartition left = partition.without(ignored.mask().ignore);
    if (left.selected() == 0)
        throw Error(ErrorKind::input, fmt::format("all {} pixels in bins are masked", partition.selected()),
                    frames, ignored.of_file > 0 ? "turn off file_mask to ignore the mask in the file" : "");
    return left;
}

/// The static labels that the request gives, or those of the file of the bins. Throws ks::Error(input) if
/// there are none.
std::shared_ptr<const std::vector<std::int32_t>> static_labels_of(const Request& request, const InputRef& ref,
                                                                  const FrameSource& source) {
    static const std::string rings_prefix = "rings:";
    std::vector<std::int32_t> labels;
    if (const InputRef* const given = io::given_input(request, static_bins_role)) {
        const QPartition statics = given->values
                                       ? QPartition::from_array(*given->values, given->name)
                                       : io::read_label_image(given->name, same_shape(source, given->name));
        same_shape(source, given->name)({statics.height(), statics.width()});
        labels = statics.labels();
    } else if (!ref.values && !ref.name.starts_with(rings_prefix)) {
        labels = io::read_labels(ref.name, same_shape(source, ref.name)).static_labels;
    }
    if (labels.empty())
        throw Error(ErrorKind::input,
                    "the estimator two-level needs static bins inside the bins, but these bins have none",
                    ref.name.empty() ? "partition" : ref.name,
                    "use bins with static bins, or another estimator");
    return std::make_shared<const std::vector<std::int32_t>>(std::move(labels));
}

/// Adds the used frames whose sums are outliers to a list with the word "auto"; other lists stay the same.
/// @param left_out the value of the parameter leave_out in `set`
/// @param notices receives a sentence for each reason
void leave_out_outliers(ParameterSet& set, const std::string& left_out, FrameSource& source,
                        const QPartition& partition, double first_invalid, std::vector<std::string>& notices,
                        Progress& progress) {
    if (!names_auto(left_out)) return;
    const io::FrameRange range = io::frame_range(set, source);
    const FrameSums sums =
        intensities_of(source, used_range(range, reduction_of(set)), partition, first_invalid, progress);
    const std::vector<Outlier> outliers = outliers_of(sums.sums, sums.shares);
    for (std::string& one : outlier_texts(outliers, sums.frames)) notices.push_back(std::move(one));
    if (outliers.empty()) return;
    std::vector<std::size_t> frames = range.left_out;
    for (const Outlier& one : outliers) frames.push_back(sums.frames[one.frame]);
    std::ranges::sort(frames);
    set["leave_out"] = frame_ranges(frames);
}

/// Labels of the bins without a pixel, ascending.
std::vector<std::size_t> empty_bins_of(const QPartition& partition) {
    std::vector<std::size_t> labels;
    for (std::size_t bin = 0; bin < partition.bins(); ++bin)
        if (partition.bin_size(bin) == 0) labels.push_back(bin + 1);
    return labels;
}

/// The mean over the frames of the file that make up each frame of a reduced series.
/// @param values of the frames of the file from `first` on
std::vector<double> means_of(const std::vector<double>& values, std::size_t first,
                             const ReducedFrames& reduced) {
    std::vector<double> means;
    for (std::size_t t = 0; t < reduced.frames(); ++t) {
        const std::vector<std::size_t> parts = reduced.numbers_in_file({t});
        double sum = 0;
        for (const std::size_t frame : parts) sum += values[frame - first];
        means.push_back(sum / static_cast<double>(parts.size()));
    }
    return means;
}

/// The scan of `previous` if it has the same frames and kept them as this request would.
std::shared_ptr<const FrameScan> scan_of(const std::shared_ptr<const Problem>& previous,
                                         const FrameSource& source, const io::FrameRange& range,
                                         std::uint64_t keep) {
    const auto* problem = dynamic_cast<const CorrelationProblem*>(previous.get());
    if (problem == nullptr || problem->frames_key() != FrameScan::key_of(source, range)) return nullptr;
    const bool kept = !problem->resident().empty(), wanted = problem->frames_bytes() <= keep;
    return kept == wanted ? problem->scan() : nullptr;
}

}  // namespace

std::shared_ptr<CorrelationProblem> load_problem(const Request& request, Progress& progress,
                                                 std::shared_ptr<const Problem> previous) {
    ParameterSet set = request.parameters;
    const std::string left_out = text(set, "leave_out");
    if (names_auto(left_out)) set["leave_out"] = without_auto(left_out);
    const Estimate estimate = estimate_of(set);
    const Reduction reduction = reduction_of(set);
    const Normalisation normalisation = normalisation_of(set);
    fit_model(set);  // a wrong model is refused before files are read
    MultiTau::of(set, 1);
    const InputRef& frames = io::required_input(request, "frames");
    const std::shared_ptr<FrameSource> source = io::open_source(frames);
    // Labels and bins twice, the statistics of each pixel, and a frame.
    io::require_room(*source, 28 + 3 * size_of(source->type()));
    const auto* before = dynamic_cast<const CorrelationProblem*>(previous.get());
    const std::shared_ptr<const FieldCorrection> correction =
        correction_of(request, *source, before ? before->correction : nullptr, progress);
    io::Experiment experiment = io::experiment_of(frames, set);
    const InputRef& partition_ref = io::required_input(request, "partition");
    QPartition partition = partition_of(partition_ref, *source, experiment);
    same_shape(*source, partition_ref.name)({partition.height(), partition.width()});
    io::FrameRange range = io::frame_range(set, *source);
    std::shared_ptr<const std::vector<std::int32_t>> static_labels;
    if (estimate.estimator == Estimator::two_level)
        static_labels = static_labels_of(request, partition_ref, *source);
    const std::optional<double> frame_time = optional_real(set, "frame_time");
    const auto two_time_bin = static_cast<std::size_t>(optional_integer(set, "two_time_bin").value_or(0));
    CorrelationProblem::require(*source, reduction.frames_of(range.count), partition, two_time_bin);
    segments_of(set, reduction.frames_of(range.count));  // too many are refused before frames are read
    const auto ignored = io::ignored_pixels(request, *source, before ? before->ignored : nullptr);
    const std::size_t in_bins = partition.selected();
    // Labels drawn or switched in the window: a number without a pixel is no bin.
    std::vector<std::size_t> unused;
    if (partition_ref.values) unused = empty_bins_of(partition);
    partition = without_masked(std::move(partition), *ignored, source->name());
    const std::size_t masked_in_bins = in_bins - partition.selected();
    if (correction) partition = correction->usable(std::move(partition));
    const double first_invalid = io::first_invalid(set, *ignored, source->type());
    std::vector<std::string> notices;
    std::vector<BinMeaning> given = given_meanings(request, partition.bins());
    leave_out_outliers(set, left_out, *source, partition, first_invalid, notices, progress);
    range = io::frame_range(set, *source);
    std::shared_ptr<FrameSource> series = source;
    // Corrected, normalised and summed frames know which values were invalid.
    double series_invalid = first_invalid;
    constexpr double no_limit = std::numeric_limits<double>::infinity();
    // What detectors write for pixels without a count would be no mark any more once it is computed with.
    const auto first_invalid_or_mark = [&] {
        return std::min(series_invalid, io::marking_value(series->type()).value_or(no_limit));
    };
    if (correction) {
        series = std::make_shared<CorrectedFrames>(series, correction, first_invalid_or_mark());
        series_invalid = no_limit;
    }
    std::vector<double> monitor;
    if (!normalisation.none()) {
        const auto divided = normalised(series, normalisation, frames, range, reduction, partition,
                                        first_invalid_or_mark(), progress);
        if (normalisation.by == Normalisation::By::monitor)
            for (std::size_t t = 0; t < range.count; ++t)
                monitor.push_back(divided->divisor(range.first + t));
        series = divided;
        series_invalid = no_limit;
    }
    if (!reduction.none()) {
        const auto reduced = std::make_shared<ReducedFrames>(
            series, range, reduction, reduction.average > 1 ? first_invalid_or_mark() : series_invalid);
        // of the frames that the stride leaves, as are those of a sum
        const auto strided = [&](std::size_t frames) {
            return (frames + reduction.stride - 1) / reduction.stride;
        };
        if (const std::size_t n = strided(reduced->omitted()); n > 0)
            notices.push_back(fmt::format(
                "the last {} of {} {} not fill a sum of {}, and {} not used", n,
                count_text(strided(range.count), reduction.stride > 1 ? "strided frame" : "frame"),
                n == 1 ? "does" : "do", reduction.average, n == 1 ? "is" : "are"));
        if (!monitor.empty()) monitor = means_of(monitor, range.first, *reduced);
        range = reduced->range();
        series = reduced;
        if (reduction.average > 1) series_invalid = no_limit;
    }
    std::shared_ptr<const FrameScan> scan = scan_of(previous, *series, range, io::keep_bytes(request));
    previous.reset();  // the frames of both may not fit into memory
    if (!scan) scan = std::make_shared<FrameScan>(series, range, io::keep_bytes(request), progress);
    auto problem =
        std::make_shared<LoadedProblem>(std::move(scan), partition, two_time_bin, series_invalid, progress);
    problem->estimate = estimate;
    problem->keep_pairs = keeps_pairs(set);
    problem->rebin = rebin_of(set);
    problem->static_labels = std::move(static_labels);
    problem->reduction = reduction;
    if (!normalisation.none()) problem->normalised_by = text(set, "normalise");
    problem->monitor = std::move(monitor);
    problem->correction = correction;
    problem->ignored = ignored;
    problem->unused_bins = std::move(unused);
    problem->masked_in_bins = masked_in_bins;
    const auto longest = optional_integer(set, "max_delay");
    if (longest) problem->limit_delays(static_cast<std::size_t>(*longest) + 1);
    problem->frame_time =
        frame_time ? *frame_time * static_cast<double>(reduction.step()) : series->frame_time();
    problem->notices = source->contradictions();
    if (const auto fault = source->frame_time_fault(); fault && !problem->frame_time)
        problem->notices.push_back(*fault + "; delays are given in frames");
    const auto add = [&all = problem->notices](const std::vector<std::string>& more) {
        all.insert(all.end(), more.begin(), more.end());
    };
    add(notices);
    add(experiment.faults);
    add(ignored->notices);
    if (correction) add(correction->notices());
    if (longest && static_cast<std::size_t>(*longest) >= range.count)
        problem->notices.push_back(
            fmt::format("the maximum delay is {}, but {} frames only have delays up to {}", *longest,
                        range.count, range.count - 1));
    if (std::string elsewhere = io::left_out_elsewhere(set, *source); !elsewhere.empty())
        problem->notices.push_back(std::move(elsewhere));
    if (experiment.centred) problem->geometry = experiment.geometry;
    if (!problem->geometry.complete())
        problem->meanings_of_file =
            given.empty() ? meanings_in(partition_ref, *source, problem->notices) : std::move(given);
    problem->opened = io::files_of(*source);
    if (correction) problem->opened.add(correction->files());
    return problem;
}

}  // namespace ks::xpcs
