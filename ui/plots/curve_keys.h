#pragma once

#include <QIcon>
#include <QListWidget>
#include <QSet>
#include <QVector>

#include "ui/plots/curve_plot.h"

namespace ks::ui {

/// A piece of a curve for its legend entry.
QIcon curveSwatch(const QColor& colour, Qt::PenStyle pattern, bool marker, double ratio);

/// The shared legend of several plots of the same bins, below or above them: as many columns as fit and as
/// many lines as that takes. Each entry has a tick that shows or hides the bin.
class CurveKeys : public QListWidget {
    Q_OBJECT
  public:
    explicit CurveKeys(QWidget* parent = nullptr);

    /// Shows labels and colours of these curves, each bin once. Ticks of bins that remain are kept.
    void setSeries(const QVector<CurveSeries>& series);
    /// Content beyond this height is scrolled.
    void setMostHeight(int pixels);

  signals:
    void binTicked(int bin, bool visible);

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void fill();
    void layLines();

    QVector<CurveSeries> series_;
    QSet<int> hidden_;
    int laidWidth_ = 0, mostHeight_ = 100;
};

}  // namespace ks::ui
