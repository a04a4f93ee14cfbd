#include "core/io/frame_format.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/io/files/regular_file.h"

namespace ks::io {
namespace fs = std::filesystem;

// Each in the folder of the format.
FrameFormat hdf5_format();
FrameFormat tiff_format();
FrameFormat npy_format();
FrameFormat cbf_format();
FrameFormat edf_format();

std::span<const FrameFormat> frame_formats() {
    static const std::array formats{hdf5_format(), tiff_format(), npy_format(), cbf_format(), edf_format()};
    return formats;
}

namespace {

const FrameFormat* first_of(bool (*fits)(const FrameFormat&)) {
    const auto found = std::ranges::find_if(frame_formats(), fits);
    return found == frame_formats().end() ? nullptr : &*found;
}

bool has_no_bytes(const fs::path& file) {
    std::error_code failure;
    return fs::file_size(file, failure) == 0 && !failure;
}

}  // namespace

const FrameFormat* format_of_content(const fs::path& file) {
    std::error_code failure;
    if (!fs::is_regular_file(file, failure)) return nullptr;
    for (const FrameFormat& format : frame_formats())
        if (format.sniff(file)) return &format;
    return nullptr;
}

const FrameFormat* format_of_suffix(const fs::path& file) {
    const std::string suffix = suffix_of(file), two = suffix_of(file.stem()) + suffix;
    for (const FrameFormat& format : frame_formats())
        for (const std::string& known : format.suffixes)
            if (known == suffix || known == two) return &format;
    return nullptr;
}

const FrameFormat* format_of(const DataName& name) {
    if (const FrameFormat* format = format_of_content(name.file)) return format;
    if (const FrameFormat* format = format_of_suffix(name.file)) return format;
    return name.object.empty() ? nullptr : first_of([](const FrameFormat& format) { return format.objects; });
}

const FrameFormat& format_to_read(const DataName& name) {
    const FrameFormat* const format = format_of(name);
    const std::string noun = format ? format->noun : "a file in " + format_titles() + " format";
    require_regular(name.file, noun);
    if (has_no_bytes(name.file))
        throw Error(ErrorKind::input, "expected " + noun + ", found an empty file", name.file.string());
    if (!format) throw Error(ErrorKind::input, "not " + noun, name.file.string());
    if (!format->objects && !name.object.empty())
        throw Error(ErrorKind::input,
                    fmt::format("{} files contain one array and no objects, but the object {} was given",
                                format->title, name.object),
                    name.to_string(), "omit " + name.object + " and the colons");
    return *format;
}

bool can_write(const FrameFormat& format) {
    return format.objects || format.write_image != nullptr;
}

const FrameFormat& format_to_write(const fs::path& file) {
    if (const FrameFormat* format = format_of_suffix(file); format && can_write(*format)) return *format;
    std::vector<std::string> all;
    for (const FrameFormat& format : frame_formats())
        if (can_write(format)) all.insert(all.end(), format.suffixes.begin(), format.suffixes.end());
    const std::string suffix = suffix_of(file);
    throw Error(ErrorKind::input,
                fmt::format("expected a file name that ends in {}, found {}", alternatives(all),
                            suffix.empty() ? "a name without a suffix" : "\"" + suffix + "\""),
                file.string());
}

std::string format_titles() {
    std::vector<std::string> all;
    for (const FrameFormat& format : frame_formats()) all.push_back(format.title);
    return alternatives(all);
}

std::string series_titles() {
    std::vector<std::string> all;
    for (const FrameFormat& format : frame_formats())
        if (format.one_frame_per_file) all.push_back(format.title);
    return alternatives(all);
}

std::string name_patterns(const FrameFormat& format) {
    return fmt::format("*{}", fmt::join(format.suffixes, " *"));
}

std::string name_patterns() {
    std::vector<std::string> all;
    for (const FrameFormat& format : frame_formats()) all.push_back(name_patterns(format));
    return fmt::format("{}", fmt::join(all, " "));
}

}  // namespace ks::io
