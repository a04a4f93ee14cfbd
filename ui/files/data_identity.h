#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

/// Which names refer to the same data. What users do with data (mask, bins, geometry, parameters, runs)
/// belongs to the data, whatever the name under which they were opened: a symbolic link or its target,
/// "img_*.tif" or "img_####.tif" for the same files, a file or the dataset in it that is opened by default.
///
/// A name is resolved once, in a job, because its disk may not respond. Until then, names refer to the same
/// data only if they are equal as absolute paths. The results are kept for the process.
namespace ks::ui {

/// Accesses the disk: the file with its links resolved; of a series the pattern that means exactly its files,
/// if there is one. The same is determined for the mentioned files in the same folder.
std::string resolveFile(const std::filesystem::path& file);
/// Data with this name were opened, and are those of `identity`: "FILE" or "FILE::/path" with a resolved
/// file.
void rememberIdentity(const std::string& name, const std::string& identity);
/// Another file, for example one that a run has read. It is resolved with the next file in its folder.
/// Accesses no disk.
void mentionFile(const std::string& file);

// Absolute names, without access to the disk.

std::string resolvedFile(const std::string& file);
/// @param name "FILE" or "FILE::/path"
std::string identityOf(const std::string& name);
/// Where the file of a name ends. A folder whose name contains "::/" is taken for a file with an object,
/// always.
std::size_t endOfFile(const std::string& name);
/// Whether both names refer to the same data as far as is known.
bool isSameData(const std::string& one, const std::string& other);

}  // namespace ks::ui
