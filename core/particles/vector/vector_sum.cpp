#include "core/particles/vector/vector_sum.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/particles/result.h"
#include "core/particles/vector/vector_processors.h"
#include "core/particles/vector/vector_several.h"

namespace ks::particles {
namespace {

/// Adds the term of one pair to the sums of lane i.
template <class T, Kernel kernel, bool complex_weights>
KS_INLINE void add_term(Block<T>& block, std::size_t i, T r2, T weight, T weight_im, T turns) {
    if constexpr (kernel == Kernel::rbf) {
        const T g = exp2_minus(r2);
        block.re[i] += g * weight;
        if constexpr (complex_weights) block.im[i] += g * weight_im;
    } else {
        const bool apart = r2 > 0;
        const T r = std::sqrt(apart ? r2 : T(1));
        const T g = (apart ? T(1) : T(0)) / r;
        block.skipped[i] += apart ? 0 : 1;
        if constexpr (kernel == Kernel::laplace) {
            block.re[i] += g * weight;
            if constexpr (complex_weights) block.im[i] += g * weight_im;
        } else {
            T c, s;
            cis_turns(r * turns, c, s);
            c *= g;
            s *= g;
            if constexpr (complex_weights) {
                block.re[i] += c * weight - s * weight_im;
                block.im[i] += c * weight_im + s * weight;
            } else {
                block.re[i] += c * weight;
                block.im[i] += s * weight;
            }
        }
    }
}

/// Adds the terms of one source to all sums of a block.
template <class T, Kernel kernel, bool complex_weights>
KS_INLINE void add_source(Block<T>& block, const T* source, T weight_im, T turns) {
    const std::size_t count = block.count / unit * unit;
    const T x = source[0], y = source[1], z = source[2], weight = source[3];
    if (block.along < 3) {
        T squares = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const T d = axis == block.along ? T{0} : block.fixed[axis] - source[axis];
            squares += d * d;
        }
        const T* const at = block.at[block.along];
        const T from = source[block.along];
        for (std::size_t i = 0; i < count; ++i) {
            const T d = at[i] - from;
            add_term<T, kernel, complex_weights>(block, i, d * d + squares, weight, weight_im, turns);
        }
    } else {
        const T *const at_x = block.at[0], *const at_y = block.at[1], *const at_z = block.at[2];
        for (std::size_t i = 0; i < count; ++i) {
            const T dx = at_x[i] - x, dy = at_y[i] - y, dz = at_z[i] - z;
            add_term<T, kernel, complex_weights>(block, i, dx * dx + dy * dy + dz * dz, weight, weight_im,
                                                 turns);
        }
    }
}

/// One vector of weights without gradients, in local sums.
template <class T, Kernel kernel, bool complex_weights>
struct PlainLoops {
    static KS_INLINE void sum(Block<T>& block, const Sources<T>& sources) {
        constexpr bool complex = complex_weights || kernel == Kernel::helmholtz;
        const std::size_t count = block.count;
        double *const sum_re = block.sums.data(), *const sum_im = sum_re + lanes;
        for (std::size_t first = 0; first < sources.count; first += tile) {
            std::fill_n(block.re, count, T{0});
            if constexpr (complex) std::fill_n(block.im, count, T{0});
            for (std::size_t j = first; j < std::min(sources.count, first + tile); ++j)
                add_source<T, kernel, complex_weights>(
                    block, sources.xyzw + 4 * j, complex_weights ? sources.more[j] : T{0}, sources.turns);
            for (std::size_t i = 0; i < count; ++i) sum_re[i] += static_cast<double>(block.re[i]);
            if constexpr (complex)
                for (std::size_t i = 0; i < count; ++i) sum_im[i] += static_cast<double>(block.im[i]);
        }
    }
};

template <class T, Kernel kernel>
SumBlock<T> plain_of_kernel(bool complex_weights) {
    return complex_weights ? for_this_processor<T, PlainLoops<T, kernel, true>>()
                           : for_this_processor<T, PlainLoops<T, kernel, false>>();
}

}  // namespace

template <class T>
SumBlock<T> plain_sums(Kernel kernel, bool complex_weights) {
    switch (kernel) {
        case Kernel::rbf:
            return plain_of_kernel<T, Kernel::rbf>(complex_weights);
        case Kernel::laplace:
            return plain_of_kernel<T, Kernel::laplace>(complex_weights);
        case Kernel::helmholtz:
            break;
    }
    return plain_of_kernel<T, Kernel::helmholtz>(complex_weights);
}
template SumBlock<float> plain_sums(Kernel, bool);
template SumBlock<double> plain_sums(Kernel, bool);

namespace {

template <class T>
Result run(const SumProblem& problem, HostContext& context) {
    Stopwatch watch;
    const Scaling scaling = scaling_of(problem);
    const std::size_t targets = problem.n_targets(), rows = problem.n_rows();
    const bool complex_weights = problem.sources().is_complex();
    const PackedSources<T> packed = pack_sources<T>(problem, scaling, 0, problem.n_vectors());
    const Sources<T> sources{packed.xyzw.data(),  packed.more.data(), problem.n_sources(),
                             problem.n_vectors(), complex_weights,    static_cast<T>(scaling.turns)};
    std::vector<T> places = pack_places<T>(problem, scaling, 0, targets);
    places.resize(places.size() + unit);
    Array values(element_type_of<T>(), {rows, targets});
    const auto out = values.as<T>();
    std::atomic<std::uint64_t> skipped = 0;
    const bool plain = problem.n_vectors() * problem.quantities() == 1;
    const SumBlock<T> sum = plain ? plain_sums<T>(problem.settings().kernel, complex_weights)
                                  : several_sums<T>(problem.settings());
    add(context.timings, {"prepare", StageKind::host, watch.lap()});

    const Cut cut(problem);
    const std::size_t blocks = cut.blocks();
    // Tasks of a few blocks keep threads apart; each round is long enough to report progress in between.
    const std::size_t piece = 8, pieces = (blocks + piece - 1) / piece;
    const double pairs_of_piece = static_cast<double>(piece * lanes) * static_cast<double>(sources.count);
    const auto round = std::max<std::size_t>(context.threads, static_cast<std::size_t>(4e8 / pairs_of_piece));
    const auto slope = static_cast<double>(static_cast<T>(scaling.slope));
    const auto work = [&](std::size_t index) {
        Block<T> block;
        std::uint64_t coincident = 0;
        for (std::size_t b = index * piece; b < std::min(blocks, (index + 1) * piece); ++b) {
            const std::size_t row = b / cut.pieces, start = cut.start(b % cut.pieces);
            const std::size_t count = cut.start(b % cut.pieces + 1) - start;
            // In a part, the first and the last row may also hold targets outside the part.
            const std::size_t first = row * cut.row + start,
                              from = std::min(count, std::max(first, cut.skip) - first),
                              to = std::max(from, std::min(first + count, cut.skip + targets) -
                                                      std::min(first, cut.skip + targets));
            if (from == to) continue;
            place_block(block, problem, places, cut.first + row, start, count);
            block.clear(rows);
            sum(block, sources);
            for (std::size_t r = 0; r < rows; ++r) {
                const bool is_slope = r / problem.parts() % problem.quantities() != 0;
                const double factor = is_slope ? slope : 1;
                for (std::size_t i = from; i < to; ++i)
                    out[r * targets + first + i - cut.skip] =
                        static_cast<T>(factor * block.sums[r * lanes + i]);
            }
            for (std::size_t i = from; i < to; ++i)
                coincident += static_cast<std::uint64_t>(block.skipped[i]);
        }
        if (coincident > 0) skipped += coincident;
    };
    for (std::size_t first = 0; first < pieces; first += round) {
        context.progress.report(static_cast<double>(first) / static_cast<double>(pieces), "sum");
        parallel_for(std::min(round, pieces - first), context.threads, context.progress,
                     [&](std::size_t i) { work(first + i); });
    }
    context.progress.report(1, "sum");
    add(context.timings, {"sum", StageKind::host, watch.lap(), 0, problem.pairs(), 1});
    return to_result(problem, values, skipped, context.timings);
}

}  // namespace

Result run_vector(const SumProblem& problem, HostContext& context) {
    return problem.settings().precision == Precision::f32 ? run<float>(problem, context)
                                                          : run<double>(problem, context);
}

}  // namespace ks::particles
