#include "gpu/runtime/uploads/staged_upload.h"

#include <algorithm>

#include "core/base/streamed_copy.h"
#include "core/base/threads.h"

namespace ks::gpu {
namespace {

constexpr unsigned max_threads = 8;  ///< for copying; more of them gain nothing over the bus

}  // namespace

StagingPlan StagingPlan::of(LaunchContext& context) {
    const bool across_a_bus = context.device().page_locked() != nullptr;
    // Guard zones are written by the context's queue.
    return {.staged = across_a_bus, .overlaps = across_a_bus && !context.device().memory()->zones()};
}

StagedUpload::StagedUpload(LaunchContext& context, const StagingPlan& plan, std::uint64_t granule)
    : context_(context),
      queue_(plan.overlaps ? cl::CommandQueue(context.device().context(), context.device().device(),
                                              cl::QueueProperties::Profiling)
                           : context.device().queue()),
      piece_bytes_(std::max<std::uint64_t>(1, plan.piece_bytes / granule) * granule),
      pieces_(std::max<std::size_t>(1, plan.pieces)) {}

StagedUpload::~StagedUpload() {
    const LaunchContext::Overhead overhead(context_, "wait for device");
    for (const Piece& piece : pieces_) {
        try {
            if (piece.uploaded() != nullptr) piece.uploaded.wait();
        } catch (const cl::Error&) {
            return;  // lost after an error, which says more
        }
    }
}

StagedUpload::Piece& StagedUpload::next_piece() {
    if (!memory_) {
        const LaunchContext::Overhead overhead(context_, "find memory");
        memory_ = context_.device().staging(piece_bytes_ * pieces_.size());
        for (std::size_t i = 0; i < pieces_.size(); ++i)
            pieces_[i].memory = {memory_.get() + i * piece_bytes_, piece_bytes_};
    }
    Piece& piece = pieces_[next_++ % pieces_.size()];
    if (piece.uploaded() != nullptr) {
        const LaunchContext::Overhead overhead(context_, "wait for device");
        piece.uploaded.wait();
    }
    return piece;
}

void StagedUpload::upload(const Source& source, const Buffer& to, std::uint64_t begin, std::uint64_t end) {
    if (begin >= end) return;
    Piece* last = nullptr;
    for (std::uint64_t at = begin; at < end; at += piece_bytes_) {
        context_.progress().check();
        last = &next_piece();
        const std::span<std::byte> bytes = last->memory.first(std::min(piece_bytes_, end - at));
        Stopwatch watch;
        source.fill(at, bytes);
        add(context_.timings(), {source.fill_stage, source.fill_kind, watch.lap(), bytes.size()});
        const LaunchContext::Overhead overhead(context_, "call transfers");
        queue_.enqueueWriteBuffer(to.cl(), CL_FALSE, at, bytes.size(), bytes.data(), nullptr,
                                  &last->uploaded);
        queue_.flush();
        context_.track_upload(source.stage, last->uploaded, bytes.size(), to);
    }
    if (queue_() == context_.device().queue()()) return;
    const std::vector<cl::Event> before{last->uploaded};
    context_.device().queue().enqueueBarrierWithWaitList(&before);
}

StagedUpload::Source StagedUpload::from_memory(const std::string& stage, std::span<const std::byte> from) {
    const unsigned threads = std::min(compute_threads(), max_threads);
    return {.stage = stage,
            .fill_stage = "stage for upload",
            .fill = [from, threads](std::uint64_t offset, std::span<std::byte> into) {
                streamed_copy(from.subspan(offset, into.size()), into, threads);
            }};
}

}  // namespace ks::gpu
