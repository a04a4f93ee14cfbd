#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "ui/clusters/steps/step_trace.h"
#include "ui/plots/histogram_plot.h"

class QLabel;
class QListWidget;
class QToolButton;

namespace ks::ui {
class ElidedLabel;
class FrameSlider;
}  // namespace ks::ui

namespace ks::ui::clusters {

/// Steps of the recorded algorithms: rounds of the published loop and steps of union-find, each with a
/// slider; digis by column, and the neighbours of a pixel.
class StepPanel : public QWidget {
    Q_OBJECT
  public:
    explicit StepPanel(QWidget* parent = nullptr);
    ~StepPanel() override;

    /// Null: nothing is recorded of this module. @param name of the recorded module: "module 512, run 7"
    void setTrace(std::shared_ptr<const StepTrace> trace, const QString& name);
    const std::shared_ptr<const StepTrace>& trace() const { return trace_; }
    /// Why the module cannot be recorded now; empty: it can.
    void setWhyNot(const QString& reason);
    std::size_t round() const;
    std::size_t step() const;
    /// Shows a later round, or an earlier one if `by` is negative; without rounds, a step of union-find.
    void goOn(int by);
    /// The digi whose neighbours and column are shown; nullopt: none.
    /// @param name "pixel 12, 34"
    /// @param status what the kernel stores for its pixel
    void setDigi(std::optional<std::size_t> place, const QString& name, const QString& status = {});
    /// A pixel whose digis were not used.
    void setDropped(const QString& name, const QString& status);
    /// The text about the digi or pixel.
    QString digiText() const;
    /// How the list formats a digi. Called while a digi is set.
    void setDigiText(std::function<QString(std::size_t place)> text) { text_ = std::move(text); }

    FrameSlider& rounds() { return *rounds_; }
    FrameSlider& steps() { return *steps_; }
    HistogramPlot& columns() { return *columns_; }
    QListWidget& neighbours() { return *neighbours_; }
    QToolButton& record() { return *record_; }

  signals:
    void recordRequested();
    void roundChanged();
    void stepChanged();
    /// A digi of the list was selected.
    void digiPicked(std::size_t place);

  private:
    void build();
    void layOut();
    void showTexts();
    void showColumns();

    std::shared_ptr<const StepTrace> trace_;
    std::optional<std::size_t> digi_;
    std::function<QString(std::size_t)> text_;
    QToolButton* record_;
    ElidedLabel *name_, *roundText_, *stepText_;
    FrameSlider *rounds_, *steps_;
    HistogramPlot* columns_;
    QLabel* neighboursOf_;
    QListWidget* neighbours_;
};

}  // namespace ks::ui::clusters
