#pragma once

#include <string>

#include "core/base/error.h"
#include "core/io/hdf5/hdf5.h"

namespace ks::io {

/// A file in which frames are searched, and its name.
struct SearchedFile {
    const h5::Handle& file;
    const std::string& name;
    std::string where(const std::string& path) const { return path == "/" ? name : name + "::" + path; }
    /// ks::Error(input) about something found below `path`.
    Error wrong(const std::string& what, const std::string& path) const;
};

/// The groups on the path to the frames that a file shows, starting from one of its objects: the one that
/// `default` names, else the first NXentry, else the first NXdata.
class WayToFrames {
  public:
    /// Throws ks::Error(input) if there is no such object.
    WayToFrames(const SearchedFile& file, const std::string& path);

    const std::string& path() const { return path_; }
    const h5::Handle& object() const { return object_; }
    /// The name of the group's signal, whether it exists or not; empty if the group designates none.
    std::string signal() const;

    enum class UsualNames { no, yes };
    /// Advances to the next group. If no class identifies it, a group with the name entry or data is
    /// accepted, provided that such names count. False if there is no next group. Throws ks::Error(input) if
    /// the object that `default` names cannot be opened.
    bool go_on(UsualNames names);

  private:
    SearchedFile file_;
    std::string begin_, path_;
    h5::Handle object_;
    int steps_ = 0;
};

/// Whether a group has a link of that name, even a broken one.
bool has_link(hid_t group, const std::string& name);

}  // namespace ks::io
