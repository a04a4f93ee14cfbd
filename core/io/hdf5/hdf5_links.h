#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/io/hdf5/hdf5.h"

/// Lists what a group links to in one pass: to find a link by its index, HDF5 counts from the first one.
namespace ks::io::h5 {

/// One link of a group.
struct Link {
    std::string name;
    bool hard = true;  ///< false: soft, external or user-defined
};
/// Links of a group ordered by name (bytewise); of a damaged group, those before the damage.
std::vector<Link> links_in(hid_t group);
/// Their names.
std::vector<std::string> names_in(hid_t group);

/// An object found during a walk; `object` is invalid if a link is broken.
struct Met {
    std::string path, name;
    std::string target;  ///< of soft and external links
    const Handle& object;
    bool group = false;
    std::string note;  ///< why the walk does not enter a group: "same as /entry/data"; else empty
};
/// Calls `meet` for every object below a group, ordered by name. If `meet` returns true for a group, the walk
/// enters it. Links are followed. A group with several names is entered only under the first one, and no
/// group deeper than 256 levels is entered.
void walk(hid_t group, const std::string& path, const std::function<bool(const Met&)>& meet);

}  // namespace ks::io::h5
