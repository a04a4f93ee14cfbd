#pragma once

#include <QString>
#include <QWidget>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/run/bench.h"
#include "core/run/engine.h"
#include "ui/base/passing_error.h"
#include "ui/particles/cost_curves.h"

class QLineEdit;
class QToolButton;

namespace ks::ui {
class CurvePlot;
class Desk;
class ElidedLabel;
class Page;
}  // namespace ks::ui

namespace ks::ui::particles {

/// Cost of a run against N, by direct sums and by a treecode. Requests benchmarks of synthetic problems with
/// N sources and N targets and plots them as they arrive, with the N from which the treecode is faster.
/// Direct sums that would take long are not measured: their time is extrapolated by N^2.
class CostPanel : public QWidget {
    Q_OBJECT
  public:
    /// @param problem sizes of the synthetic problem other than N, as they are when measuring starts; a list
    /// without values is left to the window's form
    explicit CostPanel(std::function<SizeLists()> problem, QWidget* parent = nullptr);

    /// Measures by benchmarks of this page, with what is offered for its analysis.
    void follow(Desk& desk, Page& page);
    /// Variants available on the device, best first.
    void setOffers(const std::vector<Offer>& offers) { offers_ = offers; }
    /// Variant of the next run: it is measured, together with the best available one of the other kind.
    void setVariant(const Variant* next);
    /// Number of sources on the page: default sizes extend up to it.
    void setLargest(std::size_t n);
    /// The sizes N, "1000, 3000".
    QString sizes() const;
    void setSizes(const QString& text);
    /// Empty: the default ones.
    QString typedSizes() const { return typed_; }

    /// A plan has started, or all have ended.
    void setRunning(bool running);
    bool running() const { return running_; }
    void addRow(const ParameterSet& sizes, const BenchRow& row);
    void setReport(const BenchReport& report);

    /// The typed sizes and, unless measuring is in progress, the last measurement.
    nlohmann::json keep() const;
    /// Restores what keep() returned; invalid parts are ignored.
    void bringBack(const nlohmann::json& kept);

    const CostCurves& curves() const { return curves_; }
    CurvePlot& plot() { return *plot_; }
    QToolButton& measure() { return *measure_; }
    PassingError& refusal() { return refusal_; }
    /// What was measured, on which device, and what could not be measured.
    QString message() const;

  signals:
    void wanted(const std::vector<ks::BenchPlan>& plans);
    void cancelled();

  private:
    void begin();
    void forget();
    void take(const BenchReport& report);
    /// Requests plans for the remaining sizes: first small ones, then direct sums expected to be short, and
    /// the treecode for all.
    void ask();
    BenchPlan planOf(double n, bool direct) const;
    void showButton();
    void draw();
    const Offer* best(bool approximate) const;

    std::function<SizeLists()> problem_;
    std::vector<Offer> offers_;
    std::string next_;  ///< id; empty: none
    QString typed_;
    std::size_t largest_ = 0;

    std::string direct_, treecode_;  ///< ids of the measured variants
    SizeLists beside_;
    std::vector<double> left_;  ///< sizes not yet in any plan
    std::size_t asked_ = 0, ended_ = 0;
    bool running_ = false, begun_ = false;
    CostCurves curves_;
    std::vector<std::shared_ptr<const nlohmann::json>> reports_;  ///< from which the curves are made
    QStringList troubles_;
    QString of_;            ///< kernel and device of the measurement
    PassingError refusal_;  ///< goes when another variant is next, or the sizes were edited

    QLineEdit* sizes_;
    QToolButton* measure_;
    ElidedLabel* message_;
    CurvePlot* plot_;
};

}  // namespace ks::ui::particles
