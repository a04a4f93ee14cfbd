#include "core/io/series/series_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/data/count_text.h"
#include "core/data/damaged_frame.h"
#include "core/io/describe_contents.h"
#include "core/io/files/file_stamp.h"
#include "core/io/files/followed_files.h"
#include "core/io/files/regular_file.h"
#include "core/io/stored_frames.h"

namespace ks::io {
namespace fs = std::filesystem;
namespace {

std::string frame_text(std::size_t height, std::size_t width, ElementType type) {
    return fmt::format("{} x {} {}", height, width, ks::name_of(type));
}

/// "numbers 17, 18"; at least one.
std::string numbers_text(const std::vector<std::size_t>& numbers) {
    return (numbers.size() == 1 ? "number " : "numbers ") + frame_list(numbers);
}

/// The format of a file cannot be that of a series.
class NotOneFrame : public Error {
  public:
    using Error::Error;
};

void require_one_frame_per_file(const FrameFormat& format, const fs::path& file) {
    if (format.one_frame_per_file) return;
    throw NotOneFrame(ErrorKind::input,
                      fmt::format("expected a series of {} files, found {}", series_titles(), format.noun),
                      file.string(), "name one file");
}

}  // namespace

SeriesFrames::SeriesFrames(const fs::path& name) : series_(find_series(name)) {
    look_at_files();
    open_first();
}

void SeriesFrames::look_at_files() {
    const fs::path by_pattern = series_.folder / series_.pattern;
    std::uint64_t hash = 0;
    for (const NumberedFile& numbered : series_.files) {
        const fs::path& file = numbered.file;
        std::error_code failure;
        if (fs::is_symlink(fs::symlink_status(file, failure))) require_followed(file, by_pattern, name());
        require_regular(file, "a file of a series");
        files_.add(file);
        hash = hash_of(fmt::format("{}|{}\n", file.filename().string(), file_state(file)), hash);
    }
    std::error_code failure;
    identity_ = fmt::format("{}|{}", fs::weakly_canonical(by_pattern, failure).string(), hash_text(hash));
}

void SeriesFrames::open_first() {
    std::optional<Error> fault;
    for (const NumberedFile& numbered : series_.files) {
        std::shared_ptr<FrameSource> one;
        try {
            format_ = &format_to_read({numbered.file, {}});
            require_one_frame_per_file(*format_, numbered.file);
            one = format_->open({numbered.file, {}});
        } catch (const NotOneFrame&) {
            throw;
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::input) throw;
            if (!fault) fault.emplace(error);
            continue;
        }
        first_name_ = numbered.file.filename().string();
        height_ = one->height();
        width_ = one->width();
        type_ = one->type();
        frame_time_ = one->frame_time();
        frame_time_fault_ = one->frame_time_fault();
        require_alike(*one, numbered.file);
        return;
    }
    throw *fault;
}

void SeriesFrames::require_alike(const FrameSource& one, const fs::path& file) const {
    if (one.frames() != 1)
        throw Error(ErrorKind::input,
                    fmt::format("expected one frame per file of a series, found {}", one.frames()),
                    file.string(), "name this file alone");
    if (one.height() == height_ && one.width() == width_ && one.type() == type_) return;
    throw Error(ErrorKind::input,
                fmt::format("expected a frame of {} as in {}, found {}", frame_text(height_, width_, type_),
                            first_name_, frame_text(one.height(), one.width(), one.type())),
                file.string(), "name the files that belong together");
}

std::vector<std::string> SeriesFrames::contradictions() const {
    const std::vector<std::size_t> missing = series_.missing();
    if (missing.empty()) return {};
    return {fmt::format("{}: no file has the {}; frame 0 is the file with the number {}", name(),
                        numbers_text(missing), series_.first())};
}

const NumberedFile* SeriesFrames::file_of(std::size_t frame) const {
    const auto found =
        std::ranges::lower_bound(series_.files, series_.first() + frame, {}, &NumberedFile::number);
    const bool is_there = found != series_.files.end() && found->number == series_.first() + frame;
    return is_there ? &*found : nullptr;
}

void SeriesFrames::read_frames(std::size_t first, std::size_t count, std::span<std::byte> into) {
    for (std::size_t i = 0; i < count; ++i)
        read_one(first + i, into.subspan(i * frame_bytes(), frame_bytes()));
}

void SeriesFrames::read_one(std::size_t frame, std::span<std::byte> into) const {
    const NumberedFile* const numbered = file_of(frame);
    if (numbered == nullptr)
        throw Error(ErrorKind::input,
                    fmt::format("frame {} is missing: no file of the series has the number {}", frame,
                                series_.first() + frame),
                    name());
    const fs::path& file = numbered->file;
    const auto damaged = [&](const std::string& why) {
        return DamagedFrame(frame, fmt::format("{}: {}", file.filename().string(), why), name());
    };
    require_regular(file, format_->noun);  // a file that has gone is not a damaged one
    if (const FrameFormat* const found = format_of_content(file); found != nullptr && found != format_)
        throw Error(ErrorKind::input, fmt::format("expected {}, found {}", format_->noun, found->noun),
                    file.string());
    std::shared_ptr<FrameSource> one;
    try {
        one = format_to_read({file, {}}).open({file, {}});
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::input) throw;
        throw damaged(error.message());
    }
    require_alike(*one, file);
    try {
        one->read(0, 1, into);
    } catch (const DamagedFrame& error) {
        throw damaged(error.why());
    }
}

FileNode tree_of_series(const fs::path& name) {
    const SeriesFrames frames(name);
    FileNode files;
    files.name = frames.series().pattern;
    files.kind = FileNode::Kind::dataset;
    files.type = name_of(frames.type());
    files.shape = {frames.frames(), frames.height(), frames.width()};
    files.layout =
        count_text(frames.series().files.size(), fmt::format("{} file", frames.format().title).c_str());
    files.frames = true;
    return tree_of_one(name, std::move(files));
}

std::string describe_series(const fs::path& name) {
    SeriesFrames frames(name);
    const Series& series = frames.series();
    std::uint64_t bytes = 0;
    for (const NumberedFile& one : series.files) {
        std::error_code failure;
        const std::uint64_t size = fs::file_size(one.file, failure);
        if (!failure) bytes += size;
    }
    std::string text = info_row("series", (series.folder / series.pattern).string());
    text += info_row("files", fmt::format("{} {} file{}, {} to {}, {}", series.files.size(),
                                          frames.format().title, series.files.size() == 1 ? "" : "s",
                                          series.files.front().file.filename().string(),
                                          series.files.back().file.filename().string(), bytes_text(bytes)));
    const std::vector<std::size_t> missing = series.missing();
    if (!missing.empty())
        text += info_row(
            "missing", fmt::format("{} of {}: {}", missing.size(), series.numbers(), numbers_text(missing)));
    text += info_row("as frames", frames_text(frames));
    return text + info_row("first frame", first_frame_text(frames));
}

}  // namespace ks::io
