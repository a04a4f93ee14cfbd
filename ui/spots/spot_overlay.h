#pragma once

#include <QHash>
#include <QObject>
#include <QPointF>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "ui/runs/run_table_model.h"
#include "ui/spots/found_spots.h"
#include "ui/spots/signal_picture.h"

namespace ks::ui {
class ImagePanel;
class Jobs;
}  // namespace ks::ui

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
    bool compares_ = true;  ///< a difference: both runs searched a frame of the picture
    SignalPicture picture_;
    mutable KeptPicture boxes_;
};

/// Signal and spots of one run, or of two compared runs, above the image: which runs are shown, which spot of
/// the first one is selected, and moving the view to it. Follows the frames of the panel.
class SpotOverlay : public QObject {
    Q_OBJECT
  public:
    /// Draws in the panel's view from now on; both must outlive it.
    SpotOverlay(ImagePanel& image, Jobs& jobs, QObject* parent = nullptr);

    /// Shows the first two that can be decoded. Decoded data of other runs are kept while these
    /// are in `rows`.
    /// @param rows runs of the frames in the panel, as returned by RunChoice::shown()
    void setRuns(const std::vector<RunRow>& rows);
    void setStyle(const SpotStyle& style);
    /// A legend line about the image: "Index of dispersion, frame 4".
    void setNote(const QString& note) { layer_.setNote(note); }
    /// The panel shows other frames.
    void followFrames();

    /// The run whose spots are drawn, and the run it is compared with; null: none.
    const std::shared_ptr<const FoundSpots>& first() const { return a_; }
    const std::shared_ptr<const FoundSpots>& second() const { return b_; }
    const SpotLayer& layer() const { return layer_; }
    /// Number of frames in the picture, starting with the displayed one.
    int framesShown() const;

    /// Selects a spot of the first run; a spot that it does not have selects none.
    void pick(std::optional<std::size_t> spot);
    std::optional<std::size_t> picked() const { return picked_; }
    /// Shows the frame of the selected spot and centres the view on it. Zooms only if the current
    /// zoom is unsuitable.
    void look();
    /// The spot `by` places after the selected one, wrapping around; without a selection, the first one of
    /// the displayed frame. @param order of the spots, not empty
    std::size_t stepped(const std::vector<int>& order, int by) const;

  signals:
    /// Other runs are drawn. @param another the first run has changed
    void shown(bool another);
    /// A spot in the image was clicked, or an empty place.
    void clicked(std::optional<std::size_t> spot);
    void failed(const ks::Error& error);

  private:
    std::shared_ptr<const FoundSpots> decoded(const RunRow& row);
    void countDifferences();
    void click(const QPointF& at);

    ImagePanel& image_;
    Jobs& jobs_;
    SpotLayer layer_;
    std::shared_ptr<const FoundSpots> a_, b_;
    QHash<int, std::shared_ptr<const FoundSpots>> decoded_;  ///< by run number
    std::optional<std::size_t> picked_;
};

}  // namespace ks::ui::spots
