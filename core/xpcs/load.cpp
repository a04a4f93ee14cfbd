#include "core/xpcs/load.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/io/open_frames.h"
#include "core/run/error.h"

namespace ks::xpcs {
namespace {

const InputRef& input(const Request& request, const std::string& role) {
    const auto at = request.inputs.find(role);
    if (at == request.inputs.end())
        throw Error(ErrorKind::input, "the analysis xpcs needs the input " + role, role);
    return at->second;
}

std::shared_ptr<FrameSource> open_source(const InputRef& ref) {
    if (ref.values) return std::make_shared<MemoryFrames>(ref.name, *ref.values);
    return io::open_frames(ref.name);
}

/// The file's geometry with what the parameters override; nothing where neither knows where the beam is.
struct Experiment {
    Geometry geometry;
    bool centred = false;     ///< the beam centre is known
    bool overridden = false;  ///< the beam centre was given by parameters
};

Experiment experiment_of(const InputRef& frames, const ParameterSet& set) {
    Experiment all;
    if (!frames.values) {
        std::vector<io::GeometryFault> faults;
        const auto geometry = io::read_geometry(io::DataName::parse(frames.name).file, faults);
        for (const io::GeometryFault& fault : faults) {
            const bool pixel = fault.part.starts_with("pixel_size");
            if (real(set, pixel ? "pixel_size" : fault.part) == 0) throw fault.error;
        }
        if (geometry) {
            all.geometry = boolean(set, "swap_xy") ? geometry->swapped() : *geometry;
            all.centred = true;
        }
    }
    const auto replace = [&set](const char* id, double& value) {
        const double given = real(set, id);
        if (given != 0) value = given;
        return given != 0;
    };
    replace("wavelength", all.geometry.wavelength);
    replace("distance", all.geometry.distance);
    replace("pixel_size", all.geometry.pixel_size_x);
    replace("pixel_size", all.geometry.pixel_size_y);
    replace("pixel_size_y", all.geometry.pixel_size_y);
    const bool x = replace("beam_x", all.geometry.beam_x), y = replace("beam_y", all.geometry.beam_y);
    all.overridden = x || y;
    all.centred = all.centred || all.overridden;
    return all;
}

/// Reads or draws the labels; rings move the centre of the experiment.
QPartition partition_of(const InputRef& ref, const FrameSource& source, Experiment& experiment) {
    static const std::string rings_prefix = "rings:";
    if (ref.values) return QPartition::from_array(*ref.values, ref.name.empty() ? "partition" : ref.name);
    if (!ref.name.starts_with(rings_prefix))
        return QPartition::from_array(io::read_array(ref.name, 2), ref.name);
    const Rings rings =
        Rings::parse(ref.name.substr(rings_prefix.size()),
                     experiment.centred ? std::optional<Geometry>(experiment.geometry) : std::nullopt);
    if (!experiment.overridden) {
        experiment.geometry.beam_x = rings.x;
        experiment.geometry.beam_y = rings.y;
        experiment.centred = true;
    }
    return QPartition::from_rings(source.height(), source.width(), rings);
}

/// First frame and number of frames.
std::pair<std::size_t, std::size_t> range_of(const ParameterSet& set, const FrameSource& source) {
    const std::int64_t first = integer(set, "first_frame"), given = integer(set, "last_frame");
    const auto frames = static_cast<std::int64_t>(source.frames());
    const std::int64_t last = given < 0 ? frames - 1 : given;
    if (last >= frames)
        throw Error(ErrorKind::input,
                    fmt::format("the last frame must be at most {}, found {}", frames - 1, last),
                    source.name());
    if (first > last)
        throw Error(ErrorKind::input,
                    fmt::format("the range of frames is empty: the first is {} and the last {}", first, last),
                    source.name());
    return {static_cast<std::size_t>(first), static_cast<std::size_t>(last - first + 1)};
}

/// Frames are kept in memory up to a quarter of it, and never beyond the request's limit.
std::uint64_t keep_bytes(const Request& request) {
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    const std::uint64_t quarter =
        pages > 0 && page > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page) / 4 : 0;
    return request.memory_limit == 0 ? quarter : std::min(quarter, request.memory_limit);
}

/// The scan of `previous` where it is one of the same frames and kept them as this request would.
std::shared_ptr<const FrameScan> scan_of(const std::shared_ptr<const Problem>& previous,
                                         const FrameSource& source, std::size_t first, std::size_t count,
                                         std::uint64_t keep) {
    const auto* problem = dynamic_cast<const CorrelationProblem*>(previous.get());
    if (problem == nullptr || problem->frames_key() != FrameScan::key_of(source, first, count))
        return nullptr;
    const bool kept = !problem->resident().empty(), wanted = problem->frames_bytes() <= keep;
    return kept == wanted ? problem->scan() : nullptr;
}

}  // namespace

std::shared_ptr<CorrelationProblem> load_problem(const Request& request, Progress& progress,
                                                 std::shared_ptr<const Problem> previous) {
    const ParameterSet& set = request.parameters;
    const InputRef& frames = input(request, "frames");
    const std::shared_ptr<FrameSource> source = open_source(frames);
    Experiment experiment = experiment_of(frames, set);
    const InputRef& partition_ref = input(request, "partition");
    const QPartition partition = partition_of(partition_ref, *source, experiment);
    if (partition.height() != source->height() || partition.width() != source->width())
        throw Error(ErrorKind::input,
                    fmt::format("the partition must have the frames' shape {} x {}, found {} x {}",
                                source->height(), source->width(), partition.height(), partition.width()),
                    partition_ref.name.empty() ? "partition" : partition_ref.name);
    const auto [first, count] = range_of(set, *source);
    const double saturation = real(set, "saturation"), frame_time = real(set, "frame_time");
    const auto two_time_bin = static_cast<std::size_t>(integer(set, "two_time_bin"));
    CorrelationProblem::require(*source, count, partition, two_time_bin);
    std::shared_ptr<const FrameScan> scan = scan_of(previous, *source, first, count, keep_bytes(request));
    previous.reset();  // the frames of both may not fit in memory
    if (!scan) scan = std::make_shared<FrameScan>(source, first, count, keep_bytes(request), progress);
    auto problem = std::make_shared<CorrelationProblem>(
        std::move(scan), partition, two_time_bin,
        saturation > 0 ? std::optional<double>(saturation) : std::nullopt);
    if (const std::int64_t longest = integer(set, "max_delay"); longest >= 0)
        problem->limit_delays(static_cast<std::size_t>(longest) + 1);
    problem->frame_time = frame_time > 0 ? std::optional<double>(frame_time) : source->frame_time();
    if (experiment.centred) problem->geometry = experiment.geometry;
    return problem;
}

}  // namespace ks::xpcs
