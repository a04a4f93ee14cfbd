#pragma once

#include <array>

#include <QRgb>

/// Published colour maps, entry by entry.
namespace ks::ui::colour_tables {

extern const std::array<QRgb, 256> viridis, inferno, cividis, twilight;

}  // namespace ks::ui::colour_tables
