#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace ks {

/// The files behind the inputs of a run as they were when they were opened, so that one that changes in place
/// while it is read is found out: a result of two halves of it would be wrong without a word.
class FileStates {
  public:
    /// Takes the state of a file now: identity (device and inode), size and time of modification. A file that
    /// is there already keeps the state that was taken first. Names of what is no file are left out.
    /// @param grows it is written while it is read (SWMR): then only its identity counts
    void add(const std::filesystem::path& file, bool grows = false);
    void add(const FileStates& others);

    /// Their names.
    std::vector<std::filesystem::path> files() const;
    /// The first file that is not what it was; nothing where all are.
    std::optional<std::filesystem::path> changed() const;
    /// Throws ks::Error(input) naming it.
    void require_unchanged() const;

  private:
    struct State {
        std::filesystem::path file;
        std::uint64_t device, inode, bytes;
        std::int64_t seconds, nanoseconds;  ///< of the modification
        bool grows;
    };
    static std::optional<State> state_of(const std::filesystem::path& file, bool grows);
    void add(const State& state);

    std::vector<State> states_;
};

/// What may know files that a request does not name: frames, and problems made of them. External links,
/// virtual datasets and external storage lead there.
class FromFiles {
  public:
    virtual ~FromFiles() = default;
    /// As they were when they were opened.
    virtual const FileStates& files() const = 0;
};

}  // namespace ks
