#include "ui/plots/plot_ticks.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>

namespace ks::ui {
namespace {

constexpr int mostTicks = 5;

bool labelsStandApart(const QCPAxis& axis, QCPAxisTicker& ticker) {
    QVector<double> ticks;
    QVector<QString> labels;
    const QString format = axis.numberFormat();
    ticker.generate(axis.range(), axis.parentPlot()->locale(),
                    format.isEmpty() ? QLatin1Char('g') : format[0], axis.numberPrecision(), ticks, nullptr,
                    &labels);
    const QFontMetricsF metrics(axis.tickLabelFont());
    const bool across = axis.orientation() == Qt::Horizontal;
    double lastAt = 0, lastHalf = 0;
    bool first = true;
    for (qsizetype i = 0; i < std::min(ticks.size(), labels.size()); ++i) {
        if (!axis.range().contains(ticks[i])) continue;
        const double at = axis.coordToPixel(ticks[i]);
        const double half = (across ? metrics.horizontalAdvance(labels[i]) : metrics.height()) / 2;
        const double gap = across ? metrics.horizontalAdvance(QStringLiteral("00")) : metrics.height() / 4;
        if (!first && std::abs(at - lastAt) < half + lastHalf + gap) return false;
        lastAt = at;
        lastHalf = half;
        first = false;
    }
    return true;
}

}  // namespace

bool fitTicks(QCPAxis& axis) {
    QCPAxisTicker& ticker = *axis.ticker();
    const int before = ticker.tickCount();
    for (int count = mostTicks; count >= 1; --count) {
        ticker.setTickCount(count);
        if (labelsStandApart(axis, ticker)) break;
    }
    return ticker.tickCount() != before;
}

void layOut(QCustomPlot& plot) {
    for (const auto phase :
         {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins, QCPLayoutElement::upLayout})
        plot.plotLayout()->update(phase);
}

void keepTicksApart(QCustomPlot& plot, const QVector<QCPAxis*>& further) {
    QObject::connect(&plot, &QCustomPlot::afterLayout, &plot, [&plot, further] {
        QVector<QCPAxis*> all = further;
        for (const QCPAxisRect* rect : plot.axisRects()) all << rect->axes();
        bool changed = false;
        for (QCPAxis* axis : all)
            if (axis->visible() && axis->ticks()) changed = fitTicks(*axis) || changed;
        if (changed) layOut(plot);
    });
}

}  // namespace ks::ui
