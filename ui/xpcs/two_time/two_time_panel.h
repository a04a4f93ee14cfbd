#pragma once

#include <QPointF>
#include <QString>
#include <QWidget>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "core/xpcs/live/live_pairs.h"
#include "core/xpcs/pairs/curves.h"
#include "core/xpcs/pairs/estimate.h"
#include "ui/base/jobs.h"
#include "ui/plots/map_plot.h"

class QAction;
class QComboBox;
class QStackedWidget;

namespace ks::ui {
class CurvePlot;
}

namespace ks::ui::xpcs {

class MapGrid;

/// The two-time map of a bin over t1 and t2 or over age and lag, and beside it what is marked on it: C along
/// an age or along a lag, or g2 of a part of the frames. Or small maps of all bins.
class TwoTimePanel : public QWidget {
    Q_OBJECT
  public:
    /// @param jobs outlives it
    explicit TwoTimePanel(Jobs& jobs, QWidget* parent = nullptr);

    struct Shown {
        QString title, note;
        MapData map;  ///< over t1 and t2
        QString unit;
        std::size_t firstFrame = 0;  ///< number in the file
    };
    void setShown(Shown shown);
    /// There is no map.
    void clear();

    /// For g2 of parts. Null: there are none. @param why there are none, or what is being done
    void setPairs(std::shared_ptr<const ks::xpcs::LivePairs> pairs, const QString& why);
    /// The next run, whose estimator and frames are taken. @param used [frame]
    void setNext(const Request& next, const std::vector<bool>& used);
    void setBin(int label);
    /// Whether a part is marked or all maps are shown, which need pairs.
    bool wantsPairs() const;
    void showAll(bool all);

    enum Axes { times, ageAndLag };
    Axes axes() const;
    void setAxes(Axes axes);
    /// What a click or a drag on the map does.
    enum class Tool { move, age, lag, part };
    void setTool(Tool tool);
    Tool tool() const { return tool_; }
    /// "move", "age", "lag", "part", "all".
    QAction* action(const QString& name) const;

    MapPlot& map() { return *map_; }
    CurvePlot& cut() { return *cut_; }
    MapGrid& grid() { return *grid_; }
    QComboBox& axesField() { return *axes_; }

  signals:
    /// wantsPairs() may have changed.
    void pairsWanted();
    /// The user chose the map of a bin.
    void picked(int label);

  private:
    /// Frames [first, end) of the series.
    struct Part {
        std::size_t first, end;
        bool operator==(const Part&) const = default;
    };
    struct PartCurves {
        Part of;
        ks::xpcs::Curve part, whole;
    };
    void makeTools();
    std::size_t frames() const { return shown_.map.columns; }
    double step() const;
    void showMap();
    void place(MapData map);
    void mark(const QPointF& from, const QPointF& to);
    /// Age and lag in frames of a place of the axes.
    std::pair<double, double> ageAndLagAt(const QPointF& at) const;
    void showMarks();
    void showCut();
    void showPart();
    void computePart();

    Jobs& jobs_;
    Shown shown_;
    std::shared_ptr<const ks::xpcs::LivePairs> pairs_;
    QString whyNoPairs_;
    std::optional<Request> next_;
    std::vector<bool> used_;
    int bin_ = 0;
    Tool tool_ = Tool::move;
    std::optional<std::size_t> age_, lag_;  ///< in frames
    std::optional<Part> part_;
    std::optional<PartCurves> curves_;  ///< of part_, or of the one before while it is computed
    QComboBox* axes_;
    MapPlot* map_;
    CurvePlot* cut_;
    MapGrid* grid_;
    QStackedWidget* stack_;
    std::vector<QAction*> actions_;
};

}  // namespace ks::ui::xpcs
