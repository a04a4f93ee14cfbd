#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/io/hdf5.h"

namespace ks::io {

/// Paths of the numeric datasets below a group with `rank` dimensions; an object with several names is listed
/// once.
std::vector<std::string> numeric_datasets(hid_t group, const std::string& path, std::size_t rank);

/// Path of the dataset that a NeXus file shows by default, below `path` ("/" or a group): attributes
/// `default` from the root down, else the first NXentry and NXdata; then @signal of the NXdata, else its
/// dataset with @signal = 1.
std::optional<std::string> default_signal(hid_t group, const std::string& path);

/// The dataset that is meant where a file or a group is named instead of a dataset: the default signal, else
/// /entry/data/data, else the only dataset of rank 3, else the only one of rank 2.
/// Throws ks::Error(input) where there is none, or several candidates (listing them).
std::string default_frames(hid_t group, const std::string& path, const std::string& file_name);

/// A group with the paths of all groups of one NX_class below.
struct ClassGroup {
    std::string path;
    h5::Handle group;
};
/// Groups below the root with that NX_class; `named` also accepts groups of that name without NX_class.
std::vector<ClassGroup> groups_of_class(hid_t root, const std::string& nx_class,
                                        const std::string& named = {});

/// Length and other units. Factor to the base unit (mm for lengths, angstrom for wavelengths, keV, s).
enum class Quantity { length, wavelength, energy, time };
/// Throws ks::Error(input) naming an unknown unit.
double unit_factor(Quantity quantity, const std::string& unit, const std::string& where);

/// A number of a group with its unit.
struct Measured {
    double value = 0;
    std::optional<std::string> unit;
    std::string path;
};
/// The field `name` of a group where it is there and holds one number (or the same number many times), which
/// may be NaN or infinite.
std::optional<Measured> measured(const ClassGroup& group, const std::string& name);

/// Seconds from frame to frame: `frame_time` of the first NXdetector that has it in a known unit (none given:
/// s).
std::optional<double> frame_time(hid_t root);

}  // namespace ks::io
