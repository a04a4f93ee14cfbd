#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/data/digi_table.h"

namespace ks::io {

/// Limits on digis; 0: none. Digis of a module with an invalid id may be anywhere.
struct DigiLimits {
    std::uint32_t modules = 0;                 ///< modules are 0 .. modules - 1
    std::uint32_t extent_x = 0, extent_y = 0;  ///< pixels of a module
    std::vector<std::uint32_t> invalid_ids = {};
};

struct DigiFile {
    DigiTable digis;
    std::vector<std::string> warnings;
};

/// Reads digis from
/// - CSV with the columns module,x,y,adc and optionally event and index (the row number: not used, but a
///   deviation is reported);
/// - traccc's cells.csv: geometry_id (module), channel0 (x), channel1 (y), value (charge; values that are not
///   integers are scaled so that the largest becomes 65535); measurement_id and timestamp are not used;
/// - HDF5, "FILE" or "FILE::/group": integer datasets module, x, y, adc and optionally event of equal length,
///   in that group, or without one in /entry/digis, /entry or /.
/// Modules are 0 to 2^31 - 1 (geometry ids: to 2^63 - 1), x and y 0 to 65535, adc and event 0 to 2^32 - 1.
/// Throws ks::Error(input) naming the line or the row of the first value that is outside these
/// ranges or the limits.
DigiFile read_digis(const std::string& name, const DigiLimits& limits, Progress& progress);

/// Whether a CSV file with these columns holds digis.
bool are_columns_of_digis(const std::vector<std::string>& columns);

/// Writes digis atomically: as HDF5 (/entry/digis) if the suffix is one of HDF5, else as CSV
/// index,module,x,y,adc, with event after index if the digis have events.
void write_digis(const DigiTable& digis, const std::filesystem::path& out, bool overwrite,
                 Progress& progress);

}  // namespace ks::io
