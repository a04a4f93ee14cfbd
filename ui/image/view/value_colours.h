#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <QRgb>

#include "ui/base/colour_map.h"

namespace ks::ui {

/// Converts cells of a LevelOfDetail picture to colours, row by row, fast enough for a moving picture.
/// Scales other than the linear one use a lookup table with some thousand entries per octave, much finer
/// than 256 colours.
class ValueColours {
  public:
    /// @param outside colour outside the frame
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
