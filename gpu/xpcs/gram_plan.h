#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/run/stream_scheduler.h"
#include "core/xpcs/problem.h"
#include "gpu/runtime/launch_context.h"
#include "gpu/xpcs/frames_on_device.h"

namespace ks::gpu::xpcs {

/// How the tiles are computed for one problem on one device: types, tile and product.
struct GramShape {
    enum class Product { vector = 0, avx2 = 1, mma = 2, vnni = 3, dp4a = 4, wgmma = 5 };

    Product product = Product::vector;
    ElementType row_type =
        ElementType::u8;  ///< of the regrouped rows; i16 for AVX2 and VNNI with counts over 127
    bool floats = false;  ///< counts are floats: sums are doubles instead of integers
    bool fp64 = true;     ///< false: the host finishes the tiles
    bool wide = false;    ///< a G may exceed 32 bits
    std::size_t tile = 64, group = 1;
    std::size_t span = 1;  ///< tiles per side that a group multiplies together
    /// Elements of a row that lie together, [step][frame][element of the step]; 0: rows are whole.
    std::size_t step = 0;
    /// Bytes of a count that are multiplied one by one (gram_steps.cl, gram_steps_async.cl); a row has all of
    /// them.
    std::size_t planes = 1;
    std::size_t flush = 1;  ///< steps of the product whose sums stay exact before they are added to G
    std::map<std::string, std::string> defines;  ///< of gram_tiles, gram_combine, regroup

    /// What is used if rows do not fit on the device together; absent: they need not, or no other is allowed.
    std::shared_ptr<const GramShape> otherwise;

    /// Products of a pair of counts.
    std::size_t products() const { return planes == 2 ? 4 : planes; }
    /// Elements of a row of n pixels: n rounded up to what every product reads at once.
    static std::size_t row_length(std::size_t pixels) { return (pixels + 63) / 64 * 64; }
    std::size_t g_bytes() const { return floats || wide ? 8 : 4; }
    /// Frames per side that a group multiplies.
    std::size_t side() const { return span * tile; }
};

/// "vector", "avx2", "mma", "vnni", "dp4a", "wgmma"
const char* name_of(GramShape::Product product);
/// Values of the define PRODUCT: "auto", then the names in the order of their numbers.
std::vector<std::string> product_words();
/// A program that builds only on devices with this product; empty: every device has it.
std::string probe_of(GramShape::Product product);
/// What other devices lack, as in ClVariant::lacks.
std::string lack_of(GramShape::Product product);

/// @param only the product of the variant; absent: the define PRODUCT or the device decides. Throws
/// ks::Error(input) if a define of the request does not suit the problem or the device, and ks::Error(device)
/// for float counts on a device without double precision.
GramShape choose_shape(LaunchContext& context, const ks::xpcs::CorrelationProblem& problem,
                       std::optional<GramShape::Product> only = {});

/// Bins [bin0, bin1) that are correlated together.
struct BinGroup {
    std::size_t bin0, bin1;
    std::size_t bins() const { return bin1 - bin0; }
};

/// Regrouped rows of a group of bins in frames [frame0, frame0 + padded); frames past the last one are zero
/// rows. Each bin is a block [frame][row] at blocks[bin - bin0] elements.
struct RowSlab {
    BinGroup group;
    std::size_t frame0, frames, padded;
    std::vector<std::uint64_t> blocks;
    std::vector<std::uint32_t> row_lengths;
    std::uint64_t elements;
};

/// A pair of slabs of the same group, a.frame0 <= b.frame0, with the frames [first, end) of b.
struct PairStep {
    std::size_t a, b;
    std::size_t first, end;  ///< multiples of GramShape::side, counted from frame0
};

/// How a problem is cut to fit the budget. All bins whose totals fit form a group. A group is cut in time, so
/// that a slab is read from consecutive frames. As many slabs `a` as fit stay on the device while each slab
/// `b` is loaded in turn; if 1/n of a stack stays at a time, the stack is read (n + 1) / 2 times. Along every
/// diagonal the tiles are in the order of t1, however the problem is cut.
///
/// If the raw frames and all rows fit, there is one slab, which is regrouped on the device. Frames arrive in
/// bands. There is one step per band, which pairs the band with those that are already there, so that the
/// order of the tiles is the same.
struct GramPlan {
    bool resident = false;  ///< one slab
    /// ends of the slab's bands, in frames; the stream loads one band at a time
    std::vector<std::size_t> bands;
    std::vector<RowSlab> slabs;
    std::vector<PairStep> steps;
    std::size_t tile_rows = 0;  ///< tiles along t, for all frames
    std::size_t groups_per_launch = 0;
    std::size_t largest_group = 0;  ///< bins
    StreamPlan stream;              ///< the same for the scheduler
};

/// Bytes of the results of one group (with FP64: sums along the diagonals of its tiles; without: the tile
/// itself), and of its descriptor.
std::uint64_t group_bytes(const GramShape& shape);
/// Bytes of the tiles of G of one group in global memory, if they are added up there.
std::uint64_t gram_bytes(const GramShape& shape);
/// Bytes of the totals of one bin.
std::uint64_t total_bytes(const GramShape& shape, std::size_t tile_rows);

/// Throws ks::Error(input) if not even one bin of one row of tiles fits, naming the smallest sufficient
/// limit.
/// @param shape rows in steps must all be on the device; where they do not fit, they become whole, or
/// `otherwise` is used
GramPlan make_plan(const LaunchContext& context, const ks::xpcs::CorrelationProblem& problem,
                   GramShape& shape, const FramesOnDevice& frames);

}  // namespace ks::gpu::xpcs
