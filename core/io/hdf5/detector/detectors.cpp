#include "core/io/hdf5/detector/detectors.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <variant>

#include "core/base/error.h"
#include "core/io/hdf5/hdf5_links.h"
#include "core/io/hdf5/series_parts.h"
#include "core/io/hdf5/stack_axes.h"
#include "core/io/hdf5/virtual_mapping.h"

namespace ks::io {
namespace {

/// The datasets of a file that contain the frames.
struct Chosen {
    std::vector<std::string> paths;
    std::set<std::string> ids;           ///< see h5::object_id()
    std::vector<h5::Handle> datasets{};  ///< kept open so that linked files keep their numbers

    void add(h5::Handle dataset, const std::string& path) {
        paths.push_back(path);
        ids.insert(h5::object_id(dataset));
        datasets.push_back(std::move(dataset));
    }
};

/// The dataset that a group stands for, or the first one of a series in it that can be opened.
std::string dataset_in(const h5::Handle& file, const std::string& file_name, const std::string& group) {
    if (const auto parts = series_parts(file, file_name, group)) {
        for (const std::string& name : parts->names) {
            const std::string path = join(parts->group, name);
            if (h5::exists(file, path)) return path;
        }
    }
    const DefaultFrames found = default_frames(file, file_name, group);
    if (const auto* numbered = std::get_if<NumberedDatasets>(&found))
        return join(numbered->group, numbered->names.front());
    return std::get<std::string>(found);
}

/// Empty if the frames cannot be opened: opening them reports the reason.
Chosen chosen(const h5::Handle& file, const DataName& frames) try {
    const std::string file_name = frames.file.string();
    std::string path = frames.object.empty() ? "/" : h5::ScanName::of(file, frames.object).path;
    h5::Handle object = h5::open_object(file, file_name, path);
    if (h5::is_group(object)) {
        path = dataset_in(file, file_name, path);
        object = h5::open_object(file, file_name, path);
    }
    Chosen made{};
    const h5::Handle properties(H5Dget_create_plist(object));
    if (H5Pget_layout(properties) == H5D_VIRTUAL)
        for (const VirtualMapping& mapping : virtual_mappings(properties, h5::shape_of(object)))
            if (mapping.file == ".") made.add(h5::open_object(file, file_name, mapping.path), mapping.path);
    made.add(std::move(object), path);
    return made;
} catch (const Error&) {
    return {};
}

std::string entry_of(const std::string& path) {
    return path.substr(0, path.find('/', 1));
}

bool holds(const ClassGroup& group, const Chosen& frames) {
    constexpr std::size_t most_links = 256;
    for (const std::string& path : frames.paths)
        if (path.starts_with(group.path + "/")) return true;
    const std::vector<std::string> names = h5::names_in(group.group);
    return names.size() <= most_links && std::ranges::any_of(names, [&](const std::string& name) {
               const h5::Handle object = child(group.group, name);
               return object.valid() && h5::is_dataset(object) && frames.ids.contains(h5::object_id(object));
           });
}

bool in_same_entry(const ClassGroup& group, const Chosen& frames) {
    return std::ranges::any_of(
        frames.paths, [&](const std::string& path) { return entry_of(path) == entry_of(group.path); });
}

/// Those that fit; all if none does.
template <class Fits>
void keep_fitting(std::vector<ClassGroup>& groups, const Fits& fits) {
    const auto others = std::stable_partition(groups.begin(), groups.end(), fits);
    if (others != groups.begin()) groups.erase(others, groups.end());
}

double seconds_of(const ClassGroup& detector, const std::string& file) {
    const std::string where = file + "::" + join(detector.path, "frame_time");
    const std::string expected = "expected a frame time greater than 0, found ", hint = "set the frame time";
    const std::optional<Measured> time = measured(detector, "frame_time");
    if (!time)
        throw Error(ErrorKind::input, expected + content_text(child(detector.group, "frame_time")), where,
                    hint);
    if (!(time->value > 0) || !std::isfinite(time->value))
        throw Error(ErrorKind::input, expected + time->to_string(), where, hint);
    return time->value * unit_factor(Quantity::time, time->unit.value_or("s"), where);
}

}  // namespace

std::vector<ClassGroup> detectors_of(const h5::Handle& file, const DataName& frames) {
    const h5::Lock lock;
    std::vector<ClassGroup> groups = groups_of_class(file, "NXdetector", "detector");
    if (groups.size() < 2) return groups;
    const Chosen of = chosen(file, frames);
    keep_fitting(groups, [&](const ClassGroup& group) { return in_same_entry(group, of); });
    keep_fitting(groups, [&](const ClassGroup& group) { return holds(group, of); });
    return groups;
}

std::vector<std::string> closed_detectors(const h5::Handle& file) {
    constexpr std::size_t most_entries = 64;
    const h5::Lock lock;
    std::vector<std::string> closed;
    const std::vector<std::string> names = h5::names_in(file);
    if (names.size() > most_entries) return closed;
    for (const std::string& entry : names) {
        h5::Handle at = child(file, entry);
        std::string path = "/" + entry;
        for (const char* next : {"instrument", "detector"}) {
            if (!at.valid() || !h5::is_group(at) || H5Lexists(at, next, H5P_DEFAULT) <= 0) break;
            at = child(at, next);
            path += std::string("/") + next;
            if (!at.valid()) closed.push_back(path);
        }
    }
    return closed;
}

std::vector<ClassGroup> groups_near(const h5::Handle& file, const DataName& frames,
                                    const std::string& nx_class, const std::string& named) {
    const h5::Lock lock;
    std::vector<ClassGroup> groups = groups_of_class(file, nx_class, named);
    if (groups.size() < 2) return groups;
    const Chosen of = chosen(file, frames);
    std::stable_partition(groups.begin(), groups.end(),
                          [&](const ClassGroup& group) { return in_same_entry(group, of); });
    return groups;
}

FrameTime frame_time(const h5::Handle& file, const DataName& frames) {
    FrameTime made;
    for (const ClassGroup& detector : detectors_of(file, frames)) {
        const h5::Handle field = child(detector.group, "frame_time");
        const bool closed = !field.valid() && H5Lexists(detector.group, "frame_time", H5P_DEFAULT) > 0;
        if (closed && !made.fault)
            made.fault = frames.file.string() + "::" + join(detector.path, "frame_time") +
                         ": the object cannot be opened; set the frame time";
        if (!field.valid() || !h5::is_dataset(field)) continue;
        try {
            return {seconds_of(detector, frames.file.string()), std::nullopt};
        } catch (const Error& error) {
            // Frames open without their times; a caller that needs seconds sets them.
            if (!made.fault) made.fault = error.what();
        }
    }
    return made;
}

}  // namespace ks::io
