#pragma once

#include <qcustomplot.h>

namespace ks::ui::spots {

/// Ticks of an axis of 1/d^2 labelled with d: "3", "2.1"; equidistant as far as short numbers allow.
class ResolutionTicker : public QCPAxisTicker {
  protected:
    QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
    QVector<double> createSubTickVector(int, const QVector<double>&) override { return {}; }
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
};

}  // namespace ks::ui::spots
