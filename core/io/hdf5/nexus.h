#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/data/geometry.h"
#include "core/io/hdf5/hdf5.h"
#include "core/io/hdf5/hdf5_write.h"
#include "core/io/hdf5/series/numbered_datasets.h"

namespace ks::io {

/// The path of `name` in a group: "/entry" and "data" give "/entry/data"; a name that starts with "/"
/// is returned unchanged.
std::string join(const std::string& group, const std::string& name);
/// The object to which the link `name` of a group leads; invalid if there is no such link or it is broken.
h5::Handle child(hid_t group, const std::string& name);

/// Paths of the numeric datasets below a group with `rank` dimensions; an object with several names
/// is listed once.
std::vector<std::string> numeric_datasets(hid_t group, const std::string& path, std::size_t rank);

/// The path of a dataset, or a series of datasets with one frame each.
using DefaultFrames = std::variant<std::string, NumberedDatasets>;
/// What is meant if a file or the group at `path` is named instead of a dataset, the first that exists of:
/// - the signal that the file designates. The NXdata is found by the attributes `default` from the root down,
///   else as the first one of the first NXentry. Its attribute `signal` names the dataset, else its dataset
///   with the attribute signal = 1 is meant;
/// - /entry/data/data;
/// - the only dataset of rank 3;
/// - the only numbered datasets of rank 2;
/// - the only dataset of rank 2.
///
/// Throws ks::Error(input) if a designated dataset cannot be opened as frames (saying why: no other one is
/// tried), if there is none, if there are several (listing them), or if a broken link may have been one. For
/// series in parts, see series_parts().
DefaultFrames default_frames(const h5::Handle& file, const std::string& file_name, const std::string& path);

/// A group and the paths of all groups of one NX_class below it.
struct ClassGroup {
    std::string path;
    h5::Handle group;
};
/// Groups below the root with that NX_class. Groups without an NX_class that have the name `named` are also
/// accepted.
std::vector<ClassGroup> groups_of_class(hid_t root, const std::string& nx_class,
                                        const std::string& named = {});

/// Kinds of units. Factor to the base unit (mm for lengths, angstrom for wavelengths, keV, s).
enum class Quantity { length, wavelength, energy, time };
/// Throws ks::Error(input) naming an unknown unit.
double unit_factor(Quantity quantity, const std::string& unit, const std::string& where);

/// A number in a group, with its unit.
struct Measured {
    double value = 0;
    std::optional<std::string> unit;
    std::string path;
    std::string to_string() const;  ///< "0.5 ms"
};
/// The field `name` of a group if it exists and holds one number (or the same number many times), which may
/// be NaN or infinite.
std::optional<Measured> measured(const ClassGroup& group, const std::string& name);

/// Describes the content of a field that is not a single number: "36 numbers from 0.1 to 0.3",
/// "the string "x"".
std::string content_text(hid_t dataset);

/// Writes beam centre, distance and pixel sizes of the detector and the wavelength below /entry/instrument,
/// without those that are unknown. The groups of instrument and detector must exist.
void write_geometry(h5::Writer& out, const Geometry& geometry);

}  // namespace ks::io
