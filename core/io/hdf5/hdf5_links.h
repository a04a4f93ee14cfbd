#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/io/hdf5/hdf5.h"

/// What a group links to, listed in one pass: HDF5 finds a link by its number only after counting from the
/// first.
namespace ks::io::h5 {

/// One link of a group.
struct Link {
    std::string name;
    bool hard = true;  ///< false: soft, external or of a user's own kind
};
/// Links of a group in the order of names (of bytes); of a damaged group those before the damage.
std::vector<Link> links_in(hid_t group);
/// Their names.
std::vector<std::string> names_in(hid_t group);

/// One object that a walk meets; `object` is invalid where a link leads nowhere.
struct Met {
    std::string path, name;
    std::string target;  ///< of soft and external links
    const Handle& object;
    bool group = false;
    std::string note;  ///< why the walk goes no further into a group: "same as /entry/data"; else empty
};
/// Calls `meet` for every object below a group in the order of names; true from `meet` descends into a group.
/// Links are followed; a group that is reached by several names is entered by the first one only, and none
/// that is deeper than 256 groups.
void walk(hid_t group, const std::string& path, const std::function<bool(const Met&)>& meet);

}  // namespace ks::io::h5
