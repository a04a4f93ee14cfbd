#include "core/data/partition/label_rows.h"

#include <sys/mman.h>

#include <algorithm>

#include "core/base/parallel.h"
#include "core/base/progress.h"
#include "core/base/threads.h"

namespace ks {
namespace {

/// Below this many pixels, starting another thread takes longer than finishing on one.
constexpr std::size_t min_pixels = std::size_t{1} << 16;

unsigned thread_count(std::size_t pixels) {
    const std::size_t useful = std::max<std::size_t>(1, pixels / min_pixels);
    return static_cast<unsigned>(std::min<std::size_t>(useful, compute_threads()));
}

/// A thread that finishes a part takes the next one: several parts per thread compensate for load
/// from other programs.
constexpr std::size_t parts_per_thread = 4;

/// End of the run of equal labels that begins at `at`.
std::size_t run_end(const std::int32_t* labels, std::size_t at, std::size_t end) {
    constexpr std::size_t block = 16;
    const std::int32_t label = labels[at];
    ++at;
    while (at + block <= end) {
        std::int32_t differ = 0;
        for (std::size_t i = 0; i < block; ++i) differ |= labels[at + i] ^ label;
        if (differ != 0) break;
        at += block;
    }
    while (at < end && labels[at] == label) ++at;
    return at;
}

/// Calls use(label, begin, end) for each run of a nonzero label within [begin, end).
template <class Use>
void for_runs(const std::vector<std::int32_t>& labels, std::size_t begin, std::size_t end, Use&& use) {
    while (begin < end) {
        const std::size_t next = run_end(labels.data(), begin, end);
        if (labels[begin] > 0) use(static_cast<std::size_t>(labels[begin]), begin, next);
        begin = next;
    }
}

}  // namespace

void advise_large_pages([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
    constexpr std::uintptr_t page = std::uintptr_t{1} << 21;
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    const std::uintptr_t first = (address + page - 1) / page * page, last = (address + bytes) / page * page;
    // Systems without large pages refuse, which does no harm.
    if (first < last) (void)madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
}

void for_row_blocks(std::size_t height, std::size_t width, const std::function<void(std::size_t row)>& draw) {
    const unsigned threads = thread_count(height * width);
    const std::size_t blocks = std::min(height, threads * parts_per_thread);
    Progress progress;
    parallel_for(blocks, threads, progress, [&](std::size_t block) {
        for (std::size_t row = block * height / blocks; row < (block + 1) * height / blocks; ++row) draw(row);
    });
}

void pixels_by_label(const std::vector<std::int32_t>& labels, std::size_t bins,
                     std::vector<std::uint32_t>& offsets, std::vector<std::uint32_t>& pixels) {
    const std::size_t n = labels.size();
    const unsigned threads = thread_count(n);
    // Each part has one counter per bin; together they must not take more memory than the labels.
    const std::size_t parts =
        threads == 1 ? 1 : std::clamp<std::size_t>(n / (bins + 1), 1, threads * parts_per_thread);
    std::vector<std::uint32_t> next(parts * bins, 0);
    Progress progress;
    const auto for_parts = [&](const auto& work) {
        parallel_for(parts, threads, progress, [&](std::size_t part) {
            std::uint32_t* const of_label = next.data() + part * bins;
            for_runs(labels, part * n / parts, (part + 1) * n / parts,
                     [&](std::size_t label, std::size_t begin, std::size_t end) {
                         work(of_label[label - 1], begin, end);
                     });
        });
    };
    for_parts([](std::uint32_t& count, std::size_t begin, std::size_t end) {
        count += static_cast<std::uint32_t>(end - begin);
    });
    offsets.assign(bins + 1, 0);
    std::uint32_t at = 0;
    for (std::size_t bin = 0; bin < bins; ++bin) {
        for (std::size_t part = 0; part < parts; ++part) {
            const std::uint32_t count = next[part * bins + bin];
            next[part * bins + bin] = at;
            at += count;
        }
        offsets[bin + 1] = at;
    }
    resize_large(pixels, at);
    for_parts([&pixels](std::uint32_t& place, std::size_t begin, std::size_t end) {
        std::uint32_t* const to = pixels.data() + place;
        const auto first = static_cast<std::uint32_t>(begin);
        const auto count = static_cast<std::uint32_t>(end - begin);
        for (std::uint32_t i = 0; i < count; ++i) to[i] = first + i;
        place += count;
    });
}

}  // namespace ks
