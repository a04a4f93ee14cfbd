#pragma once

#include <QWidget>
#include <utility>
#include <vector>

#include "core/devices/ceilings.h"
#include "ui/lab/comparison.h"

class QLabel;
class QToolButton;

namespace ks::ui::lab {

class RooflinePlot;

/// The roofline, with a line about what it does not show, and a button that measures missing ceilings.
class RooflinePane : public QWidget {
    Q_OBJECT
  public:
    explicit RooflinePane(QWidget* parent = nullptr);
    ~RooflinePane() override;

    /// @param colours of each entry
    void show(const std::vector<Entry>& entries, const std::vector<int>& colours,
              const std::vector<Ceilings>& ceilings);

    RooflinePlot& plot() { return *plot_; }
    QToolButton& measure() { return *measure_; }
    QString note() const;
    /// Which colour belongs to which source, if points have several; empty: there is one.
    QString legend() const;

  signals:
    void measureWanted();

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void showLegend();

    std::vector<std::pair<QString, int>> sources_;  ///< of the points, with their colours
    RooflinePlot* plot_;
    QLabel *legend_, *note_;
    QToolButton* measure_;
};

}  // namespace ks::ui::lab
