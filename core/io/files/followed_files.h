#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"

/// Files that are read because another file names them: sources of virtual datasets, files behind external
/// links and of external storage, inputs of saved runs. A file may name what lies in its own folder and in
/// the folders below, links followed; that of a file that was itself reached so counts beside the folder of
/// the file that led to it. What lies elsewhere is read where the user says so: --trust, a folder of
/// KERNELSCOPE_TRUSTED_FOLDERS, an answer in the window. Pipes, sockets and devices are never opened.
namespace ks::io {

/// A name that was not followed.
struct NamedElsewhere {
    std::filesystem::path named, from;  ///< without links
    bool operator==(const NamedElsewhere&) const = default;
};

/// Why a name is not followed, in a sentence without the place, and what the user can do about it.
struct Refusal {
    std::string why, hint;
};

/// A name that leads elsewhere, or to a pipe and the like.
class NotFollowed : public Error {
  public:
    NotFollowed(const Refusal& refusal, const std::string& where)
        : Error(ErrorKind::input, refusal.why, where, refusal.hint) {}
};

/// The file that a name leads to, as it is now: another one in its place, or one that was changed, is not
/// equal.
struct FileIdentity {
    std::uint64_t device, inode;
    std::int64_t seconds, nanoseconds;  ///< of its last change
    bool operator==(const FileIdentity&) const = default;
};
/// Nothing where there is no such file.
std::optional<FileIdentity> identity_of(const std::filesystem::path& file);

/// Why `from` may not have `named` opened; nothing where it may, or where there is no such file. Remembers
/// what was followed and what was not.
std::optional<Refusal> why_not_followed(const std::filesystem::path& named,
                                        const std::filesystem::path& from);
/// Throws NotFollowed(input) where why_not_followed() gives a reason.
/// @param where the place of the name, for the message
void require_followed(const std::filesystem::path& named, const std::filesystem::path& from,
                      const std::string& where);

/// From now on all names are followed but those of pipes, sockets and devices: --trust.
void follow_all_names();
bool follows_all_names();
/// From now on, and in later processes of this user, files in the folder of `from` may name those in the
/// folder of `named`.
void allow_following(const NamedElsewhere& name);

/// Names that were not followed since this was last asked, each once.
std::vector<NamedElsewhere> take_not_followed();
/// The files that were followed from `file`, at once or through others, by name.
std::vector<std::filesystem::path> followed_from(const std::filesystem::path& file);

}  // namespace ks::io
