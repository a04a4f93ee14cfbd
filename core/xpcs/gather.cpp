#include <algorithm>

#include "core/base/parallel.h"
#include "core/base/raw_bytes.h"
#include "core/xpcs/problem.h"

namespace ks::xpcs {
namespace {

std::size_t padded(std::size_t n, std::size_t pad) {
    return pad > 1 ? (n + pad - 1) / pad * pad : n;
}

/// Copies one frame to row t of the block of `rows` rows of every bin.
template <class From, class T>
void scatter_frame(const QPartition& partition, std::size_t bin0, std::size_t bin1, const From* frame,
                   std::size_t t, std::size_t rows, std::size_t pad, T* out) {
    const std::uint32_t* const pixels = partition.pixels().data();
    for (std::size_t bin = bin0; bin < bin1; ++bin) {
        const std::size_t n = partition.bin_size(bin), row = padded(n, pad);
        const std::uint32_t* const at = pixels + partition.offsets()[bin];
        T* const to = out + t * row;
        for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<T>(frame[at[i]]);
        std::fill(to + n, to + row, T{0});
        out += rows * row;
    }
}

}  // namespace

template <class T>
void CorrelationProblem::gather(std::size_t bin0, std::size_t bin1, std::size_t t0, std::size_t count,
                                std::size_t pad, T* out, const RowPlace& place) const {
    const std::size_t frame_bytes = scan_->source().frame_bytes();
    const auto scatter = [&](const std::byte* from, std::size_t t) {
        visit_element(source_type(), [&](auto zero) {
            using From = decltype(zero);
            scatter_frame(partition_, bin0, bin1, reinterpret_cast<const From*>(from), place.first + t,
                          place.rows, pad, out);
        });
    };
    if (!resident().empty()) {
        // A piece takes about 100 us; small problems are processed in one piece.
        constexpr std::size_t worth_a_thread = std::size_t{1} << 17;
        const std::size_t pixels = partition_.offsets()[bin1] - partition_.offsets()[bin0];
        const std::size_t piece = worth_a_thread / (pixels + 1) + 1;
        parallel_for((count + piece - 1) / piece, compute_threads(), [&](std::size_t i) {
            for (std::size_t t = i * piece; t < std::min(count, (i + 1) * piece); ++t)
                scatter(resident().data() + (t0 + t) * frame_bytes, t);
        });
        return;
    }
    const std::size_t slab = scan_->slab(count);
    RawBytes buffer(slab * frame_bytes);
    for (std::size_t t = 0; t < count; t += slab) {
        const std::size_t n = std::min(slab, count - t);
        read(t0 + t, n, {buffer.data(), n * frame_bytes});
        parallel_for(n, compute_threads(),
                     [&](std::size_t i) { scatter(buffer.data() + i * frame_bytes, t + i); });
    }
}

template void CorrelationProblem::gather<std::uint8_t>(std::size_t, std::size_t, std::size_t, std::size_t,
                                                       std::size_t, std::uint8_t*, const RowPlace&) const;
template void CorrelationProblem::gather<std::uint16_t>(std::size_t, std::size_t, std::size_t, std::size_t,
                                                        std::size_t, std::uint16_t*, const RowPlace&) const;
template void CorrelationProblem::gather<std::uint32_t>(std::size_t, std::size_t, std::size_t, std::size_t,
                                                        std::size_t, std::uint32_t*, const RowPlace&) const;
template void CorrelationProblem::gather<float>(std::size_t, std::size_t, std::size_t, std::size_t,
                                                std::size_t, float*, const RowPlace&) const;
template void CorrelationProblem::gather<double>(std::size_t, std::size_t, std::size_t, std::size_t,
                                                 std::size_t, double*, const RowPlace&) const;

}  // namespace ks::xpcs
