#include "core/particles/vector/vector_several.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/particles/vector/vector_processors.h"

namespace ks::particles {
namespace {

/// Contribution of a source to each lane of a block: g, and dg/dx, dg/dy, dg/dz without Scaling::slope.
template <class T>
struct Terms {
    alignas(64) T at[3][lanes];
    alignas(64) T re[4][lanes], im[4][lanes];
};

template <class T>
KS_INLINE void place_lanes(Terms<T>& terms, const Block<T>& block) {
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (std::size_t i = 0; i < block.count; ++i)
            terms.at[axis][i] =
                block.along < 3 && axis != block.along ? block.fixed[axis] : block.at[axis][i];
}

/// The terms of one pair, in lane i.
template <class T, Kernel kernel, bool gradient>
KS_INLINE void pair_terms(Terms<T>& terms, Block<T>& block, std::size_t i, const T* source, T turns) {
    T dx = terms.at[0][i] - source[0], dy = terms.at[1][i] - source[1], dz = terms.at[2][i] - source[2];
    const T r2 = dx * dx + dy * dy + dz * dz;
    T g, g_im = 0, along, along_im = 0;
    if constexpr (kernel == Kernel::rbf) {
        g = exp2_minus(r2);
        along = g;
    } else {
        const bool apart = r2 > 0;
        const T r = std::sqrt(apart ? r2 : T(1)), inverse = (apart ? T(1) : T(0)) / r;
        block.skipped[i] += apart ? 0 : 1;
        g = inverse;
        along = inverse * inverse;
        if constexpr (kernel == Kernel::helmholtz) {
            T c, s;
            cis_turns(r * turns, c, s);
            const T k = turns * static_cast<T>(2 * std::numbers::pi);
            g = c * inverse;
            g_im = s * inverse;
            along = inverse * g + k * g_im;
            along_im = inverse * g_im - k * g;
        }
        // Via the unit vector: 1 / r^3 would overflow a float where points nearly coincide.
        dx *= inverse;
        dy *= inverse;
        dz *= inverse;
    }
    terms.re[0][i] = g;
    terms.im[0][i] = g_im;
    if constexpr (gradient) {
        const T d[] = {dx, dy, dz};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            terms.re[axis + 1][i] = along * d[axis];
            if constexpr (kernel == Kernel::helmholtz) terms.im[axis + 1][i] = along_im * d[axis];
        }
    }
}

/// sum += factor * term over the lanes of a block.
template <class T>
KS_INLINE void add_weighted(T* sum, const T* term, T factor, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) sum[i] += term[i] * factor;
}

template <class T, Kernel kernel, bool gradient>
struct SeveralLoops {
    static KS_INLINE void sum(Block<T>& block, const Sources<T>& sources);
};

template <class T, Kernel kernel, bool gradient>
void SeveralLoops<T, kernel, gradient>::sum(Block<T>& block, const Sources<T>& sources) {
    constexpr std::size_t quantities = gradient ? 4 : 1;
    constexpr bool complex_kernel = kernel == Kernel::helmholtz;
    const bool complex_weights = sources.complex_weights, complex = complex_kernel || complex_weights;
    const std::size_t count = block.count / unit * unit, vectors = sources.vectors;
    const std::size_t parts = complex ? 2 : 1, rows = vectors * quantities * parts;
    const std::size_t others = sources.others();
    Terms<T> terms;
    place_lanes(terms, block);
    for (std::size_t first = 0; first < sources.count; first += tile) {
        block.terms.assign(rows * lanes, T{0});
        for (std::size_t j = first; j < std::min(sources.count, first + tile); ++j) {
            const T* const source = sources.xyzw + 4 * j;
            for (std::size_t i = 0; i < count; ++i)
                pair_terms<T, kernel, gradient>(terms, block, i, source, sources.turns);
            const T* const more = sources.more + others * j;
            T* row = block.terms.data();
            for (std::size_t vector = 0; vector < vectors; ++vector) {
                const T weight = vector == 0 ? source[3] : more[vector - 1];
                const T weight_im = complex_weights ? more[vectors - 1 + vector] : T{0};
                for (std::size_t quantity = 0; quantity < quantities; ++quantity) {
                    add_weighted(row, terms.re[quantity], weight, count);
                    T* const imaginary = row + lanes;
                    if (complex_weights) add_weighted(imaginary, terms.re[quantity], weight_im, count);
                    if constexpr (complex_kernel) {
                        add_weighted(imaginary, terms.im[quantity], weight, count);
                        if (complex_weights) add_weighted(row, terms.im[quantity], -weight_im, count);
                    }
                    row += parts * lanes;
                }
            }
        }
        for (std::size_t i = 0; i < rows * lanes; ++i) block.sums[i] += static_cast<double>(block.terms[i]);
    }
}

template <class T, Kernel kernel>
SumBlock<T> of_kernel(bool gradient) {
    return gradient ? for_this_processor<T, SeveralLoops<T, kernel, true>>()
                    : for_this_processor<T, SeveralLoops<T, kernel, false>>();
}

}  // namespace

template <class T>
SumBlock<T> several_sums(const SumSettings& settings) {
    switch (settings.kernel) {
        case Kernel::rbf:
            return of_kernel<T, Kernel::rbf>(settings.gradient);
        case Kernel::laplace:
            return of_kernel<T, Kernel::laplace>(settings.gradient);
        case Kernel::helmholtz:
            break;
    }
    return of_kernel<T, Kernel::helmholtz>(settings.gradient);
}

template SumBlock<float> several_sums(const SumSettings&);
template SumBlock<double> several_sums(const SumSettings&);

}  // namespace ks::particles
