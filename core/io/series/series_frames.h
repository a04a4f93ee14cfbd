#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/data/frame_source.h"
#include "core/io/frame_format.h"
#include "core/io/series/file_states.h"
#include "core/io/series/series.h"

namespace ks::io {

/// The frames of a series. Frame 0 is that of the file with the smallest number; a number without a file is a
/// frame that is not written(). Only the header of the first sound file is read on opening. Each frame is
/// read by opening its file, so every thread that reads has one open file.
class SeriesFrames : public FrameSource, public FromFiles {
  public:
    /// Throws ks::Error(input): see find_series(); a pipe or the like; a link to a file elsewhere
    /// (NotFollowed); a format that does not have one frame per file; no file that can be opened.
    explicit SeriesFrames(const std::filesystem::path& name);

    std::string name() const override { return series_.name.string(); }
    std::string identity() const override { return identity_; }
    const FileStates& files() const override { return files_; }
    std::size_t frames() const override { return series_.numbers(); }
    std::size_t height() const override { return height_; }
    std::size_t width() const override { return width_; }
    ElementType type() const override { return type_; }
    bool reads_side_by_side() const override { return true; }
    bool written(std::size_t frame) const override { return file_of(frame) != nullptr; }
    std::optional<double> frame_time() const override { return frame_time_; }
    std::optional<std::string> frame_time_fault() const override { return frame_time_fault_; }
    /// Names the numbers without a file.
    std::vector<std::string> contradictions() const override;

    const Series& series() const { return series_; }
    const FrameFormat& format() const { return *format_; }

  private:
    void look_at_files();
    void open_first();
    void require_alike(const FrameSource& one, const std::filesystem::path& file) const;
    /// Null: there is none.
    const NumberedFile* file_of(std::size_t frame) const;
    void read_frames(std::size_t first, std::size_t count, std::span<std::byte> into) override;
    void read_one(std::size_t frame, std::span<std::byte> into) const;

    Series series_;
    const FrameFormat* format_ = nullptr;
    std::string first_name_;  ///< of the file whose header was read
    std::size_t height_ = 0, width_ = 0;
    ElementType type_ = ElementType::u8;
    std::optional<double> frame_time_;
    std::optional<std::string> frame_time_fault_;
    std::string identity_;
    FileStates files_;
};

/// The entry for a series in trees.
FileNode tree_of_series(const std::filesystem::path& name);
/// The lines of `info`.
std::string describe_series(const std::filesystem::path& name);

}  // namespace ks::io
