#include "gpu/spots/signal_list.h"

#include <algorithm>

#include "gpu/runtime/tuned_defines.h"
#include "gpu/spots/kernel_sets.h"

namespace ks::gpu::spots {
namespace {

constexpr const char* file = "gpu/spots/frames/signal_list.cl";
constexpr std::size_t largest_of_frame = 1 << 18, smallest_head = 4096;

const TuningTable& tuning() {
    static const TuningTable rows{{"", "", {{"WG", "256"}, {"WORDS", "8"}}},
                                  {"CPU", "", {{"WG", "1"}, {"WORDS", "1024"}}}};
    return rows;
}

std::size_t blocks_of(const PlaneShape& shape, std::size_t block) {
    return (word_count(shape) + block - 1) / block;
}

}  // namespace

SignalLists::SignalLists(const PlaneShape& shape, std::size_t frames, ElementType type,
                         LaunchContext& context, bool ranked)
    : shape_(shape) {
    auto defines = tuned(tuning(), context.info(), type);
    group_ = number(defines, "WG");
    block_ = group_ * number(defines, "WORDS");
    const std::size_t pixels = shape_.modules * shape_.height * shape_.width;
    capacity_ = std::min(frames * largest_of_frame, std::max<std::size_t>(64, pixels / 16));
    expected_ = std::min(capacity_, smallest_head);
    count_ = context.kernel(file, "count_signal", defines);
    defines_ = defines;
    defines.insert_or_assign("RANKED", std::to_string(1));
    if (ranked)
        ranked_ = context.kernel(file, "list_signal", defines);
    else
        list_ = context.kernel(file, "list_signal", defines_);
}

std::uint64_t SignalLists::pending_bytes() const {
    return (capacity_ + 1 + blocks_of(shape_, block_)) * sizeof(std::uint32_t);
}

SignalLists::Pending SignalLists::make(LaunchContext& context) const {
    return {context.buffer(blocks_of(shape_, block_) * sizeof(std::uint32_t)),
            context.buffer((capacity_ + 1) * sizeof(std::uint32_t)),
            0,
            {},
            {}};
}

PlaneShape SignalLists::shape_of(const Pending& pending) const {
    PlaneShape shape = shape_;
    shape.modules = pending.modules;
    return shape;
}

LaunchContext::Launch SignalLists::counting(const Buffer& bits, const Pending& pending) {
    const PlaneShape shape = shape_of(pending);
    set_arguments(count_, bits, pending.counts, word_count(shape));
    return {count_, {blocks_of(shape, block_) * group_}, {group_}};
}

LaunchContext::Launch SignalLists::listing(const Buffer& bits, const Pending& pending, std::uint32_t first,
                                           cl::Kernel& kernel) const {
    const PlaneShape shape = shape_of(pending);
    set_arguments(kernel, bits, pending.counts, pending.list, shape_argument(shape), word_count(shape), first,
                  static_cast<cl_uint>(capacity_));
    return {kernel, {blocks_of(shape, block_) * group_}, {group_}};
}

void SignalLists::list_from(LaunchContext& context, const Buffer& bits, const Pending& pending,
                            std::uint32_t first) {
    const LaunchContext::Launch launch = listing(bits, pending, first, list_);
    context.launch("list_signal", launch.kernel, launch.global, launch.local,
                   {shape_of(pending).bit_bytes(), 0});
}

std::vector<LaunchContext::Launch> SignalLists::ranked(const Buffer& bits, std::size_t modules,
                                                       Pending& pending, const Ranks& ranks) {
    pending.modules = modules;
    set_argument(ranked_, 7, ranks.ranks);
    set_argument(ranked_, 8, ranks.piece_parent);
    set_argument(ranked_, 9, ranks.spot_parent);
    return {counting(bits, pending), listing(bits, pending, 0, ranked_)};
}

void SignalLists::enqueue(LaunchContext& context, const Buffer& bits, std::size_t modules, Pending& pending) {
    pending.modules = modules;
    const LaunchContext::Launch count = counting(bits, pending);
    context.launch("count_signal", count.kernel, count.global, count.local,
                   {shape_of(pending).bit_bytes(), 0});
    list_from(context, bits, pending, 0);
    pending.head.resize(expected_ + 1);
    const std::size_t bytes = pending.head.size() * sizeof(std::uint32_t);
    context.device().queue().enqueueReadBuffer(pending.list.cl(), CL_FALSE, 0, bytes, pending.head.data(),
                                               nullptr, &pending.read);
    context.device().queue().flush();
    context.track_download("download signal", pending.read, bytes, pending.list);
}

std::vector<std::uint32_t> SignalLists::take(LaunchContext& context, const Buffer& bits, Pending& pending) {
    pending.read.wait();
    if (list_() == nullptr) list_ = context.kernel(file, "list_signal", defines_);
    const std::size_t count = pending.head[0], there = std::min(count, pending.head.size() - 1);
    std::vector<std::uint32_t> pixels(pending.head.begin() + 1,
                                      pending.head.begin() + 1 + static_cast<std::ptrdiff_t>(there));
    pixels.resize(count);
    for (std::size_t at = there; at < count;) {
        const std::size_t piece = at / capacity_ * capacity_, stop = std::min(count, piece + capacity_);
        if (piece > 0) list_from(context, bits, pending, static_cast<std::uint32_t>(piece));
        context.download("download signal", pending.list,
                         std::as_writable_bytes(std::span(pixels).subspan(at, stop - at)),
                         (1 + at - piece) * sizeof(std::uint32_t));
        at = stop;
    }
    // The next frame has about as many.
    expected_ = std::min(capacity_, std::max(smallest_head, count + count / 2));
    return pixels;
}

}  // namespace ks::gpu::spots
