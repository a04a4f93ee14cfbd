#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/io/hdf5/series/numbered_datasets.h"
#include "core/io/hdf5/series/open_datasets.h"

namespace ks::io {

/// A series of datasets [y][x] with one frame each.
class NumberedFrames : public FrameSource, public FromFiles {
  public:
    /// Checks all of them and keeps few open. Throws ks::Error(input) naming the first one that cannot be
    /// opened or differs in size or type.
    /// @param name the file, whatever the object
    NumberedFrames(const h5::Handle& file, const DataName& name, NumberedDatasets datasets);

    const NumberedDatasets& datasets() const { return datasets_; }

    std::string name() const override { return name_.to_string(); }
    std::string identity() const override { return identity_; }
    const FileStates& files() const override { return files_; }
    std::size_t frames() const override { return datasets_.names.size(); }
    std::size_t height() const override { return height_; }
    std::size_t width() const override { return width_; }
    ElementType type() const override { return type_; }
    bool reads_side_by_side() const override { return side_by_side_; }
    bool written(std::size_t frame) const override { return frame < frames() && written_[frame]; }
    std::optional<double> frame_time() const override { return open_.frame_time().seconds; }
    std::optional<std::string> frame_time_fault() const override { return open_.frame_time().fault; }
    PixelBlocks lacking(std::size_t frame) const override;
    bool may_lack_pixels() const override { return may_lack_pixels_; }

  private:
    void read_frames(std::size_t first, std::size_t count, std::span<std::byte> into) override;
    std::string path_of(std::size_t frame) const;
    void look_at(const std::string& path, hid_t dataset);
    void require_alike(const std::string& path, hid_t dataset) const;

    DataName name_;
    NumberedDatasets datasets_;
    OpenDatasets open_;
    std::size_t height_ = 0, width_ = 0;
    ElementType type_ = ElementType::u8;
    bool side_by_side_ = false, may_lack_pixels_ = false;
    std::vector<bool> written_;
    std::string identity_;
    FileStates files_;
};

}  // namespace ks::io
