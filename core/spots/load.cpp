#include "core/spots/analysis.h"

#include <fmt/format.h>

#include <utility>

#include "core/base/error.h"
#include "core/input/frame_input.h"
#include "core/input/frame_mask.h"
#include "core/io/open_frames.h"
#include "core/run/problem_key.h"
#include "core/spots/parameters.h"

namespace ks::spots {
namespace {

/// Files opened and read for a problem, to be reused for the next one.
struct Origin {
    std::string name, state;  ///< of the frames' file
    std::shared_ptr<FrameSource> source;
    ParameterSet geometry_given;
    io::Experiment experiment;
    std::shared_ptr<const io::IgnoredPixels> ignored;
};

class LoadedProblem : public SpotProblem, public FromFiles {
  public:
    using SpotProblem::SpotProblem;
    const FileStates& files() const override { return opened; }
    FileStates opened;
    Origin origin;
};

bool same_values(const InputRef& frames, const FrameSource& source) {
    const auto* memory = dynamic_cast<const MemoryFrames*>(&source);
    return frames.values.has_value() == (memory != nullptr) &&
           (memory == nullptr || memory->stack() == *frames.values);
}

/// Opens the frames, or returns those of `before`.
std::shared_ptr<FrameSource> source_of(const InputRef& frames, const std::string& state,
                                       const Origin& before) {
    const bool same = before.source && before.name == frames.name && before.state == state &&
                      same_values(frames, *before.source);
    return same ? before.source : io::open_source(frames);
}

ParameterSet geometry_given(const ParameterSet& set) {
    ParameterSet given;
    for (const ParameterSpec& spec : io::geometry_parameters()) given[spec.id] = set.at(spec.id);
    return given;
}

/// The frames of `previous` if they are those of the range and are kept in memory as required.
std::shared_ptr<const SharedFrames> same_frames(const LoadedProblem* previous, const FrameSource& source,
                                                const io::FrameRange& range, std::uint64_t keep) {
    if (previous == nullptr) return nullptr;
    const auto& shared = previous->shared();
    const bool wanted = std::uint64_t{range.count} * source.frame_bytes() <= keep;
    const bool same = shared->key() == SharedFrames::key_of(source, range.first, range.count, range.left_out);
    return same && shared->keeps() == wanted ? shared : nullptr;
}

void require_resolution(const Grouping& grouping, const io::Experiment& experiment, const std::string& name) {
    const bool wanted = grouping.d_min || grouping.d_max || grouping.ice_width;
    if (!wanted || (experiment.centred && experiment.geometry.complete())) return;
    throw Error(ErrorKind::input,
                "limits on d, and ice rings, require the wavelength, distance, pixel size and beam centre, "
                "but some of these are unknown",
                name,
                experiment.faults.empty()
                    ? "set the missing ones as parameters"
                    : "set the missing ones as parameters; a value in the file cannot be used: " +
                          experiment.faults.front());
}

/// Notices about the inputs, shown with the result.
std::vector<std::string> notices_of(const Origin& origin, const ModuleLayout& layout) {
    std::vector<std::string> all = origin.source->contradictions();
    all.insert(all.end(), origin.experiment.faults.begin(), origin.experiment.faults.end());
    all.insert(all.end(), origin.ignored->notices.begin(), origin.ignored->notices.end());
    if (const std::size_t rows = layout.rows_left(), columns = layout.columns_left(); rows + columns > 0)
        all.push_back(
            fmt::format("modules of {} x {} pixels do not fill the frames of {} x {}, so {} rows below and "
                        "{} columns to the right of them are left out",
                        layout.height, layout.width, layout.frame_height, layout.frame_width, rows, columns));
    return all;
}

void require_frames(const SharedFrames& frames) {
    if (frames.missing() < frames.frames()) return;
    throw Error(ErrorKind::input,
                fmt::format("all frames{} are missing ({}), because the file has no values for them",
                            frames.left_out() > 0 ? " that are not left out" : "",
                            frames.frames() - frames.left_out()),
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
    const Origin old = before ? before->origin : Origin();
    Origin origin;
    origin.name = input.name;
    origin.state = input.values ? "" : file_state(input.name);
    origin.source = source_of(input, origin.state, old);
    const FrameSource& source = *origin.source;
    io::require_room(source,
                     4 + 2 * size_of(source.type()));  // its masks, and a frame while the next one is read
    const io::FrameRange range = io::frame_range(set, source);
    origin.geometry_given = geometry_given(set);
    origin.experiment = origin.source == old.source && origin.geometry_given == old.geometry_given
                            ? old.experiment
                            : io::experiment_of(input, set);
    require_resolution(grouping, origin.experiment, source.name());
    ModuleLayout layout = ModuleLayout::parse(text(set, "modules"), source.height(), source.width());
    progress.check();

    // Allocating memory for each frame takes longer than finding its signal.
    const bool again = !request.last || request.check != CheckMode::none;
    const std::uint64_t keep = again ? io::keep_bytes(request) : 0;
    std::shared_ptr<const SharedFrames> shared = same_frames(before.get(), source, range, keep);
    const std::shared_ptr<const FrameMask> old_mask = before ? before->mask() : nullptr;
    const ModuleLayout old_layout = before ? before->layout() : ModuleLayout();
    before.reset();  // the frames of both may not fit into memory
    if (!shared)
        shared = std::make_shared<SharedFrames>(origin.source, range.first, range.count, keep, range.left_out,
                                                progress);
    require_frames(*shared);

    origin.ignored = io::ignored_pixels(request, source, old.ignored);
    // The mask stays the same while sliders are moved.
    const bool same_mask =
        old_mask && origin.source == old.source && origin.ignored == old.ignored && layout == old_layout;
    const std::shared_ptr<const FrameMask> mask =
        same_mask ? old_mask : std::make_shared<const FrameMask>(origin.ignored->mask(), source, layout);
    const double limit = io::first_invalid(set, *origin.ignored, source.type());
    auto problem = std::make_shared<LoadedProblem>(std::move(shared), mask, limit, thresholds,
                                                   std::move(layout), grouping);
    problem->geometry = origin.experiment.geometry;
    problem->located = origin.experiment.centred;
    problem->save_signal = boolean(set, "save_signal");
    problem->all_spots = boolean(set, "all_spots");
    problem->opened = io::files_of(source);
    problem->notices = notices_of(origin, problem->layout());
    if (std::string elsewhere = io::left_out_elsewhere(set, source); !elsewhere.empty())
        problem->notices.push_back(std::move(elsewhere));
    problem->origin = std::move(origin);
    return problem;
}

}  // namespace ks::spots
