#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/io/files/file_stamp.h"
#include "core/io/series/series.h"

namespace ks {

/// The files behind the inputs of a run, as they were when opened. This serves to detect a file that changes
/// while it is read: a result made from two versions of a file would be wrong without any sign of it.
class FileStates {
  public:
    /// Records the present state of a file: identity (device and inode), size and modification time. A file
    /// that is already known keeps the state recorded first. The name of a series stands for the list of its
    /// files, whose states are added by their own names. Other names are ignored.
    /// @param grows the file is written while it is read (SWMR): then only its identity counts
    void add(const std::filesystem::path& file, bool grows = false);
    /// The list of files of a series as it was found; the same as by its name, without listing its folder
    /// again.
    void add(const io::Series& series);
    /// A file that belongs to the data but cannot be used: as add(); if there is no such file, it is
    /// missing().
    void add_unusable(const std::filesystem::path& file);
    void add(const FileStates& others);

    /// Their names, without those of series.
    std::vector<std::filesystem::path> files() const;
    std::size_t count() const { return states_.size(); }
    /// The recorded state of a file; null: it has none.
    const io::FileState* find(const std::filesystem::path::string_type& file) const;
    /// Files of the data that did not exist.
    const std::vector<std::filesystem::path>& missing() const { return missing_; }
    /// The first file that has changed or is no longer missing, or the first series that consists of other
    /// files now; nothing if there is neither.
    std::optional<std::filesystem::path> changed() const;
    /// Throws ks::Error(input) naming the first file that has changed. A series may have got more files: what
    /// was opened does not read them.
    void require_unchanged() const;

    bool operator==(const FileStates&) const = default;

  private:
    struct State {
        std::filesystem::path file;
        io::FileState state;
        bool grows;
        bool operator==(const State&) const = default;
    };
    struct Series {
        std::filesystem::path name;
        std::vector<std::filesystem::path> files;
        bool operator==(const Series&) const = default;
    };
    void add(const State& state);
    void add(const Series& series);
    void add_missing(const std::filesystem::path& file);
    std::optional<std::filesystem::path> changed_file() const;

    std::vector<Series> series_;
    std::vector<std::filesystem::path> missing_;
    std::vector<State> states_;
    std::unordered_map<std::filesystem::path::string_type, std::size_t> index_;  ///< in states_, by name
};

/// Base of frames and of problems made from frames. Through external links, virtual datasets or external
/// storage, they may depend on files that the request does not name.
class FromFiles {
  public:
    virtual ~FromFiles() = default;
    /// The files as they were when opened.
    virtual const FileStates& files() const = 0;
};

}  // namespace ks
