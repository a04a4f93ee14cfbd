#include "ui/clusters/modules/module_view_data.h"

#include <QRectF>
#include <algorithm>
#include <tuple>

namespace ks::ui::clusters {
namespace {

using Digi = ModuleViewData::Digi;

constexpr std::uint32_t maxOutlined = 100'000;  ///< digis of a cluster: takes some hundredths of a second

bool before(const Digi& digi, std::uint32_t x, std::uint32_t y) {
    return digi.y != y ? digi.y < y : digi.x < x;
}

/// Edges of one direction: `along` runs on the line, `across` is the position of the line.
struct Edge {
    std::uint32_t across, along;
    std::uint8_t side;
    std::uint32_t group;
};

/// Joins touching edges of a group into one line.
void join(std::vector<Edge>& edges, bool horizontal, std::vector<QLineF>& lines) {
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
        return std::tie(a.across, a.side, a.along) < std::tie(b.across, b.side, b.along);
    });
    for (std::size_t i = 0; i < edges.size();) {
        std::size_t end = i + 1;
        while (end < edges.size() && edges[end].across == edges[i].across &&
               edges[end].side == edges[i].side && edges[end].along == edges[end - 1].along + 1 &&
               edges[end].group == edges[i].group)
            ++end;
        const double from = edges[i].along, to = edges[end - 1].along + 1.0, at = edges[i].across;
        lines.push_back(horizontal ? QLineF(from, at, to, at) : QLineF(at, from, at, to));
        i = end;
    }
}

}  // namespace

std::size_t ModuleViewData::firstAt(std::uint32_t y) const {
    return static_cast<std::size_t>(
        std::lower_bound(digis.begin(), digis.end(), y,
                         [](const Digi& digi, std::uint32_t at) { return digi.y < at; }) -
        digis.begin());
}

std::optional<std::size_t> ModuleViewData::at(int x, int y) const {
    if (x < 0 || y < 0) return std::nullopt;
    const auto ux = static_cast<std::uint32_t>(x), uy = static_cast<std::uint32_t>(y);
    const auto found = std::lower_bound(digis.begin(), digis.end(), 0,
                                        [&](const Digi& digi, int) { return before(digi, ux, uy); });
    if (found == digis.end() || found->x != ux || found->y != uy) return std::nullopt;
    return static_cast<std::size_t>(found - digis.begin());
}

std::optional<std::size_t> ModuleViewData::ofRow(std::uint32_t row) const {
    const auto found =
        std::find_if(digis.begin(), digis.end(), [row](const Digi& digi) { return digi.row == row; });
    if (found == digis.end()) return std::nullopt;
    return static_cast<std::size_t>(found - digis.begin());
}

std::size_t ModuleViewData::copiesAt(std::size_t digi) const {
    const Digi& one = digis[digi];
    std::size_t copies = 0;
    for (std::size_t i = at(one.x, one.y).value_or(digi);
         i < digis.size() && digis[i].x == one.x && digis[i].y == one.y; ++i)
        ++copies;
    return copies;
}

std::vector<std::uint64_t> ModuleViewData::pixelCharges() const {
    std::vector<std::uint64_t> charges(digis.size());
    for (std::size_t first = 0; first < digis.size();) {
        std::size_t end = first;
        std::uint64_t sum = 0;
        do sum += digis[end++].adc;
        while (end < digis.size() && isFurther(end));
        std::fill(charges.begin() + static_cast<std::ptrdiff_t>(first),
                  charges.begin() + static_cast<std::ptrdiff_t>(end), sum);
        first = end;
    }
    return charges;
}

ModuleViewData moduleViewData(const DigiSet& digis, const RunClusters* run, std::size_t slot) {
    const ks::clusters::ModuleDigis& all = digis.digis();
    const auto rows = digis.rows(slot);
    ModuleViewData data;
    data.slot = slot;
    data.module = digis.module(slot);
    data.event = all.slot_event()[slot];
    data.width = all.extent_x();
    data.height = all.extent_y();
    data.rocX = digis.layout().roc_x;
    data.rocY = digis.layout().roc_y;
    data.digis.reserve(rows.size());
    for (const std::uint32_t row : rows)
        data.digis.push_back({all.table().x[row], all.table().y[row], all.table().adc[row], row,
                              run ? run->labels()[row] : ModuleViewData::unlabelled});
    std::sort(data.digis.begin(), data.digis.end(), [](const Digi& a, const Digi& b) {
        return std::tie(a.y, a.x, a.row) < std::tie(b.y, b.x, b.row);
    });
    data.clusterOf.assign(data.digis.size(), ModuleViewData::noCluster);
    if (!run) return data;
    data.run = run->number();
    const auto clusters = run->of(slot);
    data.inTable.assign(clusters.begin(), clusters.end());
    for (const std::uint32_t cluster : clusters) data.clusters.push_back(run->clusters()[cluster]);
    for (std::size_t i = 0; i < data.digis.size(); ++i) {
        const std::int32_t label = data.digis[i].label;
        const auto at = std::lower_bound(
            data.clusters.begin(), data.clusters.end(), label,
            [](const ks::clusters::Cluster& cluster, std::int32_t l) { return cluster.label < l; });
        if (at != data.clusters.end() && at->label == label)
            data.clusterOf[i] = static_cast<std::uint32_t>(at - data.clusters.begin());
    }
    return data;
}

std::vector<QLineF> outlineOf(const ModuleViewData& data, std::size_t cluster) {
    const ks::clusters::Cluster& one = data.clusters[cluster];
    if (one.size > maxOutlined) {
        const QRectF box(one.xmin, one.ymin, one.width_x(), one.width_y());
        return {{box.topLeft(), box.topRight()},
                {box.topRight(), box.bottomRight()},
                {box.bottomRight(), box.bottomLeft()},
                {box.bottomLeft(), box.topLeft()}};
    }
    // Only its digis: a module may have millions.
    ModuleViewData part;
    for (std::size_t i = data.firstAt(one.ymin); i < data.digis.size() && data.digis[i].y <= one.ymax; ++i)
        if (data.clusterOf[i] == cluster) part.digis.push_back(data.digis[i]);
    return outlines(part, std::vector<std::uint32_t>(part.digis.size(), 0));
}

std::vector<QLineF> outlines(const ModuleViewData& data, const std::vector<std::uint32_t>& group) {
    const auto groupAt = [&](int x, int y) {
        const auto digi = data.at(x, y);
        return digi ? group[*digi] : ModuleViewData::noCluster;
    };
    std::vector<Edge> horizontal, vertical;
    for (std::size_t i = 0; i < data.digis.size(); ++i) {
        const Digi& digi = data.digis[i];
        const std::uint32_t own = group[i];
        if (own == ModuleViewData::noCluster || data.isFurther(i)) continue;
        const std::uint32_t x = digi.x, y = digi.y;
        const auto differs = [&](int dx, int dy) { return groupAt(digi.x + dx, digi.y + dy) != own; };
        if (differs(0, -1)) horizontal.push_back({y, x, 0, own});
        if (differs(0, 1)) horizontal.push_back({y + 1, x, 1, own});
        if (differs(-1, 0)) vertical.push_back({x, y, 0, own});
        if (differs(1, 0)) vertical.push_back({x + 1, y, 1, own});
    }
    std::vector<QLineF> lines;
    join(horizontal, true, lines);
    join(vertical, false, lines);
    return lines;
}

}  // namespace ks::ui::clusters
