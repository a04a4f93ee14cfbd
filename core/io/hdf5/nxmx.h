#pragma once

#include <cstddef>
#include <optional>

#include "core/data/geometry.h"
#include "core/io/hdf5/hdf5_write.h"

namespace ks::io {

/// What NXmx records about a series in addition to its frames and geometry.
struct NxmxSeries {
    struct Sensor {
        const char* material;  ///< "Si"
        double thickness;      ///< mm
    };
    std::size_t frames = 0, height = 0, width = 0;
    Geometry geometry;                           ///< complete
    std::optional<double> rotation_step;         ///< degrees per frame; absent: the sample does not turn
    std::optional<Sensor> sensor;                ///< absent: unknown
    std::optional<std::uint64_t> largest_count;  ///< maximum valid count of a pixel
};

/// Writes what crystallography programs (such as DIALS) need to open /entry/data/data as a series: the
/// definition, the sample with its rotation axis, and the detector with its module, axes and sensor. The
/// groups /entry and /entry/instrument/detector and the geometry must exist.
void write_nxmx(h5::Writer& out, const NxmxSeries& series);

}  // namespace ks::io
