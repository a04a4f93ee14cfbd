#include "core/xpcs/pixel_selection.h"

#include <algorithm>
#include <cstring>

#include "core/base/parallel.h"

namespace ks::xpcs {
namespace {

constexpr std::uint32_t longest_run = 1 << 15;
constexpr std::size_t pixels_of_block = std::size_t{1} << 17;  ///< copied by a thread in about 10 us

}  // namespace

PixelSelection::PixelSelection(const QPartition& partition)
    : frame_pixels_(partition.height() * partition.width()), pixels_(partition.selected()), blocks_{0} {
    std::uint32_t place = 0;
    for (std::uint32_t pixel = 0; pixel < frame_pixels_; ++pixel) {
        if (partition.label(pixel) == 0) continue;
        const bool continues = !runs_.empty() && runs_.back().first + runs_.back().count == pixel &&
                               runs_.back().count < longest_run;
        if (!continues) {
            if (!runs_.empty() && place - runs_[blocks_.back()].place >= pixels_of_block)
                blocks_.push_back(runs_.size());
            runs_.push_back({pixel, place, 0});
        }
        ++runs_.back().count;
        ++place;
    }
    blocks_.push_back(runs_.size());
}

std::vector<std::uint32_t> PixelSelection::places(const QPartition& partition) const {
    std::vector<std::uint32_t> all;
    all.reserve(partition.selected());
    for (std::size_t bin = 0; bin < partition.bins(); ++bin) {
        auto run = runs_.begin();  // the pixels of a bin are ascending
        for (std::size_t i = partition.offsets()[bin]; i < partition.offsets()[bin + 1]; ++i) {
            const std::uint32_t pixel = partition.pixels()[i];
            if (i == partition.offsets()[bin])
                run = std::prev(std::ranges::upper_bound(runs_, pixel, {}, &Run::first));
            while (pixel >= run->first + run->count) ++run;
            all.push_back(run->place + (pixel - run->first));
        }
    }
    return all;
}

void PixelSelection::pack(std::span<const std::byte> frames, std::size_t pixel_bytes,
                          std::span<std::byte> packed, unsigned threads) const {
    const std::size_t from_bytes = frame_pixels_ * pixel_bytes, to_bytes = pixels_ * pixel_bytes,
                      blocks = blocks_.size() - 1;
    // Several small frames at a time.
    const std::size_t count = frames.size() / from_bytes,
                      together = std::max<std::size_t>(1, pixels_of_block / (pixels_ + 1));
    parallel_for((count + together - 1) / together * blocks, threads, [&](std::size_t i) {
        const std::size_t block = i % blocks, first = i / blocks * together;
        for (std::size_t frame = first; frame < std::min(count, first + together); ++frame)
            pack_runs(blocks_[block], blocks_[block + 1], frames.data() + frame * from_bytes, pixel_bytes,
                      packed.data() + frame * to_bytes);
    });
}

void PixelSelection::pack_runs(std::size_t first, std::size_t end, const std::byte* frame,
                               std::size_t pixel_bytes, std::byte* packed) const {
    for (std::size_t i = first; i < end; ++i) {
        const Run& run = runs_[i];
        std::memcpy(packed + run.place * pixel_bytes, frame + run.first * pixel_bytes,
                    run.count * pixel_bytes);
    }
}

}  // namespace ks::xpcs
