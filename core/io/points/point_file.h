#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/data/point_set.h"

namespace ks::io {

/// Whether the points need weights: sources do, targets do not.
enum class Weights { wanted, ignored };

struct PointFile {
    PointSet points;
    std::vector<std::string> warnings;
    bool weights_assumed = false;  ///< the file has none: all are 1
};

/// Reads points from
/// - CSV with the columns x,y,z and optionally weight and weight_im, then weight_2, weight_2_im and so on, in
///   any order; other columns are ignored;
/// - NumPy: [point][3], [4] or [5], x, y, z, weight, weight_im;
/// - HDF5, "FILE" or "FILE::/group": datasets of equal length, named like the CSV columns, in that group or,
///   without one, in /entry/points, /entry or /; "FILE::/dataset": as for NumPy.
/// Missing weights are 1, and a warning says so if weights are wanted. Throws ks::Error(input) naming the
/// line or the row of the first value that is not a finite number, or if there are no points.
PointFile read_points(const std::string& name, Weights weights, Progress& progress);

/// Whether a CSV file with these columns holds points.
bool are_columns_of_points(const std::vector<std::string>& columns);

/// Writes points atomically in the format of the suffix: HDF5 (/entry/points) or NumPy (at most one vector of
/// weights), else CSV.
void write_points(const PointSet& points, const std::filesystem::path& out, bool overwrite,
                  Progress& progress);

}  // namespace ks::io
