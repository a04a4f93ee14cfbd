#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <QRgb>

#include "ui/base/colour_map.h"

namespace ks::ui {

/// Cells of a LevelOfDetail picture -> colours, a row at a time, as fast as a moving picture needs: scales
/// other than the linear one are looked up, some thousand places an octave, which is far less than one of 256
/// colours.
class ValueColours {
  public:
    /// @param outside colour of what lies outside of the frame
    ValueColours(const ColourMap& map, const ColourScale& scale, QRgb outside);
    void paint(const float* cells, std::size_t n, QRgb* out) const;

  private:
    std::int32_t placeOf(float key) const;
    template <class Level>
    void fillLevels(Level level);
    void makeLevels();

    std::array<QRgb, 256> table_;
    QRgb invalid_, outside_;
    ScaleKind kind_;
    float low_, high_, factor_;
    int shift_ = 10;                    ///< of the bits of a key = 1 + (value - low) * factor
    std::vector<std::uint8_t> levels_;  ///< [place]
};

}  // namespace ks::ui
