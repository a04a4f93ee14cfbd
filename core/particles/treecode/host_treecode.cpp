#include "core/particles/analysis.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/particles/treecode/plan.h"
#include "core/particles/treecode/treecode_points.h"
#include "core/particles/vector/vector_several.h"
#include "core/particles/vector/vector_sum.h"

namespace ks::particles {
namespace {

/// Transfer between points and the Chebyshev points of a cluster, 16 points at a time
/// in loops that compilers vectorise.
template <class T>
class ClusterTransfer {
  public:
    ClusterTransfer(const Cluster& cluster, const NodeCounts& nodes) : cluster_(cluster), nodes_(nodes) {}

    /// Weights at the Chebyshev points that replace those of points [first, first + count): sum of L(x) c.
    /// @param weight c(point, number) of `numbers` @param out [number][Chebyshev point], added to
    template <class Weight>
    void gather(const Coordinates<T>& at, std::size_t first, std::size_t count, std::size_t numbers,
                const Weight& weight, std::vector<T>& out);

    /// Adds sum of L(x) values of the Chebyshev points to points [first, first + count).
    /// @param values [row], each beginning with this cluster's @param add(row, point, value)
    template <class Add>
    void spread(const Coordinates<T>& at, std::size_t first, std::size_t count,
                const std::vector<const T*>& values, const Add& add);

    /// The same with derivatives by x, y and z. @param add(row, point, {value, d/dx, d/dy, d/dz})
    template <class Add>
    void spread_slopes(const Coordinates<T>& at, std::size_t first, std::size_t count,
                       const std::vector<const T*>& values, const Add& add);

  private:
    static constexpr std::size_t lanes_ = 16;
    using Lanes = std::array<T, lanes_>;

    /// Lagrange polynomials at up to 16 points; unused lanes repeat the last point.
    void polynomials(const Coordinates<T>& at, std::size_t first, std::size_t some, bool slopes);

    const Cluster& cluster_;
    NodeCounts nodes_;
    std::array<std::array<Lanes, max_nodes>, 3> of_{}, slope_{};
    std::vector<Lanes> sums_ = {};
};

template <class T>
void ClusterTransfer<T>::polynomials(const Coordinates<T>& at, std::size_t first, std::size_t some,
                                     bool slopes) {
    std::array<T, max_nodes> values, derivatives;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const T centre = static_cast<T>(cluster_.centre[axis]), half = static_cast<T>(cluster_.half[axis]);
        const T scale = half > 0 ? 1 / half : T(0);
        const std::size_t n = nodes_[axis];
        for (std::size_t s = 0; s < lanes_; ++s) {
            const T x = (at.of[axis][first + (s < some ? s : some - 1)] - centre) * scale;
            if (slopes)
                lagrange_slopes(n, x, values.data(), derivatives.data());
            else
                lagrange(n, x, values.data());
            for (std::size_t k = 0; k < n; ++k) {
                of_[axis][k][s] = values[k];
                if (slopes) slope_[axis][k][s] = derivatives[k] * scale;
            }
        }
    }
}

template <class T>
template <class Weight>
void ClusterTransfer<T>::gather(const Coordinates<T>& at, std::size_t first, std::size_t count,
                                std::size_t numbers, const Weight& weight, std::vector<T>& out) {
    const std::size_t proxies = proxies_of(nodes_);
    sums_.assign(numbers * proxies, Lanes{});
    for (std::size_t begin = 0; begin < count; begin += lanes_) {
        const std::size_t some = std::min(lanes_, count - begin);
        polynomials(at, first + begin, some, false);
        for (std::size_t number = 0; number < numbers; ++number) {
            Lanes weights{};
            for (std::size_t s = 0; s < some; ++s) weights[s] = weight(first + begin + s, number);
            Lanes* to = sums_.data() + number * proxies;
            for (std::size_t i = 0; i < nodes_[0]; ++i)
                for (std::size_t j = 0; j < nodes_[1]; ++j) {
                    Lanes row;
                    for (std::size_t s = 0; s < lanes_; ++s)
                        row[s] = weights[s] * of_[0][i][s] * of_[1][j][s];
                    for (std::size_t k = 0; k < nodes_[2]; ++k, ++to)
                        for (std::size_t s = 0; s < lanes_; ++s) (*to)[s] += row[s] * of_[2][k][s];
                }
        }
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
        T sum = 0;
        for (const T value : sums_[i]) sum += value;
        out[i] += sum;
    }
}

template <class T>
template <class Add>
void ClusterTransfer<T>::spread(const Coordinates<T>& at, std::size_t first, std::size_t count,
                                const std::vector<const T*>& values, const Add& add) {
    for (std::size_t begin = 0; begin < count; begin += lanes_) {
        const std::size_t some = std::min(lanes_, count - begin);
        polynomials(at, first + begin, some, false);
        for (std::size_t row = 0; row < values.size(); ++row) {
            const T* from = values[row];
            Lanes f{};
            for (std::size_t i = 0; i < nodes_[0]; ++i)
                for (std::size_t j = 0; j < nodes_[1]; ++j) {
                    Lanes along{};
                    for (std::size_t k = 0; k < nodes_[2]; ++k, ++from)
                        for (std::size_t s = 0; s < lanes_; ++s) along[s] += of_[2][k][s] * *from;
                    for (std::size_t s = 0; s < lanes_; ++s) f[s] += of_[0][i][s] * of_[1][j][s] * along[s];
                }
            for (std::size_t s = 0; s < some; ++s) add(row, first + begin + s, f[s]);
        }
    }
}

template <class T>
template <class Add>
void ClusterTransfer<T>::spread_slopes(const Coordinates<T>& at, std::size_t first, std::size_t count,
                                       const std::vector<const T*>& values, const Add& add) {
    for (std::size_t begin = 0; begin < count; begin += lanes_) {
        const std::size_t some = std::min(lanes_, count - begin);
        polynomials(at, first + begin, some, true);
        for (std::size_t row = 0; row < values.size(); ++row) {
            const T* from = values[row];
            std::array<Lanes, 4> f{};
            for (std::size_t i = 0; i < nodes_[0]; ++i)
                for (std::size_t j = 0; j < nodes_[1]; ++j) {
                    Lanes along{}, slope{};
                    for (std::size_t k = 0; k < nodes_[2]; ++k, ++from)
                        for (std::size_t s = 0; s < lanes_; ++s) {
                            along[s] += of_[2][k][s] * *from;
                            slope[s] += slope_[2][k][s] * *from;
                        }
                    for (std::size_t s = 0; s < lanes_; ++s) {
                        const T x = of_[0][i][s], y = of_[1][j][s];
                        f[0][s] += x * y * along[s];
                        f[1][s] += slope_[0][i][s] * y * along[s];
                        f[2][s] += x * slope_[1][j][s] * along[s];
                        f[3][s] += x * y * slope[s];
                    }
                }
            for (std::size_t s = 0; s < some; ++s)
                add(row, first + begin + s, std::array{f[0][s], f[1][s], f[2][s], f[3][s]});
        }
    }
}

/// Computes the sums of a problem by its plan. Rows at Chebyshev points are potentials: [vector][part].
template <class T>
class HostTreecode {
  public:
    HostTreecode(const SumProblem& problem, const Accuracy& accuracy, std::size_t leaf, HostContext& context)
        : problem_(problem), context_(context), scaling_(scaling_of(problem)) {
        Stopwatch watch;
        const unsigned threads = context.threads;
        sources_ = source_places<T>(problem, scaling_, threads);
        targets_ = target_places<T>(problem, scaling_, threads);
        const Resolution resolution(problem.settings(), scaling_, accuracy);
        plan_ = plan_treecode(sources_, targets_, resolution, leaf, threads);
        add(context.timings, {"plan", StageKind::host, watch.lap()});
        packed_.xyzw.resize(4 * problem.n_sources());
        packed_.more.resize(numbers_beside(problem, problem.n_vectors()) * problem.n_sources());
        pack_in_order<T>(problem, scaling_, sources_, plan_.sources.order, 0, problem.n_vectors(),
                         packed_.xyzw, packed_.more, threads);
        targets_ = padded(std::move(targets_));
        at_sources_ = places_of_proxies<T>(plan_.sources, plan_.source_proxies, threads);
        at_targets_ = padded(places_of_proxies<T>(plan_.targets, plan_.target_proxies, threads));
        add(context.timings, {"prepare", StageKind::host, watch.lap()});
    }

    TreecodeSums run() {
        Stopwatch watch;
        gather_weights();
        add(context_.timings, {"weights of clusters", StageKind::host, watch.lap()});
        sum_far();
        add(context_.timings, {"far", StageKind::host, watch.lap(), 0, plan_.far.pairs, 1});
        hand_down();
        add(context_.timings, {"hand down", StageKind::host, watch.lap()});
        TreecodeSums sums;
        sums.values = Array(element_type_of<T>(), {problem_.n_rows(), problem_.n_targets()});
        sum_near(sums);
        add(context_.timings, {"near", StageKind::host, watch.lap(), 0, plan_.near.pairs, 1});
        sums.far_pairs = plan_.far.pairs;
        sums.near_pairs = plan_.near.pairs;
        return sums;
    }

  private:
    static Coordinates<T> padded(Coordinates<T> places) {
        for (RawVector<T>& values : places.of) values.resize(values.size() + unit, T{0});
        return places;
    }
    std::size_t rows() const { return problem_.n_vectors() * problem_.parts(); }
    Sources<T> sources_of(const PackedSources<T>& packed) const {
        return {packed.xyzw.data(),
                packed.more.data(),
                packed.xyzw.size() / 4,
                problem_.n_vectors(),
                problem_.sources().is_complex(),
                static_cast<T>(scaling_.turns)};
    }

    /// work(cluster) for the clusters of a level that have Chebyshev points.
    template <class Work>
    void over_level(const ClusterTree& tree, const Proxies& proxies, std::size_t level, const Work& work) {
        constexpr std::size_t at_once = 8;
        const std::size_t begin = tree.levels[level], end = tree.levels[level + 1];
        parallel_for((end - begin + at_once - 1) / at_once, context_.threads, context_.progress,
                     [&](std::size_t some) {
                         for (std::size_t c = begin + some * at_once;
                              c < std::min(end, begin + (some + 1) * at_once); ++c)
                             if (proxies.count(c) > 0) work(c);
                     });
    }

    /// For all clusters that need weights: leaves from their sources, others from their children.
    void gather_weights() {
        const Proxies& proxies = plan_.source_proxies;
        const std::size_t others = sources_of(packed_).others();
        at_proxies_.xyzw.assign(4 * proxies.size(), T{0});
        at_proxies_.more.assign(others * proxies.size(), T{0});
        const auto weight_of = [others](const PackedSources<T>& of) {
            return [&of, others](std::size_t point, std::size_t number) {
                return number == 0 ? of.xyzw[4 * point + 3] : of.more[point * others + number - 1];
            };
        };
        for (std::size_t level = plan_.sources.levels.size() - 1; level-- > 0;)
            over_level(plan_.sources, proxies, level, [&](std::size_t c) {
                const Cluster& cluster = plan_.sources.clusters[c];
                const std::size_t count = proxies.count(c), first = proxies.first[c];
                std::vector<T> weights((1 + others) * count);
                ClusterTransfer<T> transfer(cluster, proxies.nodes[c]);
                if (cluster.is_leaf()) {
                    transfer.gather(sources_, cluster.first, cluster.count, 1 + others, weight_of(packed_),
                                    weights);
                } else {
                    const std::size_t from = proxies.first[cluster.child];
                    transfer.gather(at_sources_, from, proxies.first[cluster.child + 2] - from, 1 + others,
                                    weight_of(at_proxies_), weights);
                }
                for (std::size_t p = 0; p < count; ++p) {
                    for (std::size_t axis = 0; axis < 3; ++axis)
                        at_proxies_.xyzw[4 * (first + p) + axis] = at_sources_.of[axis][first + p];
                    at_proxies_.xyzw[4 * (first + p) + 3] = weights[p];
                    for (std::size_t k = 0; k < others; ++k)
                        at_proxies_.more[(first + p) * others + k] = weights[(1 + k) * count + p];
                }
            });
    }

    /// Sums over the spans of list i at targets [first, first + count), in
    /// blocks. @param take(block, first, count)
    template <class Take>
    void sum_list(const InteractionLists& lists, std::size_t i, const Sources<T>& sources, SumBlock<T> sum,
                  const Coordinates<T>& at, std::size_t first, std::size_t count, std::size_t rows,
                  Block<T>& block, const Take& take) {
        const std::size_t pieces = (count + particles::lanes - 1) / particles::lanes;
        const std::size_t each = ((count + pieces - 1) / pieces + unit - 1) / unit * unit;
        for (std::size_t begin = 0; begin < count; begin += each) {
            const std::size_t some = std::min(each, count - begin);
            block.count = (some + unit - 1) / unit * unit;
            for (std::size_t axis = 0; axis < 3; ++axis) block.at[axis] = at.of[axis].data() + first + begin;
            block.clear(rows);
            for (std::uint32_t s = lists.start[i]; s < lists.start[i + 1]; ++s)
                sum(block, sources.part(lists.spans[s].begin, lists.spans[s].end));
            take(block, first + begin, some);
        }
    }

    template <class Work>
    void over_lists(const InteractionLists& lists, const char* stage, const Work& work) {
        constexpr std::size_t at_once = 4, round = 4096;
        const std::size_t pieces = (lists.clusters.size() + at_once - 1) / at_once;
        for (std::size_t from = 0; from < pieces; from += round) {
            context_.progress.report(static_cast<double>(from) / static_cast<double>(pieces), stage);
            parallel_for(std::min(round, pieces - from), context_.threads, context_.progress,
                         [&](std::size_t piece) {
                             Block<T> block;
                             for (std::size_t i = (from + piece) * at_once;
                                  i < std::min(lists.clusters.size(), (from + piece + 1) * at_once); ++i)
                                 work(i, block);
                         });
        }
    }

    void sum_far() {
        const Proxies& proxies = plan_.target_proxies;
        const std::size_t all = proxies.size(), n_rows = rows();
        sums_.assign(n_rows * all, T{0});
        SumSettings settings = problem_.settings();
        settings.gradient = false;
        const SumBlock<T> sum = problem_.n_vectors() == 1
                                    ? plain_sums<T>(settings.kernel, problem_.sources().is_complex())
                                    : several_sums<T>(settings);
        const Sources<T> sources = sources_of(at_proxies_);
        over_lists(plan_.far, "far", [&](std::size_t i, Block<T>& block) {
            const std::uint32_t cluster = plan_.far.clusters[i];
            sum_list(plan_.far, i, sources, sum, at_targets_, proxies.first[cluster], proxies.count(cluster),
                     n_rows, block, [&](const Block<T>& of, std::size_t first, std::size_t count) {
                         for (std::size_t row = 0; row < n_rows; ++row)
                             for (std::size_t k = 0; k < count; ++k)
                                 sums_[row * all + first + k] =
                                     static_cast<T>(of.sums[row * particles::lanes + k]);
                     });
        });
    }

    std::vector<const T*> sums_at(std::size_t cluster) const {
        std::vector<const T*> from;
        for (std::size_t row = 0; row < rows(); ++row)
            from.push_back(sums_.data() + row * plan_.target_proxies.size() +
                           plan_.target_proxies.first[cluster]);
        return from;
    }

    /// From each cluster of targets to its children.
    void hand_down() {
        const Proxies& proxies = plan_.target_proxies;
        const std::size_t all = proxies.size();
        for (std::size_t level = 0; level + 1 < plan_.targets.levels.size(); ++level)
            over_level(plan_.targets, proxies, level, [&](std::size_t c) {
                const Cluster& cluster = plan_.targets.clusters[c];
                if (cluster.is_leaf()) return;
                const std::size_t from = proxies.first[cluster.child];
                ClusterTransfer<T>(cluster, proxies.nodes[c])
                    .spread(at_targets_, from, proxies.first[cluster.child + 2] - from, sums_at(c),
                            [&](std::size_t row, std::size_t point, T value) {
                                sums_[row * all + point] += value;
                            });
            });
    }

    /// Pairs of the leaves, and the interpolated sums for their targets.
    void sum_near(TreecodeSums& sums) {
        const std::size_t targets = problem_.n_targets(), n_rows = problem_.n_rows();
        const auto out = sums.values.template as<T>();
        std::ranges::fill(out, T{0});
        spread_to_targets(out);
        const bool plain = problem_.n_vectors() * problem_.quantities() == 1;
        const SumBlock<T> sum =
            plain ? plain_sums<T>(problem_.settings().kernel, problem_.sources().is_complex())
                  : several_sums<T>(problem_.settings());
        const Sources<T> sources = sources_of(packed_);
        std::atomic<std::uint64_t> skipped = 0;
        over_lists(plan_.near, "near", [&](std::size_t i, Block<T>& block) {
            const Cluster& leaf = plan_.targets.clusters[plan_.near.clusters[i]];
            sum_list(plan_.near, i, sources, sum, targets_, leaf.first, leaf.count, n_rows, block,
                     [&](const Block<T>& of, std::size_t first, std::size_t count) {
                         std::uint64_t coincident = 0;
                         for (std::size_t k = 0; k < count; ++k)
                             coincident += static_cast<std::uint64_t>(of.skipped[k]);
                         if (coincident > 0) skipped += coincident;
                         for (std::size_t row = 0; row < n_rows; ++row) {
                             const double factor = is_slope(row) ? scaling_.slope : 1;
                             for (std::size_t k = 0; k < count; ++k) {
                                 T& to = out[row * targets + plan_.targets.order[first + k]];
                                 to = static_cast<T>(static_cast<double>(to) +
                                                     factor * of.sums[row * particles::lanes + k]);
                             }
                         }
                     });
        });
        sums.skipped = skipped;
    }

    bool is_slope(std::size_t row) const { return row / problem_.parts() % problem_.quantities() != 0; }

    void spread_to_targets(std::span<T> out) {
        const Proxies& proxies = plan_.target_proxies;
        const std::size_t targets = problem_.n_targets(), parts = problem_.parts(),
                          quantities = problem_.quantities();
        const RawVector<std::uint32_t>& order = plan_.targets.order;
        const T scale = static_cast<T>(scaling_.scale);
        for (std::size_t level = 0; level + 1 < plan_.targets.levels.size(); ++level)
            over_level(plan_.targets, proxies, level, [&](std::size_t c) {
                const Cluster& cluster = plan_.targets.clusters[c];
                if (!cluster.is_leaf()) return;
                ClusterTransfer<T> transfer(cluster, proxies.nodes[c]);
                if (quantities == 1) {
                    transfer.spread(targets_, cluster.first, cluster.count, sums_at(c),
                                    [&](std::size_t row, std::size_t point, T value) {
                                        out[row * targets + order[point]] = value;
                                    });
                    return;
                }
                transfer.spread_slopes(
                    targets_, cluster.first, cluster.count, sums_at(c),
                    [&](std::size_t row, std::size_t point, const std::array<T, 4>& value) {
                        const std::size_t first = row / parts * quantities * parts + row % parts;
                        for (std::size_t q = 0; q < 4; ++q)
                            out[(first + q * parts) * targets + order[point]] =
                                value[q] * (q == 0 ? T(1) : scale);
                    });
            });
    }

    const SumProblem& problem_;
    HostContext& context_;
    Scaling scaling_;
    TreecodePlan plan_;
    Coordinates<T> sources_, targets_, at_sources_, at_targets_;
    PackedSources<T> packed_, at_proxies_;
    std::vector<T> sums_;  ///< at the Chebyshev points of targets, [row][point]
};

}  // namespace

Result run_treecode(const SumProblem& problem, HostContext& context) {
    require_whole(problem, "host.treecode", "it builds a tree of all targets");
    const TreecodeSums sums = treecode_sums(problem, accuracy_of(problem.settings()), host_leaf, context);
    Stopwatch watch;
    const DirectSample sample = direct_sample(problem, context.progress);
    Result result = treecode_result(problem, sums, sample, context.timings);
    add(context.timings, {"measure error", StageKind::host, watch.lap()});
    return result;
}

TreecodeSums treecode_sums(const SumProblem& problem, const Accuracy& accuracy, std::size_t leaf,
                           HostContext& context) {
    return problem.settings().precision == Precision::f32
               ? HostTreecode<float>(problem, accuracy, leaf, context).run()
               : HostTreecode<double>(problem, accuracy, leaf, context).run();
}

}  // namespace ks::particles
