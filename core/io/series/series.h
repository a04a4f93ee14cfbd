#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// A series of files, each with one frame, under one name: "DIR/img_#####.tif" and the like (see
/// NamePattern), or the folder itself. The names of the files differ in one number, which is the place of the
/// frame.
namespace ks::io {

/// Largest number of files of a series, missing ones included.
constexpr std::size_t largest_series = 100'000;

struct NumberedFile {
    std::uint64_t number;
    std::filesystem::path file;
};

struct Series {
    std::filesystem::path name;       ///< as given
    std::filesystem::path folder;     ///< of all files; may be empty
    std::string pattern;              ///< "img_#####.tif"; the name of the only file if there is one
    std::vector<NumberedFile> files;  ///< by number, each number once; at least one file

    std::uint64_t first() const { return files.front().number; }
    /// Numbers from the first to the last one.
    std::size_t numbers() const { return static_cast<std::size_t>(files.back().number - first()) + 1; }
    /// Numbers without a file.
    std::vector<std::size_t> missing() const;
};

/// Whether the file of a data name is a series: a pattern, unless a file has literally this name, or a folder
/// that contains files of a format with one frame per file.
bool is_series(const std::filesystem::path& name);
/// Whether a file of this name counts for the series of its folder.
bool counts_in_folder(const std::string& name);
/// Finds the files. Reads the folder, not the files. Throws ks::Error(input): no such folder or file, names
/// that differ in more than one number, two files with the same number, several series in a folder, more
/// numbers than largest_series.
Series find_series(const std::filesystem::path& name);

/// The files for which the file of a data name stands: those of a series, otherwise the file itself. Throws
/// as find_series() does.
std::vector<std::filesystem::path> files_named(const std::filesystem::path& name);
/// One of these files, for queries that have the same answer for all of them.
std::filesystem::path first_file(const std::filesystem::path& name);

/// Whether the file exists, or at least one file of the series. Opens nothing.
bool is_there(const std::filesystem::path& name);

/// One name for several files: that of the file if it is one, a pattern "DIR/img_#####.tif" if this means
/// exactly these files, else braces. Throws ks::Error(input) if they are in several folders or of a format
/// that does not have one frame per file, and where find_series() does.
std::string series_name(const std::vector<std::string>& files);

}  // namespace ks::io
