#pragma once

#include <QWidget>
#include <vector>

#include "core/devices/ceilings.h"
#include "ui/lab/comparison.h"

class QLabel;
class QToolButton;

namespace ks::ui::lab {

class RooflinePlot;

/// The roofline, with a line on what it leaves out, and a button that measures ceilings where they are
/// lacking.
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

  signals:
    void measureWanted();

  private:
    RooflinePlot* plot_;
    QLabel* note_;
    QToolButton* measure_;
};

}  // namespace ks::ui::lab
