#include "core/particles/vector_sum.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "core/particles/result.h"
#include "core/particles/scaling.h"
#include "core/particles/vector_functions.h"
#include "core/run/stopwatch.h"

namespace ks::particles {
namespace {

constexpr std::size_t lanes = 256;  // targets of a block at most: their sums stay in the first cache
constexpr std::size_t unit = 16;    // a block is summed in whole units; places are there for them
constexpr std::size_t tile = 128;   // sources whose terms are added in the precision of the terms

template <class T>
struct Sources {
    PackedSources<T> packed;
    std::size_t count;
    T turns;
};

/// Targets whose sums are made together: at any places, or in a row of a plane, where only the coordinate
/// `along` differs and two of three squares are the same for all of them.
template <class T>
struct Block {
    std::size_t count = 0;  ///< targets, of whole units
    const T* at[3] = {};    ///< x, y and z; of a row `along` alone
    std::size_t along = 3;  ///< axis of a row; 3: no row
    T fixed[3] = {};        ///< coordinates of the row's other axes
    alignas(64) T re[lanes], im[lanes];
    alignas(64) BitsOf<T> skipped[lanes];
    alignas(64) double sum_re[lanes], sum_im[lanes];
};

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

template <class T, Kernel kernel, bool complex_weights>
KS_INLINE void sum_block(Block<T>& block, const Sources<T>& sources) {
    std::fill_n(block.skipped, lanes, BitsOf<T>{0});
    std::fill_n(block.sum_re, lanes, 0.0);
    std::fill_n(block.sum_im, lanes, 0.0);
    for (std::size_t first = 0; first < sources.count; first += tile) {
        std::fill_n(block.re, lanes, T{0});
        std::fill_n(block.im, lanes, T{0});
        for (std::size_t j = first; j < std::min(sources.count, first + tile); ++j)
            add_source<T, kernel, complex_weights>(block, sources.packed.xyzw.data() + 4 * j,
                                                   complex_weights ? sources.packed.weight_im[j] : T{0},
                                                   sources.turns);
        for (std::size_t i = 0; i < lanes; ++i) block.sum_re[i] += static_cast<double>(block.re[i]);
        if constexpr (complex_weights || kernel == Kernel::helmholtz)
            for (std::size_t i = 0; i < lanes; ++i) block.sum_im[i] += static_cast<double>(block.im[i]);
    }
}

template <class T>
using SumBlock = void (*)(Block<T>&, const Sources<T>&);

#ifdef __x86_64__
template <class T, Kernel kernel, bool complex_weights>
__attribute__((target("avx512f,avx512dq,avx512vl,avx512bw,fma,prefer-vector-width=512"))) void sum_avx512(
    Block<T>& block, const Sources<T>& sources) {
    sum_block<T, kernel, complex_weights>(block, sources);
}
template <class T, Kernel kernel, bool complex_weights>
__attribute__((target("avx2,fma"))) void sum_avx2(Block<T>& block, const Sources<T>& sources) {
    sum_block<T, kernel, complex_weights>(block, sources);
}
#endif
template <class T, Kernel kernel, bool complex_weights>
void sum_plain(Block<T>& block, const Sources<T>& sources) {
    sum_block<T, kernel, complex_weights>(block, sources);
}

/// For what the processor has.
template <class T, Kernel kernel, bool complex_weights>
SumBlock<T> best() {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
        return sum_avx512<T, kernel, complex_weights>;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return sum_avx2<T, kernel, complex_weights>;
#endif
    return sum_plain<T, kernel, complex_weights>;
}

template <class T>
SumBlock<T> choose(const SumProblem& problem) {
    const bool complex_weights = problem.sources().is_complex();
    switch (problem.settings().kernel) {
        case Kernel::rbf:
            return complex_weights ? best<T, Kernel::rbf, true>() : best<T, Kernel::rbf, false>();
        case Kernel::laplace:
            return complex_weights ? best<T, Kernel::laplace, true>() : best<T, Kernel::laplace, false>();
        case Kernel::helmholtz:
            break;
    }
    return complex_weights ? best<T, Kernel::helmholtz, true>() : best<T, Kernel::helmholtz, false>();
}

/// How the targets are cut into blocks: a row of a plane into pieces of about the same length, points as they
/// come.
struct Cut {
    std::size_t row, pieces;  ///< targets of a row, blocks of it

    explicit Cut(const SumProblem& problem)
        : row(problem.on_planes() ? problem.planes().side : problem.n_targets()),
          pieces((row + lanes - 1) / lanes) {}
    std::size_t blocks(const SumProblem& problem) const { return problem.n_targets() / row * pieces; }
    /// First target of a piece of a row: a multiple of the unit, or the end of the row.
    std::size_t start(std::size_t piece) const {
        return std::min(row, (row * piece / pieces + unit - 1) / unit * unit);
    }
};

/// Points `block` at the targets of a row from `start` on, `count` of them; places are there for whole units.
template <class T>
void place_block(Block<T>& block, const SumProblem& problem, const std::vector<T>& places, std::size_t row,
                 std::size_t start, std::size_t count) {
    block.count = (count + unit - 1) / unit * unit;
    if (problem.on_planes()) {
        const std::size_t side = problem.planes().side, plane = row / side, i = row % side;
        const T *x = places.data(), *y = x + side, *z = y + side, *fixed = z + side;
        block.along = plane == 0 ? 1 : 2;
        block.at[block.along] = (plane == 0 ? y : z) + start;
        block.fixed[0] = plane == 2 ? fixed[0] : x[i];
        block.fixed[1] = plane == 1 ? fixed[1] : y[i];
        block.fixed[2] = fixed[2];
    } else {
        for (std::size_t axis = 0; axis < 3; ++axis)
            block.at[axis] = places.data() + axis * problem.n_targets() + start;
    }
}

template <class T>
Result run(const SumProblem& problem, HostContext& context) {
    Stopwatch watch;
    const Scaling scaling = scaling_of(problem);
    const std::size_t targets = problem.n_targets(), parts = problem.is_complex() ? 2 : 1;
    const Sources<T> sources{pack_sources<T>(problem, scaling), problem.n_sources(),
                             static_cast<T>(scaling.turns)};
    std::vector<T> places = pack_places<T>(problem, scaling, 0, targets);
    places.resize(places.size() + unit);
    Array values(element_type_of<T>(), {parts, targets});
    const auto out = values.as<T>();
    std::atomic<std::uint64_t> skipped = 0;
    const SumBlock<T> sum = choose<T>(problem);
    add(context.timings, {"prepare", StageKind::host, watch.lap()});

    const Cut cut(problem);
    const std::size_t blocks = cut.blocks(problem);
    // Pieces of a few blocks keep threads apart; rounds of them last long enough to be reported between.
    const std::size_t piece = 8, pieces = (blocks + piece - 1) / piece;
    const double pairs_of_piece = static_cast<double>(piece * lanes) * static_cast<double>(sources.count);
    const auto round = std::max<std::size_t>(context.threads, static_cast<std::size_t>(4e8 / pairs_of_piece));
    const auto work = [&](std::size_t index) {
        Block<T> block;
        std::uint64_t coincident = 0;
        for (std::size_t b = index * piece; b < std::min(blocks, (index + 1) * piece); ++b) {
            const std::size_t row = b / cut.pieces, start = cut.start(b % cut.pieces);
            const std::size_t first = row * cut.row + start, count = cut.start(b % cut.pieces + 1) - start;
            place_block(block, problem, places, row, start, count);
            sum(block, sources);
            for (std::size_t i = 0; i < count; ++i) out[first + i] = static_cast<T>(block.sum_re[i]);
            if (parts == 2)
                for (std::size_t i = 0; i < count; ++i)
                    out[targets + first + i] = static_cast<T>(block.sum_im[i]);
            for (std::size_t i = 0; i < count; ++i)
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
