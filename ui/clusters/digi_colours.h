#pragma once

#include <QRgb>
#include <QString>
#include <cstdint>
#include <vector>

#include "ui/base/colour_map.h"
#include "ui/clusters/modules/module_view_data.h"

namespace ks::ui::clusters {

/// What happened to a digi.
enum class DigiStatus { unclustered, clustered, duplicate, cut, invalid };

DigiStatus statusOf(const ModuleViewData::Digi& digi);
/// "duplicate, dropped"
QString statusText(DigiStatus status);
QRgb statusColour(DigiStatus status, bool dark);

/// One colour per digi. @param charges [digi], of its whole pixel: see ModuleViewData::pixelCharges()
std::vector<QRgb> coloursByCharge(const std::vector<std::uint64_t>& charges, const ColourMap& map,
                                  const ColourScale& scale);
/// Clusters with close labels have different colours; digis without a cluster are grey.
std::vector<QRgb> coloursByCluster(const ModuleViewData& data, bool dark);
std::vector<QRgb> coloursByStatus(const ModuleViewData& data, bool dark);
/// A colour for each number from 0 on, repeating after some hundreds.
QRgb groupColour(std::uint32_t group, bool dark);
/// Colour of digis that are not used.
QRgb idleColour(bool dark);

}  // namespace ks::ui::clusters
