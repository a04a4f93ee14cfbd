#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_set>

namespace ks::io {

/// What this user has run, opened or agreed to, as hashes in a file in the user's data folder: one line per
/// entry, its kind and a SHA-256, "kernel 9f86d0..". No file from elsewhere can add to it. May be used from
/// several threads, and the file by several processes.
class TrustList {
  public:
    /// @param file may be missing; empty: entries last until the process ends
    explicit TrustList(std::filesystem::path file) : file_(std::move(file)) {}

    bool has(std::string_view kind, std::string_view what);
    /// If the file cannot be written, the entry lasts until the process ends.
    void add(std::string_view kind, std::string_view what);

  private:
    void read_again();

    std::filesystem::path file_;
    std::mutex guard_;
    std::unordered_set<std::string> lines_;
    std::string state_;  ///< state of the file when it was read
};

/// The user's list: `trusted` in data_folder().
TrustList& user_trust();

}  // namespace ks::io
