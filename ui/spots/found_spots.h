#pragma once

#include <QPointF>
#include <QString>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/run/run.h"
#include "core/spots/spot.h"

namespace ks::ui::spots {

/// Signal and spots of a run, looked up by the frame's number in the file. A spot is its index in the
/// result's table, which is decoded once.
class FoundSpots {
  public:
    /// Throws ks::Error(run) if the result has no complete table or signal.
    FoundSpots(std::shared_ptr<const Run> run, int number);

    const std::shared_ptr<const Run>& run() const { return run_; }
    int number() const { return number_; }  ///< of the run; 0: a preview
    int first() const { return first_; }    ///< first frame
    int end() const { return first_ + static_cast<int>(frames_); }
    bool covers(int frame) const { return frame >= first_ && frame < end(); }
    std::size_t height() const { return height_; }
    std::size_t width() const { return width_; }

    /// Why the frame was not searched: "missing", "no valid pixel"; empty if it was searched, or if the
    /// reason is unknown.
    QString whyNotSearched(int frame) const;

    const std::vector<ks::spots::Spot>& spots() const { return spots_; }
    /// Flat indices over [y][x] of signal pixels, ascending; none for a frame outside the run.
    std::span<const std::uint32_t> signal(int frame) const;
    /// Spots whose box extends into the frame, ascending.
    std::span<const std::uint32_t> on(int frame) const;
    int peakFrame(std::size_t spot) const { return first_ + static_cast<int>(spots_[spot].peak_z); }
    std::size_t keptOn(int frame) const;  ///< kept spots whose box extends into the frame

    /// The spot at a point of the image: the smallest box that contains it, otherwise the nearest centroid
    /// within `reach` pixels; nullopt if there is none. @param droppedToo include dropped spots
    std::optional<std::size_t> at(int frame, const QPointF& image, double reach, bool droppedToo) const;

  private:
    std::shared_ptr<const Run> run_;
    int number_, first_ = 0;
    std::size_t frames_ = 0, height_ = 0, width_ = 0;
    std::vector<ks::spots::Spot> spots_;
    std::vector<std::size_t> offsets_;  ///< [frame], index into onFrame_
    std::vector<std::uint32_t> onFrame_;
};

/// Comparison of the signal of two runs.
struct SignalDifference {
    std::vector<std::uint32_t> onlyA, onlyB, both;  ///< flat indices over [y][x], ascending
};
/// Both inputs ascending.
SignalDifference difference(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

struct DifferenceCounts {
    std::size_t onlyA = 0, onlyB = 0, both = 0;  ///< signal pixels
    int frames = 0;                              ///< frames that both runs searched
};
/// Whether both runs searched the frame: in one that a run left out, the signal of the other is no
/// difference.
bool areCompared(const FoundSpots& a, const FoundSpots& b, int frame);
/// Over all frames that are compared.
DifferenceCounts countDifference(const FoundSpots& a, const FoundSpots& b);

}  // namespace ks::ui::spots
