#include "core/spots/load.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "core/io/frame_input.h"
#include "core/run/error.h"
#include "core/spots/mask_input.h"
#include "core/spots/parameters.h"

namespace ks::spots {
namespace {

/// A problem that remembers where its masks are from.
class LoadedProblem : public SpotProblem {
  public:
    using SpotProblem::SpotProblem;
    std::shared_ptr<const GivenMask> given;
    std::shared_ptr<const DetectorFields> fields;
};

/// The source of `previous` where it holds the very frames that come with the request.
std::shared_ptr<const SharedFrames> same_values(const LoadedProblem* previous, const InputRef& frames,
                                                const io::FrameRange& range) {
    if (previous == nullptr || !frames.values) return nullptr;
    const auto& shared = previous->shared();
    const auto* memory = dynamic_cast<const MemoryFrames*>(&shared->source());
    const bool same = memory != nullptr && memory->name() == frames.name && memory->stack() == *frames.values;
    return same && shared->key() == SharedFrames::key_of(*memory, range.first, range.count) ? shared
                                                                                            : nullptr;
}

std::shared_ptr<const SharedFrames> same_file(const LoadedProblem* previous, const FrameSource& source,
                                              const io::FrameRange& range, std::uint64_t keep) {
    if (previous == nullptr) return nullptr;
    const auto& shared = previous->shared();
    const bool wanted = std::uint64_t{range.count} * source.frame_bytes() <= keep;
    return shared->key() == SharedFrames::key_of(source, range.first, range.count) &&
                   shared->keeps() == wanted
               ? shared
               : nullptr;
}

PixelMask either(PixelMask one, const PixelMask& other) {
    if (one.empty()) return other;
    for (std::size_t i = 0; i < other.ignore.size(); ++i)
        one.ignore[i] = static_cast<std::uint8_t>(one.ignore[i] | other.ignore[i]);
    return one;
}

/// Values of this and more are invalid. A parameter names the first invalid count, a file the last valid one.
double limit_of(double parameter, const std::optional<double>& last_valid, ElementType type) {
    if (parameter > 0) return parameter;
    if (!last_valid) return std::numeric_limits<double>::infinity();
    if (!is_float(type)) return std::floor(*last_valid) + 1;
    auto limit = static_cast<float>(*last_valid);
    while (!(static_cast<double>(limit) > *last_valid))
        limit = std::nextafter(limit, std::numeric_limits<float>::infinity());
    return static_cast<double>(limit);
}

void require_resolution(const Grouping& grouping, const io::Experiment& experiment, const std::string& name) {
    const bool wanted = grouping.d_min > 0 || grouping.d_max > 0 || grouping.ice_width > 0;
    if (!wanted || (experiment.centred && experiment.geometry.complete())) return;
    throw Error(ErrorKind::input,
                "limits of d and ice rings need the wavelength, the distance, the pixel size and the beam "
                "centre, which are not all known",
                name, "give what is missing as parameters");
}

void require_frames(const SharedFrames& frames) {
    if (frames.missing() < frames.frames()) return;
    throw Error(ErrorKind::input,
                fmt::format("all {} frames are missing: the file holds no values for them", frames.frames()),
                frames.source().name());
}

}  // namespace

std::shared_ptr<const SpotProblem> load_problem(const Request& request, Progress& progress,
                                                std::shared_ptr<const Problem> previous) {
    const ParameterSet& set = request.parameters;
    const Thresholds thresholds = thresholds_from(set);
    const Grouping grouping = grouping_from(set);
    const InputRef& input = io::required_input(request, "frames");
    auto before = std::dynamic_pointer_cast<const LoadedProblem>(std::exchange(previous, nullptr));
    const std::shared_ptr<FrameSource> source = io::open_source(input);
    const io::FrameRange range = io::frame_range(set, *source);
    const io::Experiment experiment = io::experiment_of(input, set);
    require_resolution(grouping, experiment, source->name());
    ModuleLayout layout = ModuleLayout::parse(text(set, "modules"), source->height(), source->width());
    progress.check();

    const std::uint64_t keep = io::keep_bytes(request);
    std::shared_ptr<const SharedFrames> shared = same_values(before.get(), input, range);
    if (!shared) shared = same_file(before.get(), *source, range, keep);
    auto fields_before = before ? before->fields : nullptr;
    auto given_before = before ? before->given : nullptr;
    before.reset();  // the frames of both may not fit in memory
    if (!shared) shared = std::make_shared<SharedFrames>(source, range.first, range.count, keep);
    require_frames(*shared);

    const auto fields = detector_fields(input, shared->source(), boolean(set, "file_mask"), fields_before);
    const auto mask_input = request.inputs.find("mask");
    const auto given = mask_input == request.inputs.end()
                           ? nullptr
                           : given_mask(mask_input->second, shared->source(), given_before);
    PixelMask mask = given ? either(fields->mask, given->mask) : fields->mask;
    auto problem =
        std::make_shared<LoadedProblem>(std::move(shared), std::move(mask),
                                        limit_of(real(set, "saturation"), fields->saturation, source->type()),
                                        thresholds, std::move(layout), grouping);
    problem->given = given;
    problem->fields = fields;
    problem->geometry = experiment.geometry;
    problem->located = experiment.centred;
    problem->save_signal = boolean(set, "save_signal");
    problem->all_spots = boolean(set, "all_spots");
    return problem;
}

}  // namespace ks::spots
