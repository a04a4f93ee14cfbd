#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/data/frame_source.h"
#include "core/io/files/data_name.h"
#include "core/io/files/file_states.h"
#include "core/io/hdf5/hdf5_frames.h"
#include "core/io/hdf5/series/series_parts.h"

namespace ks::io {

/// Frames of a series in parts. A part that cannot be opened is as long as the others, the last one what
/// detectorSpecific/nimages leaves for it; its frames are not written(), and read() says why.
class PartedFrames : public FrameSource, public FromFiles {
  public:
    /// @param name the file, whatever the object. Throws ks::Error(input) where no part can be opened, where
    /// they differ in size or type, or where a length is not known.
    PartedFrames(const h5::Handle& file, const DataName& name, const SeriesParts& parts);

    std::string name() const override { return name_.to_string(); }
    std::string identity() const override;
    const FileStates& files() const override { return files_; }
    std::size_t frames() const override { return parts_.back().first + parts_.back().frames; }
    std::size_t height() const override { return any().height(); }
    std::size_t width() const override { return any().width(); }
    ElementType type() const override { return any().type(); }
    bool reads_side_by_side() const override;
    bool written(std::size_t frame) const override;
    std::optional<double> frame_time() const override { return any().frame_time(); }

  private:
    void read_frames(std::size_t first, std::size_t count, std::span<std::byte> into) override;
    struct Part {
        std::string path;
        std::unique_ptr<Hdf5Frames> source;  ///< null: it cannot be opened
        std::string why;                     ///< then
        std::size_t first = 0, frames = 0;
    };
    const Hdf5Frames& any() const;
    void open(const h5::Handle& file, Part& part);
    void require_alike(const Part& part) const;
    void count_frames(const h5::Handle& file);
    const Part& part_of(std::size_t frame) const;

    DataName name_;
    std::vector<Part> parts_;
    FileStates files_;
};

}  // namespace ks::io
