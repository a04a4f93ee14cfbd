#include "core/io/open_frames.h"

#include "core/io/describe_contents.h"
#include "core/io/frame_format.h"

namespace ks::io {

std::shared_ptr<FrameSource> open_frames(const std::string& name) {
    const DataName data = DataName::parse(name);
    return format_to_read(data).open(data);
}

std::optional<Geometry> read_geometry(const std::string& frames) {
    std::vector<GeometryFault> faults;
    std::optional<Geometry> geometry = read_geometry(frames, faults);
    if (!faults.empty()) throw faults.front().error;
    return geometry;
}

std::optional<Geometry> read_geometry(const std::string& frames, std::vector<GeometryFault>& faults) {
    const DataName name = DataName::parse(frames);
    const FrameFormat& format = format_to_read({name.file, {}});
    return format.geometry ? format.geometry(name, faults) : std::nullopt;
}

FileNode read_tree(const std::filesystem::path& file) {
    return format_to_read({file, {}}).tree(file);
}

std::string describe(const std::string& name) {
    const DataName data = DataName::parse(name);
    std::error_code ignored;
    const std::string of_file = info_row(
        "file", data.file.string() + ", " + bytes_text(std::filesystem::file_size(data.file, ignored)));
    const bool csv = format_of(data) == nullptr && suffix_of(data.file) == ".csv";
    return of_file + (csv ? describe_csv(data.file) : format_to_read(data).describe(data));
}

}  // namespace ks::io
