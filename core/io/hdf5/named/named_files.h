#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "core/io/files/followed_files.h"
#include "core/io/hdf5/hdf5.h"

/// Files that objects of an HDF5 file name, where HDF5 looks for them, and whether they may be opened
/// (core/io/files/followed_files.h). HDF5 opens them itself and asks nobody, so this looks before.
namespace ks::io {

enum class NameKind { external_link, virtual_source, raw };

/// Calls `take` with each file of that name where HDF5 looks, in its order, until it returns true; false
/// where it never does. @param master the file that names it
bool any_named(NameKind kind, const std::string& name, const std::filesystem::path& master,
               const std::function<bool(const std::filesystem::path&)>& take);
/// The first of them; nothing where there is none.
std::optional<std::filesystem::path> file_named(NameKind kind, const std::string& name,
                                                const std::filesystem::path& master);

/// Why the file that HDF5 would open for a name may not be opened; nothing where it may, or where there is
/// none.
std::optional<Refusal> why_not_opened(NameKind kind, const std::string& name,
                                      const std::filesystem::path& master);

/// Calls `take` with each name of a file that a dataset has: those of its external storage, and of its
/// virtual sources; of a numbered one ("part_%b.h5") as many as there are.
void for_each_name(hid_t dataset, const std::function<void(NameKind, const std::string&)>& take);

namespace h5 {

/// Why a dataset may not be used: one of the files that it names may not be opened. To be asked before the
/// extent of the dataset is, for which HDF5 opens sources of endless virtual datasets; only these are opened
/// here, too, to look at what they name.
std::optional<Refusal> why_not_used(hid_t dataset);
/// False where values of the dataset would come from a file that may not be opened, also by sources of
/// sources. Opens the sources.
bool values_followed(hid_t dataset);

}  // namespace h5

}  // namespace ks::io
