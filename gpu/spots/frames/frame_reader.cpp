#include "gpu/spots/frames/frame_reader.h"

#include <algorithm>

#include "core/base/stopwatch.h"
#include "core/base/streamed_copy.h"
#include "core/base/threads.h"
#include "gpu/spots/frames/packed_upload.h"

namespace ks::gpu::spots {
namespace {

constexpr unsigned max_threads = 8;
const Timing read_row{.stage = "read", .kind = StageKind::read};

/// As many as there are cores to decode them; fewer for a short series, as page-locked memory is expensive.
std::size_t reads_side_by_side(const ks::spots::SpotProblem& problem) {
    constexpr std::size_t most = 16, most_bytes = std::size_t{1} << 30;
    const ks::spots::SharedFrames& frames = *problem.shared();
    if (!frames.in_memory().empty() || !frames.source().reads_side_by_side()) return 1;
    const std::size_t some = std::min(
        {most, std::size_t{compute_threads()}, problem.frames() / 4, most_bytes / problem.frame_bytes()});
    return std::max<std::size_t>(some, 1);
}

}  // namespace

std::span<std::byte> FrameReader::Staging::make_room(DeviceContext& device, std::size_t bytes,
                                                     std::size_t with_reserve) {
    if (bytes > room) {
        memory = device.staging(with_reserve);
        room = with_reserve;
    }
    return {memory.get(), bytes};
}

FrameReader::FrameReader(const ks::spots::SpotProblem& problem, DeviceContext& device, const Wants& wants)
    : problem_(problem),
      device_(device),
      wants_(wants),
      threads_(std::min(compute_threads(), max_threads)),
      at_once_(reads_side_by_side(problem)) {
    if (wants_.packed) at_once_ = std::min<std::size_t>(at_once_, max_threads);  // they decode nothing
    stagings_.resize(at_once_ + 2);
    places_.resize(wants_.alive + stagings_.size());
    reads_.resize(places_.size());
}

std::uint64_t FrameReader::staging_bytes(bool for_upload) const {
    const bool in_memory = !problem_.shared()->in_memory().empty();
    return for_upload || (wants_.values && !in_memory) ? problem_.frame_bytes() : 0;
}

FrameReader::Read FrameReader::read_values(std::size_t frame, Staging* staging,
                                           std::vector<std::byte>& place) const {
    Stopwatch watch;
    Read read{.timing = read_row};
    const auto pixels = problem_.shared()->sound_frame(frame, place);
    read.damaged = !pixels;
    if (!pixels) return read;
    read.pixels = *pixels;
    read.timing.bytes = read.pixels.size();
    read.to_upload = read.pixels;
    add_piece(read.timing, watch.lap());
    if (staging == nullptr) return read;
    if (staging->uploaded() != nullptr) staging->uploaded.wait();
    watch.lap();
    const std::span<std::byte> staged = staging->make_room(device_, read.pixels.size(), read.pixels.size());
    streamed_copy(read.pixels, staged, threads_);  // one core copies more slowly than a device reads
    read.to_upload = staged;
    add_piece(read.timing, watch.lap());
    return read;
}

std::optional<FrameReader::Read> FrameReader::read_packed(std::size_t frame, Staging& staging) const {
    Stopwatch watch;
    const PackedFrames& packed = *problem_.shared()->source().packed();
    const std::size_t number = problem_.shared()->first() + frame;
    const auto place = packed.find_packed(number);
    if (!place || place->bytes > PackedUpload::most_chunk_bytes(problem_)) return std::nullopt;
    Read read{.timing = read_row};
    read.timing.bytes = place->bytes;
    add_piece(read.timing, watch.lap());
    if (staging.uploaded() != nullptr) staging.uploaded.wait();
    watch.lap();
    const std::size_t room = FrameDecoder::room(place->bytes, problem_.frame_bytes());
    // Chunks of a series have nearly the same size.
    const std::span<std::byte> memory = staging.make_room(device_, room, room + room / 8);
    if (!packed.read_packed(number, *place, memory.first(place->bytes))) return std::nullopt;
    read.packed =
        FrameDecoder::prepared(memory, place->bytes, problem_.frame_bytes(), size_of(problem_.type()));
    if (!read.packed) return std::nullopt;
    read.to_upload = read.packed->bytes;
    add_piece(read.timing, watch.lap());
    return read;
}

void FrameReader::read(std::size_t index, std::size_t frame, bool for_upload, std::size_t buffer) {
    std::vector<std::byte>& place = places_[index % places_.size()];
    Read& read = reads_[index % reads_.size()];
    read = {};
    if (staging_bytes(for_upload) == 0) {
        if (problem_.shared()->in_memory().empty()) return;
        read.pixels = problem_.shared()->frame(frame, place);
        read.to_upload = read.pixels;
        return;
    }
    const bool packed = for_upload && wants_.packed;
    Staging* const staging =
        for_upload && (packed || device_.info().type == "GPU") ? &stagings_[buffer] : nullptr;
    std::optional<Read> found;
    if (packed && !problem_.damaged(frame)) found = read_packed(frame, *staging);
    read = found ? *std::move(found) : read_values(frame, staging, place);
}

}  // namespace ks::gpu::spots
