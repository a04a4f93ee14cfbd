#include "core/io/open_frames.h"

#include <fmt/format.h>

#include "core/io/describe_contents.h"
#include "core/io/frame_format.h"
#include "core/io/series/series.h"
#include "core/io/series/series_frames.h"
#include "core/io/stored_frames.h"

namespace ks::io {
namespace {

void require_no_object(const DataName& series) {
    if (series.object.empty()) return;
    throw Error(ErrorKind::input,
                fmt::format("a series of files has no objects, but the object {} was given", series.object),
                series.to_string(), "name one file, or omit the object and the colons");
}

std::shared_ptr<StoredFrames> stored_frames(const FrameFormat& format, const DataName& name) {
    return std::dynamic_pointer_cast<StoredFrames>(format.open(name));
}

}  // namespace

std::shared_ptr<FrameSource> open_frames(const std::string& name) {
    const DataName data = DataName::parse(name);
    if (!is_series(data.file)) return format_to_read(data).open(data);
    require_no_object(data);
    return std::make_shared<SeriesFrames>(data.file);
}

std::optional<Geometry> read_geometry(const std::string& frames) {
    std::vector<GeometryFault> faults;
    std::optional<Geometry> geometry = read_geometry(frames, faults);
    if (!faults.empty()) throw faults.front().error;
    return geometry;
}

std::optional<Geometry> read_geometry(const std::string& frames, std::vector<GeometryFault>& faults) {
    const DataName given = DataName::parse(frames), name{first_file(given.file), given.object};
    const FrameFormat& format = format_to_read({name.file, {}});
    return format.geometry ? format.geometry(name, faults) : std::nullopt;
}

FileNode read_tree(const std::filesystem::path& file) {
    if (is_series(file)) return tree_of_series(file);
    const FrameFormat& format = format_to_read({file, {}});
    return format.tree ? format.tree(file) : tree_of_frames(file, *stored_frames(format, {file, {}}));
}

namespace {

/// Empty for a format that has no geometry.
std::string geometry_row(const DataName& file) {
    const FrameFormat& format = format_to_read(file);
    if (!format.geometry) return {};
    std::vector<GeometryFault> faults;
    const std::optional<Geometry> geometry = format.geometry(file, faults);
    return geometry_text(geometry, faults);
}

}  // namespace

std::string describe(const std::string& name) {
    const DataName data = DataName::parse(name);
    if (is_series(data.file)) {
        require_no_object(data);
        return describe_series(data.file) + geometry_row({first_file(data.file), {}});
    }
    std::error_code ignored;
    const std::string of_file = info_row(
        "file", data.file.string() + ", " + bytes_text(std::filesystem::file_size(data.file, ignored)));
    const bool csv = format_of(data) == nullptr && suffix_of(data.file) == ".csv";
    if (csv) return of_file + describe_csv(data.file);
    const FrameFormat& format = format_to_read(data);
    if (format.describe) return of_file + format.describe(data);
    const std::string frames = describe_frames(*stored_frames(format, data));
    return of_file + frames + geometry_row(data);
}

}  // namespace ks::io
