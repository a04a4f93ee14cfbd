#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include <QObject>

#include "core/base/array.h"
#include "core/base/error.h"
#include "core/data/frame_combination.h"
#include "core/data/frame_source.h"

namespace ks::ui {

class Jobs;

/// Reads single frames of a file, or several combined into one, as jobs. A newer call
/// supersedes pending ones.
class FrameReader : public QObject {
    Q_OBJECT
  public:
    /// @param jobs not owned, outlives the reader
    explicit FrameReader(Jobs& jobs, QObject* parent = nullptr) : QObject(parent), jobs_(jobs) {}

    void setFrames(std::shared_ptr<FrameSource> frames) { frames_ = std::move(frames); }
    /// `count` frames starting at `first`, fewer at the end of the file. Does nothing if the file
    /// has no frames.
    void read(std::size_t first, std::size_t count, Combination how);

  signals:
    /// Rank 2, [y][x].
    /// @param lacking pixels without a value in the file in any of the frames
    void arrived(const std::shared_ptr<const ks::Array>& frame, int first, const ks::PixelBlocks& lacking);
    void failed(const ks::Error& error);

  private:
    Jobs& jobs_;
    std::shared_ptr<FrameSource> frames_;
};

}  // namespace ks::ui
