#include "core/io/hdf5/series/way_to_frames.h"

#include <fmt/format.h>

#include "core/io/hdf5/hdf5_links.h"
#include "core/io/hdf5/nexus.h"

namespace ks::io {
namespace {

std::string first_of_class(hid_t group, const std::string& nx_class) {
    for (const std::string& name : h5::names_in(group)) {
        const h5::Handle object = child(group, name);
        if (object.valid() && h5::is_group(object) && h5::nx_class(object) == nx_class) return name;
    }
    return {};
}

/// Empty if there is none.
std::string name_of_default(hid_t group) {
    const std::string name = h5::attribute(group, "default").value_or("");
    return name == "." ? std::string() : name;
}

}  // namespace

Error SearchedFile::wrong(const std::string& what, const std::string& path) const {
    return Error(ErrorKind::input, what, where(path), "name the frames as FILE::/path");
}

bool has_link(hid_t group, const std::string& name) {
    return !name.empty() && H5Lexists(group, name.c_str(), H5P_DEFAULT) > 0;
}

WayToFrames::WayToFrames(const SearchedFile& file, const std::string& path)
    : file_(file), begin_(path), path_(path), object_(h5::open_object(file.file, file.name, path)) {}

std::string WayToFrames::signal() const {
    // "1" marks a dataset, not a group; some writers set it on groups nevertheless
    if (const auto name = h5::attribute(object_, "signal");
        name && !name->empty() && (*name != "1" || has_link(object_, *name)))
        return *name;
    for (const std::string& name : h5::names_in(object_)) {
        const h5::Handle object = child(object_, name);
        if (object.valid() && h5::is_dataset(object) && h5::attribute(object, "signal") == "1") return name;
    }
    return {};
}

bool WayToFrames::go_on(UsualNames names) {
    constexpr int most_steps = 16;  // `default` attributes may form a cycle
    if (++steps_ == most_steps || !h5::is_group(object_)) return false;
    if (const std::string next = name_of_default(object_); !next.empty()) {
        const std::string named = join(path_, next);
        try {
            object_ = h5::open_object(file_.file, file_.name, named);
        } catch (const Error& error) {
            throw file_.wrong(fmt::format("the attribute `default` of {} names {}, which cannot be used: {}",
                                          path_, named, error.message()),
                              begin_);
        }
        path_ = named;
        return true;
    }
    std::string next = first_of_class(object_, "NXentry");
    if (next.empty()) next = first_of_class(object_, "NXdata");
    for (const char* usual : {"entry", "data"})
        if (next.empty() && names == UsualNames::yes)
            if (const h5::Handle object = child(object_, usual); object.valid() && h5::is_group(object))
                next = usual;
    if (next.empty()) return false;
    object_ = child(object_, next);
    path_ = join(path_, next);
    return object_.valid();
}

}  // namespace ks::io
