#pragma once

#include <QString>
#include <QWidget>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "core/xpcs/live/live_pairs.h"
#include "core/xpcs/pairs/estimate.h"
#include "core/xpcs/stability/stability.h"
#include "ui/base/jobs.h"

class QListWidget;

namespace ks::ui {
class CurvePlot;
class ElidedLabel;
class WholeBox;
}  // namespace ks::ui

namespace ks::ui::xpcs {

/// g2 of equal segments of the series, for the picked bin as curves from the first to the last segment, and
/// for each bin whether it changes. Computed from the sums of pairs, on another thread.
class StabilityPanel : public QWidget {
    Q_OBJECT
  public:
    /// @param jobs outlives it
    explicit StabilityPanel(Jobs& jobs, QWidget* parent = nullptr);

    /// Null: there are none. @param why there are none, or what is being done
    void setPairs(std::shared_ptr<const ks::xpcs::LivePairs> pairs, const QString& why);
    /// The next run, whose estimator and frames are tested. @param out frames that it leaves out, [frame]
    void setNext(const Request& next, const std::vector<bool>& out);
    /// Label of the bin whose curves are shown; 0: none.
    void setPickedBin(int label);
    /// What the frames are of, if that is not what other plots show: "a.h5 only"; empty: it is.
    void setSource(const QString& source);

    /// Number of segments, for sessions.
    int segments() const;
    void setSegments(int count);

    CurvePlot& plot() { return *plot_; }
    /// A row per bin with pixels.
    QListWidget& tests() { return *tests_; }
    WholeBox& segmentsField() { return *field_; }
    /// "g2 changes in 3 of 8 bins"
    QString summary() const;

  signals:
    /// The user chose the row of a bin.
    void picked(int label);
    /// The panel has become visible.
    void shown();

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    /// What is tested.
    struct Asked {
        std::shared_ptr<const ks::xpcs::LivePairs> pairs;
        std::vector<bool> used;  ///< [frame]
        ks::xpcs::Estimate estimate;
        int segments;
        bool runReduces;  ///< the next run averages or skips frames, which the test does not
        bool operator==(const Asked&) const = default;
    };
    struct Found {
        ks::xpcs::Segments segments;
        std::vector<ks::xpcs::BinStability> bins;
    };
    /// Computes what is not there yet, if the panel is visible.
    void compute();
    void take(Found found);
    void clear(const QString& text);
    void showTests();
    void showCurves();

    Jobs& jobs_;
    std::shared_ptr<const ks::xpcs::LivePairs> pairs_;
    std::optional<Request> next_;
    std::vector<bool> out_;
    std::optional<Asked> asked_;
    std::optional<Found> found_;
    int picked_ = 0;
    QString source_;
    QListWidget* tests_;
    CurvePlot* plot_;
    WholeBox* field_;
    ElidedLabel* summary_;
};

}  // namespace ks::ui::xpcs
