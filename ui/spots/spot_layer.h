#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "ui/spots/found_spots.h"
#include "ui/spots/signal_picture.h"

namespace ks::ui::spots {

/// How spots are drawn above the image.
struct SpotStyle {
    bool signal = true, boxes = true, centroids = true;
    bool dropped = false;     ///< also show boxes of dropped spots
    bool difference = false;  ///< signal of two runs instead of one, if there are two
};

/// Signal, boxes and centroids on the displayed frame, and a legend. Lines are light on dark, so that they
/// are visible on any colour map; parts of a spot on other frames are dimmed.
class SpotLayer {
  public:
    /// The run whose spots are drawn, and the run it is compared with; null: none.
    void setRuns(std::shared_ptr<const FoundSpots> a, std::shared_ptr<const FoundSpots> b);
    /// Over all frames, once they are counted.
    void setCounts(std::optional<DifferenceCounts> counts);
    /// Frames [frame, frame + count) are in the picture.
    void setFrames(int frame, int count);
    void setStyle(const SpotStyle& style);
    const SpotStyle& style() const { return style_; }
    void setPicked(std::optional<std::size_t> spot);
    /// A legend line about the image: "Index of dispersion, frame 4".
    void setNote(const QString& note) { note_ = note; }

    /// Spots with a box in the frames, including dropped ones if these are shown.
    std::vector<std::size_t> shown() const;
    /// Signal pixels in the picture; `both` contains those of the run if no difference is shown.
    const SignalDifference& signal() const { return signal_; }
    bool showsDifference() const { return style_.difference && a_ && b_; }
    /// Lines of the legend.
    QStringList legend() const;

    void paint(QPainter& painter, const QTransform& imageToWidget) const;

    static QColor signalColour();
    static QColor onlyAColour();
    static QColor onlyBColour();

  private:
    void collect();
    void paintBoxes(QPainter& painter, const QTransform& imageToWidget, const QRectF& area) const;
    void paintBoxesOnce(QPainter& painter, const QTransform& imageToWidget, const QRectF& area) const;
    void paintLegend(QPainter& painter, const QRectF& area) const;
    bool peaksHere(std::size_t spot) const;

    std::shared_ptr<const FoundSpots> a_, b_;
    std::optional<DifferenceCounts> counts_;
    int frame_ = 0, count_ = 1;
    SpotStyle style_;
    std::optional<std::size_t> picked_;
    QString note_;
    SignalDifference signal_;
    SignalPicture picture_;
    mutable KeptPicture boxes_;
};

}  // namespace ks::ui::spots
