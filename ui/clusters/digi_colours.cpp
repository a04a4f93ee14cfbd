#include "ui/clusters/digi_colours.h"

#include <QCoreApplication>
#include <array>

#include "ui/base/palette.h"

namespace ks::ui::clusters {
namespace {

constexpr std::uint32_t period = 240;

std::vector<QRgb> groupColours(bool dark) {
    std::vector<QRgb> colours;
    for (std::uint32_t group = 0; group < period; ++group)
        colours.push_back(binColour(static_cast<int>(group) + 1, dark).rgb());
    return colours;
}

}  // namespace

DigiStatus statusOf(const ModuleViewData::Digi& digi) {
    if (digi.label >= 0) return DigiStatus::clustered;
    switch (digi.label) {
        case ks::clusters::label_duplicate:
            return DigiStatus::duplicate;
        case ks::clusters::label_cut:
            return DigiStatus::cut;
        case ks::clusters::label_invalid:
            return DigiStatus::invalid;
        default:
            return DigiStatus::unclustered;
    }
}

QString statusText(DigiStatus status) {
    const char* texts[] = {"not clustered yet", "in a cluster", "duplicate, dropped",
                           "in a cluster below the cut", "invalid"};
    return QCoreApplication::translate("clusters", texts[static_cast<std::size_t>(status)]);
}

QRgb statusColour(DigiStatus status, bool dark) {
    if (status == DigiStatus::unclustered) return idleColour(dark);
    constexpr int colours[] = {0, 1, 2, 5, 4};  // in the order of DigiStatus
    return binColour(colours[static_cast<std::size_t>(status)], dark).rgb();
}

QRgb idleColour(bool dark) {
    return dark ? qRgb(0x70, 0x70, 0x70) : qRgb(0xa0, 0xa0, 0xa0);
}

QRgb groupColour(std::uint32_t group, bool dark) {
    static const std::array<std::vector<QRgb>, 2> colours{groupColours(false), groupColours(true)};
    return colours[dark ? 1 : 0][group % period];
}

std::vector<QRgb> coloursByCharge(const std::vector<std::uint64_t>& charges, const ColourMap& map,
                                  const ColourScale& scale) {
    std::vector<QRgb> colours;
    colours.reserve(charges.size());
    for (const std::uint64_t charge : charges)
        colours.push_back(map.at(scale.position(static_cast<double>(charge))));
    return colours;
}

std::vector<QRgb> coloursByCluster(const ModuleViewData& data, bool dark) {
    std::vector<QRgb> colours;
    colours.reserve(data.digis.size());
    for (const std::uint32_t cluster : data.clusterOf)
        colours.push_back(cluster == ModuleViewData::noCluster ? idleColour(dark)
                                                               : groupColour(cluster, dark));
    return colours;
}

std::vector<QRgb> coloursByStatus(const ModuleViewData& data, bool dark) {
    std::vector<QRgb> colours;
    colours.reserve(data.digis.size());
    for (const ModuleViewData::Digi& digi : data.digis) colours.push_back(statusColour(statusOf(digi), dark));
    return colours;
}

}  // namespace ks::ui::clusters
