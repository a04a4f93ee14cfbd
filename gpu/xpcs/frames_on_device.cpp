#include "gpu/xpcs/frames_on_device.h"

#include <algorithm>

#include "core/base/stopwatch.h"
#include "core/base/threads.h"

namespace ks::gpu::xpcs {
namespace {

ResidentInput whole_frames(const CorrelationProblem& problem) {
    const std::uint64_t frame_bytes = problem.frames_bytes() / problem.frames();
    const auto read = [&problem, frame_bytes](std::uint64_t offset, std::span<std::byte> into) {
        problem.read(offset / frame_bytes, into.size() / frame_bytes, into);
    };
    return {problem.frames_key(),    "upload frames",
            problem.frames_bytes(),  frame_bytes,
            problem.resident(),      read,
            problem.scan()->memory()};
}

/// Prefix of the keys under which packed frames are kept, whatever part they hold.
std::string packed_prefix(const CorrelationProblem& problem) {
    return problem.frames_key() + " pixels of ";
}

}  // namespace

std::shared_ptr<const Buffer> frames_on_device(LaunchContext& context, const CorrelationProblem& problem,
                                               std::uint64_t others) {
    return resident(context, whole_frames(problem), others);
}

FramesPlan FramesPlan::of(LaunchContext& context) {
    const StagingPlan staging = StagingPlan::of(context);
    return {.staging = staging, .packs = staging.staged};
}

FramesOnDevice::FramesOnDevice(LaunchContext& context, const CorrelationProblem& problem,
                               const FramesPlan& plan)
    : context_(context),
      problem_(problem),
      plan_(plan),
      key_(problem.frames_key()),
      frame_bytes_(problem.frames_bytes() / problem.frames()),
      kept_(context.device().find_resident(key_)) {
    if (kept_ || !suits_packed()) return;
    packed_ = true;
    key_ = packed_prefix(problem) + problem.partition_key();
    frame_bytes_ = problem.partition().selected() * size_of(problem.source_type());
    kept_ = context.device().find_resident(key_);
}

bool FramesOnDevice::suits_packed() const {
    if (!plan_.packs || !staged() || !problem_.is_part()) return false;
    const std::size_t pixels = problem_.height() * problem_.width(), own = problem_.partition().selected();
    // Copying pixel by pixel is slower than copying frames.
    if (own > pixels / 8 * 7) return false;
    DeviceContext& device = context_.device();
    const std::uint64_t all = problem_.frames_bytes();
    if (device.find_resident(packed_prefix(problem_) + problem_.partition_key())) return true;
    // Frames, and their rows of nearly the same size.
    if (!fits_resident(context_, all, all)) return true;
    const std::string others = packed_prefix(problem_);
    if (device.was_found(others)) return false;
    const std::uint64_t bytes = std::uint64_t{own} * size_of(problem_.source_type()) * problem_.frames();
    return device.resident_bytes(others) + bytes <= all;
}

const ks::xpcs::PixelSelection& FramesOnDevice::selection() const {
    if (selection_) return *selection_;
    Stopwatch watch;
    selection_.emplace(problem_.partition());
    add(context_.timings(), {"select pixels", StageKind::host, watch.lap()});
    return *selection_;
}

std::span<const std::uint32_t> FramesOnDevice::places() const {
    if (!packed_) return problem_.partition().pixels();
    if (packed_places_) return *packed_places_;
    const ks::xpcs::PixelSelection& selected = selection();
    Stopwatch watch;
    packed_places_ = selected.places(problem_.partition());
    add(context_.timings(), {"select pixels", StageKind::host, watch.lap()});
    return *packed_places_;
}

std::vector<std::size_t> FramesOnDevice::bands(std::size_t multiple) const {
    const std::size_t frames = problem_.frames();
    // A recording takes what is uploaded at once.
    const bool at_once = kept_ || !staged() || !plan_.staging.overlaps || context_.is_recorded();
    const auto wanted = static_cast<std::size_t>(bytes() / std::max<std::uint64_t>(1, plan_.band_bytes));
    const std::size_t count = at_once ? 1 : std::clamp<std::size_t>(wanted, 1, plan_.most_bands),
                      each = rounded_up((frames + count - 1) / count, multiple);
    std::vector<std::size_t> ends;
    for (std::size_t end = each; end < frames; end += each) ends.push_back(end);
    ends.push_back(frames);
    return ends;
}

StagedUpload::Source FramesOnDevice::source() {
    if (!packed_) return staged_source(whole_frames(problem_));
    const std::size_t pixel_bytes = size_of(problem_.source_type());
    const std::uint64_t whole_bytes = problem_.frames_bytes() / problem_.frames();
    const ks::xpcs::PixelSelection& selected = selection();
    const auto fill = [this, &selected, pixel_bytes, whole_bytes](std::uint64_t offset,
                                                                  std::span<std::byte> into) {
        const std::size_t first = offset / frame_bytes_, count = into.size() / frame_bytes_;
        std::span<const std::byte> frames = problem_.resident();
        if (frames.empty()) {
            whole_.make_room(count * whole_bytes);
            problem_.read(first, count, whole_);
            frames = whole_;
        } else {
            frames = frames.subspan(first * whole_bytes, count * whole_bytes);
        }
        selected.pack(frames, pixel_bytes, into, compute_threads());
    };
    const bool reads = problem_.resident().empty();
    return {.stage = "upload frames",
            .fill_stage = reads ? "read and pack" : "pack for upload",
            .fill_kind = reads ? StageKind::read : StageKind::host,
            .fill = fill};
}

void FramesOnDevice::bring(std::size_t end, std::uint64_t others) {
    DeviceContext& device = context_.device();
    const std::uint64_t budget = context_.budget();
    if (kept_) {
        device.shrink_resident(budget - std::min(budget, others), key_);
        return;
    }
    if (!staged()) {
        kept_ = frames_on_device(context_, problem_, others);
        return;
    }
    if (!made_) {
        device.shrink_resident(budget - std::min(budget, others + bytes()));
        made_ = context_.buffer(bytes());
        upload_.emplace(context_, plan_.staging, frame_bytes_);
    }
    upload_->upload(source(), made_, brought_ * frame_bytes_, end * frame_bytes_);
    brought_ = end;
    if (end == problem_.frames()) kept_ = device.keep_resident(key_, std::move(made_));
}

}  // namespace ks::gpu::xpcs
