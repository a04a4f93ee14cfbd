#pragma once

#include <QList>
#include <QStringList>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/run/analysis.h"
#include "core/run/bench.h"
#include "ui/base/newest.h"
#include "ui/shell/general/measured_with.h"
#include "ui/shell/general/measuring_panel.h"

class QAction;
class QBoxLayout;
class QLineEdit;
class QMenu;
class QSpinBox;
class QToolButton;

namespace ks::ui {

class CurveKeys;
class CurvePlot;
class SizePlots;
class WrappingRow;

/// Time and rate of the variants of an analysis over its sizes: requests a benchmark, and draws its results
/// as they arrive.
class SweepPanel : public MeasuringPanel {
    Q_OBJECT
  public:
    explicit SweepPanel(QWidget* parent = nullptr);
    ~SweepPanel() override;

    /// The analysis measured from now on; its earlier measurement is shown.
    /// @param analysis outlives the panel
    void setAnalysis(const Analysis& analysis);
    /// Those that can run, and do not run by name only, are listed; initially the user's are not ticked.
    void setOffers(const std::vector<Offer>& offers) override;
    /// Files that a run reads, but a measurement does not, for people; empty: there are none.
    void setFiles(const QString& names);
    /// The plan in the fields; sizes left to the Set-up have no values. Throws ks::Error(input) for invalid
    /// fields.
    BenchPlan plan() const;
    /// Puts these lists into the fields, by the ids of the sizes.
    void setSizes(const std::map<std::string, QString>& lists);

    void setRunning(bool running) override;
    void addRow(std::size_t point, const ParameterSet& sizes, const BenchRow& row) override;
    void setReport(const BenchReport& report) override;

    /// Input, ticks and results for all analyses that the panel has shown.
    nlohmann::json keep() const;
    /// Restores what keep() returned; entries that no longer apply are ignored.
    void bringBack(const nlohmann::json& kept);

    CurvePlot& times();
    CurvePlot& rates();
    CurveKeys& keys();

  private:
    /// The user's changes for one analysis.
    struct Choice {
        std::map<std::string, QString> sizes;  ///< by the size's id
        QStringList off;                       ///< variants of the program that are not ticked
        QStringList on;                        ///< kernels of the user that are ticked
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
    void showNext() override;
    void showSetUp();
    /// Fields that have no effect with the other values are disabled.
    void showIdle();
    /// The values of a field; empty: the field is empty, or they are taken from the Set-up.
    std::vector<ParameterValue> valuesOf(const ParameterSpec& spec) const;
    Choice& choice() { return choices_[info_.id]; }
    void begin() override;
    void makeFields();
    /// The actions of the variants, without those for all of them.
    QList<QAction*> ticks() const;
    void tickVariants();
    void showButton();
    void draw();

    const Analysis* analysis_ = nullptr;
    AnalysisInfo info_;
    std::map<std::string, QLineEdit*> fields_;  ///< by the size's id
    std::map<std::string, QString> idle_;       ///< why fields have no effect, by the size's id
    std::string swept_;                         ///< whose field initially has several values; empty: none
    WrappingRow* rows_;                         ///< labels with their fields
    QBoxLayout* head_ = nullptr;                ///< fields and buttons
    QMenu* variants_;
    QToolButton* choose_;
    QSpinBox* repeats_;
    SizePlots* plots_;
    std::map<std::string, Choice> choices_;             ///< by analysis
    std::map<std::string, Newest<Measured>> measured_;  ///< by analysis
    std::string measuring_;  ///< analysis of the newest plan; another one may have been chosen meanwhile
    QString measuringTitle_;
    QString unmeasured_;  ///< setFiles()
};

}  // namespace ks::ui
