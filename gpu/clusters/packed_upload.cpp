#include "gpu/clusters/packed_upload.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/base/stopwatch.h"
#include "gpu/clusters/grouping.h"

namespace ks::gpu::clusters {
namespace {

constexpr std::size_t word_bytes = sizeof(cl_ulong), apart_bytes = sizeof(cl_uint), unpack_group = 256;
/// Fewer digis are packed before another thread would have started.
constexpr std::size_t rows_for_threads = std::size_t{1} << 16;

unsigned bits_for(std::uint64_t largest) {
    return static_cast<unsigned>(std::bit_width(largest));
}

}  // namespace

PackedUpload::PackedUpload(const ClusterProblem& problem, const std::vector<Chunk>& chunks,
                           std::size_t rows_of_part, bool charges, cl::CommandQueue queue,
                           LaunchContext& context)
    : problem_(problem), queue_(std::move(queue)), charges_(charges) {
    const LargestChunk most(chunks);
    rows_ = std::min(rows_of_part, most.rows);
    bits_ = {bits_for(most.slots), bits_for(std::max(problem.extent_x(), 1U) - 1),
             bits_for(std::max(problem.extent_y(), 1U) - 1),
             std::max(bits_for(problem.shared()->largest_adc()), 1U)};
    apart_ = charges && bits_.slot + bits_.x + bits_.y + bits_.adc > 64;
    unpack_ = context.kernel("gpu/clusters/unpack_digis.cl", "unpack_digis",
                             {{"ADC", apart_    ? "2"
                                      : charges ? "1"
                                                : "0"}});
    for (const Chunk& chunk : chunks)
        for (std::size_t first = 0; first < chunk.rows; first += rows_)
            parts_.push_back({&chunk, first, std::min(rows_, chunk.rows - first)});
    for (Place& place : places_) {
        // adc follows the words, two per word
        place.words = context.host_array(ElementType::u64, {rows_ + (apart_ ? (rows_ + 1) / 2 : 0)});
        place.packed = context.buffer(rows_ * word_bytes);
        place.adc = context.buffer(apart_ ? rows_ * apart_bytes : apart_bytes);
    }
    start_packing(0);
}

std::uint64_t PackedUpload::bytes(std::size_t rows_of_part) {
    return std::tuple_size_v<decltype(places_)> * rows_of_part * (word_bytes + apart_bytes);
}

void PackedUpload::start_packing(std::size_t part) {
    if (part >= parts_.size()) return;
    Place& place = place_of(part);
    if (place.uploaded() != nullptr) place.uploaded.wait();
    if (parts_[part].rows > rows_for_threads)
        packing_ = beside([this, part, &place] { return pack(parts_[part], place); });
}

void PackedUpload::upload(const Chunk& chunk, const DigisOnDevice& digis, LaunchContext& context) {
    const cl::CommandQueue& kernels = context.device().queue();
    const cl_uint4 bits{{bits_.slot, bits_.x, bits_.y, 0}};
    const std::size_t group = std::min(unpack_group, context.info().largest_work_group);
    for (; next_ < parts_.size() && parts_[next_].chunk == &chunk; ++next_) {
        context.progress().check();
        const Part& part = parts_[next_];
        Place& place = place_of(next_);
        add(context.timings(), packing_.valid() ? packing_.get() : pack(part, place));

        std::vector<cl::Event> before;
        if (place.unpacked() != nullptr) before.push_back(place.unpacked);
        const auto put = [&](const Buffer& to, const std::byte* from, std::size_t bytes) {
            queue_.enqueueWriteBuffer(to.cl(), CL_FALSE, 0, bytes, from, &before, &place.uploaded);
            context.track_upload("upload_digis", place.uploaded, bytes, to);
        };
        const std::byte* const words = place.words.bytes().data();
        put(place.packed, words, part.rows * word_bytes);
        if (apart_) put(place.adc, words + rows_ * word_bytes, part.rows * apart_bytes);
        queue_.flush();
        if (queue_() != kernels()) {
            const std::vector<cl::Event> uploaded{place.uploaded};
            kernels.enqueueBarrierWithWaitList(&uploaded);
        }
        set_arguments(unpack_, place.packed, place.adc, digis.slot(), digis.x(), digis.y(), digis.adc(),
                      static_cast<cl_uint>(part.rows), static_cast<cl_uint>(part.first),
                      static_cast<cl_uint>(chunk.first_slot), static_cast<cl_uint>(chunk.slots), bits);
        place.unpacked = context.launch("unpack_digis", unpack_, {rounded_up(part.rows, group)}, {group},
                                        {part.rows * 20, 0});
        start_packing(next_ + 1);
    }
}

Timing PackedUpload::pack(const Part& part, Place& place) const {
    constexpr std::size_t piece = std::size_t{1} << 13;
    Stopwatch watch;
    const Chunk& chunk = *part.chunk;
    const std::size_t from = chunk.first_row + part.first, rows = part.rows;
    const std::uint32_t *const slot = problem_.slot().data() + from, *const adc =
                                                                         problem_.adc().data() + from;
    const std::uint16_t *const x = problem_.x().data() + from, *const y = problem_.y().data() + from;
    std::uint64_t* const words = place.words.as<std::uint64_t>().data();
    auto* const apart = reinterpret_cast<std::uint32_t*>(words + rows_);
    const auto first_slot = static_cast<std::uint32_t>(chunk.first_slot);
    const std::uint64_t none = chunk.slots;
    const unsigned at_x = bits_.slot, at_y = at_x + bits_.x, at_adc = std::min(at_y + bits_.y, 63U);
    const std::uint64_t adc_mask = charges_ && !apart_ ? ~std::uint64_t{0} : 0;
    const unsigned threads = rows > rows_for_threads ? compute_threads() : 1;
    parallel_for((rows + piece - 1) / piece, threads, [&](std::size_t i) {
        const std::size_t end = std::min(rows, (i + 1) * piece);
        // Pixels of digis without a slot may be outside the extents; they are never read.
        for (std::size_t row = i * piece; row < end; ++row) {
            const std::uint64_t word = std::uint64_t{slot[row] - first_slot} | std::uint64_t{x[row]} << at_x |
                                       std::uint64_t{y[row]} << at_y |
                                       (std::uint64_t{adc[row]} & adc_mask) << at_adc;
            words[row] = slot[row] == ModuleDigis::no_slot ? none : word;
        }
        if (apart_) std::copy(adc + i * piece, adc + end, apart + i * piece);
    });
    Timing timing{.stage = "pack", .kind = StageKind::host, .bytes = rows * 20};
    add_piece(timing, watch.lap());
    return timing;
}

}  // namespace ks::gpu::clusters
