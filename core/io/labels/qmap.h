#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/io/files/data_name.h"
#include "core/io/hdf5/hdf5.h"

namespace ks::io {

/// Where bins are in a q map of APS 8-ID: that of pySimpleMask (/qmap/dynamic_roi_map), the same within a
/// result
/// (/xpcs/qmap), or that of earlier years (/data/dynamicMap).
struct QMapPlaces {
    std::string labels, static_labels;  ///< full paths
    std::string q, phi;                 ///< lists of the values along both axes of the map, or of each bin
    std::string index;                  ///< of each bin among the pairs of values; empty: one value per bin
    std::string names;                  ///< of the axes; empty: q and azimuth
    std::string units;                  ///< of both axes; empty: those of the lists
};
/// The q map that a name means: the file or a group with one, or its bins. Nothing if there is none.
std::optional<QMapPlaces> qmap_in(const h5::Handle& file, const DataName& name);

/// q in 1/angstrom and azimuth in degrees of each bin; empty where the map does not say.
struct QMapValues {
    std::vector<double> q, phi;
};
/// How many 1/angstrom a unit of q is, "1/nm" or "nm^-1" for example; nothing for one that is not known.
std::optional<double> per_angstrom(std::string unit);
/// q without a unit is taken as 1/angstrom, azimuth without one as degrees. Throws ks::Error(input) if the
/// lists do not fit each other or the unit of q is not known.
QMapValues qmap_values(const h5::Handle& file, const DataName& name, const QMapPlaces& places,
                       std::size_t bins);

}  // namespace ks::io
