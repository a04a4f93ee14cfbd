#pragma once

#include <array>
#include <cstddef>

#include <QRgb>

#include "ui/base/colour_map.h"

namespace ks::ui {

/// Cells of a LevelOfDetail picture -> colours, a row at a time, as fast as a moving picture needs: the
/// logarithm is a series good to 2e-5 of an octave, far less than one of 256 colours.
class ValueColours {
  public:
    /// @param outside colour of what lies outside of the frame
    ValueColours(const ColourMap& map, const ColourScale& scale, QRgb outside);
    void paint(const float* cells, std::size_t n, QRgb* out) const;

  private:
    std::array<QRgb, 256> table_;
    QRgb invalid_, outside_;
    ScaleKind kind_;
    float low_, high_, factor_;
};

}  // namespace ks::ui
