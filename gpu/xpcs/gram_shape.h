#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "core/xpcs/problem.h"
#include "gpu/runtime/launch_context.h"

namespace ks::gpu::xpcs {

/// How the tiles are computed for one problem on one device: types, tile and product.
struct GramShape {
    enum class Product { vector = 0, avx2 = 1, mma = 2, vnni = 3 };

    Product product = Product::vector;
    ElementType row_type =
        ElementType::u8;  ///< of the regrouped rows; i16 for AVX2 and VNNI with counts over 127
    bool floats = false;  ///< counts are floats: sums are doubles instead of integers
    bool fp64 = true;     ///< false: the host finishes the tiles
    bool wide = false;    ///< a G may exceed 32 bits
    std::size_t tile = 64, group = 1;
    std::size_t flush = 1;  ///< steps of the product whose sums stay exact before they are added to G
    std::map<std::string, std::string> defines;  ///< of gram_tiles, gram_combine, regroup

    /// Elements of a row of n pixels: n rounded up to what every product reads at once.
    static std::size_t row_length(std::size_t pixels) { return (pixels + 63) / 64 * 64; }
    std::size_t g_bytes() const { return floats || wide ? 8 : 4; }
};

/// "vector", "avx2", "mma", "vnni"
const char* name_of(GramShape::Product product);

/// Throws ks::Error(input) if a define of the request does not suit the problem or the device, and
/// ks::Error(device) for float counts on a device without double precision.
GramShape choose_shape(LaunchContext& context, const ks::xpcs::CorrelationProblem& problem);

}  // namespace ks::gpu::xpcs
