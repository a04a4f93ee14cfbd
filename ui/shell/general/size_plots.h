#pragma once

#include <QWidget>
#include <vector>

#include "core/run/bench.h"
#include "core/run/parameter_spec.h"

namespace ks::ui {

class CurveKeys;
class CurvePlot;

/// Time and rate of variants over the first size that differs between the points of a benchmark, with the
/// slopes in the shared legend.
class SizePlots : public QWidget {
    Q_OBJECT
  public:
    explicit SizePlots(QWidget* parent = nullptr);

    /// @param sizes of the analysis, AnalysisInfo::benchmark
    void setPoints(const std::vector<BenchPoint>& points, const std::vector<ParameterSpec>& sizes);
    void setEmptyText(const QString& text);
    /// A note on both plots: "Outdated (Device)"; empty: none. The rates have a note of their own if the work
    /// of some variants is not known.
    void setNote(const QString& note);

    /// The least size: a form in which the plots scroll gives them what is left, and scrolls below this.
    QSize sizeHint() const override { return minimumSizeHint(); }

    CurvePlot& times() { return *times_; }
    CurvePlot& rates() { return *rates_; }
    CurveKeys& keys() { return *keys_; }

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void showNotes();

    QString note_, withoutRate_;
    CurvePlot *times_, *rates_;
    CurveKeys* keys_;
};

}  // namespace ks::ui
