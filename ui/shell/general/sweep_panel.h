#pragma once

#include <QStringList>
#include <QWidget>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/run/analysis.h"
#include "core/run/bench.h"
#include "core/run/engine.h"

class QBoxLayout;
class QGridLayout;
class QLabel;
class QLineEdit;
class QMenu;
class QSpinBox;
class QToolButton;

namespace ks::ui {

class CurveKeys;
class CurvePlot;
class ElidedLabel;
class SizePlots;

/// Time and rate of the variants of an analysis over its sizes: asks for a benchmark, and draws it while it
/// comes.
class SweepPanel : public QWidget {
    Q_OBJECT
  public:
    explicit SweepPanel(QWidget* parent = nullptr);
    ~SweepPanel() override;

    /// What is measured from now on, with what was measured of it before.
    void setAnalysis(const AnalysisInfo& info);
    /// What the device offers: those that can run and do not run by name only are listed.
    void setOffers(const std::vector<Offer>& offers);
    /// Values of the Set-up, which are measured where no field says otherwise, and the device. What was
    /// measured with others, or on another one, is marked.
    void setSetUp(const ParameterSet& values, const std::string& device);
    /// As the fields say; what they leave to the Set-up has no values. Throws ks::Error(input) for what they
    /// do not take.
    BenchPlan plan() const;
    /// Puts these lists into the fields, by the ids of the sizes.
    void setSizes(const std::map<std::string, QString>& lists);

    /// Measuring has begun or ended.
    void setRunning(bool running);
    bool running() const { return running_; }
    /// One variant at one point, as it comes.
    void addRow(std::size_t point, const ParameterSet& sizes, const BenchRow& row);
    void setReport(const BenchReport& report);
    void setMessage(const QString& text);

    /// What was typed, ticked and measured, of all analyses that the panel had.
    nlohmann::json keep() const;
    /// What keep() gave; what has no meaning is left out.
    void bringBack(const nlohmann::json& kept);

    CurvePlot& times();
    CurvePlot& rates();
    CurveKeys& keys();
    QToolButton& measure() { return *measure_; }
    /// Device and values of the curves, and what of these is another one now; empty: there are none.
    const QString& made() const;

  signals:
    void wanted(const ks::BenchPlan& plan);
    void cancelled();
    void failed(const ks::Error& error);

  private:
    /// What a hand has changed for one analysis.
    struct Choice {
        std::map<std::string, QString> sizes;  ///< by the size's id
        QStringList off;                       ///< variants that are not ticked
    };

    /// What came of the newest measurement of one analysis.
    struct Measured {
        std::vector<BenchPoint> points = {};
        std::string device = {};                            ///< title
        std::shared_ptr<const nlohmann::json> report = {};  ///< all of it, once it has ended
        QString message = {};
    };

    void take(const BenchReport& report);
    void showMessage();
    void showMade();
    void showSetUp();
    /// Labels of what would be measured otherwise now.
    QStringList outdated(const Measured& made) const;
    Choice& choice() { return choices_[info_.id]; }
    void makeFields();
    void tickVariants();
    void showButton();
    void draw();

    AnalysisInfo info_;
    std::map<std::string, QLineEdit*> fields_;  ///< by the size's id
    std::string swept_;                         ///< whose field has several values at first; empty: none
    ParameterSet setUp_;                        ///< of the analysis
    std::string device_;                        ///< title; empty: none is known
    QGridLayout* grid_;
    QBoxLayout* head_ = nullptr;  ///< fields and buttons
    QMenu* variants_;
    QToolButton *choose_, *measure_;
    QSpinBox* repeats_;
    QLabel* message_;
    ElidedLabel* made_;
    SizePlots* plots_;
    std::map<std::string, Choice> choices_;     ///< by analysis
    std::map<std::string, Measured> measured_;  ///< by analysis
    std::string measuring_;  ///< analysis of the newest plan; another one may be chosen meanwhile
    QString measuringTitle_;
    bool running_ = false;
};

}  // namespace ks::ui
