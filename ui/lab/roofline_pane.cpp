#include "ui/lab/roofline_pane.h"

#include <QLabel>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/base/csv_field.h"
#include "ui/base/layouts.h"
#include "ui/base/palette.h"
#include "ui/lab/lab_tabs.h"
#include "ui/lab/roofline.h"
#include "ui/plots/axis_ticker.h"
#include "ui/plots/plot_text.h"

namespace ks::ui::lab {
namespace {

constexpr double unit = 1e9;  ///< the axis shows Gop/s
constexpr int reach = 8;      ///< pixels from a point

/// A label next to a point that stays within the plot and clear of earlier labels where there is room.
class RoofLabels : public PlotMarks {
  public:
    struct Label {
        QPointF at;  ///< in plot coordinates
        QString text;
        QColor colour;
        bool ofLine = false;  ///< above or below the line at its position, not on it
        bool rises = false;   ///< that line: below it there is room only at the right
    };
    /// @param ground of the plot: labels of lines have this background, so that no line crosses them
    RoofLabels(QCustomPlot* plot, std::vector<Label> labels, const QColor& ground)
        : PlotMarks(plot, QStringLiteral("overlay")), labels_(std::move(labels)), ground_(ground) {}

  protected:
    void draw(QCPPainter* painter) override {
        const QRectF area(parentPlot()->axisRect()->rect());
        painter->setFont(parentPlot()->font());
        const QFontMetricsF metrics(parentPlot()->font());
        std::vector<QRectF> taken;
        for (const Label& label : labels_) {
            const QPointF at = pixelOf(label);
            if (!area.contains(at)) continue;
            const QSizeF size(metrics.horizontalAdvance(label.text) + 2, metrics.height());
            for (const QPointF& step : places(size, label)) {
                const QRectF place(at + step, size);
                const auto crosses = [&](const QRectF& other) { return other.intersects(place); };
                if (!area.contains(place) || std::ranges::any_of(taken, crosses)) continue;
                if (label.ofLine && coversPoint(place)) continue;
                if (label.ofLine) painter->fillRect(place, ground_);
                painter->setPen(label.colour);
                painter->drawText(place, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, label.text);
                taken.push_back(place);
                break;
            }
        }
    }

  private:
    QPointF pixelOf(const Label& label) const {
        return {parentPlot()->xAxis->coordToPixel(label.at.x()),
                parentPlot()->yAxis->coordToPixel(label.at.y())};
    }
    bool coversPoint(const QRectF& place) const {
        return std::ranges::any_of(labels_, [&](const Label& label) {
            return !label.ofLine && place.adjusted(-6, -6, 6, 6).contains(pixelOf(label));
        });
    }
    static std::vector<QPointF> places(const QSizeF& size, const Label& label) {
        const double h = size.height(), w = size.width();
        if (label.rises) return {{10, 4}, {10, 4 + h}, {10, 4 + 2 * h}};
        if (label.ofLine) return {{0, -h - 1}, {w / 4, -h - 1}, {w, -h - 1}, {0, 2}, {w, 2}};
        return {{8, -h / 2}, {-w - 8, -h / 2}, {-w / 2, -h - 6}, {-w / 2, 6}, {8, -h - 6}, {8, 6}};
    }
    std::vector<Label> labels_;
    QColor ground_;
};

const Roof* fastest(const std::vector<Roof>& roofs, bool memory) {
    const auto found = std::ranges::find(roofs, memory, &Roof::isMemory);
    return found == roofs.end() ? nullptr : &*found;
}

/// Whether a point must not be taken for a good kernel: its result is wrong, or its rate is impossible.
bool isDoubtful(const RoofPoint& one) {
    return one.wrong || !one.aboveRoofs.isEmpty();
}

}  // namespace

RooflinePlot::RooflinePlot(QWidget* parent)
    : PlotWidget(
          tr("Roofline"), [this] { fit(); }, parent) {
    plot_->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    present();
}

void RooflinePlot::setPoints(std::vector<RoofPoint> points, std::vector<Roof> roofs) {
    points_ = std::move(points);
    roofs_ = std::move(roofs);
    present();
}

QString RooflinePlot::labelOf(const RoofPoint& point) {
    QStringList marks;
    if (point.wrong) marks << tr("wrong result");
    if (!point.aboveRoofs.isEmpty()) marks << tr("above the roofs");
    const QString name = point.countsOf.isEmpty() ? point.name : point.name + countsMark;
    return marks.isEmpty() ? name : tr("%1 (%2)").arg(name, marks.join(QStringLiteral(", ")));
}

QPointF RooflinePlot::pointAt(std::size_t index) const {
    return {plot_->xAxis->coordToPixel(points_[index].intensity),
            plot_->yAxis->coordToPixel(points_[index].rate / unit)};
}

QString RooflinePlot::describe(const QPointF& at) const {
    for (std::size_t i = 0; i < points_.size(); ++i) {
        const QPointF away = pointAt(i) - at;
        if (std::hypot(away.x(), away.y()) > reach) continue;
        const RoofPoint& one = points_[i];
        QString text = tr("%1, %2\n%3, %4, %5 op/byte")
                           .arg(one.name, one.source, formatSi(one.rate, tr("op/s")),
                                formatSi(one.rate / one.intensity, QStringLiteral("B/s")),
                                formatNumber(one.intensity, 3));
        if (!one.countsOf.isEmpty()) text += QLatin1Char('\n') + countsText(one.countsOf);
        if (one.wrong) text += tr("\nits result differs from the reference");
        if (!one.aboveRoofs.isEmpty()) return text + tr("\nabove the roofs: %1").arg(one.aboveRoofs);
        return one.aboveMemory.isEmpty() ? text : text + QLatin1Char('\n') + one.aboveMemory;
    }
    return {};
}

void RooflinePlot::draw(QCustomPlot& plot, const QPalette& palette) const {
    plot.axisRect()->setMinimumMargins(QMargins(8, topMargin(), 14, 4));
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) setLogarithmic(*axis, true);
    plot.xAxis->setLabel(tr("operations per byte"));
    plot.yAxis->setLabel(tr("Gop/s"));
    if (isEmpty()) return;
    const bool dark = isDark(palette);
    const QColor text = palette.color(QPalette::Text), base = palette.color(QPalette::Base);
    const QColor wrong = dark ? QColor(0xff, 0x8a, 0x80) : QColor(0xb0, 0x10, 0x10);
    std::vector<RoofLabels::Label> labels;
    for (const RoofPoint& one : points_)
        labels.push_back({{one.intensity, one.rate / unit}, labelOf(one), isDoubtful(one) ? wrong : text});
    const Roof* const memory = fastest(roofs_, true);
    const double leftmost = std::ranges::min_element(points_, {}, &RoofPoint::intensity)->intensity;
    constexpr double least = 1e-6, most = 1e9;  // far outside the visible range
    for (const Roof& roof : roofs_) {
        QCPGraph* line = plot.addGraph();
        line->setPen(QPen(mixed(text, base, 0.55), 1.5, roof.isMemory ? Qt::SolidLine : Qt::DashLine));
        line->setAdaptiveSampling(false);
        const double knee = memory && !roof.isMemory ? roof.rate / memory->rate : least;
        const double end =
            roof.isMemory ? (fastest(roofs_, false) ? fastest(roofs_, false)->rate / roof.rate : most) : most;
        QVector<double> x, y;
        for (double at = roof.isMemory ? least : knee; at < end * 0.999; at *= 2) {
            x << at;
            y << (roof.isMemory ? roof.rate * at : roof.rate) / unit;
        }
        x << end;
        y << (roof.isMemory ? roof.rate * end : roof.rate) / unit;
        line->setData(x, y, true);
        const double place = roof.isMemory ? leftmost / 2 : std::max({knee * 1.1, least, leftmost / 2});
        labels.push_back({{place, (roof.isMemory ? roof.rate * place : roof.rate) / unit},
                          roof.isMemory
                              ? tr("%1, %2").arg(roof.name, formatSi(roof.rate, QStringLiteral("B/s")))
                              : tr("%1, %2").arg(roof.name, formatSi(roof.rate, tr("op/s"))),
                          mixed(text, base, 0.7),
                          true,
                          roof.isMemory});
    }
    for (const RoofPoint& one : points_) {
        QCPGraph* graph = plot.addGraph();
        graph->setLineStyle(QCPGraph::lsNone);
        const QColor colour = isDoubtful(one) ? wrong : binColour(one.colour, dark);
        graph->setScatterStyle(QCPScatterStyle(isDoubtful(one)             ? QCPScatterStyle::ssCross
                                               : one.aboveMemory.isEmpty() ? QCPScatterStyle::ssDisc
                                                                           : QCPScatterStyle::ssTriangle,
                                               colour, colour, 9));
        graph->addData(one.intensity, one.rate / unit);
    }
    new RoofLabels(&plot, std::move(labels), base);  // of the plot
}

void RooflinePlot::fit() {
    double left = HUGE_VAL, right = 0, low = HUGE_VAL, high = 0;
    for (const RoofPoint& one : points_) {
        left = std::min(left, one.intensity);
        right = std::max(right, one.intensity);
        low = std::min(low, one.rate / unit);
        high = std::max(high, one.rate / unit);
    }
    if (points_.empty()) left = low = 1, right = high = 10;
    // Far enough right to show the knee of the arithmetic roof.
    const Roof *memory = fastest(roofs_, true), *arithmetic = fastest(roofs_, false);
    if (memory && arithmetic) {
        right = std::max(right, arithmetic->rate / memory->rate);
        high = std::max(high, arithmetic->rate / unit);
    }
    plot_->xAxis->setRange(left / 3, right * 8);
    plot_->yAxis->setRange(low / 3, high * 3);
}

PlotLegend RooflinePlot::legend() const {
    PlotLegend sources;
    for (const RoofPoint& one : points_) addSource(sources, one.source, one.colour);
    return sources;
}

std::string RooflinePlot::csv() const {
    std::string text = "kind,name,source,operations_per_byte,per_second,above_roofs,counts_of,wrong\n";
    for (const RoofPoint& one : points_)
        text += "variant," + csvField(one.name) + ',' + csvField(one.source) + ',' +
                csvNumber(one.intensity) + ',' + csvNumber(one.rate) + ',' + csvField(one.aboveRoofs) + ',' +
                csvField(one.countsOf) + (one.wrong ? ",wrong\n" : ",\n");
    for (const Roof& one : roofs_)
        text += std::string(one.isMemory ? "memory" : "arithmetic") + ',' + csvField(one.name) + ",,," +
                csvNumber(one.rate) + ",,,\n";
    return text;
}

std::optional<DeviceInfo> RooflinePane::presentDevice(const Compared& of) const {
    const DeviceInfo& device = of.report.device;
    if (of.isNow()) return device;
    // The index in a report was valid when it was made.
    const std::vector<DeviceInfo>& now = desk_.catalogue().devices;
    const auto found = std::ranges::find_if(
        now, [&](const DeviceInfo& one) { return one.index >= 0 && same_ceilings(one, device); });
    return found == now.end() ? std::nullopt : std::optional(*found);
}

RooflinePane::RooflinePane(Desk& desk, QWidget* parent)
    : QWidget(parent),
      desk_(desk),
      plot_(new RooflinePlot),
      note_(named(new QLabel, tr("Not shown in the roofline"))),
      measure_(new QToolButton) {
    note_->setObjectName(QStringLiteral("note"));
    note_->setWordWrap(true);
    note_->setContentsMargins(8, 2, 8, 4);
    measure_->setText(tr("Measure ceilings"));
    measure_->setToolTip(
        tr("Measure the device's peak rates; this takes some seconds, and the results are kept"));
    connect(measure_, &QToolButton::clicked, this, [this] {
        if (lacking_) desk_.measureCeilings(*lacking_);
    });
    connect(&desk_, &Desk::measurableChanged, measure_, &QWidget::setEnabled);
    setLayout(
        inRows({{plot_, 1}, inColumns({{note_, 1}, {measure_, 0, Qt::AlignTop}}, {}, {0, 0, 8, 2})}, 0));
}

void RooflinePane::show(const LabView& view) {
    const std::vector<Ceilings>& ceilings = desk_.catalogue().ceilings;
    QStringList notes;
    const Ceilings* known = nullptr;
    QStringList lacking;
    QString roofed;
    lacking_.reset();
    for (const Entry& entry : view.here) {
        const DeviceInfo& device = entry.of->report.device;
        if (device.index < 0 && entry.of->file.isEmpty()) continue;
        const QString name = QString::fromStdString(device.name);
        const Ceilings* found = find_ceilings(ceilings, device);
        if (!found && !lacking.contains(name)) lacking << name;
        if (!found && !lacking_) lacking_ = presentDevice(*entry.of);
        if (found && !known) {
            known = found;
            roofed = name;
        }
    }
    QStringList leftOut;
    std::vector<RoofPoint> points = roofPoints(view, ceilings, leftOut);
    for (const RoofPoint& one : points) {
        if (!one.aboveRoofs.isEmpty()) notes << tr("Above the roofs: %1 (%2).").arg(one.name, one.aboveRoofs);
        if (!one.aboveMemory.isEmpty()) notes << tr("Above memory: %1 (%2).").arg(one.name, one.aboveMemory);
    }
    if (const QString counted = countsNote(points); !counted.isEmpty()) notes << counted;
    if (known) notes << tr("Roofs measured on %1.").arg(roofed);
    if (!lacking.isEmpty())
        notes << tr("No ceilings measured for %1.").arg(lacking.join(QStringLiteral(", ")));
    if (!leftOut.isEmpty()) notes << tr("Not shown: %1.").arg(leftOut.join(QStringLiteral("; ")));
    note_->setText(notes.join(QLatin1Char(' ')));
    note_->setVisible(!notes.isEmpty());
    measure_->setVisible(lacking_.has_value());
    plot_->setEmptyText(view.here.empty() ? tr("Press Run (F5) to plot the variants, with the operations and "
                                               "bytes that their kernels declare")
                                          : tr("No kernel declares both its operations and its bytes"));
    plot_->setPoints(std::move(points), known ? roofsOf(*known) : std::vector<Roof>());
}

LabTab rooflineTab(const LabParts& parts) {
    auto* pane = new RooflinePane(parts.desk);
    const QString title = QObject::tr("Roofline");
    return {{title,
             QObject::tr("Operations per second against operations per byte, as declared by the kernels, "
                         "with the device's peak rates as a roof"),
             pane,
             {{title, &pane->plot(), QStringLiteral("roofline")}}},
            [pane](const LabView& view) { pane->show(view); }};
}

}  // namespace ks::ui::lab
