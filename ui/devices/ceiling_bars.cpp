#include "ui/devices/ceiling_bars.h"

#include <qcustomplot.h>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include <fmt/format.h>

#include "ui/base/palette.h"
#include "ui/plots/figure_export.h"

namespace ks::ui::devices {
namespace {

constexpr int margin = 8, groupGap = 6, barGap = 2;

QString unitOf(const std::string& unit) {
    return unit == "1/s" ? QStringLiteral("/s") : QString::fromStdString(unit);
}

QString valueOf(const Ceiling& one) {
    const double median = one.median();
    const double spread = median > 0 ? (one.at_quantile(0.75) - one.at_quantile(0.25)) / 2 / median : 0;
    return QObject::tr("%1 \u00b1 %2 %")
        .arg(formatSi(median, unitOf(one.unit)), formatNumber(100 * spread, 2));
}

int barHeight(const QFontMetrics& metrics) {
    return metrics.height();
}

}  // namespace

CeilingBars::CeilingBars(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Measured peak rates of the devices"));
    setWhatsThis(
        tr("Peak rates measured on this computer: medians \u00b1 half the interquartile range, in percent. "
           "The line at the end of a bar runs from the lower to the upper quartile. Bar lengths are relative "
           "to the best device."));
}

void CeilingBars::setCeilings(std::vector<Ceilings> all) {
    all_ = std::move(all);
    updateGeometry();
    update();
}

void CeilingBars::setMeasuring(const QString& device) {
    measuring_ = device;
    update();
}

std::vector<CeilingBars::Quantity> CeilingBars::quantities() const {
    std::vector<Quantity> found;
    for (std::size_t device = 0; device < all_.size(); ++device)
        for (const Ceiling& one : all_[device].values) {
            auto row = std::ranges::find(found, one.id, &Quantity::id);
            if (row == found.end())
                row = found.insert(found.end(), {one.id, one.label, one.unit,
                                                 std::vector<const Ceiling*>(all_.size(), nullptr), 0});
            row->values[device] = &one;
            row->longest = std::max(row->longest, one.median());
        }
    return found;
}

int CeilingBars::heightOf(const QFontMetrics& metrics) const {
    const auto groups = static_cast<int>(quantities().size());
    const auto devices = static_cast<int>(all_.size());
    const int legend = metrics.height() + 2 * margin;
    return legend + groups * (devices * (barHeight(metrics) + barGap) + groupGap) + margin;
}

QSize CeilingBars::sizeHint() const {
    return {640, heightOf(fontMetrics())};
}

QSize CeilingBars::minimumSizeHint() const {
    return {240, heightOf(fontMetrics())};
}

QSize CeilingBars::figureSize() const {
    return {800, std::max(heightOf(fontMetrics()), 160)};
}

void CeilingBars::draw(QPainter& painter, const QRectF& area, const QPalette& palette) const {
    const QColor text = palette.color(QPalette::Text), base = palette.color(QPalette::Base);
    painter.fillRect(area, base);
    painter.setPen(text);
    const QFontMetrics metrics = painter.fontMetrics();
    if (all_.empty()) {
        painter.drawText(
            area, Qt::AlignCenter | Qt::TextWordWrap,
            measuring_.isEmpty()
                ? tr("Not measured yet. Press Measure to find the device's peak rates.")
                : tr("Measuring %1: memory, transfers, arithmetic and launches").arg(measuring_));
        return;
    }
    const std::vector<Quantity> rows = quantities();
    int labels = 0, values = 0;
    for (const Quantity& row : rows) {
        labels = std::max(labels, metrics.horizontalAdvance(QString::fromStdString(row.label)));
        for (const Ceiling* one : row.values)
            if (one) values = std::max(values, metrics.horizontalAdvance(valueOf(*one)));
    }
    constexpr double least = 160;  // of the longest bar
    labels = std::min(
        labels, static_cast<int>(std::max(area.width() * 0.35, area.width() - values - least - 6 * margin)));
    const double left = area.left() + margin + labels + margin;
    const double room = std::max(20.0, area.right() - left - values - 4 * margin);
    const int bar = barHeight(metrics);
    double x = area.left() + margin;
    for (std::size_t i = 0; i < all_.size(); ++i) {
        const QString name = QString::fromStdString(all_[i].device.name);
        const QRectF swatch(x, area.top() + margin, metrics.height() * 0.7, metrics.height() * 0.7);
        painter.fillRect(swatch, binColour(static_cast<int>(i) + 1, isDark(palette)));
        painter.drawText(QPointF(swatch.right() + 4, area.top() + margin + metrics.ascent() - 1), name);
        x = swatch.right() + 4 + metrics.horizontalAdvance(name) + 2 * margin;
    }
    double y = area.top() + metrics.height() + 2 * margin;
    for (const Quantity& row : rows) {
        const double high = static_cast<double>(row.values.size()) * (bar + barGap);
        painter.setPen(text);
        painter.drawText(QRectF(area.left() + margin, y, labels, high), Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(QString::fromStdString(row.label), Qt::ElideRight, labels));
        for (std::size_t i = 0; i < row.values.size(); ++i) {
            const QRectF place(left, y + static_cast<double>(i) * (bar + barGap), room, bar);
            const Ceiling* const one = row.values[i];
            if (!one) {
                painter.setPen(mixed(text, base, 0.5));
                painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, tr("not measured"));
                continue;
            }
            const auto at = [&](double value) { return left + room * value / row.longest; };
            painter.fillRect(QRectF(left, place.top() + 2, at(one->median()) - left, bar - 4),
                             binColour(static_cast<int>(i) + 1, isDark(palette)));
            painter.setPen(QPen(text, 1));
            const double middle = place.center().y(), from = at(one->at_quantile(0.25)),
                         to = std::min(at(one->at_quantile(0.75)), left + room + margin);
            painter.drawLine(QPointF(from, middle), QPointF(to, middle));
            painter.drawText(
                QRectF(std::max(to, at(one->median())) + margin, place.top(), values + margin, bar),
                Qt::AlignLeft | Qt::AlignVCenter, valueOf(*one));
        }
        y += high + groupGap;
    }
}

void CeilingBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    draw(painter, rect(), palette());
}

void CeilingBars::paintFigure(QCPPainter& painter, const QSize& size) const {
    draw(painter, QRectF(QPointF(), QSizeF(size)), figurePalette(painter));
}

QString CeilingBars::tipAt(const QPoint& at) const {
    const QFontMetrics metrics = fontMetrics();
    const int bar = barHeight(metrics);
    double y = metrics.height() + 2 * margin;
    for (const Quantity& row : quantities()) {
        const double high = static_cast<double>(row.values.size()) * (bar + barGap);
        if (at.y() >= y && at.y() < y + high) {
            const auto device = static_cast<std::size_t>((at.y() - y) / (bar + barGap));
            if (device >= row.values.size() || !row.values[device]) return {};
            const Ceiling& one = *row.values[device];
            return tr("%1\n%2: %3\n%4 samples: %5")
                .arg(QString::fromStdString(all_[device].device.title()), QString::fromStdString(one.label),
                     valueOf(one))
                .arg(one.samples.size())
                .arg(QString::fromStdString(one.sample));
        }
        y += high + groupGap;
    }
    return {};
}

bool CeilingBars::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* const help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), tipAt(help->pos()), this);
        return true;
    }
    return QWidget::event(event);
}

std::string CeilingBars::csv() const {
    std::string text = "device,driver,quantity,unit,median,lower_quartile,upper_quartile,samples\n";
    for (const Ceilings& device : all_)
        for (const Ceiling& one : device.values)
            text += fmt::format("\"{}\",\"{}\",{},{},{},{},{},{}\n", device.device.name, device.device.driver,
                                one.id, one.unit, one.median(), one.at_quantile(0.25), one.at_quantile(0.75),
                                one.samples.size());
    return text;
}

}  // namespace ks::ui::devices
