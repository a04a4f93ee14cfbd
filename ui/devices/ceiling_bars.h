#pragma once

#include <QString>
#include <QWidget>
#include <vector>

#include "core/devices/ceilings.h"
#include "ui/plots/export_plot.h"

namespace ks::ui::devices {

/// Measured peak rates of the devices side by side: one group of bars per quantity, one bar per device. Bar
/// lengths are relative to the best median of the group, with the quartiles as a whisker; for times, shorter
/// is better.
class CeilingBars : public QWidget, public ExportablePlot {
    Q_OBJECT
  public:
    explicit CeilingBars(QWidget* parent = nullptr);

    void setCeilings(std::vector<Ceilings> all);
    const std::vector<Ceilings>& ceilings() const { return all_; }
    /// The device that is being measured; empty: none. Shown while there is nothing else to show.
    void setMeasuring(const QString& device);

    void paintFigure(QCPPainter& painter, const QSize& size) const override;
    std::string csv() const override;
    QSize figureSize() const override;
    QString figureName() const override { return QStringLiteral("ceilings"); }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

  private:
    struct Quantity {
        std::string id, label, unit;
        std::vector<const Ceiling*> values;  ///< [device]; null: not measured
        double longest = 0;                  ///< of the medians
    };
    std::vector<Quantity> quantities() const;
    int heightOf(const QFontMetrics& metrics) const;
    void draw(QPainter& painter, const QRectF& area, const QPalette& palette) const;
    QString tipAt(const QPoint& at) const;

    std::vector<Ceilings> all_;
    QString measuring_;
};

}  // namespace ks::ui::devices
