#pragma once

#include <QRgb>
#include <QString>
#include <cstdint>
#include <span>
#include <vector>

#include "ui/base/colour_map.h"
#include "ui/clusters/modules/module_view_data.h"

namespace ks::ui::clusters {

/// What became of a digi.
enum class DigiStatus { unclustered, clustered, duplicate, cut, invalid };

DigiStatus statusOf(const ModuleViewData::Digi& digi);
/// "duplicate, dropped"
QString statusText(DigiStatus status);
QRgb statusColour(DigiStatus status, bool dark);

/// A colour a digi. Several digis of a pixel are painted in their order: the last one is seen.
std::vector<QRgb> coloursByCharge(const ModuleViewData& data, const ColourMap& map, const ColourScale& scale);
/// Clusters that are near each other in the order of labels have different colours; digis without one are
/// grey.
std::vector<QRgb> coloursByCluster(const ModuleViewData& data, bool dark);
std::vector<QRgb> coloursByStatus(const ModuleViewData& data, bool dark);
/// A colour for each number from 0, repeated after some hundreds.
QRgb groupColour(std::uint32_t group, bool dark);
/// Of digis that take no part.
QRgb idleColour(bool dark);

}  // namespace ks::ui::clusters
