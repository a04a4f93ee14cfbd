#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/data/frame_source.h"
#include "core/io/files/data_name.h"
#include "core/io/hdf5/series/open_datasets.h"
#include "core/io/hdf5/series_parts.h"
#include "core/io/series/file_states.h"

namespace ks::io {

/// Frames of a series in parts. A part that cannot be opened is assumed to be as long as the others, the last
/// one as long as detectorSpecific/nimages requires; its frames are not written(), and read() says why. The
/// same holds for parts that the file does not link although nimages states that there are more frames.
class PartedFrames : public FrameSource, public FromFiles, private PackedFrames {
  public:
    /// @param name the file, whatever the object. Throws ks::Error(input) if no part can be opened, if parts
    /// differ in size or type, or if a length is not known.
    PartedFrames(const h5::Handle& file, const DataName& name, const SeriesParts& parts);

    std::string name() const override { return name_.to_string(); }
    std::string identity() const override { return identity_; }
    const FileStates& files() const override { return files_; }
    std::size_t frames() const override { return parts_.back().first + parts_.back().frames; }
    std::size_t height() const override { return height_; }
    std::size_t width() const override { return width_; }
    ElementType type() const override { return type_; }
    bool reads_side_by_side() const override { return side_by_side_; }
    const PackedFrames* packed() const override { return packed_ ? this : nullptr; }
    bool written(std::size_t frame) const override;
    std::optional<double> frame_time() const override { return open_.frame_time().seconds; }
    std::optional<std::string> frame_time_fault() const override { return open_.frame_time().fault; }
    std::vector<std::string> contradictions() const override { return contradictions_; }
    PixelBlocks lacking(std::size_t frame) const override;
    bool may_lack_pixels() const override { return may_lack_pixels_; }

  private:
    void read_frames(std::size_t first, std::size_t count, std::span<std::byte> into) override;
    struct Part {
        std::string path;
        std::optional<std::string> fault;  ///< why it cannot be opened
        std::size_t first = 0, frames = 0;
        bool all_written = false;
    };
    void look_at(const h5::Handle& file, Part& part);
    void require_alike(const Hdf5Frames& part);
    void count_frames(const SeriesParts& parts);
    void add_lost_parts(const SeriesParts& parts, std::size_t asked, std::size_t linked,
                        std::optional<std::size_t> full);
    const Part& part_of(std::size_t frame) const;
    std::optional<Place> find_packed(std::size_t frame) const override;
    bool read_packed(std::size_t frame, const Place& place, std::span<std::byte> into) const override;

    DataName name_;
    OpenDatasets open_;
    std::vector<Part> parts_;
    std::optional<std::string> first_name_;  ///< of the first part that can be opened
    std::size_t height_ = 0, width_ = 0;
    ElementType type_ = ElementType::u8;
    bool side_by_side_ = true, packed_ = true, may_lack_pixels_ = false;
    std::vector<std::string> contradictions_;
    std::string identity_;
    FileStates files_;
};

}  // namespace ks::io
