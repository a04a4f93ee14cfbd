#pragma once

#include <string>

#include "core/base/error.h"
#include "core/io/hdf5/hdf5.h"

namespace ks::io {

/// A file that frames are looked for in, and its name.
struct SearchedFile {
    const h5::Handle& file;
    const std::string& name;
    std::string where(const std::string& path) const { return path == "/" ? name : name + "::" + path; }
    /// ks::Error(input) about what was found below `path`.
    Error wrong(const std::string& what, const std::string& path) const;
};

/// The groups on the way to the frames that a file shows, from an object of it on: the one that `default`
/// names, else the first NXentry, else the first NXdata.
class WayToFrames {
  public:
    /// Throws ks::Error(input) where there is no such object.
    WayToFrames(const SearchedFile& file, const std::string& path);

    const std::string& path() const { return path_; }
    const h5::Handle& object() const { return object_; }
    /// The name of the signal of the group, whether that is there or not; empty where it names none.
    std::string signal() const;

    enum class UsualNames { no, yes };
    /// To the next group, where no class tells also to one called entry or data if these names count. False
    /// where there is none. Throws ks::Error(input) where what `default` names cannot be opened.
    bool go_on(UsualNames names);

  private:
    SearchedFile file_;
    std::string begin_, path_;
    h5::Handle object_;
    int steps_ = 0;
};

/// Whether a group has something of that name, be it a link that leads nowhere.
bool has_link(hid_t group, const std::string& name);

}  // namespace ks::io
