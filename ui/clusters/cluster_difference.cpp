#include "ui/clusters/cluster_difference.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/error.h"

namespace ks::ui::clusters {
namespace {

using ks::clusters::Cluster;

constexpr std::uint32_t none = 0xffffffff;

/// Table index for each label that is a row; labels of clusters are rows.
std::vector<std::uint32_t> places(const RunClusters& run) {
    std::vector<std::uint32_t> place(run.labels().size(), none);
    for (std::size_t i = 0; i < run.clusters().size(); ++i)
        place[static_cast<std::size_t>(run.clusters()[i].label)] = static_cast<std::uint32_t>(i);
    return place;
}

std::uint32_t rootOf(std::vector<std::uint32_t>& parent, std::uint32_t at) {
    while (parent[at] != at) at = parent[at] = parent[parent[at]];
    return at;
}

DifferenceKind kindOf(std::size_t a, std::size_t b) {
    if (b == 0) return DifferenceKind::missing;
    if (a == 0) return DifferenceKind::added;
    if (a == 1 && b == 1) return DifferenceKind::changed;
    if (a == 1) return DifferenceKind::split;
    return b == 1 ? DifferenceKind::merged : DifferenceKind::mixed;
}

void locate(ClusterDifference& group, const RunClusters& a, const RunClusters& b) {
    std::uint32_t x0 = 0xffff, x1 = 0, y0 = 0xffff, y1 = 0, ofA = 0, ofB = 0;
    const auto add = [&](const Cluster& cluster, std::uint32_t& digis) {
        x0 = std::min<std::uint32_t>(x0, cluster.xmin);
        x1 = std::max<std::uint32_t>(x1, cluster.xmax);
        y0 = std::min<std::uint32_t>(y0, cluster.ymin);
        y1 = std::max<std::uint32_t>(y1, cluster.ymax);
        digis += cluster.size;
    };
    for (const std::uint32_t i : group.a) add(a.clusters()[i], ofA);
    for (const std::uint32_t i : group.b) add(b.clusters()[i], ofB);
    group.digis = std::max(ofA, ofB);
    group.x = (x0 + x1 + 1) / 2.0;
    group.y = (y0 + y1 + 1) / 2.0;
    group.slot = group.a.empty() ? b.slotOf(group.b.front()) : a.slotOf(group.a.front());
}

}  // namespace

std::size_t DifferenceOfRuns::count(DifferenceKind kind) const {
    return static_cast<std::size_t>(std::count_if(
        all.begin(), all.end(), [kind](const ClusterDifference& one) { return one.kind == kind; }));
}

DifferenceOfRuns differenceOf(const RunClusters& a, const RunClusters& b) {
    if (a.labels().size() != b.labels().size())
        throw Error(ErrorKind::run, "the runs do not have the same digis", "difference of runs");
    // Clusters that share a digi form one group. Nodes: those of A, then those of B.
    const auto placeA = places(a), placeB = places(b);
    const auto countA = static_cast<std::uint32_t>(a.clusters().size()),
               countB = static_cast<std::uint32_t>(b.clusters().size());
    std::vector<std::uint32_t> parent(countA + countB), shared(countA, 0);
    std::iota(parent.begin(), parent.end(), 0);
    for (std::size_t row = 0; row < a.labels().size(); ++row) {
        const std::int32_t labelA = a.labels()[row], labelB = b.labels()[row];
        if (labelA < 0 || labelB < 0) continue;
        const std::uint32_t one = placeA[static_cast<std::size_t>(labelA)],
                            other = placeB[static_cast<std::size_t>(labelB)];
        if (one == none || other == none) continue;
        ++shared[one];
        const std::uint32_t from = rootOf(parent, one), to = rootOf(parent, countA + other);
        parent[std::max(from, to)] = std::min(from, to);
    }
    // The root is the smallest node, so a group is first reached at its root.
    std::vector<std::uint32_t> groupOf(parent.size(), none);
    std::vector<ClusterDifference> groups;
    for (std::uint32_t node = 0; node < parent.size(); ++node) {
        const std::uint32_t root = rootOf(parent, node);
        if (groupOf[root] == none) {
            groupOf[root] = static_cast<std::uint32_t>(groups.size());
            groups.push_back({DifferenceKind::changed, 0, {}, {}, 0, 0, 0});
        }
        ClusterDifference& group = groups[groupOf[root]];
        if (node < countA)
            group.a.push_back(node);
        else
            group.b.push_back(node - countA);
    }
    DifferenceOfRuns result;
    for (ClusterDifference& group : groups) {
        group.kind = kindOf(group.a.size(), group.b.size());
        if (group.kind == DifferenceKind::changed) {
            const std::uint32_t size = a.clusters()[group.a[0]].size;
            if (shared[group.a[0]] == size && b.clusters()[group.b[0]].size == size) {
                ++result.same;
                continue;
            }
        }
        locate(group, a, b);
        result.all.push_back(std::move(group));
    }
    const auto label = [&](const ClusterDifference& one) {
        return one.a.empty() ? b.clusters()[one.b.front()].label : a.clusters()[one.a.front()].label;
    };
    std::sort(result.all.begin(), result.all.end(),
              [&](const ClusterDifference& p, const ClusterDifference& q) {
                  return std::pair(p.slot, label(p)) < std::pair(q.slot, label(q));
              });
    return result;
}

}  // namespace ks::ui::clusters
