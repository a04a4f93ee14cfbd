#include "gpu/spots/frames/frame_reader.h"

#include <algorithm>

#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/base/threads.h"

namespace ks::gpu::spots {
namespace {

constexpr unsigned max_threads = 8;

/// One core copies slower than a device takes the values.
void copy(std::span<const std::byte> from, std::span<std::byte> to, unsigned threads) {
    constexpr std::size_t block = std::size_t{1} << 19;
    parallel_for((from.size() + block - 1) / block, threads, [&](std::size_t i) {
        const auto some = from.subspan(i * block, std::min(block, from.size() - i * block));
        std::ranges::copy(some, to.begin() + static_cast<std::ptrdiff_t>(i * block));
    });
}

/// As many as there are cores to decode them; of a short series fewer, as page-locked memory is dear.
std::size_t frames_ahead(const ks::spots::SpotProblem& problem) {
    constexpr std::size_t most = 16, most_bytes = std::size_t{1} << 30;
    const ks::spots::SharedFrames& frames = *problem.shared();
    if (!frames.in_memory().empty() || !frames.source().reads_side_by_side()) return 1;
    const std::size_t some = std::min(
        {most, std::size_t{compute_threads()}, problem.frames() / 4, most_bytes / problem.frame_bytes()});
    return std::max<std::size_t>(some, 1);
}

}  // namespace

PinnedMemory::PinnedMemory(DeviceContext& device, std::size_t bytes) : queue_(device.queue()) {
    buffer_ = cl::Buffer(device.context(), CL_MEM_READ_ONLY | CL_MEM_ALLOC_HOST_PTR, bytes);
    void* mapped = queue_.enqueueMapBuffer(buffer_, CL_TRUE, CL_MAP_WRITE, 0, bytes);
    bytes_ = {static_cast<std::byte*>(mapped), bytes};
}

PinnedMemory::~PinnedMemory() {
    try {
        queue_.enqueueUnmapMemObject(buffer_, bytes_.data());
    } catch (const cl::Error&) {
        return;  // the queue is lost, and the memory with it
    }
}

FrameReader::FrameReader(const ks::spots::SpotProblem& problem, DeviceContext& device, std::size_t alive)
    : problem_(problem),
      device_(device),
      threads_(std::min(compute_threads(), max_threads)),
      ahead_(frames_ahead(problem)) {
    places_.resize(alive + ahead_ - 1);
    stagings_.resize(ahead_ + 2);
}

FrameReader::Staging* FrameReader::next_staging() {
    if (device_.info().type != "GPU") return nullptr;
    Staging& staging = stagings_[staged_++ % stagings_.size()];
    if (!staging.pinned) staging.pinned = std::make_unique<PinnedMemory>(device_, problem_.frame_bytes());
    return &staging;
}

void FrameReader::start(std::size_t frame, bool for_upload) {
    std::vector<std::byte>& place = places_[next_++ % places_.size()];
    Started& started = started_.emplace_back();
    // What is there already needs no other thread, which would take longer to wake.
    if (!for_upload && !problem_.shared()->in_memory().empty()) {
        const std::span<const std::byte> pixels = problem_.shared()->frame(frame, place);
        started.there = {pixels, pixels, 0};
        return;
    }
    Staging* const staging = for_upload ? next_staging() : nullptr;
    started.pending = Pending<Timed>([this, frame, staging, &place] {
        Timed timed{{}, std::chrono::steady_clock::now(), {}};
        Stopwatch watch;
        Read& read = timed.read;
        read.pixels = problem_.shared()->frame(frame, place);
        read.to_upload = read.pixels;
        read.nanoseconds = watch.lap();
        if (staging != nullptr) {
            if (staging->uploaded() != nullptr) staging->uploaded.wait();
            watch.lap();
            copy(read.pixels, staging->pinned->bytes(), threads_);
            read.to_upload = staging->pinned->bytes();
            read.nanoseconds += watch.lap();
        }
        timed.end = std::chrono::steady_clock::now();
        return timed;
    });
}

FrameReader::Read FrameReader::take() {
    Started first = std::move(started_.front());
    started_.pop_front();
    if (!first.pending.valid()) return first.there;
    Timed timed = first.pending.get();
    // Frames that are read side by side share their time.
    const std::chrono::duration<double> whole = timed.end - timed.begin,
                                        alone = timed.end - std::max(timed.begin, read_until_);
    if (alone < whole)
        timed.read.nanoseconds = static_cast<std::uint64_t>(static_cast<double>(timed.read.nanoseconds) *
                                                            std::max(alone / whole, 0.0));
    read_until_ = std::max(read_until_, timed.end);
    return timed.read;
}

void FrameReader::uploading(std::span<const std::byte> to_upload, const cl::Event& uploaded) {
    for (Staging& staging : stagings_)
        if (staging.pinned && staging.pinned->bytes().data() == to_upload.data()) staging.uploaded = uploaded;
}

}  // namespace ks::gpu::spots
