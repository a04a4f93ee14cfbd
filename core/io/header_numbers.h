#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/hdf5/nexus.h"
#include "core/io/open_frames.h"

namespace ks::io {

/// A number in the text header of a file, with its unit: "0.10000 m", "1.72e-04_m", "12.5".
struct HeaderNumber {
    double value = 0;
    std::string unit = {};  ///< empty: none is given

    /// Nothing if the text does not begin with a finite number.
    static std::optional<HeaderNumber> read(std::string_view text);
};

/// Parts of a geometry from the fields of a text header. What cannot be used becomes a fault.
class HeaderGeometry {
  public:
    /// @param faults outlives it
    HeaderGeometry(std::string file, std::vector<GeometryFault>& faults)
        : file_(std::move(file)), faults_(faults) {}

    /// In millimetres or angstrom; 0 for a value that cannot be used.
    /// @param part as in GeometryFault
    /// @param field name in the file, for messages
    /// @param without unit of a value that has none
    double above_zero(const char* part, const std::string& field, std::string_view text, Quantity quantity,
                      const char* without) const;
    /// Pixels from the outer edge of the first pixel, as in Geometry; nothing for a value that cannot be
    /// used.
    std::optional<double> centre(const char* part, const std::string& field, std::string_view text) const;
    void fault(const char* part, const std::string& sentence) const;

  private:
    std::string file_;
    std::vector<GeometryFault>& faults_;
};

}  // namespace ks::io
