#include "core/particles/treecode/plan.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>
#include <utility>

#include "core/base/parallel.h"

namespace ks::particles {
namespace {

double squared_distance(const Cluster& one, const Cluster& other) {
    double squares = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double d = one.centre[axis] - other.centre[axis];
        squares += d * d;
    }
    return squares;
}

/// Size of the gap between two boxes.
double squared_gap(const Cluster& one, const Cluster& other) {
    double squares = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double d = std::abs(one.centre[axis] - other.centre[axis]) - one.half[axis] - other.half[axis];
        if (d > 0) squares += d * d;
    }
    return squares;
}

ChebyshevNodes nodes_of(std::size_t n) {
    ChebyshevNodes nodes;
    for (std::size_t k = 0; k < n; ++k)
        nodes.at[k] =
            std::cos(static_cast<double>(2 * k + 1) * std::numbers::pi / static_cast<double>(2 * n));
    if (n % 2 == 1) nodes.at[n / 2] = 0;  // exactly, without the rounding of pi
    for (std::size_t k = 0; k < n; ++k) {
        double product = 1;
        for (std::size_t i = 0; i < n; ++i)
            if (i != k) product *= nodes.at[k] - nodes.at[i];
        nodes.weight[k] = 1 / product;
    }
    return nodes;
}

/// Lists as they are found: source clusters by number.
struct Found {
    struct Row {
        std::uint32_t target;
        std::size_t first, count;
    };
    std::vector<Row> far_rows, near_rows;
    RawVector<std::uint32_t> far;
    RawVector<Span32> near;
};

/// A source cluster whose terms at a target cluster are still to be assigned.
struct Open {
    std::uint32_t source;
    bool direct;  ///< pair by pair, wherever the targets are
};
struct Task {
    std::uint32_t target;
    std::vector<Open> open;
};

/// Sorts spans and merges adjacent ones; returns how many remain, at the beginning.
std::size_t unite(std::span<Span32> spans) {
    if (!std::ranges::is_sorted(spans, {}, &Span32::begin)) std::ranges::sort(spans, {}, &Span32::begin);
    std::size_t kept = 0;
    for (const Span32& span : spans)
        if (kept > 0 && spans[kept - 1].end == span.begin)
            spans[kept - 1].end = span.end;
        else
            spans[kept++] = span;
    return kept;
}

class Traversal {
  public:
    Traversal(const TreecodePlan& plan, const Resolution& resolution)
        : sources_(plan.sources.clusters),
          targets_(plan.targets.clusters),
          source_nodes_(plan.source_proxies.nodes),
          target_nodes_(plan.target_proxies.nodes),
          resolution_(resolution) {}

    /// Builds all lists, in tasks that do not depend on the number of threads.
    std::vector<Found> run(unsigned threads) const {
        constexpr std::size_t enough = 256;
        std::vector<Task> tasks{{0, {{0, false}}}};
        std::vector<Found> found(1);
        // One level after another, until there are enough tasks for all threads.
        bool grows = true;
        while (grows && tasks.size() < enough) {
            std::vector<Task> next;
            for (Task& task : tasks)
                if (!settle(task, found[0]))
                    for (const std::uint32_t child : {0u, 1u})
                        next.push_back({targets_[task.target].child + child, task.open});
            grows = !next.empty();
            tasks = std::move(next);
        }
        found.resize(1 + tasks.size());
        parallel_for(tasks.size(), threads,
                     [&](std::size_t i) { descend(std::move(tasks[i]), found[1 + i]); });
        return found;
    }

  private:
    void descend(Task task, Found& found) const {
        if (settle(task, found)) return;
        const std::uint32_t child = targets_[task.target].child;
        descend({child, task.open}, found);
        descend({child + 1, std::move(task.open)}, found);
    }

    /// Assigns what it can at this target cluster; the rest is left open for its children.
    /// True if nothing is left.
    bool settle(Task& task, Found& found) const {
        const Cluster& target = targets_[task.target];
        // In the order of the sources, so that their spans are found in ascending order.
        std::vector<Open> stack(task.open.rbegin(), task.open.rend()), left;
        std::vector<Span32> near;
        const std::size_t far_before = found.far.size();
        while (!stack.empty()) {
            const Open one = stack.back();
            stack.pop_back();
            const Cluster& source = sources_[one.source];
            if (one.direct) {
                pass(target, one, near, left);
                continue;
            }
            if (resolution_.is_nothing(target, source)) continue;
            if (may_stand(task.target, one.source)) {
                const std::size_t proxies =
                    proxies_of(target_nodes_[task.target]) * proxies_of(source_nodes_[one.source]);
                if (resolution_.is_worth(proxies, std::size_t{target.count} * source.count))
                    found.far.push_back(one.source);
                else
                    pass(target, {one.source, true}, near, left);
                continue;
            }
            if (!source.is_leaf() && (target.is_leaf() || source.radius > target.radius)) {
                stack.push_back({source.child + 1, false});
                stack.push_back({source.child, false});
            } else {
                pass(target, one, near, left);
            }
        }
        if (found.far.size() > far_before)
            found.far_rows.push_back({task.target, far_before, found.far.size() - far_before});
        if (!near.empty()) {
            found.near_rows.push_back({task.target, found.near.size(), near.size()});
            found.near.insert(found.near.end(), near.begin(), near.end());
        }
        task.open = std::move(left);
        return task.open.empty();
    }

    /// To the children, or to the pairs of a leaf.
    void pass(const Cluster& target, const Open& one, std::vector<Span32>& near,
              std::vector<Open>& left) const {
        const Cluster& source = sources_[one.source];
        if (target.is_leaf())
            near.push_back({source.first, source.end()});
        else
            left.push_back(one);
    }

    bool may_stand(std::uint32_t target, std::uint32_t source) const {
        return target_nodes_[target][0] > 0 && source_nodes_[source][0] > 0 &&
               resolution_.are_apart(targets_[target], sources_[source]);
    }

    const RawVector<Cluster>&sources_, &targets_;
    const std::vector<NodeCounts>&source_nodes_, &target_nodes_;
    const Resolution& resolution_;
};

std::vector<NodeCounts> nodes_of(const ClusterTree& tree, const Resolution& resolution, unsigned threads) {
    std::vector<NodeCounts> nodes(tree.clusters.size());
    constexpr std::size_t at_once = 512;
    parallel_for((nodes.size() + at_once - 1) / at_once, threads, [&](std::size_t some) {
        for (std::size_t c = some * at_once; c < std::min(nodes.size(), (some + 1) * at_once); ++c)
            nodes[c] = resolution.nodes(tree.clusters[c]);
    });
    // The proxies of a cluster are made from those of its children.
    for (std::size_t c = nodes.size(); c-- > 1;)
        if (proxies_of(nodes[c]) == 0) nodes[tree.clusters[c].parent] = {};
    return nodes;
}

/// Reserves proxies for the marked clusters and for all their descendants.
void lay_out(Proxies& proxies, const ClusterTree& tree, std::vector<std::uint8_t> needed) {
    proxies.first.assign(tree.clusters.size() + 1, 0);
    for (std::size_t c = 0; c < tree.clusters.size(); ++c) {
        if (c > 0 && needed[tree.clusters[c].parent] != 0) needed[c] = 1;
        const auto count = needed[c] != 0 ? proxies_of(proxies.nodes[c]) : 0;
        proxies.first[c + 1] = proxies.first[c] + static_cast<std::uint32_t>(count);
    }
}

/// work(i) for i in [0, n), a few at a time.
template <class Work>
void for_each_list(std::size_t n, unsigned threads, const Work& work) {
    constexpr std::size_t at_once = 16;
    parallel_for((n + at_once - 1) / at_once, threads, [&](std::size_t some) {
        for (std::size_t i = some * at_once; i < std::min(n, (some + 1) * at_once); ++i) work(i);
    });
}

/// Assembles lists from the rows of all tasks, by the number of their cluster, which has at most one. Several
/// threads may share each step, and the lists within a step.
class Assembly {
  public:
    using Rows = std::vector<Found::Row> Found::*;

    Assembly(const std::vector<Found>& found, Rows rows_of, std::size_t clusters) {
        std::vector<Place> of_clusters(clusters);
        for (const Found& one : found)
            for (const Found::Row& row : one.*rows_of) of_clusters[row.target] = {&one, &row};
        std::size_t room = 0;
        for (Place& place : of_clusters)
            if (place.row != nullptr) {
                place.room = room;
                room += place.row->count;
                lists_.clusters.push_back(place.row->target);
                places_.push_back(place);
            }
        spans_.resize(room);
        lists_.sources.resize(places_.size());
        lists_.start.resize(places_.size() + 1);
    }
    std::size_t size() const { return places_.size(); }

    /// First the number of spans of each list. @param span_of(found, i) span of entry i of a task's rows
    template <class SpanOf>
    void fill(std::size_t i, const SpanOf& span_of) {
        const Place& place = places_[i];
        const std::span<Span32> own = std::span(spans_).subspan(place.room, place.row->count);
        for (std::size_t k = 0; k < own.size(); ++k) own[k] = span_of(*place.found, place.row->first + k);
        const std::size_t count = unite(own);
        for (const Span32& span : own.first(count)) lists_.sources[i] += span.end - span.begin;
        lists_.start[i + 1] = static_cast<std::uint32_t>(count);
    }
    /// Then their offsets, all at once.
    void place() {
        std::inclusive_scan(lists_.start.begin(), lists_.start.end(), lists_.start.begin());
        lists_.spans.resize(lists_.start.back());
    }
    /// Finally each span at its offset.
    void move(std::size_t i) {
        std::copy_n(spans_.data() + places_[i].room, lists_.start[i + 1] - lists_.start[i],
                    lists_.spans.data() + lists_.start[i]);
    }
    InteractionLists take() { return std::move(lists_); }

  private:
    struct Place {
        const Found* found = nullptr;
        const Found::Row* row = nullptr;
        std::size_t room = 0;  ///< where its spans are stored
    };
    std::vector<Place> places_;
    RawVector<Span32> spans_;
    InteractionLists lists_;
};

/// Far and near lists in parallel, so that no thread waits for the longer ones.
void assemble(TreecodePlan& plan, const std::vector<Found>& found, unsigned threads) {
    const std::size_t clusters = plan.targets.clusters.size();
    Assembly far(found, &Found::far_rows, clusters), near(found, &Found::near_rows, clusters);
    const std::vector<std::uint32_t>& first = plan.source_proxies.first;
    const auto far_span = [&first](const Found& of, std::size_t i) {
        return Span32{first[of.far[i]], first[of.far[i] + 1]};
    };
    const auto near_span = [](const Found& of, std::size_t i) { return of.near[i]; };
    const std::size_t all = far.size() + near.size();
    for_each_list(all, threads, [&](std::size_t i) {
        if (i < far.size())
            far.fill(i, far_span);
        else
            near.fill(i - far.size(), near_span);
    });
    far.place();
    near.place();
    for_each_list(all, threads, [&](std::size_t i) {
        if (i < far.size())
            far.move(i);
        else
            near.move(i - far.size());
    });
    plan.far = far.take();
    plan.near = near.take();
}

/// @param count points of a target cluster
template <class Count>
void count_pairs(InteractionLists& lists, const Count& count) {
    for (std::size_t i = 0; i < lists.clusters.size(); ++i)
        lists.pairs += lists.sources[i] * count(lists.clusters[i]);
}

}  // namespace

Resolution::Resolution(const SumSettings& settings, const Scaling& scaling, const Accuracy& accuracy)
    : kernel_(settings.kernel),
      gradient_(settings.gradient),
      accuracy_(accuracy),
      wavenumber_(std::abs(2 * std::numbers::pi * scaling.turns)) {}

double Resolution::bound(double half, double radius, double nodes) const {
    if (kernel_ == Kernel::rbf) {
        const double q = half * half * std::numbers::ln2 / 4, s = nodes / (2 * q);
        const double rho = std::sqrt((s + std::sqrt(s * s + 4)) / 2), width = rho - 1 / rho;
        const double sigma = 1 / std::sqrt(2 * std::numbers::ln2);
        const double slopes = gradient_ ? std::max(1.0, nodes * nodes * sigma / half) : 1;
        return q * width * width - nodes * std::log(rho) + std::log(slopes);
    }
    const double nearest = radius * (2 / accuracy_.theta - 1) / half;
    double rho = nearest + std::sqrt(nearest * nearest - 1);
    const double turn = wavenumber_ * half;
    if (turn > 0) {
        if (nodes <= turn) return 0;  // wavelengths too short for the points
        const double ratio = nodes / turn;
        rho = std::min(rho, ratio + std::sqrt(ratio * ratio - 1));
    }
    return turn * (rho - 1 / rho) / 2 - nodes * std::log(rho);
}

std::size_t Resolution::nodes_along(double half, double radius) const {
    if (half == 0) return 1;
    if (kernel_ != Kernel::rbf && wavenumber_ == 0) {
        const double n = std::ceil(accuracy_.digits / -bound(half, radius, 1));
        return n <= static_cast<double>(max_nodes) ? static_cast<std::size_t>(n) : 0;
    }
    for (std::size_t n = 1; n <= max_nodes; ++n)
        if (bound(half, radius, static_cast<double>(n)) <= -accuracy_.digits) return n;
    return 0;
}

NodeCounts Resolution::nodes(const Cluster& cluster) const {
    NodeCounts counts{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        counts[axis] = static_cast<std::uint8_t>(nodes_along(cluster.half[axis], cluster.radius));
        if (counts[axis] == 0) return {};
    }
    return counts;
}

bool Resolution::are_apart(const Cluster& one, const Cluster& other) const {
    if (kernel_ == Kernel::rbf) return true;
    // Far enough that the ellipses of nodes() just meet the other cluster's boundary.
    const auto [smaller, larger] = std::minmax(one.radius, other.radius);
    const double squares = squared_distance(one, other), reach = smaller + (2 / accuracy_.theta - 1) * larger;
    return squares > 0 && reach * reach <= squares;
}

bool Resolution::is_nothing(const Cluster& one, const Cluster& other) const {
    return kernel_ == Kernel::rbf && squared_gap(one, other) * std::numbers::ln2 > accuracy_.cut;
}

const ChebyshevNodes& chebyshev_nodes(std::size_t n) {
    static const auto all = [] {
        std::array<ChebyshevNodes, max_nodes + 1> made;
        for (std::size_t count = 1; count <= max_nodes; ++count) made[count] = nodes_of(count);
        return made;
    }();
    return all[n];
}

template <class T>
TreecodePlan plan_treecode(Coordinates<T>& sources, Coordinates<T>& targets, const Resolution& resolution,
                           std::size_t leaf, unsigned threads) {
    TreecodePlan plan;
    // Each part of the plan uses one thread only.
    Pending<ClusterTree> of_sources = beside([&] { return build_tree(sources, leaf, 0, threads); });
    plan.targets = build_tree(targets, leaf, resolution.thinnest_targets(), threads);
    plan.sources = of_sources.get();
    plan.source_proxies.nodes = nodes_of(plan.sources, resolution, threads);
    plan.target_proxies.nodes = nodes_of(plan.targets, resolution, threads);
    const std::vector<Found> found = Traversal(plan, resolution).run(threads);

    std::vector<std::uint8_t> sending(plan.sources.clusters.size()), receiving(plan.targets.clusters.size());
    const auto mark = [](std::uint8_t& cluster) {
        std::atomic_ref(cluster).store(1, std::memory_order_relaxed);
    };
    parallel_for(found.size(), threads, [&](std::size_t i) {
        for (const std::uint32_t source : found[i].far) mark(sending[source]);
        for (const Found::Row& row : found[i].far_rows) mark(receiving[row.target]);
    });
    lay_out(plan.source_proxies, plan.sources, std::move(sending));
    lay_out(plan.target_proxies, plan.targets, std::move(receiving));
    assemble(plan, found, threads);
    count_pairs(plan.far, [&plan](std::uint32_t c) { return plan.target_proxies.count(c); });
    count_pairs(plan.near, [&plan](std::uint32_t c) { return plan.targets.clusters[c].count; });
    return plan;
}

template <class T>
Coordinates<T> places_of_proxies(const ClusterTree& tree, const Proxies& proxies, unsigned threads) {
    Coordinates<T> places;
    for (RawVector<T>& values : places.of) values.resize(proxies.size());
    constexpr std::size_t at_once = 128;
    const std::size_t clusters = tree.clusters.size();
    parallel_for((clusters + at_once - 1) / at_once, threads, [&](std::size_t some) {
        for (std::size_t c = some * at_once; c < std::min(clusters, (some + 1) * at_once); ++c) {
            const Cluster& cluster = tree.clusters[c];
            const NodeCounts& nodes = proxies.nodes[c];
            const std::size_t count = proxies.count(c);
            for (std::size_t p = 0; p < count; ++p) {
                const std::size_t along[] = {p / nodes[2] / nodes[1], p / nodes[2] % nodes[1], p % nodes[2]};
                for (std::size_t axis = 0; axis < 3; ++axis)
                    places.of[axis][proxies.first[c] + p] =
                        static_cast<T>(cluster.centre[axis] +
                                       cluster.half[axis] * chebyshev_nodes(nodes[axis]).at[along[axis]]);
            }
        }
    });
    return places;
}

template TreecodePlan plan_treecode(Coordinates<float>&, Coordinates<float>&, const Resolution&, std::size_t,
                                    unsigned);
template TreecodePlan plan_treecode(Coordinates<double>&, Coordinates<double>&, const Resolution&,
                                    std::size_t, unsigned);
template Coordinates<float> places_of_proxies(const ClusterTree&, const Proxies&, unsigned);
template Coordinates<double> places_of_proxies(const ClusterTree&, const Proxies&, unsigned);

}  // namespace ks::particles
