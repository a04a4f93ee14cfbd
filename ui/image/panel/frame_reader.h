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

/// Reads single frames of a file, or several as one, by jobs; what a newer call asks for takes the place of
/// what is not there yet.
class FrameReader : public QObject {
    Q_OBJECT
  public:
    /// @param jobs not owned, outlives the reader
    explicit FrameReader(Jobs& jobs, QObject* parent = nullptr) : QObject(parent), jobs_(jobs) {}

    void setFrames(std::shared_ptr<FrameSource> frames) { frames_ = std::move(frames); }
    /// `count` frames from `first` on, fewer where the file ends. Nothing without frames.
    void read(std::size_t first, std::size_t count, Combination how);

  signals:
    /// Rank 2, [y][x].
    /// @param lacking pixels that the file has no value for in any of the frames
    void arrived(const std::shared_ptr<const ks::Array>& frame, int first, const ks::PixelBlocks& lacking);
    void failed(const ks::Error& error);

  private:
    Jobs& jobs_;
    std::shared_ptr<FrameSource> frames_;
};

}  // namespace ks::ui
