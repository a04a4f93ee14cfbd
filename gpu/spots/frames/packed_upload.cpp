#include "gpu/spots/frames/packed_upload.h"

#include <utility>

namespace ks::gpu::spots {
namespace {

FrameDecoder::Layout plane_layout(const PlaneShape& shape) {
    return {shape.height, shape.width, shape.offset(0, 0, 0),
            (shape.height + PlaneShape::margin_rows) * shape.pitch(), shape.pitch()};
}

/// Chunks of a series have nearly the same size: one buffer serves them all.
std::size_t with_reserve(std::size_t bytes) {
    return bytes + bytes / 8;
}

}  // namespace

bool PackedUpload::takes(const SpotProblem& problem) {
    return problem.shared()->in_memory().empty() && problem.shared()->source().packed() != nullptr &&
           problem.layout().is_whole();
}

std::size_t PackedUpload::most_chunk_bytes(const SpotProblem& problem) {
    // LZ4 lengthens data without a pattern by 1/255, and by some bytes per block.
    const std::size_t bytes = problem.frame_bytes();
    return bytes + bytes / 16 + 4096;
}

std::uint64_t PackedUpload::ring_bytes(const SpotProblem& problem) {
    return ring_frames * with_reserve(FrameDecoder::room(most_chunk_bytes(problem), problem.frame_bytes()));
}

PackedUpload::PackedUpload(const SpotProblem& problem, const PlaneShape& shape, LaunchContext& context,
                           cl::CommandQueue upload_queue)
    : context_(context),
      upload_queue_(std::move(upload_queue)),
      decoder_(context, size_of(problem.type()), plane_layout(shape)),
      ring_(ring_frames) {}

PackedUpload::Damage PackedUpload::make(std::size_t frames) const {
    return {context_.buffer(frames * sizeof(std::uint32_t)), std::vector<std::uint32_t>(frames), {}};
}

void PackedUpload::begin(Damage& damage) {
    context_.fill(damage.flags, cl_uint{0}, damage.flags.bytes());
}

cl::Event PackedUpload::upload(const PackedFrame& frame, const Buffer& images, std::size_t place,
                               const Damage& damage) {
    Packed& packed = ring_[next_++ % ring_.size()];
    const std::size_t bytes = frame.bytes.size();
    if (packed.buffer.bytes() < bytes) packed.buffer = context_.buffer(with_reserve(bytes));
    std::vector<cl::Event> before;
    if (packed.decoded() != nullptr) before.push_back(packed.decoded);
    cl::Event uploaded;
    upload_queue_.enqueueWriteBuffer(packed.buffer.cl(), CL_FALSE, 0, bytes, frame.bytes.data(), &before,
                                     &uploaded);
    upload_queue_.flush();
    context_.track_upload("upload frames", uploaded, bytes, packed.buffer);
    if (upload_queue_() != context_.device().queue()()) {
        before.assign(1, uploaded);
        context_.device().queue().enqueueBarrierWithWaitList(&before);
    }
    packed.decoded = decoder_.enqueue(context_, frame, packed.buffer, images, place, damage.flags);
    return uploaded;
}

void PackedUpload::end(Damage& damage) {
    context_.device().queue().enqueueReadBuffer(damage.flags.cl(), CL_FALSE, 0, damage.flags.bytes(),
                                                damage.read.data(), nullptr, &damage.there);
}

std::vector<std::size_t> PackedUpload::damaged(const Damage& damage) {
    damage.there.wait();
    std::vector<std::size_t> places;
    for (std::size_t place = 0; place < damage.read.size(); ++place)
        if (damage.read[place] != 0) places.push_back(place);
    return places;
}

}  // namespace ks::gpu::spots
