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
#include "ui/particles/cost_curves.h"

class QLineEdit;
class QToolButton;

namespace ks::ui {
class CurvePlot;
class ElidedLabel;
}  // namespace ks::ui

namespace ks::ui::particles {

/// What a run costs against N, by direct sums and by a treecode: asks for benchmarks of made problems with N
/// sources and as many targets, and draws them while they come, with the N from which on the treecode is
/// faster. Direct sums that would take long are not measured: their time follows from N^2.
class CostPanel : public QWidget {
    Q_OBJECT
  public:
    /// @param problem sizes of what is made beside N, as they are when measuring begins; a list without
    /// values is left to the window's form
    explicit CostPanel(std::function<SizeLists()> problem, QWidget* parent = nullptr);

    /// What the device offers, best first.
    void setOffers(const std::vector<Offer>& offers);
    /// Of the next run: it is measured, and of the other kind the best that is offered.
    void setVariant(const Variant* next);
    /// Sources of the page: sizes that nobody typed reach as far.
    void setLargest(std::size_t n);
    /// Those of N, "1000, 3000".
    QString sizes() const;
    void setSizes(const QString& text);
    /// Empty: the ones that are proposed.
    QString typedSizes() const { return typed_; }

    /// A plan has begun, or all have ended.
    void setRunning(bool running);
    bool running() const { return running_; }
    void addRow(const ParameterSet& sizes, const BenchRow& row);
    void setReport(const BenchReport& report);

    /// What was typed and, while nothing is measured, what was measured last.
    nlohmann::json keep() const;
    /// What keep() gave; what has no meaning is left out.
    void bringBack(const nlohmann::json& kept);

    const CostCurves& curves() const { return curves_; }
    CurvePlot& plot() { return *plot_; }
    QToolButton& measure() { return *measure_; }
    /// What was measured, where, and what could not be.
    QString message() const;

  signals:
    void wanted(const std::vector<ks::BenchPlan>& plans);
    void cancelled();
    void failed(const ks::Error& error);

  private:
    void begin();
    void forget();
    void take(const BenchReport& report);
    /// Asks for plans of the sizes that are left: at first of small ones, then direct sums of those that are
    /// expected to be short, and the treecode of all.
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

    std::string direct_, treecode_;  ///< ids of what is measured
    SizeLists beside_;
    std::vector<double> left_;  ///< sizes that no plan was made of yet
    std::size_t asked_ = 0, ended_ = 0;
    bool running_ = false, begun_ = false;
    CostCurves curves_;
    std::vector<std::shared_ptr<const nlohmann::json>> reports_;  ///< that the curves are made of
    QStringList troubles_;
    QString of_;  ///< kernel and device of what was measured

    QLineEdit* sizes_;
    QToolButton* measure_;
    ElidedLabel* message_;
    CurvePlot* plot_;
};

}  // namespace ks::ui::particles
