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
#include "core/xpcs/two_time/log_lag.h"
#include "ui/base/jobs.h"
#include "ui/plots/map_plot.h"

class QAction;
class QComboBox;
class QStackedWidget;

namespace ks::ui {
class CurvePlot;
}

namespace ks::ui::xpcs {

class CountsStrip;
class MapGrid;

/// The two-time map of a bin over t1 and t2, or over age and lag, with the mean counts of its frames above it
/// if they are known, and beside it what is marked on it: C along an age or along a lag, or g2 of a part of
/// the frames. Or small maps of all bins.
class TwoTimePanel : public QWidget {
    Q_OBJECT
  public:
    /// @param jobs outlives it
    explicit TwoTimePanel(Jobs& jobs, QWidget* parent = nullptr);

    struct Shown {
        QString title, note;
        MapData map;  ///< over t1 and t2, from 0 on
        QString unit;
        /// Frame in the file, at which the axes begin; nothing: its frames are sums, or not successive.
        std::optional<std::size_t> first = {};
        /// Rows of logarithmic lags, as Rebinning::per_decade.
        std::size_t perDecade = ks::xpcs::usual_lags_per_decade;
        int bin = 0;  ///< label
        /// Whose map it is: pairs that it needs have the counts of its frames.
        std::optional<Request> request = {};
        std::vector<double> counts = {};  ///< those that its run kept, [frame]; empty: none
    };
    /// What is marked stays, unless this map is of another number of frames. Without values, there is no map
    /// at the moment.
    void setShown(Shown shown);
    /// There is no map, and nothing is marked.
    void clear();

    /// For g2 of parts. Null: there are none. @param why there are none, or what is being done
    void setPairs(std::shared_ptr<const ks::xpcs::LivePairs> pairs, const QString& why);
    /// The next run, whose estimator and frames are taken. @param out frames that it leaves out, [frame]
    void setNext(const Request& next, const std::vector<bool>& out);
    void setBin(int label);
    /// Whether a part is marked or all maps are shown, which need pairs.
    bool wantsPairs() const;
    void showAll(bool all);

    enum Axes { times, ageAndLag, ageAndLogLag };
    Axes axes() const;
    void setAxes(Axes axes);
    /// What a click or a drag on the map does.
    enum class Tool { move, age, lag, part };
    void setTool(Tool tool);
    Tool tool() const { return tool_; }
    /// "move", "age", "lag", "part", "all".
    QAction* action(const QString& name) const;

    MapPlot& map() { return *map_; }
    CountsStrip& strip() { return *strip_; }
    CurvePlot& cut() { return *cut_; }
    MapGrid& grid() { return *grid_; }
    QComboBox& axesField() { return *axes_; }

  signals:
    /// wantsPairs() may have changed.
    void pairsWanted();
    /// The user chose the map of a bin.
    void picked(int label);
    /// The panel has become visible.
    void shown();

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    /// Frames [first, end) of the series.
    struct Part {
        std::size_t first, end;
        bool operator==(const Part&) const = default;
    };
    /// What the curves of a part are computed from.
    struct Asked {
        std::shared_ptr<const ks::xpcs::LivePairs> pairs;
        std::vector<bool> used;  ///< [frame]
        ks::xpcs::Estimate estimate;
        Part part;
        std::size_t bin;  ///< from 0 on
        bool operator==(const Asked&) const = default;
    };
    struct PartCurves {
        Asked of;
        ks::xpcs::Curve part, whole;
    };
    void makeTools();
    /// Of the map, or of the one before while there is none.
    std::size_t frames() const { return shown_.map.columns; }
    bool hasMap() const { return !shown_.map.values.empty(); }
    double step() const;
    /// Of the first frame, on axes of times and ages.
    double origin() const;
    void showMap();
    void showCounts();
    void mark(const QPointF& from, const QPointF& to);
    /// The lags that are one with this one on the axes as they are.
    ks::xpcs::DelayRange lagsOf(std::size_t lag) const;
    /// Age and lag in frames of a place of the axes.
    std::pair<double, double> ageAndLagAt(const QPointF& at) const;
    void showMarks();
    void showCut();
    void showPart();
    /// Computes what is not there yet; drops what is of other inputs.
    void computePart();
    /// The map is of the frames of the pairs.
    bool isOfPairs() const;
    void dropPart();
    void dropMarks();

    Jobs& jobs_;
    Shown shown_;
    std::shared_ptr<const ks::xpcs::LivePairs> pairs_;
    QString whyNoPairs_;
    std::optional<Request> next_;
    std::vector<bool> used_, out_;  ///< [frame] of the pairs
    int bin_ = 0;
    Tool tool_ = Tool::move;
    std::optional<std::size_t> age_, lag_;  ///< in frames
    std::optional<Part> part_;
    std::optional<Asked> asked_;        ///< what has been computed, or is being computed
    std::optional<PartCurves> curves_;  ///< of part_, or of the one before while it is computed
    QString problem_;                   ///< why the curves of part_ cannot be computed
    QComboBox* axes_;
    MapPlot* map_;
    CountsStrip* strip_;  ///< around the map
    CurvePlot* cut_;
    MapGrid* grid_;
    QStackedWidget* stack_;
    std::vector<QAction*> actions_;
};

}  // namespace ks::ui::xpcs
