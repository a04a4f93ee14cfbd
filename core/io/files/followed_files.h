#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"

/// Files that are read because another file names them: sources of virtual datasets, files behind external
/// links and external storage, inputs of saved runs. A file may name files in its own folder and below, after
/// resolving links. If the file was itself named by another file, files in the folder of that other file are
/// allowed as well. Files elsewhere are read only with the user's consent: --trust, a folder in
/// KERNELSCOPE_TRUSTED_FOLDERS, or an answer in the window. Pipes, sockets and devices are never opened.
namespace ks::io {

/// A name that was not followed.
struct NamedElsewhere {
    std::filesystem::path named, from;  ///< links resolved
    bool operator==(const NamedElsewhere&) const = default;
};

/// Why a name is not followed, as a sentence without the place, and what the user can do.
struct Refusal {
    std::string why, hint;
    std::vector<std::string> untrusted = {};  ///< names of the files that the user would have to trust
};

/// A name that leads outside, or to a pipe or the like.
class NotFollowed : public Error {
  public:
    NotFollowed(const Refusal& refusal, const std::string& where)
        : Error(ErrorKind::input, refusal.why, where, refusal.hint) {}
};

/// The file to which a name leads, as it is now. If it is modified, or another file takes its place, the
/// result differs.
struct FileIdentity {
    std::uint64_t device, inode;
    std::int64_t seconds, nanoseconds;  ///< time of its last change
    bool operator==(const FileIdentity&) const = default;
};
/// Nothing if there is no such file.
std::optional<FileIdentity> identity_of(const std::filesystem::path& file);

/// Why `from` may not open `named`; nothing if it may, or if there is no such file. Records what was followed
/// and what was not.
std::optional<Refusal> why_not_followed(const std::filesystem::path& named,
                                        const std::filesystem::path& from);
/// The same for several names, all of whose reasons are given in one.
std::optional<Refusal> why_not_followed(const std::vector<std::filesystem::path>& named,
                                        const std::filesystem::path& from);
/// Throws NotFollowed(input) if why_not_followed() gives a reason.
/// @param where the place of the name, for the message
void require_followed(const std::filesystem::path& named, const std::filesystem::path& from,
                      const std::string& where);

/// From now on all names are followed, except pipes, sockets and devices: --trust.
void follow_all_names();
bool follows_all_names();
/// From now on the hints of refusals are for a window, which asks when a file is opened, instead of naming
/// options of the command line.
void advise_for_window();
/// From now on, and in later processes of this user, files in the folder of `from` may name files in the
/// folder of `named`.
void allow_following(const NamedElsewhere& name);

/// Names that were not followed since the last call, each once.
std::vector<NamedElsewhere> take_not_followed();
/// The files that were reached from `file`, directly or through others, by name.
std::vector<std::filesystem::path> followed_from(const std::filesystem::path& file);

}  // namespace ks::io
