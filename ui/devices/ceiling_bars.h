#pragma once

#include <QString>
#include <QWidget>
#include <vector>

#include "core/devices/ceilings.h"
#include "ui/plots/export_plot.h"

namespace ks::ui::devices {

/// What devices can do at most, side by side: a group of bars a quantity, a bar a device. A bar is as long as
/// its median is of the best one in its group, with the quartiles as a whisker; times are the shorter the
/// better.
class CeilingBars : public QWidget, public ExportablePlot {
    Q_OBJECT
  public:
    explicit CeilingBars(QWidget* parent = nullptr);

    void setCeilings(std::vector<Ceilings> all);
    const std::vector<Ceilings>& ceilings() const { return all_; }
    /// The device that is being measured; empty: none is. Said where nothing else is shown.
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
