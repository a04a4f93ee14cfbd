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
#include "ui/spots/spot_layer.h"

namespace ks::ui {
class ImagePanel;
class Jobs;
}  // namespace ks::ui

namespace ks::ui::spots {

/// Signal and spots of a run above the image, or of two runs against each other: which runs these are, which
/// spot of the first one is picked, and the view that goes there. It follows the frames of the panel.
class SpotOverlay : public QObject {
    Q_OBJECT
  public:
    /// Draws in the panel's view from now on; both outlive it.
    SpotOverlay(ImagePanel& image, Jobs& jobs, QObject* parent = nullptr);

    /// Shows the first two that can be decoded. What was decoded of the others is kept while they are named.
    /// @param rows of the frames in the panel, as RunChoice::shown() gives them
    void setRuns(const std::vector<RunRow>& rows);
    void setStyle(const SpotStyle& style);
    /// A line for the legend, of the image: "Index of dispersion, frame 4".
    void setNote(const QString& note) { layer_.setNote(note); }
    /// The panel shows other frames.
    void followFrames();

    /// The run whose spots are drawn, and the one that it is set against; null: none.
    const std::shared_ptr<const FoundSpots>& first() const { return a_; }
    const std::shared_ptr<const FoundSpots>& second() const { return b_; }
    const SpotLayer& layer() const { return layer_; }
    /// So many frames from the shown one on are in the picture.
    int framesShown() const;

    /// A spot of the first run; one that it does not have is none.
    void pick(std::optional<std::size_t> spot);
    std::optional<std::size_t> picked() const { return picked_; }
    /// Goes to the frame of the picked spot and brings it to the middle. A view that is zoomed about right
    /// only moves.
    void look();
    /// The spot `by` places after the picked one, around the end; where none is picked, the first one of the
    /// shown frame. @param order of the spots, not empty
    std::size_t stepped(const std::vector<int>& order, int by) const;

  signals:
    /// Other runs are drawn. @param another so is the first one
    void shown(bool another);
    /// A spot in the image was clicked, or none.
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
    QHash<int, std::shared_ptr<const FoundSpots>> decoded_;  ///< by number
    std::optional<std::size_t> picked_;
};

}  // namespace ks::ui::spots
