#pragma once

#include <QWidget>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "core/run/bench.h"
#include "core/run/engine.h"
#include "ui/base/passing_error.h"
#include "ui/shell/general/measured_with.h"

class QToolButton;

namespace ks::ui {

class Desk;
class ElidedLabel;
class Page;

/// A panel of a page that times variants: a button that starts and stops, what could not be measured, and the
/// values behind the curves. An error goes once the fields change.
class MeasuringPanel : public QWidget {
    Q_OBJECT
  public:
    /// Measures by benchmarks of this page, which reports the errors.
    void follow(Desk& desk, Page& page);
    /// Variants on the device, best first.
    virtual void setOffers(const std::vector<Offer>& offers) = 0;
    /// Variant of the next run; null: there is none.
    virtual void setVariant(const Variant*) {}
    /// What another measurement would use, apart from the fields: measurements with others are marked.
    void setNext(const PresentSettings& next);
    /// The same for the texts of the user's kernels alone.
    void setTexts(const std::map<std::string, std::string>& texts);
    /// A plan has started, or all have ended.
    virtual void setRunning(bool running) = 0;
    bool running() const { return running_; }
    /// One variant at one point of a plan, as soon as it is measured.
    virtual void addRow(std::size_t point, const ParameterSet& sizes, const BenchRow& row) = 0;
    virtual void setReport(const BenchReport& report) = 0;

    QToolButton& measure() { return *measure_; }
    PassingError& refusal() { return refusal_; }
    /// What could not be measured.
    const QString& message() const;
    /// Device and values of the curves, and which of these have changed since; empty: there are no curves.
    const QString& made() const;

  signals:
    void wanted(const std::vector<ks::BenchPlan>& plans);
    void cancelled();

  protected:
    /// @param start text of the button
    MeasuringPanel(QString start, QWidget* parent);

    /// Asks for the measurement by wanted(). Throws ks::Error(input) for invalid fields.
    virtual void begin() = 0;
    virtual void stop() { emit cancelled(); }
    /// The next measurement has changed.
    virtual void showNext() = 0;
    /// @param tip of the button, for the state that it has now
    void showButton(const QString& tip);
    /// Hidden without a text.
    static void say(ElidedLabel& line, const QString& text);
    /// Values and message in a line that is always there, so that the plot does not move when they change.
    QLayout* makeLine();

    PresentSettings now_;
    bool running_ = false;
    PassingError refusal_;
    QToolButton* measure_;
    ElidedLabel *message_, *made_;

  private:
    QString start_;
};

}  // namespace ks::ui
