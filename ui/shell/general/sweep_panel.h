#pragma once

#include <QStringList>
#include <QWidget>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/run/analysis.h"
#include "core/run/bench.h"
#include "core/run/engine.h"
#include "ui/base/newest.h"
#include "ui/base/passing_error.h"
#include "ui/shell/general/measured_with.h"

class QBoxLayout;
class QLineEdit;
class QMenu;
class QSpinBox;
class QToolButton;

namespace ks::ui {

class CurveKeys;
class CurvePlot;
class ElidedLabel;
class SizePlots;
class WrappingRow;

/// Time and rate of the variants of an analysis over its sizes: requests a benchmark, and draws its results
/// as they arrive.
class SweepPanel : public QWidget {
    Q_OBJECT
  public:
    explicit SweepPanel(QWidget* parent = nullptr);
    ~SweepPanel() override;

    /// The analysis measured from now on; its earlier measurement is shown.
    void setAnalysis(const AnalysisInfo& info);
    /// The offers of the device: those that can run, and do not run by name only, are listed.
    void setOffers(const std::vector<Offer>& offers);
    /// Values of the Set-up, which are used unless a field gives others, the device, and the texts of the
    /// user's kernels. Measurements with others are marked.
    void setSetUp(const PresentSettings& now);
    void setTexts(const std::map<std::string, std::string>& texts);
    /// The plan in the fields; sizes left to the Set-up have no values. Throws ks::Error(input) for invalid
    /// fields.
    BenchPlan plan() const;
    /// Puts these lists into the fields, by the ids of the sizes.
    void setSizes(const std::map<std::string, QString>& lists);

    /// Measuring has begun or ended.
    void setRunning(bool running);
    bool running() const { return running_; }
    /// One variant at one point, as soon as it is measured.
    void addRow(std::size_t point, const ParameterSet& sizes, const BenchRow& row);
    void setReport(const BenchReport& report);

    /// Input, ticks and results for all analyses that the panel has shown.
    nlohmann::json keep() const;
    /// Restores what keep() returned; entries that no longer apply are ignored.
    void bringBack(const nlohmann::json& kept);

    CurvePlot& times();
    CurvePlot& rates();
    CurveKeys& keys();
    QToolButton& measure() { return *measure_; }
    PassingError& refusal() { return refusal_; }
    /// Device and values of the curves, and which of these have changed since; empty: there are no curves.
    const QString& made() const;

  signals:
    void wanted(const ks::BenchPlan& plan);
    void cancelled();

  private:
    /// The user's changes for one analysis.
    struct Choice {
        std::map<std::string, QString> sizes;  ///< by the size's id
        QStringList off;                       ///< variants that are not ticked
    };

    /// Results of the newest measurement of one analysis.
    struct Measured {
        std::vector<BenchPoint> points = {};
        std::string device = {};                            ///< title
        std::shared_ptr<const nlohmann::json> report = {};  ///< complete, once it has ended

        bool empty() const;
        bool replaces() const { return report != nullptr; }
    };

    static Measured measuredFrom(const BenchReport& report);
    /// Of the analysis.
    const Measured& measured() const;
    /// Failures of the measured variants, unless the text of such a kernel has changed since.
    QString troubles() const;
    void showMessage();
    void showMade();
    void showSetUp();
    Choice& choice() { return choices_[info_.id]; }
    void makeFields();
    void tickVariants();
    void showButton();
    void draw();

    AnalysisInfo info_;
    std::map<std::string, QLineEdit*> fields_;  ///< by the size's id
    std::string swept_;                         ///< whose field initially has several values; empty: none
    PresentSettings now_;                       ///< of the analysis
    WrappingRow* rows_;                         ///< labels with their fields
    QBoxLayout* head_ = nullptr;                ///< fields and buttons
    QMenu* variants_;
    QToolButton *choose_, *measure_;
    QSpinBox* repeats_;
    ElidedLabel *message_, *made_;
    SizePlots* plots_;
    std::map<std::string, Choice> choices_;             ///< by analysis
    std::map<std::string, Newest<Measured>> measured_;  ///< by analysis
    std::string measuring_;  ///< analysis of the newest plan; another one may have been chosen meanwhile
    QString measuringTitle_;
    PassingError refusal_;  ///< goes when another analysis is chosen, or a field was edited
    bool running_ = false;
};

}  // namespace ks::ui
