#include "core/particles/treecode/plan.h"

#include <algorithm>
#include <utility>

#include "core/base/parallel.h"

namespace ks::particles {
namespace {

/// Lists as they are found: clusters of sources by number.
struct Found {
    struct Row {
        std::uint32_t target;
        std::size_t first, count;
    };
    std::vector<Row> far_rows, near_rows;
    std::vector<std::uint32_t> far;
    std::vector<Span32> near;
};

/// A cluster of sources whose terms at a cluster of targets are still to be assigned.
struct Open {
    std::uint32_t source;
    bool direct;  ///< pair by pair, wherever the targets are
};
struct Task {
    std::uint32_t target;
    std::vector<Open> open;
};

/// Sorts spans and makes one of those that touch.
void unite(std::vector<Span32>& spans) {
    std::ranges::sort(spans, {}, &Span32::begin);
    std::size_t kept = 0;
    for (const Span32& span : spans)
        if (kept > 0 && spans[kept - 1].end == span.begin)
            spans[kept - 1].end = span.end;
        else
            spans[kept++] = span;
    spans.resize(kept);
}

class Traversal {
  public:
    Traversal(const TreecodePlan& plan, const Resolution& resolution)
        : sources_(plan.sources.clusters),
          targets_(plan.targets.clusters),
          source_nodes_(plan.source_proxies.nodes),
          target_nodes_(plan.target_proxies.nodes),
          resolution_(resolution) {}

    /// All lists, of tasks that do not depend on the number of threads.
    std::vector<Found> run(unsigned threads) const {
        constexpr std::size_t enough = 256;
        std::vector<Task> tasks{{0, {{0, false}}}};
        std::vector<Found> found(1);
        // One level after another, until there are enough for all threads.
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

    /// Assigns what can be at this cluster of targets; what is left is open at its children. True where
    /// nothing is.
    bool settle(Task& task, Found& found) const {
        const Cluster& target = targets_[task.target];
        std::vector<Open> stack = std::move(task.open), left;
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
                stack.push_back({source.child, false});
                stack.push_back({source.child + 1, false});
            } else {
                pass(target, one, near, left);
            }
        }
        if (found.far.size() > far_before)
            found.far_rows.push_back({task.target, far_before, found.far.size() - far_before});
        if (!near.empty()) {
            unite(near);
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

    const std::vector<Cluster>&sources_, &targets_;
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
    // What stands for its points is made from what stands for those of its children.
    for (std::size_t c = nodes.size(); c-- > 1;)
        if (proxies_of(nodes[c]) == 0) nodes[tree.clusters[c].parent] = {};
    return nodes;
}

/// Room for clusters that are named, and for all that are below them.
void lay_out(Proxies& proxies, const ClusterTree& tree, std::vector<bool> needed) {
    proxies.first.assign(tree.clusters.size() + 1, 0);
    for (std::size_t c = 0; c < tree.clusters.size(); ++c) {
        if (c > 0 && needed[tree.clusters[c].parent]) needed[c] = true;
        const auto count = needed[c] ? proxies_of(proxies.nodes[c]) : 0;
        proxies.first[c + 1] = proxies.first[c] + static_cast<std::uint32_t>(count);
    }
}

/// Rows of all tasks by the number of their cluster. @param span_of the spans of a row
template <class Rows, class SpanOf>
InteractionLists assembled(const std::vector<Found>& found, const Rows& rows_of, const SpanOf& span_of,
                           unsigned threads) {
    struct Place {
        std::uint32_t target;
        const Found* found;
        const Found::Row* row;
    };
    std::vector<Place> places;
    for (const Found& one : found)
        for (const Found::Row& row : one.*rows_of) places.push_back({row.target, &one, &row});
    std::ranges::sort(places, {}, &Place::target);
    std::vector<std::vector<Span32>> spans(places.size());
    InteractionLists lists;
    lists.sources.resize(places.size());
    constexpr std::size_t at_once = 128;
    const auto in_parallel = [&](const auto& work) {
        parallel_for((places.size() + at_once - 1) / at_once, threads, [&](std::size_t some) {
            for (std::size_t i = some * at_once; i < std::min(places.size(), (some + 1) * at_once); ++i)
                work(i);
        });
    };
    in_parallel([&](std::size_t i) {
        spans[i] = span_of(*places[i].found, *places[i].row);
        for (const Span32& span : spans[i]) lists.sources[i] += span.end - span.begin;
    });
    lists.start.push_back(0);
    for (std::size_t i = 0; i < places.size(); ++i) {
        lists.clusters.push_back(places[i].target);
        lists.start.push_back(lists.start.back() + static_cast<std::uint32_t>(spans[i].size()));
    }
    lists.spans.resize(lists.start.back());
    in_parallel([&](std::size_t i) {
        std::ranges::copy(spans[i], lists.spans.begin() + static_cast<std::ptrdiff_t>(lists.start[i]));
    });
    return lists;
}

/// @param count points of a cluster of targets
template <class Count>
void count_pairs(InteractionLists& lists, const Count& count) {
    for (std::size_t i = 0; i < lists.clusters.size(); ++i)
        lists.pairs += lists.sources[i] * count(lists.clusters[i]);
}

}  // namespace

template <class T>
TreecodePlan plan_treecode(Coordinates<T>& sources, Coordinates<T>& targets, const Resolution& resolution,
                           std::size_t leaf, unsigned threads) {
    TreecodePlan plan;
    // Parts of it take one thread only.
    Pending<ClusterTree> of_sources = beside([&] { return build_tree(sources, leaf, 0, threads); });
    plan.targets = build_tree(targets, leaf, resolution.thinnest_targets(), threads);
    plan.sources = of_sources.get();
    plan.source_proxies.nodes = nodes_of(plan.sources, resolution, threads);
    plan.target_proxies.nodes = nodes_of(plan.targets, resolution, threads);
    const std::vector<Found> found = Traversal(plan, resolution).run(threads);

    std::vector<bool> sending(plan.sources.clusters.size()), receiving(plan.targets.clusters.size());
    for (const Found& one : found) {
        for (const std::uint32_t source : one.far) sending[source] = true;
        for (const Found::Row& row : one.far_rows) receiving[row.target] = true;
    }
    lay_out(plan.source_proxies, plan.sources, std::move(sending));
    lay_out(plan.target_proxies, plan.targets, std::move(receiving));
    plan.far = assembled(
        found, &Found::far_rows,
        [&plan](const Found& of, const Found::Row& row) {
            std::vector<Span32> spans;
            const std::vector<std::uint32_t>& first = plan.source_proxies.first;
            for (std::size_t i = row.first; i < row.first + row.count; ++i)
                spans.push_back({first[of.far[i]], first[of.far[i] + 1]});
            unite(spans);
            return spans;
        },
        threads);
    plan.near = assembled(
        found, &Found::near_rows,
        [](const Found& of, const Found::Row& row) {
            const auto from = of.near.begin() + static_cast<std::ptrdiff_t>(row.first);
            return std::vector<Span32>(from, from + static_cast<std::ptrdiff_t>(row.count));
        },
        threads);
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
