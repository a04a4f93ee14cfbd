#pragma once

#include <cstddef>
#include <optional>

#include "core/data/geometry.h"
#include "core/io/hdf5/hdf5_write.h"

namespace ks::io {

/// A rotation series as NXmx wants it told, beside its frames and its geometry.
struct NxmxSeries {
    std::size_t frames = 0, height = 0, width = 0;
    Geometry geometry;                           ///< complete
    double rotation_step = 0.1;                  ///< degrees a frame
    std::optional<std::uint64_t> largest_count;  ///< what a pixel can count
};

/// What programs for crystallography (DIALS among them) need to open /entry/data/data as a series: the
/// definition, the sample with its rotation axis, and the detector with its module, axes and sensor. The
/// groups /entry and /entry/instrument/detector and the geometry are there already.
void write_nxmx(h5::Writer& out, const NxmxSeries& series);

}  // namespace ks::io
