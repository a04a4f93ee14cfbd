#pragma once

#include <QString>
#include <QWidget>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/xpcs/live/live_pairs.h"
#include "core/xpcs/pairs/reduced_frames.h"

class QAction;
class QToolButton;

namespace ks::ui {
class CurvePlot;
class ElidedLabel;
}  // namespace ks::ui

namespace ks::ui::xpcs {

/// I(t): mean counts of all bins and of the picked one in each frame. Frames that the next run leaves out are
/// shaded; dragging over frames leaves them out or takes them back, and edges of shaded ranges can be
/// dragged.
class FramesPanel : public QWidget {
    Q_OBJECT
  public:
    explicit FramesPanel(QWidget* parent = nullptr);

    /// Null: there are none. @param why there are none, or what is being done
    void setPairs(std::shared_ptr<const ks::xpcs::LivePairs> pairs, const QString& why);
    /// The request of the next run, whose frames left out are shaded.
    void setNext(const Request& next);
    /// Label of the bin shown beside all; 0: none.
    void setPickedBin(int label);
    /// Why the curves do not follow while frames are dragged; empty: they do.
    void setNote(const QString& note);

    /// Frames that the next run leaves out, [frame], with outliers if it finds them.
    const std::vector<bool>& leftOut() const { return out_; }
    /// What the parameter names is no list of frames, for example because it is half typed: none are shaded.
    bool isUnclear() const { return unclear_; }

    CurvePlot& plot() { return *plot_; }
    /// What dragging does.
    enum class Tool { leaveOut, takeBack, move };
    void setTool(Tool tool);
    Tool tool() const { return tool_; }
    /// "leaveOut", "takeBack", "move", "outliers", "useAll".
    QAction* action(const QString& name) const;
    /// "12 of 500 frames left out: 100-111".
    QString summary() const;

  signals:
    /// The user leaves out these frames, as the parameter "leave_out" names them.
    void leftOutChanged(const QString& frames);
    /// The panel has become visible.
    void shown();

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    /// Consecutive frames [first, end) of the series.
    struct Frames {
        std::size_t first, end;
    };
    void makeTools();
    QToolButton* addTool(QAction* action);
    void showCurves();
    void showLeftOut();
    std::vector<Frames> rangesLeftOut() const;
    void dragRange(double from, double to, bool final);
    void dragEdge(int edge, double x, bool final);
    void leaveOut(const std::vector<bool>& out);
    void leaveOutOutliers();
    /// Says something before the summary, until the frames change.
    void sayFirst(const QString& remark);
    /// These and the frames whose sums are outliers among the others that the next run uses.
    std::vector<bool> withOutliers(std::vector<bool> out) const;
    /// The frame at a place of the x axis, within the series.
    std::size_t frameAt(double x) const;

    std::shared_ptr<const ks::xpcs::LivePairs> pairs_;
    std::vector<bool> out_;  ///< [frame] that the next run leaves out
    /// Frames that the parameter names outside the range of the run; they stay named.
    std::vector<std::size_t> elsewhere_;
    ks::xpcs::Reduction reduction_;  ///< of the next run
    bool unclear_ = false;           ///< see isUnclear()
    int picked_ = 0;
    Tool tool_ = Tool::leaveOut;
    CurvePlot* plot_;
    ElidedLabel* text_;
    std::vector<QAction*> actions_;
    std::optional<std::vector<bool>> before_;          ///< while frames are dragged: out_ before
    std::optional<std::vector<Frames>> rangesBefore_;  ///< while an edge is dragged: the ranges before
};

}  // namespace ks::ui::xpcs
