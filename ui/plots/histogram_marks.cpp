// Vertical lines in a histogram, and how the user moves them.

#include <qcustomplot.h>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>

#include "ui/base/palette.h"
#include "ui/plots/histogram_plot.h"

namespace ks::ui {
namespace {

constexpr double reach = 6;  ///< logical pixels on either side of a line

}  // namespace

void HistogramPlot::addMarks(QCustomPlot& plot, const QPalette& palette) const {
    const QFontMetricsF metrics(plot.font());
    double row = 0, from = HUGE_VAL, to = -HUGE_VAL;
    for (const HistogramSeries& one : series_)
        for (const double edge : one.edges)
            if (!logX_ || edge > 0) {
                from = std::min(from, edge);
                to = std::max(to, edge);
            }
    for (const HistogramMark& mark : marks_) {
        if (logX_ && mark.x <= 0) continue;
        auto* line = new QCPItemLine(&plot);
        line->setPen(QPen(binColour(mark.colour, isDark(palette)), 2));
        for (QCPItemPosition* end : {line->start, line->end}) {
            end->setTypeX(QCPItemPosition::ptPlotCoords);
            end->setTypeY(QCPItemPosition::ptAxisRectRatio);
        }
        line->start->setCoords(mark.x, 0);
        line->end->setCoords(mark.x, 1);
        if (mark.label.isEmpty()) continue;
        auto* text = new QCPItemText(&plot);
        text->setText(mark.label);
        text->setFont(plot.font());
        text->setColor(palette.color(QPalette::Text));
        QColor ground = palette.color(QPalette::Base);
        ground.setAlpha(200);
        text->setBrush(ground);
        text->setPadding(QMargins(3, 0, 3, 0));
        const bool right = logX_ ? mark.x * mark.x > from * to : 2 * mark.x > from + to;
        text->setPositionAlignment((right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignTop);
        text->position->setTypeX(QCPItemPosition::ptPlotCoords);
        text->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
        text->position->setCoords(mark.x, 0.02 + row);
        // Labels of close lines are placed below each other.
        row += metrics.height() / std::max(60.0, static_cast<double>(plot.axisRect()->height()));
    }
}

int HistogramPlot::markAt(const QPointF& at) const {
    if (!plot_->axisRect()->rect().contains(at.toPoint())) return -1;
    int nearest = -1;
    double away = reach;
    for (int i = 0; i < marks_.size(); ++i) {
        const double distance = std::abs(plot_->xAxis->coordToPixel(marks_[i].x) - at.x());
        if (distance > away) continue;
        nearest = i;
        away = distance;
    }
    return nearest;
}

// A press on a line must not reach the plot, whose range would be dragged as well.
bool HistogramPlot::dragMark(QEvent* event) {
    const bool press = event->type() == QEvent::MouseButtonPress, move = event->type() == QEvent::MouseMove,
               release = event->type() == QEvent::MouseButtonRelease;
    if (!press && !move && !release) return false;
    const auto* mouse = static_cast<QMouseEvent*>(event);
    if (press && mouse->button() == Qt::LeftButton) {
        dragged_ = markAt(mouse->position());
        return dragged_ >= 0;
    }
    if (dragged_ < 0) {
        if (move && mouse->buttons() == Qt::NoButton)
            plot_->setCursor(markAt(mouse->position()) >= 0 ? Qt::SplitHCursor : Qt::ArrowCursor);
        return false;
    }
    const int mark = dragged_;
    if (release) dragged_ = -1;
    emit markDragged(mark, plot_->xAxis->pixelToCoord(mouse->position().x()), release);
    return true;
}

}  // namespace ks::ui
