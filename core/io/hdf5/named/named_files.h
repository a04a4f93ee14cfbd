#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "core/io/files/followed_files.h"
#include "core/io/hdf5/hdf5.h"

/// The files that objects of an HDF5 file name, where HDF5 searches for them, and whether they may be opened
/// (core/io/files/followed_files.h). HDF5 opens them itself without asking, so this checks beforehand.
namespace ks::io {

enum class NameKind { external_link, virtual_source, raw };

/// Calls `take` with each existing file of that name where HDF5 searches, in its order, until it returns
/// true; false if it never does.
/// @param master the file that names it
bool any_named(NameKind kind, const std::string& name, const std::filesystem::path& master,
               const std::function<bool(const std::filesystem::path&)>& take);
/// The first of them; nothing if there is none.
std::optional<std::filesystem::path> file_named(NameKind kind, const std::string& name,
                                                const std::filesystem::path& master);

/// Why the file that HDF5 would open for a name may not be opened; nothing if it may, or if there is none.
std::optional<Refusal> why_not_opened(NameKind kind, const std::string& name,
                                      const std::filesystem::path& master);

/// Calls `take` with each file name in a dataset: those of its external storage and of its virtual sources;
/// for a numbered source ("part_%b.h5"), as many as exist.
void for_each_name(hid_t dataset, const std::function<void(NameKind, const std::string&)>& take);

namespace h5 {

/// Why a dataset may not be used: one of the files that it names may not be opened. Call this function before
/// querying the extent of the dataset, because for the extent HDF5 opens the sources of virtual datasets
/// without an end. This function opens the same sources, but no others, to check which files they name.
std::optional<Refusal> why_not_used(hid_t dataset);
/// False if values of the dataset would come from a file that may not be opened, including through sources of
/// sources. Opens the sources.
bool values_followed(hid_t dataset);

}  // namespace h5

}  // namespace ks::io
